/* SPDX-License-Identifier: MIT */
#include "runtime/program.h"

#include "runtime/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct program_slot *slot_of(struct clslice_device *device, const struct program_key *key)
{
    uint32_t width = 0;
    while (1u << width < key->width)
        ++width;
    return &device->programs[key->variant][width][key->index_bits == 64];
}

static const struct kernel_source *source_named(const char *name)
{
    for (size_t i = 0; i < kernel_source_count; ++i)
        if (strcmp(kernel_sources[i].name, name) == 0)
            return &kernel_sources[i];
    return NULL;
}

/* Keeps the compiler's words on the device; what cannot be kept is lost, not an error. */
static void keep_log(struct clslice_device *device, cl_program program)
{
    const struct cl_api *cl = &device->cl;
    size_t size = 0;
    cl->clGetProgramBuildInfo(program, device->about.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    if (log && size > 0)
        cl->clGetProgramBuildInfo(program, device->about.id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    pthread_mutex_lock(&device->log_lock);
    free(device->build_log);
    device->build_log = log;
    pthread_mutex_unlock(&device->log_lock);
}

void program_last_log(struct clslice_device *device, struct text *text)
{
    pthread_mutex_lock(&device->log_lock);
    text_append(text, "%s", device->build_log ? device->build_log : "");
    pthread_mutex_unlock(&device->log_lock);
}

/* One attempt. On CL_BUILD_PROGRAM_FAILURE the log is kept. */
static cl_int build(struct clslice_device *device, const struct program_key *key,
                    const char *options, cl_program *built, const char **call)
{
    const struct cl_api *cl = &device->cl;
    const struct kernel_source *sources[] = {source_named("walk"),
                                             source_named(plan_variant_name(key->variant))};
    const char *texts[] = {sources[0]->text, sources[1]->text};
    const size_t lengths[] = {sources[0]->length, sources[1]->length};
    cl_int code;
    *call = "clCreateProgramWithSource";
    cl_program program = cl->clCreateProgramWithSource(device->context, 2, texts, lengths, &code);
    if (!program)
        return code != CL_SUCCESS ? code : CL_OUT_OF_HOST_MEMORY;
    *call = "clBuildProgram";
    code = cl->clBuildProgram(program, 1, &device->about.id, options, NULL, NULL);
    if (code == CL_SUCCESS) {
        *built = program;
        return CL_SUCCESS;
    }
    keep_log(device, program);
    cl->clReleaseProgram(program);
    return code;
}

static int32_t build_fail(struct clslice_device *device, const char *call, cl_int code,
                          const char *options, clslice_error *error)
{
    if (code != CL_BUILD_PROGRAM_FAILURE && code != CL_INVALID_BUILD_OPTIONS)
        return cl_fail(error, call, code, NULL);
    char line[200];
    struct text text = text_in(line, sizeof line);
    program_last_log(device, &text);
    line[strcspn(line, "\n")] = '\0';
    return status_fail(error, CLSLICE_E_FAIL, WHERE(.rule = CLSLICE_RULE_BUILD, .opencl = code),
                       "the OpenCL compiler refused a kernel built with \"%s\"%s%s; see "
                       "clslice_device_get_build_log",
                       options, line[0] ? ": " : "", line);
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int32_t build_into(struct program_slot *slot, struct clslice_device *device,
                          const struct program_key *key, struct program_use *use,
                          clslice_error *error)
{
    char head[96];
    snprintf(head, sizeof head, "-cl-std=CL1.2 -DELEMENT_SIZE=%" PRIu32 " -DINDEX_BITS=%" PRIu32,
             key->width, key->index_bits);
    size_t size = strlen(head) + strlen(device->build_options) + 2;
    char *options = malloc(size);
    if (!options)
        return status_fail(error, CLSLICE_E_OUTOFMEMORY, WHERE(.rule = CLSLICE_RULE_MEMORY),
                           "out of memory for build options");
    snprintf(options, size, "%s%s%s", head, device->build_options[0] ? " " : "",
             device->build_options);

    uint64_t start = now();
    const char *call;
    cl_int code = build(device, key, options, &slot->program, &call);
    if (code == CL_BUILD_PROGRAM_FAILURE) /* PoCL before 6.0 fails so where processes share its cache */
        code = build(device, key, options, &slot->program, &call);
    int32_t status = CLSLICE_S_OK;
    if (code != CL_SUCCESS)
        status = build_fail(device, call, code, options, error);
    else
        device_log(device, CLSLICE_LOG_INFO, "built %s with %s in %.3f s",
                   plan_variant_name(key->variant), options, (double)(now() - start) / 1e9);
    use->nanoseconds = now() - start;
    free(options);
    return status;
}

int32_t program_get(struct clslice_device *device, const struct program_key *key,
                    struct program_use *use, clslice_error *error)
{
    struct program_slot *slot = slot_of(device, key);
    *use = (struct program_use){0};
    int32_t status = CLSLICE_S_OK;
    pthread_mutex_lock(&slot->lock);
    if (!slot->program)
        status = build_into(slot, device, key, use, error);
    use->program = slot->program;
    pthread_mutex_unlock(&slot->lock);
    return status;
}
