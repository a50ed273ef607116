/* libcurl, by its stable numbers, so that building needs no header; it is loaded when it is needed. */
#ifndef IOL_SITE_CURL_H
#define IOL_SITE_CURL_H

/* From curl/curl.h; these never change. */
enum {
    IOL_CURL_WRITEDATA = 10001,
    IOL_CURL_URL = 10002,
    IOL_CURL_ERRORBUFFER = 10010,
    IOL_CURL_POSTFIELDS = 10015,
    IOL_CURL_HTTPHEADER = 10023,
    IOL_CURL_CAINFO = 10065,
    IOL_CURL_USERNAME = 10173,
    IOL_CURL_PASSWORD = 10174,
    IOL_CURL_UNIX_SOCKET_PATH = 10231,
    IOL_CURL_WRITEFUNCTION = 20011,
    IOL_CURL_POSTFIELDSIZE = 30120,
    IOL_CURL_TIMEOUT = 13,
    IOL_CURL_POST = 47,
    IOL_CURL_CONNECTTIMEOUT = 78,
    IOL_CURL_NOSIGNAL = 99,
    IOL_CURL_TIMEOUT_MS = 155,
    IOL_CURL_PROTOCOLS = 181, /* 1: HTTP, 2: HTTPS */
    IOL_CURL_RESPONSE_CODE = 0x200002,
};

typedef struct iol__curl {
    int (*global_init)(long);
    void *(*init)(void);
    int (*set)(void *, int, ...);
    int (*perform)(void *);
    int (*info)(void *, int, ...);
    void (*cleanup)(void *);
    const char *(*text)(int);
    void *(*append)(void *, const char *);
    void (*free_list)(void *);
} iol__curl;

/* NULL: it is not there. */
const iol__curl *iol__curl_load(void);
/* Text as part of a URL; the result is to be freed. */
char *iol__url_escape(const char *text);

#endif
