/* SPDX-License-Identifier: MIT */
/* dlopen_plugin [LIBRARY]: a host that is built without clslice, looks for it when it runs, and
 * calls it through its table alone. */
#include <clslice/clslice.h>
#include <clslice/directml.h>

#include <dlfcn.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The table of a library that speaks this header's ABI and has every function used here, else NULL.
 * The library is never closed: its functions stay in use until the end. */
static const struct clslice_api *load(const char *path)
{
    const struct clslice_api *(*get_api)(uint32_t abi);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "clslice_get_api") : NULL;
    if (!symbol) {
        fprintf(stderr, "dlopen_plugin: %s\n", dlerror());
        return NULL;
    }
    memcpy(&get_api, &symbol, sizeof get_api); /* C has no cast from data to a function */
    const struct clslice_api *api = get_api(CLSLICE_ABI_VERSION);
    if (api && api->size >= offsetof(struct clslice_api, event_release) + sizeof api->event_release)
        return api;
    fprintf(stderr, "dlopen_plugin: %s does not speak ABI %u\n", path, CLSLICE_ABI_VERSION);
    return NULL;
}

/* Every device with the selector that picks it. */
static int list_devices(const struct clslice_api *api, clslice_error *error)
{
    clslice_device_info info = {.size = sizeof info};
    int32_t status;
    for (uint32_t i = 0; (status = api->device_enumerate(NULL, i, &info, error)) == CLSLICE_S_OK;
         ++i) {
        printf("device %" PRIu32 ": %s, %s%s\n", i, info.selector, info.name,
               info.usable ? "" : " (unusable)");
        info = (clslice_device_info){.size = sizeof info};
    }
    return status == CLSLICE_DXGI_ERROR_NOT_FOUND;
}

/* Every third of `count` numbers, from the last one down. */
static int32_t create(const struct clslice_api *api, clslice_device *device, uint32_t count,
                      clslice_operator **op, clslice_error *error)
{
    const uint32_t offset = 0, out_count = 1 + (count - 1) / 3;
    const int32_t stride = -3;
    const DML_BUFFER_TENSOR_DESC in = {.DataType = DML_TENSOR_DATA_TYPE_INT64,
                                       .DimensionCount = 1,
                                       .Sizes = &count,
                                       .TotalTensorSizeInBytes = count * sizeof(int64_t)};
    const DML_BUFFER_TENSOR_DESC out = {.DataType = DML_TENSOR_DATA_TYPE_INT64,
                                        .DimensionCount = 1,
                                        .Sizes = &out_count,
                                        .TotalTensorSizeInBytes = out_count * sizeof(int64_t)};
    const DML_TENSOR_DESC in_tensor = {DML_TENSOR_TYPE_BUFFER, &in};
    const DML_TENSOR_DESC out_tensor = {DML_TENSOR_TYPE_BUFFER, &out};
    const DML_SLICE1_OPERATOR_DESC slice = {&in_tensor, &out_tensor, 1, &offset, &count, &stride};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    return api->operator_create(device, &desc, op, error);
}

static int slice(const struct clslice_api *api, clslice_error *error)
{
    int64_t input[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, output[4];
    const clslice_binding from = {CLSLICE_BINDING_HOST, .handle = input, .size = sizeof input};
    const clslice_binding to = {CLSLICE_BINDING_HOST, .handle = output, .size = sizeof output};
    const clslice_dispatch_desc dispatch = {.size = sizeof dispatch,
                                            .inputs = &from,
                                            .outputs = &to,
                                            .input_count = 1,
                                            .output_count = 1};
    clslice_device *device = NULL;
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    struct _cl_event *done = NULL;
    int failed = api->device_create(NULL, &device, error) || create(api, device, 10, &op, error) ||
                 api->operator_compile(op, NULL, &compiled, error) ||
                 api->dispatch(compiled, &dispatch, &done, error) ||
                 api->event_wait(device, done, error);
    for (int i = 0; i < 4 && !failed; ++i)
        printf("%" PRId64 "%s", output[i], i < 3 ? " " : "\n");
    api->event_release(device, done);
    api->compiled_operator_release(compiled);
    api->operator_release(op);
    api->device_release(device);
    return !failed;
}

int main(int argc, char **argv)
{
    const struct clslice_api *api = load(argc > 1 ? argv[1] : "libclslice.so.0");
    clslice_error error = {.size = sizeof error};
    if (!api)
        return 1;
    printf("clslice %s\n", api->version);
    if (list_devices(api, &error) && slice(api, &error))
        return 0;
    fprintf(stderr, "dlopen_plugin: %s\n", error.text);
    return 1;
}
