/* SPDX-License-Identifier: MIT */
/* clslice_run: every named case from a description to its bytes, and what it refuses. */
#include "conformance/case_image.h"
#include "conformance/case_words.h"
#include "conformance/problem.h"
#include "conformance/reference.h"
#include "conformance/size_for.h"
#include "support/harness.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct rig rig;

static void open_device(void)
{
    static const clslice_device_options options = {.size = sizeof options, .get_proc = rig_proc};
    rig_open(&rig, &options);
}

static void close_device(void)
{
    rig_close(&rig);
}

/* ---- Bits ---- */

/* The memory of both tensors as it is before a run, with a guard on either side. */
struct memory {
    struct case_image in_image, out_image;
    unsigned char *in, *out; /* owned */
};

static unsigned char *filled(const struct case_image *image, size_t offset)
{
    unsigned char *buffer = malloc(case_image_buffer_bytes(image, offset));
    ck_assert_ptr_nonnull(buffer);
    case_image_fill(image, offset, buffer);
    return buffer;
}

static void memory_open(struct memory *memory, const struct slice_case *c, size_t offset)
{
    struct slice_case packed;
    struct problem problem;
    uint64_t in_bytes, out_bytes;
    reference_pack(c, &packed);
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(&packed, &out_bytes));
    unsigned char *in = malloc(size_for(in_bytes)), *out = malloc(size_for(out_bytes));
    ck_assert(in && out);
    reference_input(c, in, (size_t)in_bytes);
    reference_slice(&packed, in, out, NULL);
    ck_assert(case_image_of_input(&memory->in_image, c, in, &problem) &&
              case_image_of_output(&memory->out_image, c, out, &problem));
    memory->in = filled(&memory->in_image, offset);
    memory->out = filled(&memory->out_image, offset);
    free(in);
    free(out);
}

static void memory_close(struct memory *memory)
{
    free(memory->in);
    free(memory->out);
    case_image_release(&memory->in_image);
    case_image_release(&memory->out_image);
}

static void run_case(const struct slice_case *c, size_t offset)
{
    struct memory memory;
    struct case_desc desc;
    struct problem problem;
    clslice_error error = {.size = sizeof error};
    memory_open(&memory, c, offset);
    case_desc_init(&desc, c);
    ASSERT_OK(clslice_run(rig.device, &desc.op, memory.in + offset, memory.in_image.span,
                          memory.out + offset, memory.out_image.span, &error),
              &error);
    ck_assert_msg(case_image_check(&memory.out_image, offset, memory.out, &problem) &&
                      case_image_check(&memory.in_image, offset, memory.in, &problem),
                  "%s: %s", c->name, problem.text);
    memory_close(&memory);
}

START_TEST(every_case_is_right)
{
    for (size_t i = 0; i < slice_case_count; ++i) {
        if (slice_cases[i].flags & CASE_LARGE)
            continue;
        run_case(&slice_cases[i], CASE_GUARD_BYTES);
        run_case(&slice_cases[i], CASE_GUARD_BYTES + 3); /* at no multiple of most elements */
    }
}
END_TEST

/* ---- What it refuses ---- */

enum { BYTES = 64 };

static const struct slice_case flip = CASE("flip", UINT8, WHOLE(BYTES), BY(-1), OUT(BYTES));

START_TEST(what_is_refused_writes_nothing)
{
    static unsigned char in[BYTES], out[BYTES], untouched[BYTES];
    struct case_desc good, bad;
    struct slice_case still = flip;
    still.window_strides[0] = 0;
    case_desc_init(&good, &flip);
    case_desc_init(&bad, &still);
    const struct {
        clslice_device *device;
        const DML_OPERATOR_DESC *desc;
        const void *in;
        uint64_t in_bytes;
        void *out;
        uint64_t out_bytes;
        int32_t status;
        uint32_t rule;
        const char *word;
    } calls[] = {
        {NULL, &good.op, in, BYTES, out, BYTES, CLSLICE_E_POINTER, CLSLICE_RULE_NULL_POINTER,
         "device"},
        {rig.device, &good.op, NULL, BYTES, out, BYTES, CLSLICE_E_POINTER,
         CLSLICE_RULE_NULL_POINTER, "input"},
        {rig.device, &good.op, in, BYTES, NULL, BYTES, CLSLICE_E_POINTER, CLSLICE_RULE_NULL_POINTER,
         "output"},
        {rig.device, NULL, in, BYTES, out, BYTES, CLSLICE_E_INVALIDARG, CLSLICE_RULE_NULL_DESC,
         "NULL"},
        {rig.device, &bad.op, in, BYTES, out, BYTES, CLSLICE_E_INVALIDARG, CLSLICE_RULE_STRIDE_ZERO,
         "InputWindowStrides[0]"},
        {rig.device, &good.op, in, BYTES - 1, out, BYTES, CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BIND_RANGE_TOO_SMALL, "InputTensor"},
        {rig.device, &good.op, in, BYTES, out, BYTES - 1, CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BIND_RANGE_TOO_SMALL, "OutputTensor"},
        {rig.device, &good.op, out + 1, BYTES, out, BYTES, CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BIND_OVERLAP, "overlap"},
    };
    for (size_t i = 0; i < COUNT_OF(calls); ++i) {
        clslice_error error = {.size = sizeof error};
        int32_t status = clslice_run(calls[i].device, calls[i].desc, calls[i].in, calls[i].in_bytes,
                                     calls[i].out, calls[i].out_bytes, &error);
        rig_check_error(&error, status, calls[i].status, calls[i].rule, calls[i].word);
        ck_assert_int_eq(clslice_run(calls[i].device, calls[i].desc, calls[i].in, calls[i].in_bytes,
                                     calls[i].out, calls[i].out_bytes, NULL),
                         calls[i].status);
        ck_assert_mem_eq(out, untouched, BYTES);
    }
}
END_TEST

/* The last columns of rows that lie 1 MB apart, up to where 32-bit indices just reach; behind them
 * is memory that nobody may read. What lies before is never touched, and takes no memory. */
START_TEST(short_rows_up_to_the_last_byte_are_read_no_further)
{
    enum { ROWS = 2001, COLUMNS = 3, OUT_BYTES = (ROWS * COLUMNS + 3) / 4 * 4 };
    const uint32_t row = 1073700 - (uint32_t)_i * 700, page = (uint32_t)sysconf(_SC_PAGESIZE);
    const struct slice_case c = CASE("last", UINT8, IN(ROWS, row), FROM(0, row - COLUMNS),
                                     WINDOW(ROWS, COLUMNS), BY(1, 1), OUT(ROWS, COLUMNS));
    size_t bytes = (size_t)ROWS * row, all = (bytes + page - 1) / page * page;
    unsigned char *map = mmap(NULL, all + page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert(map != MAP_FAILED && mprotect(map + all, page, PROT_NONE) == 0);
    unsigned char *in = map + (all - bytes) / 4 * 4, out[OUT_BYTES] = {0};
    for (size_t i = 0; i < ROWS * COLUMNS; ++i)
        in[i / COLUMNS * row + row - COLUMNS + i % COLUMNS] = (unsigned char)(i % 251);
    struct case_desc desc;
    clslice_error error = {.size = sizeof error};
    case_desc_init(&desc, &c);
    int32_t status =
        clslice_run(rig.device, &desc.op, in, (bytes + 3) / 4 * 4, out, OUT_BYTES, &error);
    rig_check_error(&error, status, CLSLICE_S_OK, CLSLICE_RULE_NONE, "");
    for (size_t i = 0; i < ROWS * COLUMNS; ++i)
        ck_assert_uint_eq(out[i], i % 251);
    munmap(map, all + page);
}
END_TEST

START_TEST(an_error_that_holds_no_text_is_refused)
{
    static unsigned char in[BYTES], out[BYTES];
    struct case_desc desc;
    clslice_error small = {.size = 8, .rule = 99};
    case_desc_init(&desc, &flip);
    ck_assert_int_eq(clslice_run(rig.device, &desc.op, in, BYTES, out, BYTES, &small),
                     CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(small.rule, 99);
}
END_TEST

START_TEST(a_child_of_fork_is_told)
{
    static unsigned char in[BYTES], out[BYTES];
    struct case_desc desc;
    case_desc_init(&desc, &flip);
    pid_t child = fork();
    if (child == 0)
        _exit(clslice_run(rig.device, &desc.op, in, BYTES, out, BYTES, NULL) !=
              CLSLICE_E_UNEXPECTED);
    int ended;
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    ck_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run");
    TCase *tcase = suite_case(suite, "run");
    tcase_add_checked_fixture(tcase, open_device, close_device);
    tcase_add_test(tcase, every_case_is_right);
    tcase_add_test(tcase, what_is_refused_writes_nothing);
    if (SIZE_MAX > UINT32_MAX) /* there is room for so many addresses */
        tcase_add_loop_test(tcase, short_rows_up_to_the_last_byte_are_read_no_further, 0, 2);
    tcase_add_test(tcase, a_child_of_fork_is_told);
    tcase_add_test(tcase, an_error_that_holds_no_text_is_refused);
    return suite_run(suite);
}
