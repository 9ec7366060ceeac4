/* SPDX-License-Identifier: MIT */
/* What a dispatch refuses: by which status, rule and words, and that nothing was written. */
#include "address_driver.h"
#include "conformance/case_words.h"
#include "support/harness.h"
#include "support/needs.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The slice that everything is tried with: FLOAT32, 4 x 8 -> 4 x 5, of which 128 and 80 bytes are
 * addressed; the output's total size is larger than that. */
enum { IN_BYTES = 128, OUT_BYTES = 80, TOTAL_BYTES = 96, MEMORY = 4096 };

static const struct slice_case small = CASE("small", FLOAT32, IN(4, 8), FROM(0, 2), WINDOW(4, 5),
                                            BY(1, -1), OUT(4, 5), OUT_TOTAL(TOTAL_BYTES));

static struct rig rig;
static clslice_compiled_operator *compiled;
/* A buffer each, host memory in one piece, and what both hold. */
static cl_mem in_mem, out_mem;
static unsigned char host[2 * MEMORY] __attribute__((aligned(64)));
static unsigned char filled[2 * MEMORY];

static void fill(void)
{
    cl_mem mems[] = {in_mem, out_mem};
    memcpy(host, filled, sizeof host);
    for (size_t i = 0; i < COUNT_OF(mems); ++i)
        ck_assert_int_eq(rig.cl.clEnqueueWriteBuffer(rig.objects.queue, mems[i], CL_TRUE, 0, MEMORY,
                                                     filled, 0, NULL, NULL),
                         CL_SUCCESS);
}

static void open_with(uint32_t flags)
{
    clslice_device_options options = {.size = sizeof options, .flags = flags, .get_proc = rig_proc};
    rig_open(&rig, &options);
    compiled = rig_compile(&rig, &small, NULL);
    /* No 4 bytes are like those that a slice would put there. */
    for (size_t i = 0; i < sizeof filled; ++i)
        filled[i] = (unsigned char)(i * 37 + i / 256 + 11);
    in_mem = rig_buffer(&rig, MEMORY, NULL);
    out_mem = rig_buffer(&rig, MEMORY, NULL);
    fill();
}

static void open_normal(void)
{
    open_with(0);
}

static void open_strict(void)
{
    open_with(CLSLICE_DEVICE_FLAG_STRICT_DIRECTML);
}

static void close_all(void)
{
    rig.cl.clReleaseMemObject(in_mem);
    rig.cl.clReleaseMemObject(out_mem);
    clslice_compiled_operator_release(compiled);
    rig_close(&rig);
}

static clslice_binding good_in(void)
{
    return rig_bind_mem(in_mem, 0, IN_BYTES);
}

static clslice_binding good_out(void)
{
    return rig_bind_mem(out_mem, 0, TOTAL_BYTES);
}

static void check_untouched(void)
{
    static unsigned char found[MEMORY];
    ck_assert_int_eq(rig.cl.clFinish(rig.objects.queue), CL_SUCCESS);
    ck_assert_mem_eq(host, filled, sizeof host);
    rig_read(&rig, out_mem, MEMORY, found);
    ck_assert_mem_eq(found, filled, MEMORY);
    rig_read(&rig, in_mem, MEMORY, found);
    ck_assert_mem_eq(found, filled, MEMORY);
}

/* A dispatch that must be refused, and no event made and nothing written. */
static void refused_desc(const clslice_dispatch_desc *desc, int32_t status, uint32_t rule,
                         const char *word)
{
    static struct _cl_event *const unset = (struct _cl_event *)&rig;
    clslice_error error = {.size = sizeof error};
    struct _cl_event *event = unset;
    int32_t found = clslice_dispatch(compiled, desc, &event, &error);
    rig_check_error(&error, found, status, rule, word);
    ck_assert_ptr_eq(event, unset);
    ck_assert_int_eq(clslice_dispatch(compiled, desc, NULL, NULL), status);
    check_untouched();
}

static void refused_as(clslice_binding in, clslice_binding out, int32_t status, uint32_t rule,
                       const char *word)
{
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    refused_desc(&desc, status, rule, word);
}

static void refused(clslice_binding in, clslice_binding out, uint32_t rule, const char *word)
{
    refused_as(in, out, CLSLICE_E_INVALIDARG, rule, word);
}

/* Refused for either side alike. */
static void refused_both(clslice_binding binding, uint32_t rule, const char *word)
{
    refused(binding, good_out(), rule, word);
    refused(good_in(), binding, rule, word);
}

static void unknown_both(clslice_binding binding, uint32_t rule, const char *word)
{
    refused_as(binding, good_out(), CLSLICE_E_NOTIMPL, rule, word);
    refused_as(good_in(), binding, CLSLICE_E_NOTIMPL, rule, word);
}

/* Refused by another operator, or by one whose memory is not looked at; the error. */
static clslice_error refused_by(clslice_compiled_operator *by, const clslice_dispatch_desc *desc,
                                int32_t status, uint32_t rule, const char *word)
{
    clslice_error error = {.size = sizeof error};
    int32_t found = clslice_dispatch(by, desc, NULL, &error);
    rig_check_error(&error, found, status, rule, word);
    return error;
}

static void accepted(clslice_binding in, clslice_binding out)
{
    rig_run(&rig, compiled, &in, &out);
    fill();
}

/* ---- Shapes ---- */

START_TEST(unknown_kinds_are_refused)
{
    clslice_binding b = rig_bind_mem(out_mem, 0, IN_BYTES);
    b.kind = CLSLICE_BINDING_NONE;
    refused_both(b, CLSLICE_RULE_BIND_TYPE, "kind");
    b.kind = 6;
    unknown_both(b, CLSLICE_RULE_BIND_TYPE, "kind = 6");
    b.kind = UINT32_MAX;
    unknown_both(b, CLSLICE_RULE_BIND_TYPE, "kind");
    b.kind = CLSLICE_BINDING_USM;
    unknown_both(b, CLSLICE_RULE_BIND_TYPE, "reserved");
    b.kind = CLSLICE_BINDING_DEVICE_ADDRESS;
    unknown_both(b, CLSLICE_RULE_BIND_TYPE, "reserved");
}
END_TEST

START_TEST(null_handles_are_refused)
{
    for (uint32_t kind = CLSLICE_BINDING_CL_MEM; kind <= CLSLICE_BINDING_SVM; ++kind) {
        clslice_binding b = {.kind = kind, .size = IN_BYTES};
        refused_both(b, CLSLICE_RULE_BIND_NULL_BUFFER, "handle");
    }
}
END_TEST

START_TEST(reserved_fields_are_0)
{
    for (int field = 0; field < 5; ++field)
        for (uint32_t kind = CLSLICE_BINDING_CL_MEM; kind <= CLSLICE_BINDING_HOST; ++kind) {
            clslice_binding b = {.kind = kind, .size = IN_BYTES};
            b.handle = kind == CLSLICE_BINDING_HOST ? (void *)host : (void *)in_mem;
            char words[40] = ".reserved0 = 1:";
            if (field == 0) {
                b.reserved0 = 1;
            } else {
                b.reserved[field - 1] = UINT64_C(1) << 63;
                snprintf(words, sizeof words, ".reserved[%d] = 9223372036854775808:", field - 1);
            }
            unknown_both(b, CLSLICE_RULE_BIND_RESERVED, words);
        }
}
END_TEST

START_TEST(one_input_and_one_output_are_bound)
{
    static const uint32_t counts[][2] = {{0, 0}, {0, 1}, {1, 0}, {2, 1}, {1, 2}, {UINT32_MAX, 1}};
    clslice_binding in[2] = {good_in(), good_in()}, out[2] = {good_out(), good_out()};
    clslice_dispatch_desc desc = rig_dispatch_desc(in, out);
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        desc.input_count = counts[i][0];
        desc.output_count = counts[i][1];
        refused_desc(&desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_BIND_COUNT, "bindingCount");
    }
    desc = rig_dispatch_desc(NULL, out);
    refused_desc(&desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_BIND_COUNT, "NULL");
    desc = rig_dispatch_desc(in, NULL);
    refused_desc(&desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_BIND_COUNT, "NULL");
}
END_TEST

/* ---- Ranges ---- */

START_TEST(offsets_are_multiples_of_the_element)
{
    clslice_binding b;
    for (uint64_t offset = 1; offset < 4; ++offset) {
        refused_both(rig_bind_mem(in_mem, offset, IN_BYTES), CLSLICE_RULE_BIND_OFFSET_ALIGNMENT,
                     "Offset");
        refused_both(rig_bind_host(host, offset, IN_BYTES), CLSLICE_RULE_BIND_OFFSET_ALIGNMENT,
                     "Offset");
    }
    b = rig_bind_mem(in_mem, UINT64_MAX - 1, IN_BYTES);
    refused_both(b, CLSLICE_RULE_BIND_OFFSET_ALIGNMENT, "18446744073709551614");
    for (uint64_t offset = 4; offset < 40; offset += 4) {
        accepted(rig_bind_mem(in_mem, offset, IN_BYTES), good_out());
        accepted(good_in(), rig_bind_mem(out_mem, offset, OUT_BYTES));
        accepted(rig_bind_host(host, offset, IN_BYTES),
                 rig_bind_host(host + MEMORY, offset, OUT_BYTES));
    }
}
END_TEST

START_TEST(ranges_lie_inside_the_buffer)
{
    static const struct {
        uint64_t offset, size;
    } bad[] = {
        {0, MEMORY + 1},
        {MEMORY - IN_BYTES + 4, IN_BYTES},
        {MEMORY, IN_BYTES},
        {4, MEMORY},
        {0, UINT64_MAX},
        {4, UINT64_MAX - 3},
        {UINT64_MAX - 3, IN_BYTES},
        {UINT64_MAX - 127, IN_BYTES},
        {UINT64_C(1) << 63, UINT64_C(1) << 63},
        {UINT64_C(1) << 32, IN_BYTES},
        {4, UINT64_C(1) << 32},
    };
    for (size_t i = 0; i < COUNT_OF(bad); ++i)
        refused_both(rig_bind_mem(i % 2 ? in_mem : out_mem, bad[i].offset, bad[i].size),
                     CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER, "4096");
    accepted(rig_bind_mem(in_mem, MEMORY - IN_BYTES, IN_BYTES),
             rig_bind_mem(out_mem, MEMORY - OUT_BYTES, OUT_BYTES));
    /* host memory: what leaves the address space */
    refused_both(rig_bind_host(host, UINT64_MAX - 127, IN_BYTES),
                 CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER, "SizeInBytes");
    refused_both(rig_bind_host(host, 0, UINT64_MAX), CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER,
                 "SizeInBytes");
}
END_TEST

START_TEST(ranges_hold_the_tensor)
{
    static const uint64_t sizes[] = {0, 1, 4, OUT_BYTES - 1};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        refused(good_in(), rig_bind_mem(out_mem, 0, sizes[i]), CLSLICE_RULE_BIND_RANGE_TOO_SMALL,
                " 80 ");
        refused(good_in(), rig_bind_host(host, 0, sizes[i]), CLSLICE_RULE_BIND_RANGE_TOO_SMALL,
                "SizeInBytes");
        refused(rig_bind_mem(in_mem, 0, sizes[i]), good_out(), CLSLICE_RULE_BIND_RANGE_TOO_SMALL,
                " 128 ");
    }
    refused(rig_bind_host(host, 0, IN_BYTES - 1), good_out(), CLSLICE_RULE_BIND_RANGE_TOO_SMALL,
            "InputTensor");
    /* not rounded up, and not a multiple of 4 either */
    accepted(rig_bind_mem(in_mem, 0, IN_BYTES + 1), rig_bind_mem(out_mem, 0, OUT_BYTES));
    accepted(rig_bind_host(host, 0, IN_BYTES + 3), rig_bind_host(host + MEMORY, 0, OUT_BYTES + 1));
}
END_TEST

START_TEST(guaranteed_alignment_is_required)
{
    clslice_error error = {.size = sizeof error};
    clslice_compiled_operator *aligned = NULL;
    clslice_operator *aligned_op = NULL;
    struct case_desc desc;
    case_desc_init(&desc, &small);
    desc.in_buffer.GuaranteedBaseOffsetAlignment = 64;
    ASSERT_OK(clslice_operator_create(rig.device, &desc.op, &aligned_op, &error), &error);
    ASSERT_OK(clslice_operator_compile(aligned_op, NULL, &aligned, &error), &error);
    clslice_binding in = rig_bind_mem(in_mem, 32, IN_BYTES),
                    out = rig_bind_mem(out_mem, 4, OUT_BYTES);
    clslice_dispatch_desc dispatch = rig_dispatch_desc(&in, &out);
    error = refused_by(aligned, &dispatch, CLSLICE_E_INVALIDARG, CLSLICE_RULE_BIND_OFFSET_ALIGNMENT,
                       "64");
    ck_assert_uint_eq(error.tensor, CLSLICE_TENSOR_INPUT);
    ck_assert(error.value[0] == 32 && error.value[1] == 64);
    in.offset = 64;
    rig_run(&rig, aligned, &in, &out);
    clslice_compiled_operator_release(aligned);
    clslice_operator_release(aligned_op);
}
END_TEST

/* ---- Objects ---- */

START_TEST(images_are_no_buffers)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    cl_int code;
    cl_mem image =
        rig.cl.clCreateImage(rig.objects.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    ck_assert_ptr_nonnull(image);
    refused_both(rig_bind_mem(image, 0, IN_BYTES), CLSLICE_RULE_BIND_MEM_TYPE, "image");
    rig.cl.clReleaseMemObject(image);
}
END_TEST

START_TEST(buffers_of_other_contexts_are_refused)
{
    cl_int code;
    cl_context other =
        rig.cl.clCreateContext(NULL, 1, (cl_device_id[]){rig.objects.device_id}, NULL, NULL, &code);
    ck_assert_ptr_nonnull(other);
    cl_mem mem = rig.cl.clCreateBuffer(other, CL_MEM_READ_WRITE, MEMORY, NULL, &code);
    cl_command_queue queue = rig.cl.clCreateCommandQueue(other, rig.objects.device_id, 0, &code);
    ck_assert(mem && queue);
    refused_both(rig_bind_mem(mem, 0, IN_BYTES), CLSLICE_RULE_BIND_CONTEXT, "context");
    clslice_binding in = good_in(), out = good_out();
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    desc.queue = queue;
    refused_desc(&desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_QUEUE, "context");
    rig.cl.clReleaseCommandQueue(queue);
    rig.cl.clReleaseMemObject(mem);
    rig.cl.clReleaseContext(other);
}
END_TEST

static cl_mem make(cl_mem_flags flags, void *memory)
{
    cl_int code;
    cl_mem mem = rig.cl.clCreateBuffer(rig.objects.context, flags, MEMORY, memory, &code);
    ck_assert_ptr_nonnull(mem);
    return mem;
}

static cl_mem part(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size)
{
    cl_int code;
    cl_buffer_region region = {origin, size};
    cl_mem mem =
        rig.cl.clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ck_assert_ptr_nonnull(mem);
    return mem;
}

START_TEST(access_flags_are_obeyed)
{
    cl_mem read = make(CL_MEM_READ_ONLY, NULL), write = make(CL_MEM_WRITE_ONLY, NULL);
    cl_mem whole = make(CL_MEM_READ_WRITE, NULL);
    cl_mem read_part = part(whole, CL_MEM_READ_ONLY, 0, 1024);
    cl_mem write_part = part(whole, CL_MEM_WRITE_ONLY, 1024, 1024);
    cl_mem inherits = part(read, 0, 0, 1024);
    cl_mem all[] = {read, write, whole, read_part, write_part, inherits};
    refused(rig_bind_mem(write, 0, IN_BYTES), good_out(), CLSLICE_RULE_BIND_ACCESS,
            "CL_MEM_WRITE_ONLY");
    refused(rig_bind_mem(write_part, 0, IN_BYTES), good_out(), CLSLICE_RULE_BIND_ACCESS,
            "inputs[0]");
    refused(good_in(), rig_bind_mem(read, 0, IN_BYTES), CLSLICE_RULE_BIND_ACCESS,
            "CL_MEM_READ_ONLY");
    refused(good_in(), rig_bind_mem(read_part, 0, IN_BYTES), CLSLICE_RULE_BIND_ACCESS,
            "outputs[0]");
    refused(good_in(), rig_bind_mem(inherits, 0, IN_BYTES), CLSLICE_RULE_BIND_ACCESS,
            "CL_MEM_READ_ONLY");
    accepted(rig_bind_mem(read, 0, IN_BYTES), rig_bind_mem(write, 0, OUT_BYTES));
    accepted(rig_bind_mem(read_part, 0, IN_BYTES), rig_bind_mem(write_part, 0, OUT_BYTES));
    for (size_t i = COUNT_OF(all); i-- > 0;)
        rig.cl.clReleaseMemObject(all[i]);
}
END_TEST

START_TEST(svm_is_judged_by_address)
{
    unsigned char *memory = rig.cl.clSVMAlloc(rig.objects.context, CL_MEM_READ_WRITE, MEMORY, 0);
    clslice_binding in = {.kind = CLSLICE_BINDING_SVM, .handle = memory, .size = IN_BYTES};
    clslice_binding out = in;
    ck_assert_ptr_nonnull(memory);
    out.offset = IN_BYTES - 4;
    refused(in, out, CLSLICE_RULE_BIND_OVERLAP, "overlap");
    out.offset = UINT64_MAX - 127;
    refused(in, out, CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER, "Offset");
    out.offset = IN_BYTES;
    accepted(in, out);
    rig.cl.clSVMFree(rig.objects.context, memory);
}
END_TEST

static void copy_svm(const struct rig *of, void *to, const void *from, size_t size)
{
    ck_assert_int_eq(
        of->cl.clEnqueueSVMMemcpy(of->objects.queue, CL_TRUE, to, from, size, 0, NULL, NULL),
        CL_SUCCESS);
}

/* SVM and buffers in turn, on either side and on both, with a driver that refuses a buffer after an
 * address. */
START_TEST(buffers_take_the_place_of_addresses)
{
    static const int turns[][2] = {{0, 0}, {1, 0}, {0, 0}, {0, 1}, {0, 0},
                                   {1, 1}, {0, 1}, {1, 0}, {0, 0}};
    clslice_device_options options = {.size = sizeof options, .get_proc = address_driver_proc};
    struct rig own;
    unsigned char first[OUT_BYTES], now[OUT_BYTES];
    rig_open(&own, &options);
    clslice_compiled_operator *mine = rig_compile(&own, &small, NULL);
    unsigned char *memory = own.cl.clSVMAlloc(own.objects.context, CL_MEM_READ_WRITE, MEMORY, 0);
    ck_assert_ptr_nonnull(memory);
    unsigned char *svm_out = memory + MEMORY - OUT_BYTES;
    cl_mem from = rig_buffer(&own, MEMORY, filled);
    const clslice_binding in[] = {
        rig_bind_mem(from, 0, IN_BYTES),
        {.kind = CLSLICE_BINDING_SVM, .handle = memory, .size = IN_BYTES}};
    for (size_t i = 0; i < COUNT_OF(turns); ++i) {
        cl_mem to = rig_buffer(&own, OUT_BYTES, filled);
        const clslice_binding out[] = {
            rig_bind_mem(to, 0, OUT_BYTES),
            {.kind = CLSLICE_BINDING_SVM, .handle = svm_out, .size = OUT_BYTES}};
        copy_svm(&own, memory, filled, MEMORY);
        rig_run(&own, mine, &in[turns[i][0]], &out[turns[i][1]]);
        if (turns[i][1])
            copy_svm(&own, now, svm_out, OUT_BYTES);
        else
            rig_read(&own, to, OUT_BYTES, now);
        if (i == 0)
            memcpy(first, now, OUT_BYTES);
        ck_assert_mem_eq(now, first, OUT_BYTES);
        own.cl.clReleaseMemObject(to);
    }
    ck_assert_mem_ne(first, filled, OUT_BYTES);
    own.cl.clSVMFree(own.objects.context, memory);
    own.cl.clReleaseMemObject(from);
    clslice_compiled_operator_release(mine);
    rig_close(&own);
}
END_TEST

static void *proc_without_svm(void *user, const char *name)
{
    return strstr(name, "SVM") ? NULL : rig_proc(user, name);
}

static cl_int CL_API_CALL deny_svm(cl_device_id id, cl_device_info what, size_t size, void *value,
                                   size_t *needed)
{
    RIG_REAL(clGetDeviceInfo, real);
    return what == CL_DEVICE_SVM_CAPABILITIES ? CL_INVALID_VALUE
                                              : real(id, what, size, value, needed);
}

static void *proc_denying_svm(void *user, const char *name)
{
    return strcmp(name, "clGetDeviceInfo") == 0 ? RIG_ADDRESS(deny_svm) : rig_proc(user, name);
}

START_TEST(svm_without_support_is_refused)
{
    clslice_device_options options = {.size = sizeof options,
                                      .get_proc = _i == 0 ? proc_without_svm : proc_denying_svm};
    struct rig old;
    rig_open(&old, &options);
    clslice_compiled_operator *mine = rig_compile(&old, &small, NULL);
    clslice_binding in = {.kind = CLSLICE_BINDING_SVM, .handle = host, .size = IN_BYTES};
    clslice_binding out = rig_bind_host(host + MEMORY, 0, OUT_BYTES);
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    refused_by(mine, &desc, CLSLICE_DXGI_ERROR_UNSUPPORTED, CLSLICE_RULE_BIND_TYPE, "SVM");
    check_untouched();
    clslice_compiled_operator_release(mine);
    rig_close(&old);
}
END_TEST

/* Drivers give a buffer's handle to the next one soon. */
START_TEST(a_handle_that_comes_back_is_asked_again)
{
    for (int i = 0; i < 100; ++i) {
        accepted(good_in(), rig_bind_mem(out_mem, 0, OUT_BYTES));
        rig.cl.clReleaseMemObject(out_mem);
        out_mem = rig_buffer(&rig, OUT_BYTES - 4, NULL);
        clslice_binding in = good_in(), out = rig_bind_mem(out_mem, 0, OUT_BYTES);
        clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
        refused_by(compiled, &desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER,
                   " 76");
        rig.cl.clReleaseMemObject(out_mem);
        out_mem = make(CL_MEM_READ_ONLY, NULL);
        fill();
        refused(good_in(), good_out(), CLSLICE_RULE_BIND_ACCESS, "CL_MEM_READ_ONLY");
        rig.cl.clReleaseMemObject(out_mem);
        out_mem = rig_buffer(&rig, MEMORY, NULL);
        fill();
    }
}
END_TEST

/* ---- Overlap ---- */

static void overlapping(clslice_binding in, clslice_binding out)
{
    refused(in, out, CLSLICE_RULE_BIND_OVERLAP, "overlap");
}

START_TEST(ranges_of_one_buffer_do_not_overlap)
{
    cl_mem first = part(out_mem, 0, 0, 1024), second = part(out_mem, 0, 128, 1024);
    cl_mem third = part(out_mem, 0, 1024, 1024);
    overlapping(rig_bind_mem(out_mem, 0, IN_BYTES), rig_bind_mem(out_mem, 0, OUT_BYTES));
    overlapping(rig_bind_mem(out_mem, 0, IN_BYTES), rig_bind_mem(out_mem, IN_BYTES - 4, OUT_BYTES));
    overlapping(rig_bind_mem(out_mem, OUT_BYTES - 4, IN_BYTES),
                rig_bind_mem(out_mem, 0, OUT_BYTES));
    /* the bound ranges count, not the bytes that are used of them */
    overlapping(rig_bind_mem(out_mem, 0, MEMORY), rig_bind_mem(out_mem, 1024, OUT_BYTES));
    overlapping(rig_bind_mem(out_mem, 512, IN_BYTES), rig_bind_mem(out_mem, 0, 513));
    /* sub-buffers: judged in the parent */
    overlapping(rig_bind_mem(first, 128, IN_BYTES), rig_bind_mem(second, 0, OUT_BYTES));
    overlapping(rig_bind_mem(first, 0, IN_BYTES), rig_bind_mem(out_mem, 124, OUT_BYTES));
    overlapping(rig_bind_mem(out_mem, 1024, IN_BYTES), rig_bind_mem(third, 0, OUT_BYTES));
    accepted(rig_bind_mem(first, 0, IN_BYTES), rig_bind_mem(second, 0, OUT_BYTES));
    accepted(rig_bind_mem(second, 0, IN_BYTES), rig_bind_mem(first, 48, OUT_BYTES));
    accepted(rig_bind_mem(out_mem, 0, IN_BYTES), rig_bind_mem(out_mem, IN_BYTES, OUT_BYTES));
    accepted(rig_bind_mem(out_mem, OUT_BYTES, IN_BYTES), rig_bind_mem(out_mem, 0, OUT_BYTES));
    accepted(rig_bind_mem(first, 0, IN_BYTES), rig_bind_mem(third, 0, OUT_BYTES));
    rig.cl.clReleaseMemObject(first);
    rig.cl.clReleaseMemObject(second);
    rig.cl.clReleaseMemObject(third);
}
END_TEST

START_TEST(addresses_do_not_overlap)
{
    cl_mem mine = make(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, host);
    cl_mem behind = part(mine, 0, 1024, 1024);
    overlapping(rig_bind_host(host, 0, IN_BYTES), rig_bind_host(host, 0, OUT_BYTES));
    overlapping(rig_bind_host(host, 0, IN_BYTES), rig_bind_host(host + IN_BYTES - 1, 0, OUT_BYTES));
    overlapping(rig_bind_host(host, 8, IN_BYTES), rig_bind_host(host + 4, 0, OUT_BYTES));
    /* a buffer over the same memory */
    overlapping(rig_bind_host(host, 1024, IN_BYTES), rig_bind_mem(mine, 1024 + 64, OUT_BYTES));
    overlapping(rig_bind_mem(behind, 0, IN_BYTES), rig_bind_host(host, 1024 + 124, OUT_BYTES));
    /* two buffers over it */
    cl_mem again = make(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, host + 1024);
    overlapping(rig_bind_mem(mine, 1024, IN_BYTES), rig_bind_mem(again, 0, OUT_BYTES));
    overlapping(rig_bind_mem(again, 64, IN_BYTES), rig_bind_mem(behind, 0, OUT_BYTES));
    rig.cl.clReleaseMemObject(again);
    rig.cl.clReleaseMemObject(behind);
    rig.cl.clReleaseMemObject(mine);
    accepted(rig_bind_host(host, 0, IN_BYTES), rig_bind_host(host, IN_BYTES, OUT_BYTES));
    accepted(rig_bind_host(host + MEMORY, 0, IN_BYTES), rig_bind_host(host, 0, MEMORY));
}
END_TEST

/* Kernels count to the tensor in whole elements. */
START_TEST(buffers_over_unaligned_host_memory_are_judged)
{
    const clslice_binding in = good_in(), out = good_out();
    for (uint32_t shift = 1; shift < 4; ++shift) {
        cl_int code;
        cl_mem crooked =
            rig.cl.clCreateBuffer(rig.objects.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                  MEMORY - 4, host + shift, &code);
        if (!crooked) { /* as drivers may */
            ck_assert_int_eq(code, CL_INVALID_HOST_PTR);
            continue;
        }
        refused(rig_bind_mem(crooked, 0, IN_BYTES), out, CLSLICE_RULE_BIND_OFFSET_ALIGNMENT,
                "bind that memory as HOST");
        refused(in, rig_bind_mem(crooked, 0, OUT_BYTES), CLSLICE_RULE_BIND_OFFSET_ALIGNMENT,
                "bind that memory as HOST");
        rig.cl.clReleaseMemObject(crooked);
    }
}
END_TEST

/* As Intel's driver does: the pointer that it tells of a sub-buffer is not where that lies. */
static cl_int CL_API_CALL mistell(cl_mem mem, cl_mem_info what, size_t size, void *value,
                                  size_t *needed)
{
    RIG_REAL(clGetMemObjectInfo, tell);
    cl_mem parent = NULL;
    cl_int code = tell(mem, what, size, value, needed);
    if (what == CL_MEM_HOST_PTR && code == CL_SUCCESS && value &&
        tell(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL) == CL_SUCCESS &&
        parent)
        *(unsigned char **)value += 1;
    return code;
}

static void *proc_that_mistells(void *user, const char *name)
{
    return strcmp(name, "clGetMemObjectInfo") == 0 ? RIG_ADDRESS(mistell) : rig_proc(user, name);
}

START_TEST(a_host_pointer_that_is_mistold_does_no_harm)
{
    clslice_device_options options = {.size = sizeof options, .get_proc = proc_that_mistells};
    struct rig intel;
    cl_int code;
    rig_open(&intel, &options);
    clslice_compiled_operator *mine = rig_compile(&intel, &small, NULL);
    cl_mem over = intel.cl.clCreateBuffer(
        intel.objects.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, MEMORY, host, &code);
    ck_assert_ptr_nonnull(over);
    cl_mem behind = part(over, 0, 1024, 1024);
    clslice_binding in = rig_bind_mem(behind, 0, IN_BYTES), out = rig_bind_mem(behind, 512, 512);
    rig_run(&intel, mine, &in, &out);
    in = rig_bind_host(host + 1024, 0, IN_BYTES);
    out = rig_bind_mem(behind, IN_BYTES - 4, OUT_BYTES);
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    refused_by(mine, &desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_BIND_OVERLAP, "overlap");
    rig.cl.clReleaseMemObject(behind);
    rig.cl.clReleaseMemObject(over);
    clslice_compiled_operator_release(mine);
    rig_close(&intel);
}
END_TEST

/* ---- The rest of a dispatch ---- */

START_TEST(dispatch_flags_are_0)
{
    clslice_binding in = good_in(), out = good_out();
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    desc.flags = 1;
    refused_desc(&desc, CLSLICE_E_NOTIMPL, CLSLICE_RULE_OPTION, "flags = 0x1");
    desc.flags = 0x80000000;
    refused_desc(&desc, CLSLICE_E_NOTIMPL, CLSLICE_RULE_OPTION, "flags");
    desc.flags = 0;
    desc.reserved = 7;
    refused_desc(&desc, CLSLICE_E_NOTIMPL, CLSLICE_RULE_OPTION, "reserved = 7");
    desc.reserved = 0;
    const clslice_batch batch = {.size = sizeof batch, .count = 1};
    desc.batch = &batch;
    refused_desc(&desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_BATCH_NOT_COMPILED, "FLAG_BATCH");
}
END_TEST

START_TEST(wait_lists_are_whole)
{
    cl_int code;
    cl_event done = rig.cl.clCreateUserEvent(rig.objects.context, &code);
    cl_event waits[] = {done, NULL};
    clslice_binding in = good_in(), out = good_out();
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    rig.cl.clSetUserEventStatus(done, CL_COMPLETE);
    desc.wait_events = waits;
    refused_desc(&desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_WAIT_LIST, "wait_count = 0");
    desc.wait_count = 2;
    refused_desc(&desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_WAIT_LIST, "wait_events[1]");
    desc.wait_events = NULL;
    refused_desc(&desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_WAIT_LIST, "wait_events is NULL");
    rig.cl.clReleaseEvent(done);
}
END_TEST

START_TEST(waits_of_another_context_are_refused)
{
    cl_int code;
    cl_context other =
        rig.cl.clCreateContext(NULL, 1, (cl_device_id[]){rig.objects.device_id}, NULL, NULL, &code);
    cl_event foreign = rig.cl.clCreateUserEvent(other, &code);
    ck_assert_ptr_nonnull(foreign);
    rig.cl.clSetUserEventStatus(foreign, CL_COMPLETE);
    for (int is_host = 0; is_host < 2; ++is_host) {
        clslice_error error = {.size = sizeof error};
        clslice_binding in = is_host ? rig_bind_host(host, 0, IN_BYTES) : good_in();
        clslice_binding out = is_host ? rig_bind_host(host + MEMORY, 0, OUT_BYTES) : good_out();
        clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
        desc.wait_events = &foreign;
        desc.wait_count = 1;
        int32_t status = clslice_dispatch(compiled, &desc, NULL, &error);
        if (status == CLSLICE_S_OK) { /* OpenCL forbids it, but this driver does not mind */
            rig.cl.clFinish(rig.objects.queue);
            fill();
            continue;
        }
        ck_assert_int_eq(status, CLSLICE_E_FAIL);
        ck_assert_int_eq(error.opencl, CL_INVALID_CONTEXT);
        check_untouched();
    }
    rig.cl.clReleaseEvent(foreign);
    rig.cl.clReleaseContext(other);
}
END_TEST

/* The first two devices, of one platform: PoCL offers two, where it is told to. */
static bool find_two(clslice_device_info *first, clslice_device_info *second)
{
    const clslice_device_options options = {.size = sizeof options, .get_proc = rig_proc};
    setenv("POCL_DEVICES", "pthread basic", 1);
    *first = *second = (clslice_device_info){.size = sizeof *first};
    return clslice_device_enumerate(&options, 0, first, NULL) == CLSLICE_S_OK &&
           clslice_device_enumerate(&options, 1, second, NULL) == CLSLICE_S_OK &&
           strcmp(first->platform, second->platform) == 0;
}

static const char *lack_two_devices(void)
{
    clslice_device_info first, second;
    return find_two(&first, &second) ? NULL : "no platform has two devices";
}

/* A context may have several devices. */
START_TEST(a_queue_of_another_device_is_refused)
{
    clslice_device_info first, second;
    clslice_device_options options = {.size = sizeof options, .get_proc = rig_proc};
    cl_device_id ids[2];
    struct rig rigs[2];
    cl_int code;
    ck_assert(find_two(&first, &second));
    options.selector = first.selector;
    rig_open(&rigs[0], &options);
    options.selector = second.selector;
    rig_open(&rigs[1], &options);
    ids[0] = rigs[0].objects.device_id;
    ids[1] = rigs[1].objects.device_id;
    options.selector = NULL;
    options.context = rigs[0].cl.clCreateContext(NULL, 2, ids, NULL, NULL, &code);
    options.device_id = ids[0];
    ck_assert_int_eq(code, CL_SUCCESS);
    rig_open(&rig, &options);
    compiled = rig_compile(&rig, &small, NULL);
    in_mem = rig_buffer(&rig, MEMORY, NULL);
    out_mem = rig_buffer(&rig, MEMORY, NULL);
    cl_command_queue wrong = rig.cl.clCreateCommandQueue(options.context, ids[1], 0, &code);
    for (int is_host = 0; is_host < 2; ++is_host) {
        clslice_binding in = is_host ? rig_bind_host(host, 0, IN_BYTES) : good_in();
        clslice_binding out = is_host ? rig_bind_host(host + MEMORY, 0, OUT_BYTES) : good_out();
        clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
        rig_run(&rig, compiled, &in, &out);
        desc.queue = wrong;
        refused_by(compiled, &desc, CLSLICE_E_INVALIDARG, CLSLICE_RULE_QUEUE, "device");
    }
    rig.cl.clReleaseMemObject(in_mem);
    rig.cl.clReleaseMemObject(out_mem);
    rig.cl.clReleaseCommandQueue(wrong);
    clslice_compiled_operator_release(compiled);
    rig.cl.clReleaseContext(options.context);
    rig_close(&rig);
    rig_close(&rigs[0]);
    rig_close(&rigs[1]);
}
END_TEST

/* ---- DirectML's own rules ---- */

START_TEST(strict_devices_have_directmls_rules)
{
    clslice_binding in = rig_bind_mem(in_mem, 0, IN_BYTES);
    for (uint64_t offset = 4; offset < 16; offset += 4)
        refused(rig_bind_mem(in_mem, offset, IN_BYTES), good_out(),
                CLSLICE_RULE_BIND_OFFSET_ALIGNMENT, "16");
    refused(in, rig_bind_mem(out_mem, 8, TOTAL_BYTES), CLSLICE_RULE_BIND_OFFSET_ALIGNMENT,
            "Offset");
    refused(in, rig_bind_mem(out_mem, 0, OUT_BYTES), CLSLICE_RULE_BIND_RANGE_TOO_SMALL, " 96 ");
    refused(in, rig_bind_mem(out_mem, 0, TOTAL_BYTES + 2), CLSLICE_RULE_BIND_SIZE_NOT_DWORD,
            "multiple of 4");
    refused(rig_bind_mem(in_mem, 0, IN_BYTES + 1), good_out(), CLSLICE_RULE_BIND_SIZE_NOT_DWORD,
            "SizeInBytes");
    accepted(rig_bind_mem(in_mem, 16, IN_BYTES), rig_bind_mem(out_mem, 48, TOTAL_BYTES));
    accepted(rig_bind_mem(in_mem, 0, IN_BYTES + 4), rig_bind_mem(out_mem, 0, TOTAL_BYTES + 4));
}
END_TEST

/* ---- The suite ---- */

int main(void)
{
    Suite *suite = suite_create("bind");
    TCase *rules = suite_case(suite, "rules"), *strict = suite_case(suite, "strict");
    TCase *shared = needs_case(suite, "svm", rig_lacks_svm);
    TCase *devices = needs_case(suite, "two_devices", lack_two_devices);
    tcase_add_checked_fixture(rules, open_normal, close_all);
    tcase_add_checked_fixture(strict, open_strict, close_all);
    tcase_add_checked_fixture(shared, open_normal, close_all);
    tcase_add_test(rules, unknown_kinds_are_refused);
    tcase_add_test(rules, null_handles_are_refused);
    tcase_add_test(rules, reserved_fields_are_0);
    tcase_add_test(rules, one_input_and_one_output_are_bound);
    tcase_add_test(rules, offsets_are_multiples_of_the_element);
    tcase_add_test(rules, ranges_lie_inside_the_buffer);
    tcase_add_test(rules, ranges_hold_the_tensor);
    tcase_add_test(rules, guaranteed_alignment_is_required);
    tcase_add_test(rules, images_are_no_buffers);
    tcase_add_test(rules, buffers_of_other_contexts_are_refused);
    tcase_add_test(rules, access_flags_are_obeyed);
    tcase_add_test(shared, svm_is_judged_by_address);
    tcase_add_test(shared, buffers_take_the_place_of_addresses);
    tcase_add_loop_test(rules, svm_without_support_is_refused, 0, 2);
    tcase_add_test(rules, a_handle_that_comes_back_is_asked_again);
    tcase_add_test(rules, ranges_of_one_buffer_do_not_overlap);
    tcase_add_test(rules, addresses_do_not_overlap);
    tcase_add_test(rules, buffers_over_unaligned_host_memory_are_judged);
    tcase_add_test(rules, a_host_pointer_that_is_mistold_does_no_harm);
    tcase_add_test(rules, dispatch_flags_are_0);
    tcase_add_test(rules, wait_lists_are_whole);
    tcase_add_test(rules, waits_of_another_context_are_refused);
    tcase_add_test(strict, strict_devices_have_directmls_rules);
    tcase_add_test(devices, a_queue_of_another_device_is_refused);
    return suite_run(suite);
}
