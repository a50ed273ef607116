/* Loading libcurl. */
#include "site/curl.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"

enum { EVERYTHING = 3 }; /* for curl_global_init */
static iol__curl loaded;
static bool there;

static void curl_load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    const struct {
        const char *name;
        void *to;
    } functions[] = {{"curl_global_init", &loaded.global_init}, {"curl_easy_init", &loaded.init},
                     {"curl_easy_setopt", &loaded.set},         {"curl_easy_perform", &loaded.perform},
                     {"curl_easy_getinfo", &loaded.info},       {"curl_easy_cleanup", &loaded.cleanup},
                     {"curl_easy_strerror", &loaded.text},      {"curl_slist_append", &loaded.append},
                     {"curl_slist_free_all", &loaded.free_list}};
    there = library != NULL;
    for (size_t i = 0; there && i < IOL_COUNT(functions); i++) {
        void *found = dlsym(library, functions[i].name);
        there = found != NULL;
        memcpy(functions[i].to, &found, sizeof found);
    }
    if (there) there = loaded.global_init(EVERYTHING) == 0;
}

/* Threads of a server may want it at the same time. */
const iol__curl *iol__curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, curl_load);
    return there ? &loaded : NULL;
}

char *iol__url_escape(const char *text) {
    char *escaped = malloc(3 * strlen(text) + 1), *at = escaped;
    for (; escaped && *text; text++)
        if (isalnum((unsigned char)*text) || strchr("-._~", *text))
            *at++ = *text;
        else
            at += sprintf(at, "%%%02X", (unsigned char)*text);
    if (escaped) *at = 0;
    return escaped;
}
