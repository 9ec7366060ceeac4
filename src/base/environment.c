/* SPDX-License-Identifier: MIT */
#include "base/environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char *variable(const char *name)
{
    const char *value = secure_getenv(name);
    return value && *value ? value : NULL;
}

/* Whether a comma-separated list holds the topic. */
static bool lists(const char *list, const char *topic)
{
    size_t length = strlen(topic);
    while (list) {
        const char *comma = strchr(list, ',');
        size_t item = comma ? (size_t)(comma - list) : strlen(list);
        if (item == length && memcmp(list, topic, length) == 0)
            return true;
        list = comma ? comma + 1 : NULL;
    }
    return false;
}

struct environment environment_read(bool ignore_environment)
{
    bool is_setuid = getauxval(AT_SECURE) != 0 || geteuid() != getuid() || getegid() != getgid();
    if (ignore_environment)
        return (struct environment){.is_setuid = is_setuid};
    const char *verbose = variable("CLSLICE_VERBOSE");
    /* Unset and empty differ for the driver lists: PoCL's empty list means no device at all. */
    return (struct environment){
        .device = variable("CLSLICE_DEVICE"),
        .opencl = variable("CLSLICE_OPENCL"),
        .build_options = variable("CLSLICE_BUILD_OPTIONS"),
        .cache = variable("CLSLICE_CACHE"),
        .cache_max = variable("CLSLICE_CACHE_MAX"),
        .xdg_cache = variable("XDG_CACHE_HOME"),
        .home = variable("HOME"),
        .is_setuid = is_setuid,
        .verbose_cache = lists(verbose, "1") || lists(verbose, "cache"),
        .verbose_device = lists(verbose, "1") || lists(verbose, "device"),
        .icd_vendors = secure_getenv("OCL_ICD_VENDORS"),
        .pocl_devices = secure_getenv("POCL_DEVICES"),
        .pocl_cache = secure_getenv("POCL_CACHE_DIR"),
        .cuda_devices = secure_getenv("CUDA_VISIBLE_DEVICES"),
        .rocr_devices = secure_getenv("ROCR_VISIBLE_DEVICES"),
    };
}

/* With a star, all names that begin so. */
static const char *const codegen_names[] = {
    "AMD_OCL_BUILD_OPTIONS",
    "AMD_OCL_BUILD_OPTIONS_APPEND",
    "CL_CONFIG_*", /* Intel's */
    "POCL_BINARY_SPECIALIZE_WG",
    "POCL_BITCODE_FINALIZER",
    "POCL_CPU_LOCAL_MEM_SIZE",
    "POCL_EXTRA_BUILD_FLAGS",
    "POCL_FORCE_PARALLEL_OUTER_LOOP",
    "POCL_FULL_REPLICATION_THRESHOLD",
    "POCL_KERNELLIB_NAME",
    "POCL_LLVM_CPU_NAME",
    "POCL_MAX_WORK_GROUP_SIZE",
    "POCL_WILOOPS_MAX_UNROLL_COUNT",
    "POCL_WORK_GROUP_METHOD",
    "POCL_WORK_GROUP_SPECIALIZATION",
};

/* Of a variable as it stands in the environment, NAME=VALUE. */
static bool is_codegen(const char *variable)
{
    for (size_t i = 0; i < sizeof codegen_names / sizeof codegen_names[0]; ++i) {
        const char *name = codegen_names[i];
        size_t length = strcspn(name, "*");
        if (strncmp(variable, name, length) == 0 && (name[length] || variable[length] == '='))
            return true;
    }
    return false;
}

/* The first behind `last` in the order of their bytes, NULL: none. */
static const char *next_codegen(const char *last)
{
    const char *next = NULL;
    for (char **variable = environ; variable && *variable; ++variable)
        if (is_codegen(*variable) && strcmp(*variable, last) > 0 &&
            (!next || strcmp(*variable, next) < 0))
            next = *variable;
    return next;
}

void environment_write_codegen(FILE *lines)
{
    if (getauxval(AT_SECURE))
        return;
    for (const char *variable = ""; (variable = next_codegen(variable));)
        fprintf(lines, "%s\n", variable);
}
