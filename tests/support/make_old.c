/* make-old DIR: logs of Darshan 1.x and 2.x of every version and byte order, as DIR/VERSION-ORDER.darshan.gz (and .bz2 for
   one of them): what the scripts and fuzzers begin with. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/oldmaker.h"

static void write_file(const char *directory, const char *name, const char *ending, const bytes *content) {
    char path[4096];
    snprintf(path, sizeof path, "%s/user_app-%s_id180936_3-13-25600-77_1.darshan%s", directory, name, ending);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(content->data, 1, content->length, file) != content->length || fclose(file) != 0) {
        fprintf(stderr, "make-old: %s: %s\n", path, strerror(errno));
        exit(1);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: make-old DIR\n", stderr);
        return 2;
    }
    mkdir(argv[1], 0777);
    for (size_t i = 0; i < om_versions(); i++) {
        const om_version *v = om_version_at(i);
        for (int big = v->generation == 1; big < 2; big++) {
            char name[32];
            bytes raw = {0}, packed = {0}, tight = {0};
            snprintf(name, sizeof name, "%s-%s", v->name, big ? "be" : "le");
            om_log(&raw, v, big);
            om_put_single_layers(&raw, v);
            om_gzip(&raw, &packed);
            write_file(argv[1], name, ".gz", &packed);
            if (strcmp(v->name, "2.02") == 0 && om_bzip2(&raw, &tight)) write_file(argv[1], name, ".bz2", &tight);
            bytes_free(&raw);
            bytes_free(&packed);
            bytes_free(&tight);
        }
    }
    return 0;
}
