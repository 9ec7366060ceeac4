/* SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/formats/json_write.h"
#include "cli/session.h"

#include <clslice/clslice.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { JSON = CLI_OWN_OPTIONS };
static const struct poptOption options[] = {
    CLI_FLAG("json", JSON, "print JSON"),
    CLI_COMMON_OPTIONS,
};

static const char *const class_names[] = {
    [CLSLICE_CLASS_CPU] = "cpu",
    [CLSLICE_CLASS_GPU] = "gpu",
    [CLSLICE_CLASS_ACCELERATOR] = "accelerator",
};

static const char *const host_memory_names[] = {
    [CLSLICE_HOST_MEMORY_STAGED] = "staged",
    [CLSLICE_HOST_MEMORY_USE_HOST_PTR] = "use_host_ptr",
    [CLSLICE_HOST_MEMORY_SYSTEM_SVM] = "system_svm",
};

/* A library newer than this command may have values without a name. */
#define NAME_OF(names, value) \
    ((value) < sizeof(names) / sizeof *(names) && (names)[value] ? (names)[value] : "unknown")

static void print_bytes(uint64_t bytes, const char *what)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    uint64_t scale = 1;

    while (unit + 1 < sizeof units / sizeof units[0] && bytes / scale >= 1024) {
        scale *= 1024;
        ++unit;
    }
    printf(", %.*f %s %s", unit > 0 ? 1 : 0, (double)bytes / (double)scale, units[unit], what);
}

static void print_device(const clslice_device_info *info, bool is_picked)
{
    printf("%c \"%s\"\n", is_picked ? '*' : ' ', info->selector);
    printf("    %s of %s\n", info->name, info->platform);
    printf("    %s, driver %s\n", info->version, info->driver);
    printf("    %s, %" PRIu32 " compute %s", info->type, info->compute_units,
           info->compute_units == 1 ? "unit" : "units");
    print_bytes(info->global_bytes, "of memory");
    print_bytes(info->max_alloc_bytes, "in one buffer");
    putchar('\n');
    if (!info->usable)
        printf("    not usable: %s\n", info->unusable_reason);
}

static struct json_object *device_json(const clslice_device_info *info, bool is_picked)
{
    struct json_object *object = json_object_new_object();

    json_add_text(object, "selector", info->selector);
    json_object_object_add(object, "picked", json_object_new_boolean(is_picked));
    json_add_text(object, "name", info->name);
    json_add_text(object, "platform", info->platform);
    json_add_text(object, "version", info->version);
    json_add_text(object, "driver", info->driver);
    json_add_text(object, "type", info->type);
    json_add_text(object, "device_class", NAME_OF(class_names, info->device_class));
    json_object_object_add(object, "usable", json_object_new_boolean(info->usable != 0));
    json_add_text(object, "unusable_reason", info->unusable_reason);
    json_add_integer(object, "vendor_id", info->vendor_id);
    json_add_integer(object, "compute_units", info->compute_units);
    json_add_integer(object, "address_bits", info->address_bits);
    json_add_text(object, "host_memory", NAME_OF(host_memory_names, info->host_memory));
    json_object_object_add(object, "unified_memory",
                           json_object_new_boolean(info->unified_memory != 0));
    json_add_integer(object, "max_work_group_size", info->max_work_group_size);
    json_add_integer(object, "max_alloc_bytes", info->max_alloc_bytes);
    json_add_integer(object, "global_bytes", info->global_bytes);
    json_add_integer(object, "local_bytes", info->local_bytes);
    return object;
}

/* Prints every device; with JSON, adds it to the list. */
static bool list_devices(const char *picked, struct json_object *list, struct problem *problem)
{
    clslice_device_info info = {.size = sizeof info};
    union session_error error = SESSION_ERROR;
    int32_t result;
    uint32_t index = 0;

    while ((result = clslice_device_enumerate(NULL, index, &info, &error.error)) == CLSLICE_S_OK) {
        bool is_picked = strcmp(info.selector, picked) == 0;

        if (list)
            json_object_array_add(list, device_json(&info, is_picked));
        else
            print_device(&info, is_picked);
        ++index;
    }
    return result == CLSLICE_DXGI_ERROR_NOT_FOUND || session_fail(&error, problem);
}

/* What the device that is picked is called. */
static bool pick(const struct cli *cli, clslice_device_info *info, struct problem *problem)
{
    union session_error error = SESSION_ERROR;
    clslice_device *device;
    bool is_known;

    if (!session_open(cli, &device, problem))
        return false;
    is_known = clslice_device_get_info(device, info, &error.error) == CLSLICE_S_OK;
    clslice_device_release(device);
    return is_known || session_fail(&error, problem);
}

static bool run(const struct cli *cli, struct problem *problem)
{
    struct json_object *list = cli->value[JSON] ? json_object_new_array() : NULL;
    clslice_device_info info = {.size = sizeof info};
    bool is_picked = pick(cli, &info, problem);
    bool is_listed = list_devices(info.selector, list, problem);

    if (is_listed && list)
        printf("%s\n", json_object_to_json_string_ext(list, JSON_C_TO_STRING_PRETTY |
                                                                JSON_C_TO_STRING_SPACED |
                                                                JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(list);
    return is_listed && is_picked;
}

const struct cli_command devices_command = {
    .name = "devices",
    .operands = "[OPTION...]",
    .summary = "list every OpenCL device and the selector that picks it",
    .details =
        "Lists every OpenCL device and the selector that picks it. A * marks the device that "
        "is\npicked now.",
    .options = options,
    .run = run,
};
