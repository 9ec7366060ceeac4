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

static char variant[] = "kernel";

static struct hash hash_with(const struct found_device *about, const char *environment,
                             const struct hash_part *texts, size_t count, const char *options)
{
    struct program_key identity =
        program_key_of(about, environment, variant, options, texts, count);
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

static void check_differ(struct hash one, struct hash other)
{
    ck_assert_mem_ne(one.byte, other.byte, HASH_BYTES);
}

START_TEST(p1_bytes_do_not_move_between_fields)
{
    static const struct hash_part other[] = {{"a", 1}, {"bc", 2}}, joined[] = {{"abc", 3}};
    struct found_device first = device, second = device;
    struct hash whole = hash_with(&device, "", two_texts, 2, "");
    check_differ(whole, hash_with(&device, "", other, 2, ""));
    check_differ(whole, hash_with(&device, "", joined, 1, ""));
    strcpy(first.name, "devicedevice");
    strcpy(first.vendor, " vendor");
    check_differ(whole, hash_with(&first, "", two_texts, 2, ""));
    first = device;
    strcpy(first.name, "ab");
    strcpy(first.driver, "c");
    strcpy(second.name, "a");
    strcpy(second.driver, "bc");
    check_differ(hash_with(&first, "", two_texts, 2, ""), hash_with(&second, "", two_texts, 2, ""));
    check_differ(hash_with(&device, "ab", two_texts, 2, "c"),
                 hash_with(&device, "b", two_texts, 2, "ca"));
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
        check_differ(whole, hash_with(&device, "", &part, 1, ""));
        text[i] ^= 1;
    }
}
END_TEST

/* A machine without names, of which a test sets what it is about. */
static struct found_device bare;
static char options[64], environment[64];

static struct hash bare_hash(const char *first, const char *second)
{
    const struct hash_part texts[] = {{first, strlen(first)}, {second, strlen(second)}};
    return hash_with(&bare, environment, texts, 2, options);
}

START_TEST(p1_every_name_counts)
{
    char *const texts[] = {bare.platform_name,
                           bare.platform_vendor,
                           bare.platform_version,
                           bare.name,
                           bare.vendor,
                           bare.version,
                           bare.driver,
                           bare.uuid,
                           bare.driver_uuid,
                           options,
                           variant,
                           environment};
    struct hash before = bare_hash("source", "more");
    for (size_t i = 0; i < COUNT_OF(texts); ++i) {
        char kept = texts[i][0];
        texts[i][0] = '!';
        struct hash after = bare_hash("source", "more");
        texts[i][0] = kept;
        ck_assert_msg(memcmp(before.byte, after.byte, HASH_BYTES) != 0, "text %zu", i);
    }
}
END_TEST

START_TEST(p1_numbers_and_sources_count)
{
    struct hash made[5] = {bare_hash("source", "more"), bare_hash("Source", "more"),
                           bare_hash("source", "More")};
    bare.vendor_id = 1;
    made[3] = bare_hash("source", "more");
    bare.vendor_id = 0;
    bare.address_bits = 32;
    made[4] = bare_hash("source", "more");
    bare.address_bits = 0;
    for (int a = 0; a < 5; ++a)
        for (int b = 0; b < a; ++b)
            check_differ(made[a], made[b]);
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
        check_differ(before, with);
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
    struct program_key identity = program_key_of(&device, "", "kernel", "-DX=\n1", two_texts, 2);
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

START_TEST(p23_control_characters_do_not_reach_a_terminal)
{
    static const unsigned char bytes[] = "\4\0\0\0\33[2J\2\0\0\0\n\177\0\0\0\0\1\0\0\0x";
    const struct hash_part part = {bytes, sizeof bytes - 1};
    char line[64], small[8];
    struct text text = text_in(line, sizeof line);
    ck_assert(program_key_describe(&part, &text));
    ck_assert_str_eq(line, "?[2J, ??, , x");
    text = text_in(small, sizeof small);
    ck_assert(program_key_describe(&part, &text));
    ck_assert_str_eq(small, "?[2J, ?");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("identity");
    TCase *tcase = suite_case(suite, "keys");
    tcase_add_test(tcase, p1_the_key_is_golden);
    tcase_add_test(tcase, p1_bytes_do_not_move_between_fields);
    tcase_add_test(tcase, p1_every_text_byte_counts);
    tcase_add_test(tcase, p1_every_name_counts);
    tcase_add_test(tcase, p1_numbers_and_sources_count);
    tcase_add_test(tcase, p1_every_text_counts);
    tcase_add_test(tcase, p1_a_processor_is_the_same_on_each_of_its_cores);
    tcase_add_test(tcase, p23_a_key_is_described);
    tcase_add_test(tcase, p23_control_characters_do_not_reach_a_terminal);
    return suite_run(suite);
}
