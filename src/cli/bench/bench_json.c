/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_json.h"

#include <json-c/json.h>
#include <stdio.h>

void bench_json_text(struct json_object *object, const char *name, const char *value)
{
    json_object_object_add(object, name, json_object_new_string(value));
}

/* 6 digits are more than a measurement has. */
void bench_json_number(struct json_object *object, const char *name, double value)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%.6g", value);
    json_object_object_add(object, name, json_object_new_double_s(value, digits));
}

void bench_json_integer(struct json_object *object, const char *name, uint64_t value)
{
    json_object_object_add(object, name, json_object_new_uint64(value));
}

void bench_json_device(struct json_object *object, const struct bench_cl *cl)
{
    bench_json_text(object, "device", cl->info.name);
    bench_json_text(object, "driver", cl->info.driver);
}

void bench_json_speed(struct json_object *object, const struct bench_subject *subject,
                      double seconds, double efficiency, double copy_bytes_per_second)
{
    bench_json_text(object, "variant", bench_subject_variant(subject));
    bench_json_text(object, "variant_aligned", subject->info.variant);
    bench_json_text(object, "variant_unaligned", subject->info.variant_unaligned);
    bench_json_number(object, "seconds", seconds);
    bench_json_number(object, "gb_per_s", bench_subject_gb_per_s(subject, seconds));
    bench_json_number(object, "efficiency", efficiency);
    bench_json_integer(object, "floor_bytes", subject->plan.floor_bytes);
    bench_json_number(object, "copy_gb_per_s", copy_bytes_per_second / 1e9);
}

void bench_json_skipped(struct json_object *object, const char *reason)
{
    static const char *const unknown[] = {"variant", "seconds", "gb_per_s", "efficiency"};

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; ++i)
        json_object_object_add(object, unknown[i], NULL);
    bench_json_text(object, "skipped", reason);
}

void bench_json_print(struct json_object *object)
{
    puts(json_object_to_json_string_ext(object,
                                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}
