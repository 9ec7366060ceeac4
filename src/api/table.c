/* SPDX-License-Identifier: MIT */
/*
 * The table of all functions, for hosts that open the library at run time. The library is linked
 * with -Bsymbolic-functions: the addresses are this library's own, even where another version of it
 * was loaded first.
 */
#include "clslice/clslice.h"

#include <stddef.h>

static const struct clslice_api table = {
    .size = sizeof table,
    .abi = CLSLICE_ABI_VERSION,
    .version = CLSLICE_VERSION_TEXT,
#define MEMBER(name) .name = clslice_##name
    MEMBER(device_enumerate),
    MEMBER(device_create),
    MEMBER(device_retain),
    MEMBER(device_release),
    MEMBER(device_get_info),
    MEMBER(device_get_opencl),
    MEMBER(device_get_proc),
    MEMBER(device_check_feature_support),
    MEMBER(device_get_build_log),
    MEMBER(operator_create),
    MEMBER(operator_retain),
    MEMBER(operator_release),
    MEMBER(operator_get_alias),
    MEMBER(operator_get_plan),
    MEMBER(operator_describe),
    MEMBER(operator_compile),
    MEMBER(compiled_operator_retain),
    MEMBER(compiled_operator_release),
    MEMBER(compiled_operator_get_binding_properties),
    MEMBER(compiled_operator_get_info),
    MEMBER(dispatch),
    MEMBER(event_wait),
    MEMBER(event_get_status),
    MEMBER(event_release),
    MEMBER(device_get_cache_counters),
    MEMBER(cache_get_info),
    MEMBER(cache_enumerate),
    MEMBER(cache_clear),
    MEMBER(device_finish),
    MEMBER(run),
    MEMBER(get_version),
    MEMBER(status_name),
    MEMBER(rule_name),
    MEMBER(variant_name),
    MEMBER(parse_cache),
    MEMBER(parse_bytes),
#undef MEMBER
};

uint32_t clslice_get_version(void)
{
    return CLSLICE_VERSION_NUMBER;
}

const struct clslice_api *clslice_get_api(uint32_t abi)
{
    return abi == CLSLICE_ABI_VERSION ? &table : NULL;
}
