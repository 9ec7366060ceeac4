/* SPDX-License-Identifier: MIT */
#include "runtime/programs/program.h"

#include "base/clock.h"
#include "core/batch.h"
#include "core/definitions.h"
#include "core/walk.h"
#include "runtime/programs/binary_writer.h"
#include "runtime/programs/kernels.h"
#include "runtime/programs/program_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES_MAX = 7 };

_Static_assert(sizeof(struct walk) + sizeof(struct batch) + 5 * sizeof(cl_ulong) <=
                   ENUMERATE_KERNEL_BYTES,
               "any kernel's arguments: a walk and a batch by value, five buffers or addresses");

/* What is compiled together: what every kernel starts from, what some share, and the variant. */
static const struct hash_part *const sources[PLAN_VARIANT_COUNT][SOURCES_MAX] = {
    [PLAN_ROWS_CPU] = {&kernel_walk, &kernel_line, &kernel_gather, &kernel_origins, &kernel_strip,
                       &kernel_rows_cpu},
    [PLAN_ROWS_GPU] = {&kernel_walk, &kernel_rows_gpu},
    [PLAN_STRIDED_CPU] = {&kernel_walk, &kernel_line, &kernel_offsets, &kernel_origins,
                          &kernel_square, &kernel_strip, &kernel_strided_cpu},
    [PLAN_STRIDED_GPU] = {&kernel_walk, &kernel_word, &kernel_strided_gpu},
    [PLAN_GAPPED_CPU] = {&kernel_walk, &kernel_line, &kernel_offsets, &kernel_origins,
                         &kernel_gapped_cpu},
    [PLAN_TRANSPOSE_CPU] = {&kernel_walk, &kernel_line, &kernel_offsets, &kernel_origins,
                            &kernel_square, &kernel_strip, &kernel_transpose_cpu},
    [PLAN_TRANSPOSE_GPU] = {&kernel_walk, &kernel_word, &kernel_transpose_gpu},
    [PLAN_GRADIENT_CPU] = {&kernel_walk, &kernel_line, &kernel_strip, &kernel_gradient_cpu},
    [PLAN_GRADIENT_GPU] = {&kernel_walk, &kernel_word, &kernel_gradient_gpu},
};

/* Keeps the compiler's words on the device; what cannot be kept is lost, not an error. */
static void keep_log(struct clslice_device *device, cl_program program)
{
    const struct cl_api *cl = &device->cl;
    size_t size = 0;
    cl->clGetProgramBuildInfo(program, device->about.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    if (log && size > 0)
        cl->clGetProgramBuildInfo(program, device->about.id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    program_store_set_log(&device->programs, log);
}

static cl_uint sources_of(struct program_kernel kernel, struct hash_part texts[SOURCES_MAX])
{
    cl_uint count = 0;
    for (; count < SOURCES_MAX && sources[kernel.variant][count]; ++count)
        texts[count] = *sources[kernel.variant][count];
    return count;
}

/* One attempt. On CL_BUILD_PROGRAM_FAILURE the log is kept. */
static cl_int build(struct clslice_device *device, struct program_slot *slot, const char **call)
{
    const struct cl_api *cl = &device->cl;
    struct hash_part parts[SOURCES_MAX];
    const char *texts[SOURCES_MAX];
    size_t lengths[SOURCES_MAX];
    cl_uint count = sources_of(slot->kernel, parts);
    for (cl_uint i = 0; i < count; ++i) {
        texts[i] = parts[i].bytes;
        lengths[i] = parts[i].length;
    }
    cl_int code;
    *call = "clCreateProgramWithSource";
    cl_program program =
        cl->clCreateProgramWithSource(device->context, count, texts, lengths, &code);
    if (!program)
        return code != CL_SUCCESS ? code : CL_OUT_OF_HOST_MEMORY;
    *call = "clBuildProgram";
    code = cl->clBuildProgram(program, 1, &device->about.id, slot->options, NULL, NULL);
    if (code == CL_SUCCESS) {
        slot->program = program;
        return CL_SUCCESS;
    }
    keep_log(device, program);
    cl->clReleaseProgram(program);
    return code;
}

static int32_t build_fail(struct clslice_device *device, const struct program_slot *slot,
                          const char *call, cl_int code, clslice_error *error)
{
    if (code != CL_BUILD_PROGRAM_FAILURE && code != CL_INVALID_BUILD_OPTIONS)
        return cl_fail(error, call, code, NULL);
    char line[200];
    struct text text = text_in(line, sizeof line);
    program_store_get_log(&device->programs, &text);
    line[strcspn(line, "\r\n")] = '\0';
    return status_fail(error, CLSLICE_E_FAIL, WHERE(.rule = CLSLICE_RULE_BUILD, .opencl = code),
                       "the OpenCL compiler refused %s built with \"%s\"%s%s; see "
                       "clslice_device_get_build_log",
                       program_kernel_name(slot->kernel), slot->options, line[0] ? ": " : "", line);
}

/* ---- From the cache ---- */

static struct program_key cache_key_of(const struct clslice_device *device,
                                       const struct program_slot *slot)
{
    struct hash_part texts[SOURCES_MAX];
    cl_uint count = sources_of(slot->kernel, texts);
    return program_key_of(&device->about, device->cache.codegen, program_kernel_name(slot->kernel),
                          slot->options, texts, count);
}

/* A program from a binary that the driver takes and that holds the kernel; NULL where it does
 * not. */
static cl_program load(struct clslice_device *device, const struct program_slot *slot,
                       const struct hash_part *binary)
{
    const struct cl_api *cl = &device->cl;
    const unsigned char *bytes = binary->bytes;
    cl_int code, status = CL_SUCCESS;
    cl_program program = cl->clCreateProgramWithBinary(device->context, 1, &device->about.id,
                                                       &binary->length, &bytes, &status, &code);
    if (!program)
        return NULL;
    cl_kernel kernel = NULL;
    if (code == CL_SUCCESS && status == CL_SUCCESS &&
        cl->clBuildProgram(program, 1, &device->about.id, slot->options, NULL, NULL) == CL_SUCCESS)
        kernel = cl->clCreateKernel(program, program_kernel_name(slot->kernel), &code);
    if (kernel) {
        cl->clReleaseKernel(kernel);
        return program;
    }
    cl->clReleaseProgram(program);
    return NULL;
}

static void count_and_trace(struct clslice_device *device, const struct hash_part *key,
                            const struct cache_found *found, bool refused)
{
    const struct {
        const char *word;
        atomic_ullong *counter;
    } outcomes[] = {[CACHE_HIT] = {"HIT", &device->cache.counters.hits},
                    [CACHE_MISS] = {"MISS", &device->cache.counters.misses},
                    [CACHE_STALE] = {"STALE", &device->cache.counters.stale},
                    [CACHE_CORRUPT] = {"CORRUPT", &device->cache.counters.corrupt},
                    [CACHE_UNTRUSTED] = {"UNTRUSTED", &device->cache.counters.untrusted}};
    char name[HASH_TEXT_SIZE];
    struct hash digest = hash_of(key, 1);
    hash_text(&digest, name);
    const char *word = refused ? "REFUSED" : outcomes[found->outcome].word;
    const char *reason = refused ? "the driver rejects it" : found->reason;
    atomic_fetch_add(refused ? &device->cache.counters.refused : outcomes[found->outcome].counter,
                     1);
    log_append(&device->log, LOG_CACHE,
               found->outcome == CACHE_UNTRUSTED ? CLSLICE_LOG_WARNING : CLSLICE_LOG_INFO,
               "cache: %s %s%s%s%s", word, name, reason[0] ? " (" : "", reason,
               reason[0] ? ")" : "");
}

/* The program from the cache, or NULL; `use->reason` then says why. */
static cl_program fetch(struct clslice_device *device, const struct program_slot *slot,
                        const struct hash_part *cache_key, struct program_use *use)
{
    struct cache_found found = cache_get(device->cache.files, cache_key);
    cl_program program = NULL;
    use->reason = found.reason;
    if (found.outcome == CACHE_HIT)
        program = load(device, slot, &found.payload);
    bool refused = found.outcome == CACHE_HIT && !program;
    count_and_trace(device, cache_key, &found, refused);
    if (refused) {
        use->reason = "the driver rejected the binary";
        cache_drop(device->cache.files, cache_key);
    }
    cache_found_release(&found);
    return program;
}

/* ---- One program ---- */

/* The compiler's options, the caller's to free; NULL: out of memory. Without options of the user's
 * own, warnings are off: kernels have none, and compilers take time to find that out. */
static char *options_of(const struct clslice_device *device, const struct plan *plan)
{
    char head[160];
    struct text text = text_in(head, sizeof head);
    const char *more = device->build_options;
    text_append(&text, more[0] ? "-cl-std=CL1.2 -DWARNS " : "-cl-std=CL1.2 -w ");
    plan_define(plan, &text);
    if (device->about.scalar)
        text_append(&text, " -DSCALAR");
    char *options;
    return asprintf(&options, "%s%s%s", head, more[0] ? " " : "", more) < 0 ? NULL : options;
}

static int32_t build_from_source(struct clslice_device *device, struct program_slot *slot,
                                 clslice_error *error)
{
    uint64_t start = clock_nanoseconds();
    const char *call;
    cl_int code = build(device, slot, &call);
    if (code ==
        CL_BUILD_PROGRAM_FAILURE) /* PoCL before 6.0 fails so where processes share its cache */
        code = build(device, slot, &call);
    if (code != CL_SUCCESS)
        return build_fail(device, slot, call, code, error);
    log_append(&device->log, LOG_DEVICE, CLSLICE_LOG_INFO, "built %s with %s in %" PRIu64 " ms",
               program_kernel_name(slot->kernel), slot->options,
               (clock_nanoseconds() - start) / 1000000u);
    return CLSLICE_S_OK;
}

static int32_t get_into(struct program_slot *slot, struct clslice_device *device, size_t local_size,
                        struct program_use *use, clslice_error *error)
{
    int32_t status = CLSLICE_S_OK;
    uint64_t start = clock_nanoseconds();
    struct program_key key = {NULL, 0};
    use->reason = "the cache is off";
    if (device->cache.files)
        key = cache_key_of(device, slot);
    const struct hash_part part = {key.bytes, key.length};
    if (key.bytes)
        slot->program = fetch(device, slot, &part, use);
    use->outcome = CLSLICE_PROGRAM_FROM_CACHE;
    if (!slot->program) {
        use->outcome = CLSLICE_PROGRAM_BUILT;
        status = build_from_source(device, slot, error);
        if (status == CLSLICE_S_OK && key.bytes && cache_writes(device->cache.files))
            use->ran = binary_write(device, slot->program, slot->kernel, local_size, &part);
    }
    use->nanoseconds = clock_nanoseconds() - start;
    free(key.bytes);
    return status;
}

struct program_kernel program_kernel_of(const struct plan *plan)
{
    bool has_tables = plan->is_item && plan->few_words == 0;
    return (struct program_kernel){plan->variant, has_tables, plan->few_words};
}

int32_t program_get(struct clslice_device *device, const struct plan *plan, struct program_use *use,
                    clslice_error *error)
{
    struct program_kernel kernel = program_kernel_of(plan);
    char *options = options_of(device, plan);
    struct program_slot *slot =
        options ? program_store_slot(&device->programs, kernel, options) : NULL;
    if (!slot)
        return status_out_of_memory(error, "a program");
    *use = (struct program_use){.outcome = CLSLICE_PROGRAM_IN_MEMORY, .reason = ""};
    int32_t status = CLSLICE_S_OK;
    pthread_mutex_lock(&slot->lock);
    if (!slot->program)
        status = get_into(slot, device, plan->local_size, use, error);
    use->program = slot->program;
    pthread_mutex_unlock(&slot->lock);
    return status;
}
