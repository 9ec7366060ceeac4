/* SPDX-License-Identifier: MIT */
/* Selectors that are printed pick their device, and no text does harm. */
#include "selector_machine.h"
#include "support/dice.h"
#include "support/suite.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole UTF-8 characters, none of them too long. */
static bool is_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        int more = *at >= 0xF0 ? 3 : *at >= 0xE0 ? 2 : *at >= 0xC0 ? 1 : 0;
        if ((*at & 0xC0) == 0x80)
            return false;
        for (++at; more > 0; --more, ++at)
            if ((*at & 0xC0) != 0x80)
                return false;
    }
    return true;
}

static const char *const names[] = {
    "",
    " ",
    "NVIDIA GeForce RTX 3090",
    "NVIDIA GeForce RTX 3090 Ti",
    "nvidia geforce rtx 3090",
    "3090",
    "gfx90a:sramecc+:xnack-",
    "gfx90a",
    "Quadro, Inc. #2",
    "#",
    "#0",
    "#1#2",
    "name #1",
    "name#",
    ",",
    ",,a,,",
    ":",
    "::a::",
    "a|b",
    "gpu",
    "gpu|cpu",
    "none",
    "auto",
    " both ends ",
    "Radeon\xE2\x84\xA2 Gr\xC3\xA4\xC3\x9F \xF0\x9F\x98\x80",
    "\xE2\x82\xAC,\xE2\x82\xAC\xE2\x82\xAC#\xE2\x82\xAC",
    "tab\tinside",
    "\"quoted\" \\ $HOME %s %n",
};

/* One of the names, or one repeated to what a device's name can hold. */
static void random_name(struct dice *dice, char *to, size_t size, bool keywords)
{
    const char *name = names[dice_below(dice, COUNT_OF(names))];
    size_t used = 0, length = strlen(name), most = dice_one_in(dice, 6) ? size : 1;
    to[0] = '\0';
    do {
        if (used + length >= size)
            break;
        memcpy(to + used, name, length + 1);
        used += length;
    } while (length > 0 && used < most);
    if (keywords && dice_one_in(dice, 3)) {
        const char *const words[] = {"uuid=01", "pci=00:01", "UUID=", "pci=", "none", "auto"};
        set_name(to, size, words[dice_below(dice, COUNT_OF(words))]);
    }
}

static void random_machine(struct dice *dice, bool keywords)
{
    static const cl_device_type types[] = {GPU, GPU, CPU, ACC, GPU | CPU, GPU | CPU | ACC, 0};
    fill_machine();
    found.count = (uint32_t)dice_between(dice, 1, DEVICES);
    for (uint32_t i = 0; i < found.count; ++i) {
        struct found_device *device = &devices[i];
        bool same = i > 0 && dice_one_in(dice, 2); /* of one platform with the one before */
        if (same)
            memcpy(device->platform_name, devices[i - 1].platform_name,
                   sizeof device->platform_name);
        else
            random_name(dice, device->platform_name, sizeof device->platform_name, keywords);
        device->platform = same ? devices[i - 1].platform : platform_id(i + 1);
        random_name(dice, device->platform_vendor, sizeof device->platform_vendor, keywords);
        random_name(dice, device->name, sizeof device->name, keywords);
        if (i > 0 && dice_one_in(dice, 3))
            memcpy(device->name, devices[i - 1].name, sizeof device->name);
        random_name(dice, device->vendor, sizeof device->vendor, keywords);
        device->type = types[dice_below(dice, COUNT_OF(types))];
        device->unified_memory = dice_one_in(dice, 2);
        if (dice_one_in(dice, 6))
            set_name(device->unusable, sizeof device->unusable, "broken");
    }
}

static void check_printed(uint32_t i)
{
    char selector[SELECTOR_MAX + 16];
    uint32_t index = 99;
    memset(selector, 'x', sizeof selector);
    selector_of(&found, i, selector);
    ck_assert(memchr(selector, '\0', SELECTOR_MAX) != NULL && selector[SELECTOR_MAX] == 'x');
    ck_assert_msg(is_utf8(selector), "%s", selector);
    for (int turn = 0; turn < 3; ++turn) { /* as printed, in upper case, as the second of a list */
        char text[2 * SELECTOR_MAX];
        snprintf(text, sizeof text, "%s%s", turn == 2 ? "no such, " : "", selector);
        for (char *at = text; turn == 1 && *at; ++at)
            *at = (char)((unsigned char)*at < 0x80 ? toupper((unsigned char)*at) : *at);
        fresh_error();
        int32_t status = pick(text, &index);
        if (devices[i].unusable[0]) {
            ck_assert_msg(status == CLSLICE_DXGI_ERROR_UNSUPPORTED, "%s: %s", text, error.text);
            continue;
        }
        ck_assert_msg(status == CLSLICE_S_OK && index == i, "\"%s\" of [%u] gives %x [%u] %s", text,
                      i, (unsigned)status, index, error.text);
    }
}

START_TEST(printed_selectors_pick_their_device)
{
    for (uint32_t i = 0; i < found.count; ++i)
        check_printed(i);
    struct dice dice = {110};
    for (int n = 0; n < 4000; ++n) {
        random_machine(&dice, false);
        for (uint32_t i = 0; i < found.count; ++i)
            check_printed(i);
    }
}
END_TEST

START_TEST(names_like_keywords_do_not_confuse)
{
    struct dice dice = {111};
    for (int n = 0; n < 2000; ++n) {
        random_machine(&dice, true);
        for (uint32_t i = 0; i < found.count; ++i)
            check_printed(i);
    }
}
END_TEST

START_TEST(plain_names_are_printed_plainly)
{
    static const char *const plain[DEVICES] = {
        "AMD Accelerated Parallel Processing:gpu:gfx90a:sramecc+:xnack-#0",
        "AMD Accelerated Parallel Processing:gpu:gfx90a:sramecc+:xnack-#1",
        "Intel(R) OpenCL Graphics:gpu:Intel(R) UHD Graphics 770",
        "NVIDIA CUDA:gpu:NVIDIA GeForce GTX 650",
        "Oclgrind:gpu|cpu|acc:Oclgrind Simulator",
        "Portable Computing Language:cpu:pthread-AMD EPYC",
        "Xilinx:acc:fpga0",
    };
    for (uint32_t i = 0; i < DEVICES; ++i) {
        char selector[SELECTOR_MAX];
        selector_of(&found, i, selector);
        ck_assert_str_eq(selector, plain[i]);
    }
}
END_TEST

/* ---- Anything at all ---- */

static const char *const tokens[] = {
    "gpu",
    "cpu",
    "acc",
    "dgpu",
    "igpu",
    "any",
    "none",
    "auto",
    "uuid=",
    "pci=",
    "nvidia",
    "amd",
    "gfx90a",
    "650",
    "portable",
    ",",
    ",",
    ":",
    ":",
    ":",
    "|",
    "|",
    "#",
    "#",
    "0",
    "1",
    "12345678",
    "-",
    " ",
    "\t",
    "=",
    "0000:83:00.0",
    "\xC3\xA9",
    "\xE2\x82\xAC",
    "\xF0\x9F\x98\x80",
    "xnack-",
    "f",
    "g",
    "%s%n",
    "\"",
};

static void check_random(const char *selector, bool utf8)
{
    const struct found_devices nothing = {0};
    size_t length = strlen(selector);
    char *exact = malloc(length + 1); /* so that the sanitizer sees a step too far */
    uint32_t index = 99, other = 99;
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, selector, length + 1);
    fresh_error();
    int32_t status = pick(exact, &index);
    int32_t without = selector_pick(exact, "device", "", &nothing, &other, NULL);
    free(exact);
    if (status == CLSLICE_S_OK) {
        ck_assert(index < found.count && !devices[index].unusable[0]);
    } else if (status == CLSLICE_E_INVALIDARG) {
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_SELECTOR_SYNTAX);
        ck_assert(error.value[0] >= 1 && error.value[0] <= length + 1);
    } else {
        ck_assert_msg(status == CLSLICE_DXGI_ERROR_UNSUPPORTED, "%s", selector);
    }
    ck_assert((status == CLSLICE_E_INVALIDARG) == (without == CLSLICE_E_INVALIDARG));
    ck_assert_msg(!utf8 || is_utf8(error.text), "\"%s\" gives \"%s\"", selector, error.text);
}

START_TEST(random_selectors_do_no_harm)
{
    struct dice dice = {120};
    for (int n = 0; n < 30000; ++n) {
        char selector[512] = "";
        size_t used = 0;
        uint64_t pieces = dice_between(&dice, 0, dice_one_in(&dice, 50) ? 60 : 9);
        for (uint64_t i = 0; i < pieces; ++i) {
            const char *token = tokens[dice_below(&dice, COUNT_OF(tokens))];
            used += (size_t)snprintf(selector + used, sizeof selector - used, "%s", token);
            ck_assert_uint_lt(used, sizeof selector);
        }
        if (n % 100 == 0)
            random_machine(&dice, true);
        check_random(selector, true);
    }
}
END_TEST

START_TEST(random_bytes_do_no_harm)
{
    struct dice dice = {121};
    for (int n = 0; n < 20000; ++n) {
        char selector[64];
        size_t length = (size_t)dice_below(&dice, sizeof selector);
        for (size_t i = 0; i < length; ++i)
            selector[i] = (char)(dice_one_in(&dice, 3) ? ",:#|=-"[dice_below(&dice, 6)]
                                                       : (int)dice_between(&dice, 1, 255));
        selector[length] = '\0';
        check_random(selector, false);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("selector_texts");
    TCase *tests = suite_case(suite, "selector_texts");
    tcase_add_checked_fixture(tests, fill_machine, NULL);
    tcase_add_test(tests, printed_selectors_pick_their_device);
    tcase_add_test(tests, names_like_keywords_do_not_confuse);
    tcase_add_test(tests, plain_names_are_printed_plainly);
    tcase_add_test(tests, random_selectors_do_no_harm);
    tcase_add_test(tests, random_bytes_do_no_harm);
    return suite_run(suite);
}
