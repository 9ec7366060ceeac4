/* SPDX-License-Identifier: MIT */
/* The fake's commands: started in the order that OpenCL promises and in the worst one
 * that it allows. */
#include "support/fake_cl/fake_cl_inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAITS_MAX = 16 };

enum command_kind { COMMAND_KERNEL, COMMAND_WRITE, COMMAND_READ, COMMAND_COPY };

/* A rectangle of bytes between a buffer and host memory, or from it to another buffer. */
struct copy {
    cl_mem mem, to; /* `to` only of COMMAND_COPY */
    unsigned char *host;
    size_t mem_at, host_at;
    size_t region[3];
    size_t mem_row, mem_slice, host_row, host_slice;
};

struct command {
    struct command *next;
    enum command_kind kind;
    cl_command_queue queue;
    cl_event event; /* used */
    uint64_t number;
    uint32_t wait_count;
    cl_event waits[WAITS_MAX]; /* used */
    struct copy copy;
    struct fake_arg args[FAKE_ARGS];
    cl_kernel kernel;
    size_t global_size;
};

static struct command *commands; /* the newest first */
static uint64_t command_count;

/* ---- Running ---- */

static void run_copy(const struct command *command)
{
    const struct copy *c = &command->copy;
    for (size_t z = 0; z < c->region[2]; ++z)
        for (size_t y = 0; y < c->region[1]; ++y) {
            unsigned char *mem = c->mem->bytes + c->mem_at + z * c->mem_slice + y * c->mem_row;
            unsigned char *host =
                (c->to ? c->to->bytes : c->host) + c->host_at + z * c->host_slice + y * c->host_row;
            if (command->kind == COMMAND_WRITE)
                memcpy(mem, host, c->region[0]);
            else
                memcpy(host, mem, c->region[0]);
        }
}

/* By a failed event in its wait list. */
static bool is_stopped(const struct command *command)
{
    for (uint32_t i = 0; i < command->wait_count; ++i)
        if (command->waits[i]->status < 0)
            return true;
    return false;
}

static char ran[FAKE_NAME_SIZE];

const char *fake_ran(void)
{
    return ran;
}

static cl_int run(const struct command *command)
{
    if (is_stopped(command)) {
        if (command->event->object.refs == 0) /* PoCL 3.1 aborts */
            fake_violate("a wait event failed for a command whose event nobody holds");
        command->event->was_stopped = fake.forgets_failures;
        if (fake.forgets_failures)
            return CL_COMPLETE;
        return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    if (command->kind == COMMAND_KERNEL && fake.kernel_status < 0)
        return fake.kernel_status;
    if (command->kind == COMMAND_KERNEL) {
        fake_walk(command->args, command->kernel->program, command->global_size);
        command->kernel->program->ran = true;
        memcpy(ran, command->kernel->program->names[0], sizeof ran);
    } else {
        run_copy(command);
    }
    return CL_COMPLETE;
}

static void let_go(struct command *command)
{
    for (uint32_t i = 0; i < command->wait_count; ++i)
        fake_unuse(command->waits[i]);
    if (command->kind == COMMAND_KERNEL) {
        for (int i = 0; i < FAKE_ARGS; ++i)
            if (command->args[i].is_mem)
                fake_unuse(command->args[i].value.mem);
        fake_unuse(command->kernel->program);
        fake_unuse(command->kernel);
    } else {
        fake_unuse(command->copy.mem);
        if (command->copy.to)
            fake_unuse(command->copy.to);
    }
    fake_unuse(command->event);
    fake_unuse(command->queue);
    free(command);
}

static bool may_start(const struct command *command)
{
    if (fake.hold || (fake.lazy && command->number > command->queue->flushed))
        return false;
    for (uint32_t i = 0; i < command->wait_count; ++i)
        if (command->waits[i]->status > CL_COMPLETE)
            return false;
    if (command->queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        return true;
    for (const struct command *other = command->next; other; other = other->next)
        if (other->queue == command->queue)
            return false;
    return true;
}

/* The next to start, in the worst order that is allowed: of the queue that has waited longest,
 * so that queues interleave, and the newest of that queue, so that what an out-of-order queue's
 * command does not wait for has not happened yet. */
static struct command **choose(void)
{
    struct command **chosen = NULL;
    for (struct command **link = &commands; *link; link = &(*link)->next)
        if (may_start(*link) && (!chosen || (*link)->queue->ran < (*chosen)->queue->ran))
            chosen = link;
    return chosen;
}

void fake_pump(void)
{
    static uint64_t runs;
    for (struct command **link; (link = choose());) {
        struct command *command = *link;
        command->queue->ran = ++runs;
        command->event->status = run(command);
        *link = command->next;
        fake_use(command->event);
        fake_call_back(command->event);
        fake_unuse(command->event);
        let_go(command);
    }
}

void fake_drop_commands(void)
{
    for (struct command *next; commands; commands = next) {
        next = commands->next;
        let_go(commands);
    }
}

void fake_run_commands(void)
{
    fake_lock();
    fake.hold = false;
    fake_pump();
    fake_unlock();
}

size_t fake_pending(void)
{
    size_t count = 0;
    fake_lock();
    for (const struct command *command = commands; command; command = command->next)
        ++count;
    fake_unlock();
    return count;
}

/* ---- Enqueueing ---- */

static cl_int check_queue(cl_command_queue queue, cl_uint count, const cl_event *waits)
{
    if (!fake_is(queue, FAKE_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!waits != (count == 0) || count > WAITS_MAX)
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < count; ++i)
        if (!fake_is(waits[i], FAKE_EVENT))
            return CL_INVALID_EVENT_WAIT_LIST;
    return CL_SUCCESS;
}

static struct command *new_command(enum command_kind kind, cl_command_queue queue, cl_uint count,
                                   const cl_event *waits)
{
    struct command *command = aligned_alloc(64, (sizeof *command + 63) / 64 * 64);
    memset(command, 0, sizeof *command);
    command->kind = kind;
    command->queue = queue;
    command->number = ++command_count;
    command->wait_count = count;
    for (cl_uint i = 0; i < count; ++i) {
        command->waits[i] = waits[i];
        fake_use(waits[i]);
    }
    fake_use(queue);
    return command;
}

/* Puts a whole command into its queue. */
static void submit(struct command *command, cl_event *event_out)
{
    cl_event event = fake_object_new(FAKE_EVENT, sizeof *event);
    event->queue = command->queue;
    event->number = command->number;
    event->status = CL_QUEUED;
    event->object.refs = event_out != NULL;
    fake_use(event);
    command->event = event;
    command->next = commands;
    commands = command;
    if (event_out)
        *event_out = event;
    fake_pump();
}

/* A call that failed: some drivers clear the event all the same. */
static cl_int refuse(cl_int code, cl_event *event_out)
{
    if (event_out)
        *event_out = NULL;
    return fake_leave(code);
}

static cl_int check_args(cl_kernel kernel)
{
    if (!fake_is(kernel, FAKE_KERNEL))
        return CL_INVALID_KERNEL;
    for (int i = 0; i < kernel->arg_count; ++i) {
        const struct fake_arg *arg = &kernel->args[i];
        if (!arg->set || (arg->is_mem && arg->was_address)) /* as NVIDIA's driver 580 */
            return CL_INVALID_KERNEL_ARGS;
        if (arg->is_mem && !fake_is(arg->value.mem, FAKE_MEM))
            return CL_INVALID_MEM_OBJECT;
    }
    return CL_SUCCESS;
}

static cl_int check_device(cl_command_queue queue, cl_kernel kernel)
{
    if (queue->context != kernel->program->context)
        return CL_INVALID_CONTEXT;
    if (queue->device == kernel->program->device)
        return CL_SUCCESS;
    fake_violate("a launch on a device that the program is not built for"); /* some drivers abort */
    return CL_INVALID_PROGRAM_EXECUTABLE;
}

cl_int CL_API_CALL fake_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                               cl_uint dimensions, const size_t *offset,
                                               const size_t *global, const size_t *local,
                                               cl_uint count, const cl_event *waits,
                                               cl_event *event)
{
    cl_int code = fake_enter(FAKE_clEnqueueNDRangeKernel, 0);
    fake_kernel_begin(kernel);
    fake_call_hook(
        fake.on_enqueue); /* a kernel that two threads share gets its arguments meanwhile */
    fake_kernel_end(kernel);
    if (code == CL_SUCCESS)
        code = check_queue(queue, count, waits);
    if (code == CL_SUCCESS)
        code = check_args(kernel);
    if (code == CL_SUCCESS)
        code = check_device(queue, kernel);
    if (code == CL_SUCCESS && (dimensions != 1 || offset))
        code = CL_INVALID_WORK_DIMENSION;
    if (code == CL_SUCCESS &&
        (local[0] == 0 || local[0] > fake_group_size(queue->device) || global[0] % local[0] != 0))
        code = CL_INVALID_WORK_GROUP_SIZE;
    if (code != CL_SUCCESS)
        return refuse(code, event);
    struct command *command = new_command(COMMAND_KERNEL, queue, count, waits);
    memcpy(command->args, kernel->args, sizeof command->args);
    command->kernel = kernel;
    command->global_size = global[0];
    fake_use(kernel);
    fake_use(kernel->program);
    for (int i = 0; i < FAKE_ARGS; ++i)
        if (command->args[i].is_mem)
            fake_use(command->args[i].value.mem);
    submit(command, event);
    return fake_leave(CL_SUCCESS);
}

/* What a rectangle spans from its first byte. */
static size_t span(const size_t region[3], size_t row, size_t slice)
{
    return (region[2] - 1) * slice + (region[1] - 1) * row + region[0];
}

static cl_int enqueue_copy(enum command_kind kind, cl_command_queue queue, const struct copy *copy,
                           cl_int code, cl_uint count, const cl_event *waits, cl_event *event)
{
    if (code == CL_SUCCESS)
        code = check_queue(queue, count, waits);
    if (code == CL_SUCCESS &&
        (!fake_is(copy->mem, FAKE_MEM) || (copy->to && !fake_is(copy->to, FAKE_MEM))))
        code = CL_INVALID_MEM_OBJECT;
    if (code == CL_SUCCESS &&
        (copy->region[0] * copy->region[1] * copy->region[2] == 0 || (!copy->host && !copy->to) ||
         copy->mem_at > copy->mem->size ||
         span(copy->region, copy->mem_row, copy->mem_slice) > copy->mem->size - copy->mem_at))
        code = CL_INVALID_VALUE;
    if (code != CL_SUCCESS)
        return refuse(code, event);
    struct command *command = new_command(kind, queue, count, waits);
    command->copy = *copy;
    fake_use(copy->mem);
    if (copy->to)
        fake_use(copy->to);
    submit(command, event);
    return fake_leave(CL_SUCCESS);
}

cl_int CL_API_CALL fake_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                             size_t at, size_t size, const void *from,
                                             cl_uint count, const cl_event *waits, cl_event *event)
{
    cl_int code = fake_enter(FAKE_clEnqueueWriteBuffer, 0);
    struct copy copy = {.mem = mem, .mem_at = at, .region = {size, 1, 1}};
    memcpy(&copy.host, &from, sizeof from);
    if (blocking)
        fake_violate("a blocking write");
    return enqueue_copy(COMMAND_WRITE, queue, &copy, code, count, waits, event);
}

cl_int CL_API_CALL fake_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                            size_t at, size_t size, void *to, cl_uint count,
                                            const cl_event *waits, cl_event *event)
{
    cl_int code = fake_enter(FAKE_clEnqueueReadBuffer, 0);
    const struct copy copy = {.mem = mem, .host = to, .mem_at = at, .region = {size, 1, 1}};
    if (blocking)
        fake_violate("a blocking read");
    return enqueue_copy(COMMAND_READ, queue, &copy, code, count, waits, event);
}

/* A pitch of 0 is the least one; false where it is too small. */
static bool settle_pitches(const size_t region[3], size_t *row, size_t *slice)
{
    *row = *row ? *row : region[0];
    *slice = *slice ? *slice : region[1] * *row;
    return *row >= region[0] && *slice >= region[1] * *row && *slice % *row == 0;
}

cl_int CL_API_CALL fake_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem mem,
                                                cl_bool blocking, const size_t *mem_origin,
                                                const size_t *host_origin, const size_t *region,
                                                size_t mem_row, size_t mem_slice, size_t host_row,
                                                size_t host_slice, void *to, cl_uint count,
                                                const cl_event *waits, cl_event *event)
{
    cl_int code = fake_enter(FAKE_clEnqueueReadBufferRect, 0);
    if (blocking)
        fake_violate("a blocking read");
    if (code == CL_SUCCESS && (!settle_pitches(region, &mem_row, &mem_slice) ||
                               !settle_pitches(region, &host_row, &host_slice)))
        code = CL_INVALID_VALUE;
    const struct copy copy = {
        .mem = mem,
        .host = to,
        .mem_at = mem_origin[2] * mem_slice + mem_origin[1] * mem_row + mem_origin[0],
        .host_at = host_origin[2] * host_slice + host_origin[1] * host_row + host_origin[0],
        .region = {region[0], region[1], region[2]},
        .mem_row = mem_row,
        .mem_slice = mem_slice,
        .host_row = host_row,
        .host_slice = host_slice};
    return enqueue_copy(COMMAND_READ, queue, &copy, code, count, waits, event);
}

cl_int CL_API_CALL fake_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                            size_t from_at, size_t to_at, size_t size,
                                            cl_uint count, const cl_event *waits, cl_event *event)
{
    cl_int code = fake_enter(FAKE_clEnqueueCopyBuffer, 0);
    const struct copy copy = {
        .mem = from, .to = to, .mem_at = from_at, .host_at = to_at, .region = {size, 1, 1}};
    return enqueue_copy(COMMAND_COPY, queue, &copy, code, count, waits, event);
}

static void flush(cl_command_queue queue)
{
    queue->flushed = command_count;
    fake_pump();
}

cl_int CL_API_CALL fake_clFlush(cl_command_queue queue)
{
    cl_int code = fake_enter_with(FAKE_clFlush, 0, queue, FAKE_QUEUE);
    if (code == CL_SUCCESS)
        flush(queue);
    return fake_leave(code);
}

static bool is_busy(cl_command_queue queue)
{
    const struct command *command = commands;
    while (command && command->queue != queue)
        command = command->next;
    return command != NULL;
}

cl_int CL_API_CALL fake_clFinish(cl_command_queue queue)
{
    cl_int code = fake_enter_with(FAKE_clFinish, 0, queue, FAKE_QUEUE);
    if (code == CL_SUCCESS) {
        flush(queue);
        for (int ms = 0; is_busy(queue) && ms < FAKE_HANG_MILLISECONDS; ++ms)
            fake_wait();
        if (is_busy(queue))
            fake_violate("clFinish hangs");
    }
    return fake_leave(code);
}
