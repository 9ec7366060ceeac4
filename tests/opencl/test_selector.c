/* SPDX-License-Identifier: MIT */
#include "selector_machine.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

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
    return suite_run(suite);
}
