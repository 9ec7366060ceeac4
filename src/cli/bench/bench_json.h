/* SPDX-License-Identifier: MIT */
/* What a JSON line says of a measurement. */
#ifndef CLSLICE_CLI_BENCH_BENCH_JSON_H
#define CLSLICE_CLI_BENCH_BENCH_JSON_H

#include "cli/bench/bench_subject.h"

struct json_object;

/* Where it was measured. */
void bench_json_device(struct json_object *object, const struct bench_cl *cl);

/* The kernels, and how fast they were. */
void bench_json_speed(struct json_object *object, const struct bench_subject *subject,
                      double seconds, double efficiency, double copy_bytes_per_second);

/* The reason, and null for what bench_json_speed says of every case. */
void bench_json_skipped(struct json_object *object, const char *reason);

/* Prints the line, and puts the object. */
void bench_json_print(struct json_object *object);

#endif
