/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_json.h"

#include "cli/formats/json_write.h"

#include <json-c/json.h>
#include <stdio.h>

void bench_json_device(struct json_object *object, const struct bench_cl *cl)
{
    json_add_text(object, "device", cl->info.name);
    json_add_text(object, "driver", cl->info.driver);
}

void bench_json_speed(struct json_object *object, const struct bench_subject *subject,
                      double seconds, double efficiency, double copy_bytes_per_second)
{
    json_add_text(object, "variant", bench_subject_variant(subject));
    json_add_text(object, "variant_aligned", subject->info.variant);
    json_add_text(object, "variant_unaligned", subject->info.variant_unaligned);
    json_add_number(object, "seconds", seconds);
    json_add_number(object, "gb_per_s", bench_subject_gb_per_s(subject, seconds));
    json_add_number(object, "efficiency", efficiency);
    json_add_integer(object, "floor_bytes", subject->plan.floor_bytes);
    json_add_number(object, "copy_gb_per_s", copy_bytes_per_second / 1e9);
}

void bench_json_skipped(struct json_object *object, const char *reason)
{
    static const char *const unknown[] = {"variant", "seconds", "gb_per_s", "efficiency"};

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; ++i)
        json_object_object_add(object, unknown[i], NULL);
    json_add_text(object, "skipped", reason);
}

void bench_json_print(struct json_object *object)
{
    puts(json_object_to_json_string_ext(object,
                                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}
