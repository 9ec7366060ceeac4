/* SPDX-License-Identifier: MIT */
#include "support/fake_cl/fault_steps.h"

#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNTOUCHED = 0x5E, MANY_WAITS = 9 };

/* ---- Opening ---- */

const char *cache_folder_named(const char *name)
{
    static char path[4200];
    char here[4096];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    snprintf(path, sizeof path, "%s/%s", here, name);
    return path;
}

clslice_device_options fake_options(const char *cache_path)
{
    return (clslice_device_options){.size = sizeof(clslice_device_options),
                                    .flags = CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT,
                                    .get_proc = fake_get_proc,
                                    .cache_mode =
                                        cache_path ? CLSLICE_CACHE_READ_WRITE : CLSLICE_CACHE_OFF,
                                    .cache_path = cache_path};
}

static void ok(int32_t status, const clslice_error *error)
{
    ck_assert_msg(status == CLSLICE_S_OK, "%s", error->text);
}

int32_t world_compile(clslice_operator *op, uint32_t flags, clslice_compiled_operator **compiled,
                      clslice_error *error)
{
    const clslice_compile_options options = {.size = sizeof options, .flags = flags};
    fake_is_compiling = true;
    int32_t status = clslice_operator_compile(op, &options, compiled, error);
    fake_is_compiling = false;
    return status;
}

static uint32_t compile_flags(const struct world *world)
{
    unsigned traits = world->step->traits;
    return (traits & STEP_WARM ? CLSLICE_COMPILE_FLAG_WARM : 0u) |
           (traits & (STEP_BATCH | STEP_TABLES) ? CLSLICE_COMPILE_FLAG_BATCH : 0u);
}

static void compile(struct world *world, uint32_t flags)
{
    clslice_error error = {.size = sizeof error};
    ok(world_compile(world->op, flags, &world->compiled, &error), &error);
}

static void create_operator(struct world *world)
{
    clslice_error error = {.size = sizeof error};
    ok(clslice_device_create(&world->options, &world->device, &error), &error);
    ok(clslice_operator_create(world->device, shape_desc(world->step->shape), &world->op, &error),
       &error);
}

void world_save_program(struct world *world)
{
    ck_assert_int_eq(
        clslice_operator_create(world->device, shape_desc(world->step->shape), &world->op, NULL),
        CLSLICE_S_OK);
    compile(world, compile_flags(world));
}

static void release_clslice(struct world *world)
{
    clslice_compiled_operator_release(world->compiled);
    clslice_operator_release(world->op);
    clslice_device_release(world->device);
    world->compiled = NULL;
    world->op = NULL;
    world->device = NULL;
}

static void open_machine(const struct step *step)
{
    fake_begin();
    if (step->traits & STEP_GPU) {
        fake.device[0].type = CL_DEVICE_TYPE_GPU;
        fake.device[0].name = "Fake GPU";
    }
    if (step->traits & STEP_BLOCKS)
        fake.platform[0].vendor = "NVIDIA Corporation";
    if (step->memory == MEMORY_SVM)
        fake.device[0].svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    if (step->traits & STEP_SYSTEM_SVM)
        fake.device[0].svm = CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    if (step->traits & STEP_SMALL_LIMIT)
        fake.device[0].max_alloc_bytes = 1 << 20;
    if (step->action == ACT_ENUMERATE || step->action == ACT_CREATE) {
        fake.platform_count = fake.device_count = 2;
        fake.platform[1] = (struct fake_platform){"Other Platform", "Fakes Ltd", "OpenCL 1.2 fake"};
        fake.device[1] = fake.device[0];
        fake.device[1].platform = 1;
    }
}

cl_context world_context(const struct world *world)
{
    clslice_opencl_objects objects = {.size = sizeof objects};
    ck_assert_int_eq(clslice_device_get_opencl(world->device, &objects, NULL), CLSLICE_S_OK);
    return objects.context;
}

enum {
    ITEMS = 2,
    ITEMS_MANY = 100, /* and indices of as many: more words than fit 1024 bytes of arguments */
    AXES = 3,
    ROWS = ITEMS_MANY * AXES,
    NUMBERS = ROWS + ITEMS_MANY
};

/* Rows of the shape's own offsets and of others at which no window fits; and indices 0. */
static void fill_table(const struct world *world, uint32_t table[NUMBERS])
{
    const DML_SLICE1_OPERATOR_DESC *desc = shape_desc(world->step->shape)->Desc;
    memcpy(table, desc->InputWindowOffsets, AXES * sizeof *table);
    memset(table + AXES, 0xFF, (ROWS - AXES) * sizeof *table);
    memset(table + ROWS, 0, ITEMS_MANY * sizeof *table);
}

static void open_memory(struct world *world)
{
    shape_sizes(world->step->shape, &world->in_size, &world->out_size);
    size_t odd = world->step->memory == MEMORY_HOST_ODD;
    world->in_block = aligned_alloc(64, (world->in_size + 128) / 64 * 64);
    world->out_block = aligned_alloc(64, (world->out_size + 128) / 64 * 64);
    world->expected = aligned_alloc(64, (world->out_size + 128) / 64 * 64);
    world->in_bytes = world->in_block + odd;
    world->out_bytes = world->out_block + odd;
    for (size_t i = 0; i < world->in_size; ++i)
        world->in_bytes[i] = (unsigned char)(i * 37 + i / 251 + world->salt);
    memset(world->out_bytes, UNTOUCHED, world->out_size);
    if (world->step->memory != MEMORY_CL)
        return;
    cl_int code;
    cl_context context = world_context(world);
    world->in = fake_clCreateBuffer(context, CL_MEM_READ_ONLY, world->in_size, NULL, &code);
    world->out = fake_clCreateBuffer(context, CL_MEM_WRITE_ONLY, world->out_size, NULL, &code);
    memcpy(fake_bytes(world->in), world->in_bytes, world->in_size);
    memcpy(fake_bytes(world->out), world->out_bytes, world->out_size);
    if (!(world->step->traits & STEP_TABLES))
        return;
    uint32_t table[NUMBERS];
    fill_table(world, table);
    world->table = fake_clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                       sizeof table, table, &code);
}

static void open_host_objects(struct world *world)
{
    cl_int code;
    const cl_device_id id = fake_device_id(0);
    bool out_of_order = world->step->traits & STEP_OUT_OF_ORDER;
    if (world->step->action == ACT_CREATE_IN_CONTEXT)
        world->context = fake_clCreateContext(NULL, 1, &id, NULL, NULL, &code);
    if (world->step->traits & STEP_QUEUE)
        world->queue = fake_clCreateCommandQueue(
            world->context ? world->context : world_context(world), id,
            out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
    if (world->step->traits & STEP_WAITS)
        world->gate = fake_gate_create();
    world->options.context = world->context;
    if (world->step->action == ACT_CREATE_IN_CONTEXT)
        world->options.queue = world->queue;
}

static void fill_cache(struct world *world)
{
    create_operator(world);
    compile(world, compile_flags(world));
    release_clslice(world);
}

static clslice_batch batch_of(const struct world *world, uint32_t table[NUMBERS])
{
    fill_table(world, table);
    if (world->step->traits & STEP_NO_TABLES)
        return (clslice_batch){.size = sizeof(clslice_batch), .count = 1};
    clslice_binding whole = {.kind = world->table ? CLSLICE_BINDING_CL_MEM : CLSLICE_BINDING_HOST,
                             .handle = world->table ? (void *)world->table : table,
                             .size = ROWS * sizeof *table};
    clslice_binding indices = whole;
    indices.offset = whole.size;
    indices.size = ITEMS_MANY * sizeof *table;
    return (clslice_batch){
        .size = sizeof(clslice_batch),
        .flags = CLSLICE_BATCH_FLAG_SKIP,
        .count = world->step->traits & STEP_MANY_ITEMS ? ITEMS_MANY : ITEMS,
        .window = whole,
        .window_axis_count = AXES,
        .output = indices,
        .output_index_bytes = sizeof *table,
    };
}

static int32_t dispatch(struct world *world, cl_event *event, clslice_error *error)
{
    uint32_t table[NUMBERS];
    const clslice_batch batch = batch_of(world, table);
    enum step_memory memory = world->step->memory;
    uint32_t kind = memory == MEMORY_CL    ? CLSLICE_BINDING_CL_MEM
                    : memory == MEMORY_SVM ? CLSLICE_BINDING_SVM
                                           : CLSLICE_BINDING_HOST;
    void *in = world->in_bytes, *out = world->out_bytes;
    const clslice_binding input = {
        .kind = kind, .handle = world->in ? (void *)world->in : in, .size = world->in_size};
    const clslice_binding output = {
        .kind = kind, .handle = world->out ? (void *)world->out : out, .size = world->out_size};
    cl_event waits[MANY_WAITS];
    for (int i = 0; i < MANY_WAITS; ++i)
        waits[i] = world->gate;
    const clslice_dispatch_desc desc = {
        .size = sizeof desc,
        .queue = world->queue,
        .inputs = &input,
        .outputs = &output,
        .input_count = 1,
        .output_count = 1,
        .wait_events = world->gate ? waits : NULL,
        .wait_count = !world->gate                            ? 0
                      : world->step->traits & STEP_MANY_WAITS ? MANY_WAITS
                                                              : 1,
        .batch = compile_flags(world) & CLSLICE_COMPILE_FLAG_BATCH ? &batch : NULL};
    return clslice_dispatch(world->compiled, &desc, event, error);
}

void world_open(struct world *world, const struct step *step)
{
    const char *folder = step->traits & STEP_CACHE ? cache_folder_named("faults-cache") : NULL;
    clslice_device_options options = fake_options(folder);
    open_machine(step);
    if (folder && !(step->traits & STEP_CACHED))
        ck_assert_int_eq(clslice_cache_clear(&options, NULL, NULL), CLSLICE_S_OK);
    if (step->traits & STEP_CACHED) {
        *world = (struct world){.step = step, .options = options};
        fill_cache(world);
    }
    world_open_on(world, step, &options);
}

void world_open_on(struct world *world, const struct step *step,
                   const clslice_device_options *options)
{
    clslice_error error = {.size = sizeof error};
    *world = (struct world){.step = step, .options = *options};
    if (step->action == ACT_OPERATOR || step->action == ACT_RUN)
        ok(clslice_device_create(&world->options, &world->device, &error), &error);
    else if (step->action >= ACT_COMPILE)
        create_operator(world);
    if (step->action >= ACT_DISPATCH && step->action != ACT_RUN)
        compile(world, compile_flags(world));
    open_host_objects(world);
    if (step->action >= ACT_DISPATCH)
        open_memory(world);
    if (step->action == ACT_WAIT || step->action == ACT_STATUS)
        ok(dispatch(world, &world->event, &error), &error);
    if (step->action == ACT_FINISH || step->action == ACT_RELEASE)
        ok(dispatch(world, NULL, &error), &error);
}

/* ---- The operation ---- */

/* Out-parameters begin as something that nobody would write. */
static void mark_made(struct world *world)
{
    world->made.device = (clslice_device *)(void *)world;
    world->made.op = (clslice_operator *)(void *)world;
    world->made.compiled = (clslice_compiled_operator *)(void *)world;
    world->made.event = (cl_event)(void *)world;
    memset(&world->made.info, UNTOUCHED, sizeof world->made.info);
    world->made.info.size = sizeof world->made.info;
}

static void take_made(struct world *world)
{
    switch (world->step->action) {
    case ACT_CREATE:
    case ACT_CREATE_IN_CONTEXT:
        world->device = world->made.device;
        break;
    case ACT_OPERATOR:
        world->op = world->made.op;
        break;
    case ACT_COMPILE:
        world->compiled = world->made.compiled;
        break;
    case ACT_DISPATCH:
        if (world->step->traits & STEP_EVENT)
            world->event = world->made.event;
        break;
    default:
        break;
    }
}

static int32_t run(const struct world *world, clslice_error *error)
{
    return clslice_run(world->device, shape_desc(world->step->shape), world->in_bytes,
                       world->in_size, world->out_bytes, world->out_size, error);
}

static int32_t act(struct world *world, clslice_error *error)
{
    switch (world->step->action) {
    case ACT_ENUMERATE:
        return clslice_device_enumerate(&world->options, 0, &world->made.info, error);
    case ACT_CREATE:
    case ACT_CREATE_IN_CONTEXT:
        return clslice_device_create(&world->options, &world->made.device, error);
    case ACT_OPERATOR:
        return clslice_operator_create(world->device, shape_desc(world->step->shape),
                                       &world->made.op, error);
    case ACT_COMPILE:
        return world_compile(world->op, compile_flags(world), &world->made.compiled, error);
    case ACT_DISPATCH:
        return dispatch(world, world->step->traits & STEP_EVENT ? &world->made.event : NULL, error);
    case ACT_WAIT:
        return clslice_event_wait(world->device, world->event, error);
    case ACT_STATUS:
        return clslice_event_get_status(world->device, world->event, error);
    case ACT_FINISH:
        return clslice_device_finish(world->device, error);
    case ACT_RUN:
        return run(world, error);
    case ACT_RELEASE:
        release_clslice(world);
        return CLSLICE_S_OK;
    }
    return CLSLICE_E_FAIL;
}

int32_t world_act(struct world *world, clslice_error *error)
{
    mark_made(world);
    int32_t status = act(world, error);
    if (status == CLSLICE_S_OK)
        take_made(world);
    return status;
}

void world_do(struct world *world)
{
    clslice_error error = {.size = sizeof error};
    int32_t status = world_act(world, &error);
    ck_assert_msg(status == CLSLICE_S_OK, "%s: %s", world->step->name, error.text);
}

/* ---- After it ---- */

static const unsigned char *output_of(const struct world *world)
{
    return world->out ? fake_bytes(world->out) : world->out_bytes;
}

static void complete(struct world *world)
{
    if (world->gate)
        fake_gate_open(world->gate, CL_COMPLETE);
    fake_run_commands();
    ck_assert_uint_eq(fake_pending(), 0);
}

void world_check_unwritten(const struct world *world)
{
    const unsigned char *out = output_of(world);
    size_t i = 0;
    while (i < world->out_size && out[i] == UNTOUCHED)
        ++i;
    ck_assert_msg(i == world->out_size, "%s: a failed dispatch wrote byte %zu", world->step->name,
                  i);
}

void world_check_untouched(struct world *world)
{
    const char *name = world->step->name;
    clslice_device_info info = world->made.info;
    ck_assert_msg(world->made.device == (clslice_device *)(void *)world, "%s: wrote `device`",
                  name);
    ck_assert_msg(world->made.op == (clslice_operator *)(void *)world, "%s: wrote `op`", name);
    ck_assert_msg(world->made.compiled == (clslice_compiled_operator *)(void *)world,
                  "%s: wrote `compiled`", name);
    ck_assert_msg(world->made.event == (cl_event)(void *)world, "%s: wrote `event`", name);
    mark_made(world);
    ck_assert_msg(memcmp(&world->made.info, &info, sizeof info) == 0, "%s: wrote `info`", name);
    complete(world);
    if (world->step->action == ACT_DISPATCH && !(world->step->traits & STEP_PARTIAL))
        world_check_unwritten(world);
}

/* Creating goes on without what only probes the device, but not without its queue. */
static void check_objects(const struct world *world)
{
    clslice_opencl_objects objects = {.size = sizeof objects};
    ck_assert_int_eq(clslice_device_get_opencl(world->device, &objects, NULL), CLSLICE_S_OK);
    ck_assert_ptr_nonnull(objects.context);
    ck_assert_ptr_nonnull(objects.queue);
}

void world_check_done(struct world *world)
{
    complete(world);
    if (world->step->action == ACT_CREATE || world->step->action == ACT_CREATE_IN_CONTEXT)
        check_objects(world);
    if (world->step->action != ACT_DISPATCH && world->step->action != ACT_RUN)
        return;
    memset(world->expected, UNTOUCHED, world->out_size);
    shape_slice(world->step->shape, world->in_bytes, world->expected);
    ck_assert_msg(memcmp(output_of(world), world->expected, world->out_size) == 0,
                  "%s: wrong output", world->step->name);
    if (world->event)
        ck_assert_int_eq(clslice_event_get_status(world->device, world->event, NULL), CLSLICE_S_OK);
}

static void close_memory(struct world *world)
{
    if (world->in)
        fake_clReleaseMemObject(world->in);
    if (world->out)
        fake_clReleaseMemObject(world->out);
    if (world->table)
        fake_clReleaseMemObject(world->table);
    free(world->in_block);
    free(world->out_block);
    free(world->expected);
}

void world_share(struct world *other, const struct world *world, cl_command_queue queue)
{
    *other = *world;
    other->queue = queue;
    other->salt = world->salt + 101;
    open_memory(other);
}

void world_unshare(struct world *other)
{
    if (other->event)
        clslice_event_release(other->device, other->event);
    close_memory(other);
}

void world_close(struct world *world)
{
    complete(world);
    if (world->event && world->device)
        clslice_event_release(world->device, world->event);
    release_clslice(world);
    close_memory(world);
    if (world->gate)
        fake_clReleaseEvent(world->gate);
    if (world->queue)
        fake_clReleaseCommandQueue(world->queue);
    if (world->context)
        fake_clReleaseContext(world->context);
    ck_assert_msg(fake_live() == 0, "%s: %zu OpenCL references left", world->step->name,
                  fake_live());
    ck_assert_msg(fake_violation()[0] == '\0', "%s: %s", world->step->name, fake_violation());
}

void world_end(struct world *world)
{
    world_check_done(world);
    world_close(world);
}
