/* SPDX-License-Identifier: MIT */
/* Cache entries as bytes. */
#include "cache/entry.h"
#include "support/dice.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 20260, PAYLOAD = 1000, AT_FORMAT = 8, AT_CHECKSUM = 48 };

static const struct hash_part key = {"this is the key", 15};
static unsigned char whole[ENTRY_HEADER_BYTES + 15 + PAYLOAD];

static void enter(void)
{
    struct dice dice = {SEED};
    unsigned char *payload = whole + ENTRY_HEADER_BYTES + key.length;
    dice_fill(&dice, payload, PAYLOAD);
    const struct hash_part content = {payload, PAYLOAD};
    entry_header(whole, &key, &content);
    memcpy(whole + ENTRY_HEADER_BYTES, key.bytes, key.length);
}

/* Judges a copy that is exactly as long, so that a sanitizer sees every byte read too far. */
static enum cache_outcome judge(const unsigned char *bytes, size_t size,
                                const struct hash_part *with)
{
    const char *reason = NULL;
    struct hash_part payload = {NULL, 0}, found = {NULL, 0};
    unsigned char *copy = malloc(size + (size == 0));
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    enum cache_outcome state = entry_parse(copy, size, with, &payload, &reason);
    ck_assert_ptr_nonnull(reason);
    ck_assert_int_eq(state == CACHE_HIT, reason[0] == '\0');
    if (state == CACHE_HIT) {
        ck_assert_ptr_eq(payload.bytes, copy + ENTRY_HEADER_BYTES + with->length);
        ck_assert_uint_eq(payload.length, size - ENTRY_HEADER_BYTES - with->length);
    }
    entry_key(copy, size, &found, &reason);
    if (state == CACHE_CORRUPT)
        ck_assert_uint_eq(found.length, 0);
    free(copy);
    return state;
}

/* Makes the checksum of changed bytes hold again. */
static void seal(unsigned char *bytes, size_t size)
{
    const struct hash_part parts[] = {{bytes, AT_CHECKSUM},
                                      {bytes + ENTRY_HEADER_BYTES, size - ENTRY_HEADER_BYTES}};
    struct hash sum = hash_of(parts, 2);
    memcpy(bytes + AT_CHECKSUM, sum.byte, sizeof sum.byte);
}

static void set(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        to[i] = (unsigned char)(value >> 8 * i);
}

/* ---- P3 ---- */

/* The hashes are from xxhash.h's one-shot function over the same bytes. */
START_TEST(p3_the_header_is_golden)
{
    static const unsigned char golden[ENTRY_HEADER_BYTES] = {
        0x63, 0x6c, 0x73, 0x6c, 0x69, 0x63, 0x65, 0x0a, /* magic */
        0x01, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, /* format, header */
        0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* key */
        0x07, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* payload */
        0xa4, 0xbd, 0xf4, 0xe5, 0x64, 0x56, 0x4c, 0xf8,
        0xbb, 0xea, 0x0d, 0x63, 0xa0, 0x51, 0x65, 0xe3, /* digest */
        0xc5, 0x93, 0xae, 0x5d, 0x96, 0xc8, 0xd3, 0x9f,
        0x4c, 0x8a, 0x53, 0xb8, 0x05, 0xa3, 0x0d, 0x2b, /* checksum */
    };
    const struct hash_part small = {"key", 3}, content = {"payload", 7};
    unsigned char header[ENTRY_HEADER_BYTES];
    entry_header(header, &small, &content);
    ck_assert_mem_eq(header, golden, sizeof golden);
}
END_TEST

START_TEST(p3_a_whole_entry_is_taken)
{
    const char *reason;
    struct hash_part found;
    ck_assert_int_eq(judge(whole, sizeof whole, &key), CACHE_HIT);
    entry_key(whole, sizeof whole, &found, &reason);
    ck_assert_uint_eq(found.length, key.length);
    ck_assert_mem_eq(found.bytes, key.bytes, key.length);
    ck_assert_str_eq(reason, "");
}
END_TEST

START_TEST(p3_every_truncation_is_corrupt)
{
    for (size_t size = 0; size < sizeof whole; ++size)
        ck_assert_int_eq(judge(whole, size, &key), CACHE_CORRUPT);
}
END_TEST

START_TEST(p3_every_flipped_bit_is_seen)
{
    for (size_t bit = 0; bit < 8 * sizeof whole; ++bit) {
        bool in_format = bit / 8 >= AT_FORMAT && bit / 8 < AT_FORMAT + 4;
        whole[bit / 8] ^= (unsigned char)(1u << bit % 8);
        ck_assert_int_eq(judge(whole, sizeof whole, &key), in_format ? CACHE_STALE : CACHE_CORRUPT);
        whole[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
}
END_TEST

START_TEST(p3_junk_behind_is_corrupt)
{
    unsigned char longer[sizeof whole + 64] = {0};
    memcpy(longer, whole, sizeof whole);
    for (size_t junk = 1; junk <= 64; ++junk)
        ck_assert_int_eq(judge(longer, sizeof whole + junk, &key), CACHE_CORRUPT);
}
END_TEST

/* Bytes of the key and of the payload, whose sum is right only where it wraps, or that lie. */
static const uint64_t lengths[][2] = {
    {UINT64_MAX, PAYLOAD + 15 + 1},
    {UINT64_MAX - 63, PAYLOAD + 15 + 64},
    {PAYLOAD + 15 + 1, UINT64_MAX},
    {15 + PAYLOAD, 0},
    {16, PAYLOAD},
    {15, PAYLOAD - 1},
    {14, PAYLOAD},
    {UINT64_C(1) << 32 | 15, PAYLOAD},
    {15, UINT64_C(1) << 32 | PAYLOAD},
    {0, 0},
};

START_TEST(p3_lengths_that_lie_are_corrupt)
{
    set(whole + 16, lengths[_i][0], 8);
    set(whole + 24, lengths[_i][1], 8);
    seal(whole, sizeof whole);
    ck_assert_int_eq(judge(whole, sizeof whole, &key), CACHE_CORRUPT);
}
END_TEST

START_TEST(p3_another_magic_is_corrupt)
{
    for (size_t i = 0; i < 8; ++i) {
        whole[i] ^= 0x20;
        seal(whole, sizeof whole);
        ck_assert_int_eq(judge(whole, sizeof whole, &key), CACHE_CORRUPT);
        whole[i] ^= 0x20;
    }
}
END_TEST

START_TEST(p3_another_header_length_is_corrupt)
{
    set(whole + 12, ENTRY_HEADER_BYTES + 15, 4);
    seal(whole, sizeof whole);
    ck_assert_int_eq(judge(whole, sizeof whole, &key), CACHE_CORRUPT);
}
END_TEST

START_TEST(p3_more_than_the_limit_is_corrupt_unread)
{
    /* One byte is there: reading a second is an overrun. */
    unsigned char *byte = malloc(1);
    struct hash_part payload;
    const char *reason;
    *byte = 'c';
    ck_assert_int_eq(entry_parse(byte, ENTRY_BYTES_MAX + 1, &key, &payload, &reason),
                     CACHE_CORRUPT);
    free(byte);
}
END_TEST

/* ---- P2, P22 ---- */

static const struct hash_part others[] = {
    {"this is the ke", 14}, {"this is the key2", 16}, {"this is the kez", 15}, {"x", 1}};

START_TEST(p2_another_key_is_stale)
{
    ck_assert_int_eq(judge(whole, sizeof whole, &others[_i]), CACHE_STALE);
}
END_TEST

START_TEST(p22_older_and_newer_formats_are_stale)
{
    static const uint32_t formats[] = {0, ENTRY_FORMAT - 1, ENTRY_FORMAT + 1, UINT32_MAX};
    set(whole + AT_FORMAT, formats[_i], 4);
    ck_assert_int_eq(judge(whole, sizeof whole, &key), CACHE_STALE);
    seal(whole, sizeof whole);
    ck_assert_int_eq(judge(whole, sizeof whole, &key), CACHE_STALE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("entry");
    TCase *tests = suite_case(suite, "entry");
    tcase_add_checked_fixture(tests, enter, NULL);
    tcase_add_test(tests, p3_the_header_is_golden);
    tcase_add_test(tests, p3_a_whole_entry_is_taken);
    tcase_add_test(tests, p3_every_truncation_is_corrupt);
    tcase_add_test(tests, p3_every_flipped_bit_is_seen);
    tcase_add_test(tests, p3_junk_behind_is_corrupt);
    tcase_add_loop_test(tests, p3_lengths_that_lie_are_corrupt, 0, (int)COUNT_OF(lengths));
    tcase_add_test(tests, p3_another_magic_is_corrupt);
    tcase_add_test(tests, p3_another_header_length_is_corrupt);
    tcase_add_test(tests, p3_more_than_the_limit_is_corrupt_unread);
    tcase_add_loop_test(tests, p2_another_key_is_stale, 0, COUNT_OF(others));
    tcase_add_loop_test(tests, p22_older_and_newer_formats_are_stale, 0, 4);
    return suite_run(suite);
}
