/* SPDX-License-Identifier: MIT */
/*
 * CLSLICE_DEVICE over machines that do not exist. Up to the first NUL: the selector. Then devices,
 * each a byte of type bits, a byte that says whether it begins a platform, is usable and has a UUID
 * or a PCI address, and its name up to NUL; a platform is called as its first device, backwards.
 */
#include "base/text.h"
#include "fuzz.h"
#include "opencl/selector.h"

#include <string.h>
#include <strings.h>

enum { DEVICES_MAX = 6, INPUT_MAX = 2048 };

enum { NEW_PLATFORM = 1, UNUSABLE = 2, WITH_UUID = 4, WITH_PCI = 8, UNIFIED = 16 };

static char platforms[DEVICES_MAX]; /* their addresses are the handles */

static void reverse(char *to, const char *from)
{
    size_t length = strlen(from);
    for (size_t i = 0; i < length; ++i)
        to[i] = from[length - 1 - i];
    to[length] = '\0';
}

static void add_device(struct found_devices *found, unsigned type, unsigned what, const char *name)
{
    struct found_device *device = &found->device[found->count];
    memset(device, 0, sizeof *device);
    if (found->count == 0 || what & NEW_PLATFORM)
        ++found->platform_count;
    char *handle = &platforms[found->platform_count - 1];
    memcpy(&device->platform, &handle, sizeof handle);
    device->type = type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR);
    device->unified_memory = (what & UNIFIED) != 0;
    text_copy(device->name, sizeof device->name, name);
    if (found->count == 0 || what & NEW_PLATFORM)
        reverse(device->platform_name, device->name);
    else
        memcpy(device->platform_name, device[-1].platform_name, sizeof device->platform_name);
    if (what & UNUSABLE)
        text_copy(device->unusable, sizeof device->unusable, "it is old");
    if (what & WITH_UUID)
        snprintf(device->uuid, sizeof device->uuid, "%032x", what * 2654435761u);
    if (what & WITH_PCI)
        snprintf(device->pci, sizeof device->pci, "0000:%02x:00.0", what & 0xFFu);
    ++found->count;
}

static void check_error(const clslice_error *error, int32_t status)
{
    EXPECT(status == CLSLICE_E_INVALIDARG || status == CLSLICE_DXGI_ERROR_UNSUPPORTED);
    EXPECT(error->status == status);
    EXPECT(fuzz_is_message(error->text, sizeof error->text));
}

/* A platform called "pci=..." or "uuid=..." cannot be named; there is none. */
static bool begins_as_another_kind(const char *selector)
{
    return strncasecmp(selector, "pci=", 4) == 0 || strncasecmp(selector, "uuid=", 5) == 0;
}

/* What is printed for a device picks it. */
static void check_own_selectors(const struct found_devices *found)
{
    for (uint32_t i = 0; i < found->count; ++i) {
        clslice_error error = {.size = sizeof error};
        char selector[SELECTOR_MAX];
        uint32_t index = 99;
        selector_of(found, i, selector);
        EXPECT(memchr(selector, '\0', sizeof selector) != NULL);
        int32_t status = selector_pick(selector, "own", "", found, &index, &error);
        if (found->device[i].unusable[0] || begins_as_another_kind(selector))
            continue;
        if (status != CLSLICE_S_OK || index != i)
            fprintf(stderr, "%u: \"%s\" of \"%s\" picks %u: %s\n", i, selector,
                    found->device[i].name, index, error.text);
        EXPECT(status == CLSLICE_S_OK && index == i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct found_device devices[DEVICES_MAX];
    struct found_devices found = {.device = devices};
    clslice_error error = {.size = sizeof error};
    char input[INPUT_MAX + 1];
    if (size > INPUT_MAX)
        return 0;
    memcpy(input, data, size);
    input[size] = '\0';
    for (size_t at = strlen(input) + 1; at + 2 < size && found.count < DEVICES_MAX;
         at += 2 + strlen(input + at + 2) + 1)
        add_device(&found, (unsigned char)input[at], (unsigned char)input[at + 1], input + at + 2);
    uint32_t index = 99;
    int32_t status = selector_pick(input, "CLSLICE_DEVICE", " (hint)", &found, &index, &error);
    if (status == CLSLICE_S_OK)
        EXPECT(index < found.count && !found.device[index].unusable[0]);
    else
        check_error(&error, status);
    check_own_selectors(&found);
    return 0;
}
