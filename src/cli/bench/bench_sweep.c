/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_sweep.h"

#include "cli/bench/bench_json.h"
#include "cli/bench/bench_latency.h"
#include "cli/bench/bench_report.h"
#include "cli/formats/json_write.h"
#include "cli/session.h"
#include "conformance/case_desc.h"
#include "conformance/data_type.h"
#include "conformance/sweep.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORST = 10 };

/* A draw that was measured. */
struct outcome {
    uint64_t index; /* of the draw: see redraw() */
    double efficiency;
    double ceiling; /* 0: unknown */
};

struct sweep_run {
    const struct bench_sweep *sweep; /* borrowed, as are the next two */
    struct bench_cl *cl;
    const struct bench_copy *copy;
    struct outcome *outcomes; /* owned; of one class behind those of another */
    size_t count;
    size_t skipped[SWEEP_CLASS_COUNT];
    struct problem skip_reason; /* of the last draw that was skipped */
};

/* ---- The draws ---- */

static enum sweep_class class_of(const struct bench_sweep *sweep, uint64_t index)
{
    return (enum sweep_class)(index / sweep->count);
}

/* Draws are numbered through all classes. */
static void redraw(const struct bench_sweep *sweep, uint64_t index, struct sweep_draw *draw)
{
    sweep_draw(draw, sweep->seed, class_of(sweep, index), (uint32_t)(index % sweep->count),
               sweep->bytes);
    if (sweep->are_gradients) {
        uint32_t in_offset = draw->in_offset;
        draw->c = case_gradient(&draw->c);
        draw->in_offset = draw->out_offset;
        draw->out_offset = in_offset;
    }
}

/* The first draw from *index on that is wanted; false where there is none. */
static bool find(const struct bench_sweep *sweep, uint64_t *index, struct sweep_draw *draw)
{
    for (; *index < (uint64_t)sweep->count * SWEEP_CLASS_COUNT; ++*index) {
        redraw(sweep, *index, draw);
        if (!sweep->pattern || fnmatch(sweep->pattern, draw->name, 0) == 0)
            return true;
    }
    return false;
}

bool bench_sweep_check(const struct bench_sweep *sweep, struct problem *problem)
{
    struct sweep_draw draw;
    uint64_t index = 0;
    char names[256] = "";

    if (find(sweep, &index, &draw))
        return true;
    for (int class = 0; class < SWEEP_CLASS_COUNT; ++class) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", class > 0 ? ", " : "",
                 sweep_class_name((enum sweep_class) class));
    }
    return problem_set(problem,
                       "--case '%s' is not a draw; they are CLASS/NUMBER from 0 to %" PRIu32
                       ", of the classes %s; * matches any characters",
                       sweep->pattern, sweep->count - 1, names);
}

/* ---- JSON ---- */

static void add_array(struct json_object *object, const char *name, uint32_t rank,
                      const uint32_t *values, bool is_signed)
{
    struct json_object *array = json_object_new_array();

    for (uint32_t i = 0; i < rank; ++i)
        json_object_array_add(
            array, json_object_new_int64(is_signed ? (int32_t)values[i] : (int64_t)values[i]));
    json_object_object_add(object, name, array);
}

/* Also of a packed tensor, where the case has none. */
static void add_strides(struct json_object *object, const char *name, const struct slice_case *c,
                        void (*of)(const struct slice_case *, uint64_t[CASE_MAX_RANK]))
{
    uint64_t wide[CASE_MAX_RANK];
    uint32_t strides[CASE_MAX_RANK];

    of(c, wide);
    for (uint32_t i = 0; i < c->rank; ++i)
        strides[i] = (uint32_t)wide[i];
    add_array(object, name, c->rank, strides, false);
}

/* All that says which slice it is; shapes as `clslice verify` reads them. */
static struct json_object *object_of(const struct bench_sweep *sweep, const struct sweep_draw *draw)
{
    const struct slice_case *c = &draw->c;
    uint32_t steps[CASE_MAX_RANK];
    char seed[17];
    struct json_object *object = json_object_new_object();

    memcpy(steps, c->window_strides, sizeof steps);
    snprintf(seed, sizeof seed, "%" PRIx64, sweep->seed);
    json_add_text(object, "case", draw->name);
    json_add_text(object, "seed", seed);
    json_add_integer(object, "bytes", sweep->bytes);
    json_add_text(object, "operator", c->op == CASE_SLICE_GRAD ? "slice_grad" : "slice1");
    json_add_text(object, "dtype", data_type_of(c->data_type)->numpy);
    add_array(object, "in_shape", c->rank, c->in_sizes, false);
    add_strides(object, "in_strides", c, case_in_strides);
    add_array(object, "window_offsets", c->rank, c->window_offsets, false);
    add_array(object, "window_sizes", c->rank, c->window_sizes, false);
    add_array(object, "window_strides", c->rank, steps, true);
    add_array(object, "out_shape", c->rank, c->out_sizes, false);
    add_strides(object, "out_strides", c, case_out_strides);
    json_add_integer(object, "in_offset", draw->in_offset);
    json_add_integer(object, "out_offset", draw->out_offset);
    return object;
}

void bench_sweep_list(const struct bench_sweep *sweep)
{
    struct sweep_draw draw;

    for (uint64_t index = 0; find(sweep, &index, &draw); ++index)
        bench_json_print(object_of(sweep, &draw));
}

/* ---- A draw ---- */

/* The draw's slice and plan in words, to be freed; NULL on failure. */
static char *describe(const struct sweep_run *run, const struct sweep_draw *draw,
                      struct problem *problem)
{
    clslice_compile_options options = {.size = sizeof options, .variant = run->sweep->variant};
    union session_error error = SESSION_ERROR;
    clslice_operator *op = NULL;
    struct case_desc desc;
    char *text = NULL;

    case_desc_init(&desc, &draw->c);
    if (clslice_operator_create(run->cl->device, &desc.op, &op, &error.error) == CLSLICE_S_OK)
        text = session_describe(op, &options, problem);
    else
        session_fail(&error, problem);
    clslice_operator_release(op);
    return text;
}

static bool print_object(const struct sweep_run *run, const struct sweep_draw *draw,
                         const struct bench_subject *subject, const struct bench_speed *speed,
                         double ceiling, struct problem *problem)
{
    struct json_object *object;
    char *plan = describe(run, draw, problem);

    if (!plan)
        return false;
    object = object_of(run->sweep, draw);
    bench_json_device(object, run->cl);
    bench_json_speed(object, subject, speed->seconds, speed->efficiency,
                     speed->copy_bytes_per_second);
    if (ceiling > 0)
        json_add_number(object, "ceiling", ceiling);
    else
        json_object_object_add(object, "ceiling", NULL);
    json_add_text(object, "plan", plan);
    bench_json_print(object);
    free(plan);
    return true;
}

/* An efficiency, and a ceiling where there is one. */
static void print_efficiency(double efficiency, double ceiling)
{
    printf(" %10.2f", efficiency);
    if (ceiling > 0)
        printf(" %8.2f", ceiling);
}

static bool measure(struct sweep_run *run, uint64_t index, const struct sweep_draw *draw,
                    const struct bench_subject *subject, struct problem *problem)
{
    bool is_gpu = run->cl->info.device_class == CLSLICE_CLASS_GPU;
    double ceiling =
        is_gpu ? (double)subject->plan.floor_bytes / (double)subject->plan.floor_bytes_64 : 0;
    size_t pairs = run->sweep->pairs;
    struct bench_speed speed;

    if (run->sweep->is_latency ? !bench_latency_measure(subject, pairs, &speed, problem)
                               : !bench_speed_measure(subject, run->copy, pairs, &speed, problem))
        return false;
    run->outcomes[run->count] = (struct outcome){index, speed.efficiency, ceiling};
    ++run->count;
    if (run->sweep->is_json)
        return print_object(run, draw, subject, &speed, ceiling, problem);
    printf("%-16s %-16s %10.1f %8.1f", draw->name, bench_subject_variant(subject),
           speed.seconds * 1e6, bench_subject_gb_per_s(subject, speed.seconds));
    print_efficiency(speed.efficiency, ceiling);
    putchar('\n');
    return true;
}

static void skip(struct sweep_run *run, uint64_t index, const struct sweep_draw *draw,
                 const struct problem *reason)
{
    ++run->skipped[class_of(run->sweep, index)];
    run->skip_reason = *reason;
    if (run->sweep->is_json) {
        struct json_object *object = object_of(run->sweep, draw);

        bench_json_device(object, run->cl);
        bench_json_skipped(object, reason->text);
        bench_json_print(object);
    } else {
        printf("%-16s skipped: %s\n", draw->name, reason->text);
    }
}

static bool run_draw(struct sweep_run *run, uint64_t index, const struct sweep_draw *draw,
                     struct problem *problem)
{
    struct bench_subject subject;
    struct problem reason = {0};
    size_t copied = run->copy->least_bytes;
    bool is_done = true;
    enum bench_ready ready;

    /* Without the memory for the draw before, there may be no buffers left to copy. */
    if (!bench_cl_reserve(run->cl, copied, copied, problem))
        return false;
    ready = bench_subject_open(&subject, run->cl, &draw->c, draw->in_offset, draw->out_offset,
                               run->sweep->variant, &reason);
    if (ready == BENCH_READY) {
        is_done = measure(run, index, draw, &subject, &reason);
        bench_subject_close(&subject);
    } else if (ready == BENCH_SKIPPED) {
        skip(run, index, draw, &reason);
    }
    fflush(stdout);
    return (ready != BENCH_FAILED && is_done) ||
           problem_set(problem, "%s: %s", draw->name, reason.text);
}

/* ---- The end ---- */

/* The efficiencies of `count` outcomes of a class, of which there may be none. */
static bool print_class(const struct sweep_run *run, enum sweep_class class,
                        const struct outcome *outcomes, size_t count, struct problem *problem)
{
    double *efficiencies = malloc((count + 1) * sizeof *efficiencies);
    double logarithms = 0;

    if (!efficiencies)
        return problem_set(problem, "out of memory");
    for (size_t i = 0; i < count; ++i) {
        efficiencies[i] = outcomes[i].efficiency;
        logarithms += log(efficiencies[i]);
    }
    printf("%-16s %8zu %8zu", sweep_class_name(class), count, run->skipped[class]);
    if (count > 0)
        printf(" %8.2f %8.2f %8.2f", bench_quantile(efficiencies, count, 0),
               bench_quantile(efficiencies, count, 0.5), exp(logarithms / (double)count));
    putchar('\n');
    free(efficiencies);
    return true;
}

static bool print_classes(const struct sweep_run *run, struct problem *problem)
{
    const struct outcome *at = run->outcomes, *end = at + run->count;

    printf("\n%-16s %8s %8s %8s %8s %8s\n", "class", "draws", "skipped", "least", "median", "mean");
    for (int i = 0; i < SWEEP_CLASS_COUNT; ++i) {
        enum sweep_class class = (enum sweep_class)i;
        const struct outcome *first = at;

        while (at < end && class_of(run->sweep, at->index) == class)
            ++at;
        if ((at > first || run->skipped[class] > 0) &&
            !print_class(run, class, first, (size_t)(at - first), problem))
            return false;
    }
    return true;
}

static int by_efficiency(const void *a, const void *b)
{
    double left = ((const struct outcome *)a)->efficiency;
    double right = ((const struct outcome *)b)->efficiency;

    return (left > right) - (left < right);
}

/* Sorts the outcomes. */
static bool print_worst(struct sweep_run *run, struct problem *problem)
{
    qsort(run->outcomes, run->count, sizeof *run->outcomes, by_efficiency);
    for (size_t i = 0; i < run->count && i < WORST; ++i) {
        const struct outcome *outcome = &run->outcomes[i];
        struct sweep_draw draw;
        char *plan;

        redraw(run->sweep, outcome->index, &draw);
        plan = describe(run, &draw, problem);
        if (!plan)
            return false;
        printf("\n%-16s", draw.name);
        print_efficiency(outcome->efficiency, outcome->ceiling);
        printf("\n%s", plan);
        free(plan);
    }
    return true;
}

static bool run_draws(struct sweep_run *run, struct problem *problem)
{
    struct sweep_draw draw;

    for (uint64_t index = 0; find(run->sweep, &index, &draw); ++index)
        if (!run_draw(run, index, &draw, problem))
            return false;
    if (run->count == 0)
        return problem_set(problem, "no draw could be measured; the last one: %s",
                           run->skip_reason.text);
    return run->sweep->is_json || (print_classes(run, problem) && print_worst(run, problem));
}

bool bench_sweep_run(const struct bench_sweep *sweep, struct bench_cl *cl,
                     const struct bench_copy *copy, struct problem *problem)
{
    struct sweep_run run = {.sweep = sweep, .cl = cl, .copy = copy};
    bool is_done;

    run.outcomes = calloc((size_t)sweep->count * SWEEP_CLASS_COUNT, sizeof *run.outcomes);
    if (!run.outcomes)
        return problem_set(problem, "out of memory");
    if (!sweep->is_json) {
        bench_report_head(copy);
        printf("%-16s %-16s %10s %8s %10s%s\n", "draw", "variant", "us", "GB/s", "efficiency",
               cl->info.device_class == CLSLICE_CLASS_GPU ? "  ceiling" : "");
    }
    is_done = run_draws(&run, problem);
    free(run.outcomes);
    return is_done;
}
