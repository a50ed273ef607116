/* The vectors of FIPS 180-4 and RFC 4231, and lengths around the edges of a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "serve/sha256.h"

static void expect(const char *text, size_t length, const char *wanted) {
    uint8_t digest[IOL_DIGEST];
    char hex[IOL_DIGEST_HEX];
    iol__sha256(text, length, digest);
    iol__hex_of(digest, sizeof digest, hex);
    assert_string_equal(hex, wanted);
}

static void published_vectors(void **state) {
    (void)state;
    expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void edges_of_a_block(void **state) {
    (void)state;
    char a[200];
    memset(a, 'a', sizeof a);
    expect(a, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    expect(a, 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    expect(a, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    expect(a, 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0");
}

static void keyed(void **state) {
    (void)state;
    uint8_t key[IOL_DIGEST] = {0}, digest[IOL_DIGEST];
    char hex[IOL_DIGEST_HEX];
    memset(key, 0x0b, 20); /* RFC 4231, case 1: shorter keys are filled with zeros */
    iol__hmac(key, "Hi There", 8, digest);
    iol__hex_of(digest, sizeof digest, hex);
    assert_string_equal(hex, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_vectors), cmocka_unit_test(edges_of_a_block),
                                       cmocka_unit_test(keyed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
