/* SPDX-License-Identifier: MIT */
#include "compute.h"

#include "kernel.h"
#include "siblings.h"

#include <stdlib.h>
#include <string.h>

/* ---- Each run, on any number of threads ---- */

static OrtStatus *read_data(const struct kernel *kernel, const OrtKernelContext *context,
                            struct tensor *data)
{
    const struct host *host = kernel->provider->host;
    const OrtValue *value = NULL;
    OrtStatus *status = host->api->KernelContext_GetInput(context, (size_t)kernel->input, &value);
    if (!status)
        status = tensor_read(host, value, data);
    if (!status && data->rank != kernel->data.rank)
        status = host_error(host, ORT_INVALID_ARGUMENT,
                            "the data has %zu dimensions, and the model says %zu", data->rank,
                            kernel->data.rank);
    return status;
}

static OrtStatus *read_window(const struct host *host, const struct member *member,
                              const OrtKernelContext *context, const struct tensor *data,
                              struct window *window)
{
    struct parameter parameters[PARAMETERS];
    OrtStatus *status = NULL;
    memcpy(parameters, member->cut.parameters, sizeof parameters);
    for (size_t p = STARTS; !status && p < PARAMETERS; ++p) {
        const OrtValue *value = NULL;
        if (member->inputs[p] == NOT_THERE)
            continue;
        status = host->api->KernelContext_GetInput(context, (size_t)member->inputs[p], &value);
        if (!status)
            status = parameter_read(host, p, value, &parameters[p]);
    }
    return status ? status : cut_window(host, &member->cut, parameters, data, window);
}

/* Allocates the output, which is a piece if it has elements. */
static OrtStatus *read_piece(const struct host *host, const struct member *member,
                             OrtKernelContext *context, const struct tensor *data,
                             struct piece *pieces, size_t *count)
{
    struct piece piece = {0};
    const struct window *window = &piece.window;
    OrtValue *output = NULL;
    OrtStatus *status = read_window(host, member, context, data, &piece.window);
    if (status || member->output == NOT_THERE)
        return status;
    status = host->api->KernelContext_GetOutput(context, (size_t)member->output, window->count,
                                                window->rank, &output);
    if (!status)
        status = host->api->GetTensorMutableData(output, &piece.to);
    if (!status && window_elements_of(window->count, window->rank) > 0)
        pieces[(*count)++] = piece;
    return status;
}

static OrtStatus *ORT_API_CALL compute(OrtNodeComputeInfo *base, void *state,
                                       OrtKernelContext *context) NO_EXCEPTION
{
    const struct kernel *kernel = (const struct kernel *)base;
    const struct host *host = kernel->provider->host;
    struct tensor data;
    size_t count = 0;
    (void)state;
    OrtStatus *status = read_data(kernel, context, &data);
    if (status)
        return status;
    struct piece *pieces = malloc((kernel->count + 1) * sizeof *pieces);
    if (!pieces)
        return host_error(host, ORT_FAIL, "out of memory for %zu outputs", kernel->count);
    for (size_t i = 0; !status && i < kernel->count; ++i)
        status = read_piece(host, &kernel->members[i], context, &data, pieces, &count);
    if (!status)
        status = siblings_run(kernel->provider, kernel->element_bytes, data.data, pieces, count);
    free(pieces);
    return status;
}

/* The node itself is all the state there is. */
static OrtStatus *ORT_API_CALL create_state(OrtNodeComputeInfo *base,
                                            OrtNodeComputeContext *context,
                                            void **state) NO_EXCEPTION
{
    (void)context;
    *state = base;
    return NULL;
}

static void ORT_API_CALL release_state(OrtNodeComputeInfo *base, void *state) NO_EXCEPTION
{
    (void)base;
    (void)state;
}

/* ---- Life ---- */

static OrtStatus *warm(const struct kernel *kernel)
{
    const struct host *host = kernel->provider->host;
    OrtStatus *status = NULL;
    size_t count = 0;
    if (!kernel->is_fixed)
        return NULL;
    struct piece *pieces = calloc(kernel->count + 1, sizeof *pieces);
    if (!pieces)
        return host_error(host, ORT_FAIL, "out of memory for %zu outputs", kernel->count);
    for (size_t i = 0; !status && i < kernel->count; ++i) {
        const struct cut *cut = &kernel->members[i].cut;
        struct window *window = &pieces[count].window;
        status = cut_window(host, cut, cut->parameters, &kernel->data, window);
        if (kernel->members[i].output != NOT_THERE)
            count += !status && window_elements_of(window->count, window->rank) > 0;
    }
    if (!status)
        status = siblings_warm(kernel->provider, kernel->element_bytes, pieces, count);
    free(pieces);
    return status;
}

OrtStatus *compute_create(struct provider *provider, const OrtGraph *graph, const OrtNode *fused,
                          OrtNodeComputeInfo **made)
{
    struct kernel *kernel = NULL;
    OrtStatus *status = kernel_read(provider, graph, fused, &kernel);
    if (!status)
        status = warm(kernel);
    if (status) {
        free(kernel);
        return status;
    }
    kernel->base = (OrtNodeComputeInfo){.ort_version_supported = HOST_API_VERSION,
                                        .CreateState = create_state,
                                        .Compute = compute,
                                        .ReleaseState = release_state};
    *made = &kernel->base;
    return NULL;
}
