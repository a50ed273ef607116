/* Heads of requests: what is well formed is measured, what has two meanings is refused, and half a head is waited for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "serve/gate.h"
#include "serve/head.h"

static int status_of(const char *text, size_t length, iol__head *head) {
    const char *why = NULL;
    char *exact = malloc(length ? length : 1); /* so that a sanitizer sees a read beyond the end */
    memcpy(exact, text, length);
    const int status = iol__head_read(exact, length, head, &why);
    if (status > 0) assert_non_null(why);
    free(exact);
    return status;
}

#define STATUS(text) status_of(text, sizeof(text) - 1, &head)

static void whole_heads_are_measured(void **state) {
    iol__head head;
    (void)state;
    assert_int_equal(STATUS("GET / HTTP/1.1\r\nHost: a:80\r\nX: \ty \r\n\r\nGET"), 0);
    assert_int_equal(head.length, 38);
    assert_int_equal(head.host_length, 1);
    assert_int_equal(STATUS("POST /x HTTP/1.1\r\nhost: a\r\ncontent-length: 12\r\n\r\n"), 0);
    assert_int_equal(head.body_length, 12);
    assert_int_equal(STATUS("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"), 0);
    assert_true(head.chunked);
}

static void every_part_of_a_head_is_waited_for(void **state) {
    static const char text[] = "GET /a?b=c HTTP/1.1\r\nHost: [::1]:8\r\nContent-Length: 0\r\n\r\n";
    iol__head head;
    (void)state;
    for (size_t i = 0; i < sizeof text - 1; i++) assert_int_equal(status_of(text, i, &head), -1);
    assert_int_equal(status_of(text, sizeof text - 1, &head), 0);
}

static void heads_with_two_meanings_are_refused(void **state) {
#define GET "GET / HTTP/1.1\r\nHost: a\r\n"
    iol__head head;
    (void)state;
    assert_int_equal(STATUS(GET "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
    assert_int_equal(STATUS(GET "Content-Length: 1\r\nContent-Length: 1\r\n\r\n"), 400);
    assert_int_equal(STATUS(GET "Content-Length: 9999999999999999999\r\n\r\n"), 400);
    assert_int_equal(STATUS(GET "Host: b\r\n\r\n"), 400);
    assert_int_equal(STATUS(GET "A: b\n\r\n"), 400);
    assert_int_equal(STATUS(GET "A: b\r\n c\r\n\r\n"), 400);
    assert_int_equal(STATUS(GET "A: b\0c\r\n\r\n"), 400);
    assert_int_equal(STATUS(GET "A : b\r\n\r\n"), 400);
    assert_int_equal(STATUS(GET "A: b\rB: c\r\n\r\n"), 400);
    assert_int_equal(STATUS("\r\n"), 400);
    assert_int_equal(STATUS("GET / HTTP/1.1\r\n\r\n"), 400);
    assert_int_equal(STATUS("GET / HTTP/1.0\r\n\r\n"), 0);
}

static size_t take(const char *text, iol__chunks *chunks) {
    *chunks = (iol__chunks){0};
    return iol__chunks_take(chunks, text, strlen(text));
}

static void chunks_are_followed_to_their_end(void **state) {
    iol__chunks chunks;
    (void)state;
    assert_int_equal(take("3\r\nabc\r\n0\r\n\r\nGET", &chunks), 13);
    assert_int_equal(chunks.state, IOL_CHUNKS_DONE);
    assert_int_equal(take("3\r\nab", &chunks), 5);
    assert_int_equal(chunks.state, IOL_CHUNK_DATA);
    static const char *const wrong[] = {
        "\r\n", "x\r\n", "3\n", "3;a\r\n", "3\r\nabcd\r\n", "0\r\nA: b\r\n", "1111111111111111\r\n"};
    for (size_t i = 0; i < IOL_COUNT(wrong); i++) assert_int_equal(take(wrong[i], &chunks), SIZE_MAX);
}

static bool known(const char *host) {
    static const char *const names[] = {"portal.example"};
    const iol__gate_options options = {.hosts = names, .n_hosts = 1};
    return iol__host_known(&options, host, strlen(host), "192.0.2.7");
}

static void only_hosts_that_were_told_are_known(void **state) {
    (void)state;
    assert_true(known("localhost") && known("127.0.0.1") && known("127.9.9.9") && known("::1"));
    assert_true(known("192.0.2.7") && known("Portal.Example"));
    assert_false(known("") || known("evil.example") || known("localhost.evil.example") || known("192.0.2.8"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_heads_are_measured),
        cmocka_unit_test(every_part_of_a_head_is_waited_for),
        cmocka_unit_test(heads_with_two_meanings_are_refused),
        cmocka_unit_test(chunks_are_followed_to_their_end),
        cmocka_unit_test(only_hosts_that_were_told_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
