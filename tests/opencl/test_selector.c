/* SPDX-License-Identifier: MIT */
#include "opencl/selector.h"
#include "support/dice.h"
#include "support/suite.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPU = CL_DEVICE_TYPE_GPU, CPU = CL_DEVICE_TYPE_CPU, ACC = CL_DEVICE_TYPE_ACCELERATOR };

static clslice_error error;

static void fresh_error(void)
{
    memset(&error, 0, sizeof error);
    error.size = sizeof error;
}

static cl_platform_id platform_id(uintptr_t number)
{
    return (cl_platform_id)(number * 64);
}

static void set_name(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

/* ---- A machine ---- */

static const struct {
    uintptr_t platform;
    const char *platform_name, *platform_vendor, *name, *vendor;
    cl_device_type type;
    bool unified;
    const char *uuid, *pci;
} machine[] = {
    {1, "AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.",
     "gfx90a:sramecc+:xnack-", "AMD", GPU, false, "", "0000:03:00.0"},
    {1, "AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.",
     "gfx90a:sramecc+:xnack-", "AMD", GPU, false, "", "0000:83:00.0"},
    {2, "Intel(R) OpenCL Graphics", "Intel(R) Corporation", "Intel(R) UHD Graphics 770",
     "Intel(R) Corporation", GPU, true, "", "0000:00:02.0"},
    {3, "NVIDIA CUDA", "NVIDIA Corporation", "NVIDIA GeForce GTX 650", "NVIDIA Corporation", GPU,
     false, "0123456789abcdef0123456789abcdef", "0000:01:00.0"},
    {4, "Oclgrind", "University of Bristol", "Oclgrind Simulator", "University of Bristol",
     GPU | CPU | ACC, true, "", ""},
    {5, "Portable Computing Language", "The pocl project", "pthread-AMD EPYC", "AuthenticAMD", CPU,
     true, "", ""},
    {6, "Xilinx", "Xilinx", "fpga0", "Xilinx", ACC, false, "", ""},
};

enum { DEVICES = COUNT_OF(machine) };

static struct found_device devices[DEVICES];
static struct found_devices found;

static void fill_machine(void)
{
    fresh_error();
    memset(devices, 0, sizeof devices);
    found = (struct found_devices){.device = devices, .count = DEVICES, .platform_count = 6};
    for (uint32_t i = 0; i < DEVICES; ++i) {
        struct found_device *device = &devices[i];
        device->platform = platform_id(machine[i].platform);
        device->type = machine[i].type;
        device->unified_memory = machine[i].unified;
        set_name(device->platform_name, sizeof device->platform_name, machine[i].platform_name);
        set_name(device->platform_vendor, sizeof device->platform_vendor,
                 machine[i].platform_vendor);
        set_name(device->name, sizeof device->name, machine[i].name);
        set_name(device->vendor, sizeof device->vendor, machine[i].vendor);
        set_name(device->uuid, sizeof device->uuid, machine[i].uuid);
        set_name(device->pci, sizeof device->pci, machine[i].pci);
    }
}

static int32_t pick(const char *selector, uint32_t *index)
{
    return selector_pick(selector, "CLSLICE_DEVICE", "", &found, index, &error);
}

enum { NO_MATCH = -1, REFUSED = -2 };

static const struct {
    const char *selector;
    int device;
} picks[] = {
    {"auto", 0},
    {"AUTO", 0},
    {" auto ", 0},
    {"gpu", 0},
    {"GPU", 0},
    {"  Gpu\t", 0},
    {"cpu", 4},
    {"acc", 4},
    {"dgpu", 0},
    {"igpu", 2},
    {"any", 0},
    {"dgpu|cpu", 0},
    {"acc|cpu", 4},
    {"igpu | acc", 2},
    {"any|gpu", 0},
    {"nvidia", 3},
    {"NVIDIA CUDA", 3},
    {"vidia corp", 3},
    {"geforce", 3},
    {"650", 3},
    {"770", 2},
    {"GTX 650", 3},
    {"pocl", 5},
    {"authenticamd", 5},
    {"epyc", 5},
    {"amd", 0},
    {"xilinx", 6},
    {"portable:cpu", 5},
    {"portable:", 5},
    {"portable::", 5},
    {"portable :  cpu", 5},
    {"portable:gpu", NO_MATCH},
    {"amd:cpu", NO_MATCH},
    {"portable:gpu,auto", 0},
    {"nvidia:gpu,portable:cpu", 3},
    {"foo,portable:gpu,xilinx", 6},
    {"amd::gfx90a:sramecc+:xnack-", 0},
    {"AMD::GFX90A:SRAMECC+:XNACK-", 0},
    {"amd::gfx90a:sramecc+:xnack-#1", 1},
    {"amd::gfx90a:sramecc+:xnack- #1", 1},
    {"amd::gfx90a#1", 1},
    {"amd::#1", 1},
    {"amd::#000001", 1},
    {"amd::#2", NO_MATCH},
    {"::sramecc+:", 0},
    {":gpu:#0", 0},
    {":gpu:#1", 1},
    {":gpu:#2", 2},
    {":gpu:#3", 3},
    {":gpu:#4", 4},
    {":gpu:#5", NO_MATCH},
    {":cpu:#1", 5},
    {":igpu:#1", 4},
    {":dgpu|acc:#3", 4},
    {":cpu", 4},
    {":", 0},
    {"::", 0},
    {"::#6", 6},
    {"::#7", NO_MATCH},
    {"::650", 3},
    {"#0", 0},
    {"#1", 2},
    {"#2", 3},
    {"#5", 6},
    {"#6", NO_MATCH},
    {"#0::#1", 1},
    {"#1::#1", NO_MATCH},
    {"#4:cpu", 5},
    {"#4:gpu", NO_MATCH},
    {"#2::geforce", 3},
    {"intel::uhd", 2},
    {"intel::uhd graphics 770", 2},
    {"oclgrind:acc", 4},
    {"University of Bristol:gpu|cpu|acc:oclgrind simulator", 4},
    {"uuid=0123", 3},
    {"UUID=01", 3},
    {"uuid=0123-4567-89AB-cdef", 3},
    {"uuid=01234567-89ab-cdef-0123-456789abcdef", 3},
    {"uuid=0123456789abcdef0123456789abcdef0", NO_MATCH},
    {"uuid=1", NO_MATCH},
    {"pci=0000:83:00.0", 1},
    {"pci=83:00.0", 1},
    {"PCI=00:02.0", 2},
    {"pci=10000:83:00.0", NO_MATCH},
    {"pci=zz", NO_MATCH},
    {"foo", NO_MATCH},
    {"gpu|foo", NO_MATCH},
    {"gpus", NO_MATCH},
    {"none", REFUSED},
    {"None", REFUSED},
    {"none,gpu", REFUSED},
    {"foo,none,gpu", REFUSED},
    {"nvidia,none", 3},
};

static void check_pick(const char *selector, int device)
{
    uint32_t index = 99;
    fresh_error();
    int32_t status = pick(selector, &index);
    if (device >= 0) {
        ck_assert_msg(status == CLSLICE_S_OK, "%s: %s", selector, error.text);
        ck_assert_msg(index == (uint32_t)device, "%s picks %u", selector, index);
        ck_assert_uint_eq(error.rule, 0);
        return;
    }
    ck_assert_msg(status == CLSLICE_DXGI_ERROR_UNSUPPORTED, "%s gives %x", selector,
                  (unsigned)status);
    ck_assert_uint_eq(error.rule,
                      device == REFUSED ? CLSLICE_RULE_NO_DEVICE : CLSLICE_RULE_SELECTOR_NO_MATCH);
    ck_assert_ptr_nonnull(strstr(error.text, "CLSLICE_DEVICE="));
    ck_assert_ptr_nonnull(strstr(error.text, selector));
}

START_TEST(selectors_pick)
{
    check_pick(picks[_i].selector, picks[_i].device);
}
END_TEST

/* Positions count bytes from 1. */
static const struct {
    const char *selector;
    uint64_t position;
    const char *what;
} slips[] = {
    {"", 1, "empty"},
    {",", 1, "empty"},
    {"gpu,", 5, "empty"},
    {",gpu", 1, "empty"},
    {"gpu,,cpu", 5, "empty"},
    {"none,", 6, "empty"},
    {":xpu", 2, "type"},
    {":gpus", 2, "type"},
    {":650", 2, "type"},
    {"nvidia:gpu|xpu", 12, "type"},
    {"nvidia: gpu | xpu :x", 15, "type"},
    {":|gpu", 2, "type"},
    {":gpu||cpu", 6, "type"},
    {":gpu|:x", 6, "type"},
    {":gpu:name#", 10, "digits"},
    {"::#", 3, "digits"},
    {"::#1234567", 3, "digits"},
    {"#", 1, "digits"},
    {"#:gpu", 1, "digits"},
    {"#x", 1, "digits"},
    {"#1x:gpu", 1, "digits"},
    {"uuid=", 1, "="},
    {"pci=", 1, "="},
    {"uuid=xyz", 6, "hexadecimal"},
    {"uuid=01g", 8, "hexadecimal"},
    {"auto,uuid=0z", 12, "hexadecimal"},
    {"gpu,:xpu", 6, "type"},
    {"none,:xpu", 7, "type"},
    {"foo , :xpu", 8, "type"},
};

START_TEST(slips_name_the_position)
{
    const struct found_devices nothing = {0};
    const struct found_devices *const machines[] = {&found, &nothing};
    for (size_t i = 0; i < COUNT_OF(machines); ++i) {
        uint32_t index = 0;
        char position[32];
        fresh_error();
        int32_t status =
            selector_pick(slips[_i].selector, "CLSLICE_DEVICE", "", machines[i], &index, &error);
        ck_assert_msg(status == CLSLICE_E_INVALIDARG, "\"%s\" gives %x: %s", slips[_i].selector,
                      (unsigned)status, error.text);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_SELECTOR_SYNTAX);
        ck_assert_msg(error.value[0] == slips[_i].position, "%s", error.text);
        snprintf(position, sizeof position, "character %d", (int)slips[_i].position);
        ck_assert_msg(strstr(error.text, position) != NULL, "%s", error.text);
        ck_assert_msg(strstr(error.text, slips[_i].what) != NULL, "%s", error.text);
    }
}
END_TEST

START_TEST(no_match_lists_every_device)
{
    uint32_t index;
    char selector[SELECTOR_MAX], quoted[SELECTOR_MAX + 2];
    set_name(devices[6].unusable, sizeof devices[6].unusable, "it is asleep");
    ck_assert_int_eq(selector_pick("foo", "device", "; a hint", &found, &index, &error),
                     CLSLICE_DXGI_ERROR_UNSUPPORTED);
    for (uint32_t i = 0; i < found.count; ++i) {
        selector_of(&found, i, selector);
        snprintf(quoted, sizeof quoted, "\"%s\"", selector);
        ck_assert_msg(strstr(error.text, quoted) != NULL, "%s lacks %s", error.text, quoted);
    }
    ck_assert_ptr_nonnull(strstr(error.text, "device=\"foo\""));
    ck_assert_ptr_nonnull(strstr(error.text, "it is asleep"));
    ck_assert_ptr_nonnull(strstr(error.text, "; a hint"));
    found.count = 0;
    ck_assert_int_eq(selector_pick("auto", "device", "; a hint", &found, &index, &error),
                     CLSLICE_DXGI_ERROR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(error.text, "none; a hint"));
    ck_assert_int_eq(selector_pick("auto", "device", "", &found, &index, NULL),
                     CLSLICE_DXGI_ERROR_UNSUPPORTED);
}
END_TEST

START_TEST(unusable_devices_are_passed_over)
{
    for (uint32_t i = 0; i < 4; ++i) /* every GPU but the simulator */
        set_name(devices[i].unusable, sizeof devices[i].unusable, "broken");
    check_pick("auto", 4);
    check_pick("gpu", 4);
    check_pick("nvidia", NO_MATCH);
    check_pick("nvidia,xilinx", 6);
    check_pick("uuid=01", NO_MATCH);
    /* A number counts them all the same, so that it names one device for good. */
    check_pick(":gpu:#0", NO_MATCH);
    check_pick(":gpu:#4", 4);
    set_name(devices[4].unusable, sizeof devices[4].unusable, "broken");
    check_pick("auto", 6); /* an accelerator comes before a CPU */
}
END_TEST

/* Platforms of one name whose devices are sorted by address lie among each other. */
START_TEST(platform_numbers_count_platforms)
{
    for (uint32_t i = 0; i < 4; ++i) {
        set_name(devices[i].platform_name, sizeof devices[i].platform_name, "Twin");
        devices[i].platform = platform_id(i % 2 + 1);
    }
    found.count = 4;
    found.platform_count = 2;
    check_pick("#0::#0", 0);
    check_pick("#0::#1", 2);
    check_pick("#1::#1", 3);
    check_pick("#2", NO_MATCH);
}
END_TEST

START_TEST(types_are_written_as_read)
{
    static const struct {
        cl_device_type type;
        const char *text;
    } types[] = {
        {GPU, "gpu"},           {CPU, "cpu"},     {ACC, "acc"}, {GPU | CPU | ACC, "gpu|cpu|acc"},
        {CPU | ACC, "cpu|acc"}, {CPU | 1, "cpu"}, {0, "any"},   {CL_DEVICE_TYPE_CUSTOM, "any"},
    };
    for (size_t i = 0; i < COUNT_OF(types); ++i) {
        char text[32];
        struct found_device device = {.type = types[i].type};
        selector_type_of(&device, text, sizeof text);
        ck_assert_str_eq(text, types[i].text);
    }
}
END_TEST

/* ---- Selectors that are printed ---- */

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
    Suite *suite = suite_create("selector");
    TCase *tests = suite_case(suite, "selector");
    tcase_add_checked_fixture(tests, fill_machine, NULL);
    tcase_add_loop_test(tests, selectors_pick, 0, COUNT_OF(picks));
    tcase_add_loop_test(tests, slips_name_the_position, 0, COUNT_OF(slips));
    tcase_add_test(tests, no_match_lists_every_device);
    tcase_add_test(tests, unusable_devices_are_passed_over);
    tcase_add_test(tests, platform_numbers_count_platforms);
    tcase_add_test(tests, types_are_written_as_read);
    tcase_add_test(tests, printed_selectors_pick_their_device);
    tcase_add_test(tests, names_like_keywords_do_not_confuse);
    tcase_add_test(tests, plain_names_are_printed_plainly);
    tcase_add_test(tests, random_selectors_do_no_harm);
    tcase_add_test(tests, random_bytes_do_no_harm);
    return suite_run(suite);
}
