/* SPDX-License-Identifier: MIT */
#include "base/host_cpu.h"
#include "runtime/programs/program_key.h"
#include "support/suite.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static const struct found_device device = {
    .platform_name = "platform",
    .platform_vendor = "platform vendor",
    .platform_version = "OpenCL 3.0 platform",
    .name = "device",
    .vendor = "device vendor",
    .version = "OpenCL 3.0 device",
    .driver = "1.2.3",
    .uuid = "000102030405060708090a0b0c0d0e0f",
    .driver_uuid = "101112131415161718191a1b1c1d1e1f",
    .vendor_id = 0x10DE,
    .address_bits = 64,
};

static struct hash hash_with(const struct found_device *about, const char *environment,
                             const struct hash_part *texts, size_t count, const char *options)
{
    const struct program_key_source source = {
        .name = "kernel", .texts = texts, .count = count, .options = options};
    struct program_key identity = program_key_of(about, environment, &source);
    ck_assert_ptr_nonnull(identity.bytes);
    const struct hash_part part = {identity.bytes, identity.length};
    struct hash hash = hash_of(&part, 1);
    free(identity.bytes);
    return hash;
}

static const struct hash_part two_texts[] = {{"ab", 2}, {"c", 1}};

/* A change of this number turns every entry on every disk into waste: raise ENTRY_FORMAT with
 * it. */
START_TEST(p1_the_key_is_golden)
{
    char text[HASH_TEXT_SIZE];
    struct hash hash = hash_with(&device, "NAME=value\n", two_texts, 2, "-DX=1");
    hash_text(&hash, text);
    ck_assert_int_eq(ENTRY_FORMAT, 1);
    ck_assert_str_eq(text, "4e53874cf0f712eb9399e3fc10017d65");
}
END_TEST

START_TEST(p1_bytes_do_not_move_between_fields)
{
    static const struct hash_part other[] = {{"a", 1}, {"bc", 2}}, joined[] = {{"abc", 3}};
    struct hash one = hash_with(&device, "", two_texts, 2, "");
    struct hash two = hash_with(&device, "", other, 2, "");
    struct hash three = hash_with(&device, "", joined, 1, "");
    ck_assert_mem_ne(one.byte, two.byte, HASH_BYTES);
    ck_assert_mem_ne(one.byte, three.byte, HASH_BYTES);

    struct found_device moved = device;
    strcpy(moved.name, "devicedevice");
    strcpy(moved.vendor, " vendor");
    two = hash_with(&moved, "", two_texts, 2, "");
    ck_assert_mem_ne(one.byte, two.byte, HASH_BYTES);
    one = hash_with(&device, "ab", two_texts, 2, "c");
    two = hash_with(&device, "b", two_texts, 2, "ca");
    ck_assert_mem_ne(one.byte, two.byte, HASH_BYTES);
}
END_TEST

START_TEST(p1_every_text_byte_counts)
{
    unsigned char text[64];
    memset(text, 'x', sizeof text);
    const struct hash_part part = {text, sizeof text};
    struct hash whole = hash_with(&device, "", &part, 1, "");
    for (size_t i = 0; i < sizeof text; ++i) {
        text[i] ^= 1;
        struct hash other = hash_with(&device, "", &part, 1, "");
        text[i] ^= 1;
        ck_assert_mem_ne(whole.byte, other.byte, HASH_BYTES);
    }
}
END_TEST

/* However many there are. */
START_TEST(p1_every_text_counts)
{
    static const struct hash_part texts[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1},
                                             {"f", 1}, {"g", 1}, {"h", 1}, {"i", 1}, {"j", 1}};
    const size_t count = COUNT_OF(texts);
    struct hash before = hash_with(&device, "", texts, 0, "");
    for (size_t n = 1; n <= count; ++n) {
        struct hash with = hash_with(&device, "", texts, n, "");
        ck_assert_mem_ne(before.byte, with.byte, HASH_BYTES);
        before = with;
    }
}
END_TEST

/* What a process runs on may change at any moment. */
START_TEST(p1_a_processor_is_the_same_on_each_of_its_cores)
{
    cpu_set_t allowed, one;
    ck_assert_int_eq(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    struct hash here = host_cpu();
    for (size_t core = 0; core < CPU_SETSIZE; ++core) {
        if (!CPU_ISSET(core, &allowed))
            continue;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
        struct hash there = host_cpu();
        ck_assert_mem_eq(here.byte, there.byte, HASH_BYTES);
    }
    ck_assert_int_eq(sched_setaffinity(0, sizeof allowed, &allowed), 0);
}
END_TEST

/* What a key says, and that no bytes of any origin are read past their end. */
START_TEST(p23_a_key_is_described)
{
    const struct program_key_source source = {
        .name = "kernel", .texts = two_texts, .count = 2, .options = "-DX=\n1"};
    struct program_key identity = program_key_of(&device, "", &source);
    char words[256];
    struct text text = text_in(words, sizeof words);
    const struct hash_part key = {identity.bytes, identity.length};
    ck_assert(program_key_describe(&key, &text));
    ck_assert_str_eq(words, "kernel, -DX=?1, device, 1.2.3");
    for (size_t length = 0; length < identity.length; ++length) {
        unsigned char *copy = malloc(length + 1); /* so that a sanitizer sees the end */
        memcpy(copy, identity.bytes, length);
        copy = realloc(copy, length > 0 ? length : 1);
        text = text_in(words, sizeof words);
        const struct hash_part part = {copy, length};
        ck_assert(program_key_describe(&part, &text) == (length >= 4 + 6 + 4 + 6 + 4 + 6 + 4 + 5));
        if (length >= 4) {
            memset(copy, 0xFF, 4);
            ck_assert(!program_key_describe(&part, &text));
        }
        free(copy);
    }
    free(identity.bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("identity");
    TCase *tcase = suite_case(suite, "keys");
    tcase_add_test(tcase, p1_the_key_is_golden);
    tcase_add_test(tcase, p1_bytes_do_not_move_between_fields);
    tcase_add_test(tcase, p1_every_text_byte_counts);
    tcase_add_test(tcase, p1_every_text_counts);
    tcase_add_test(tcase, p1_a_processor_is_the_same_on_each_of_its_cores);
    tcase_add_test(tcase, p23_a_key_is_described);
    return suite_run(suite);
}
