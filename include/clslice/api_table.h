/* SPDX-License-Identifier: MIT */
/* The functions as a table, for hosts that open the library at run time. clslice.h includes this
 * header. */
#include "clslice.h" /* which includes this one, in whichever order the two are named */

#ifndef CLSLICE_API_TABLE_H
#define CLSLICE_API_TABLE_H

/*
 * Every function of clslice.h and cache.h, without its prefix. The table does not change while the
 * process lives. Later versions only append to it: compare `size` before you use a member that was
 * added after the version that you require. A member works exactly like the function.
 */
struct clslice_api {
    uint32_t size;                       /* of the table, in bytes */
    uint32_t abi;                        /* the library's CLSLICE_ABI_VERSION */
    const char *CLSLICE_NONNULL version; /* the library's CLSLICE_VERSION */
    int32_t (*CLSLICE_NONNULL device_enumerate)(
        const clslice_device_options *CLSLICE_NULLABLE options, uint32_t index,
        clslice_device_info *CLSLICE_NONNULL info, clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL device_create)(const clslice_device_options *CLSLICE_NULLABLE options,
                                             clslice_device *CLSLICE_NULLABLE *CLSLICE_NONNULL
                                                 device,
                                             clslice_error *CLSLICE_NULLABLE error);
    void (*CLSLICE_NONNULL device_retain)(clslice_device *CLSLICE_NULLABLE device);
    void (*CLSLICE_NONNULL device_release)(clslice_device *CLSLICE_NULLABLE device);
    int32_t (*CLSLICE_NONNULL device_get_info)(const clslice_device *CLSLICE_NONNULL device,
                                               clslice_device_info *CLSLICE_NONNULL info,
                                               clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL device_get_opencl)(const clslice_device *CLSLICE_NONNULL device,
                                                 clslice_opencl_objects *CLSLICE_NONNULL objects,
                                                 clslice_error *CLSLICE_NULLABLE error);
    void *CLSLICE_NULLABLE (*CLSLICE_NONNULL device_get_proc)(
        const clslice_device *CLSLICE_NULLABLE device, const char *CLSLICE_NULLABLE name);
    int32_t (*CLSLICE_NONNULL device_check_feature_support)(
        const clslice_device *CLSLICE_NONNULL device, uint32_t feature, uint32_t query_size,
        const void *CLSLICE_NONNULL query, uint32_t support_size, void *CLSLICE_NONNULL support,
        clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL device_get_build_log)(clslice_device *CLSLICE_NONNULL device,
                                                    char *CLSLICE_NULLABLE text, uint64_t size,
                                                    uint64_t *CLSLICE_NULLABLE needed,
                                                    clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL operator_create)(
        clslice_device *CLSLICE_NULLABLE device,
        const struct DML_OPERATOR_DESC *CLSLICE_NULLABLE desc,
        clslice_operator *CLSLICE_NULLABLE *CLSLICE_NULLABLE op,
        clslice_error *CLSLICE_NULLABLE error);
    void (*CLSLICE_NONNULL operator_retain)(clslice_operator *CLSLICE_NULLABLE op);
    void (*CLSLICE_NONNULL operator_release)(clslice_operator *CLSLICE_NULLABLE op);
    int32_t (*CLSLICE_NONNULL operator_get_alias)(const clslice_operator *CLSLICE_NONNULL op,
                                                  clslice_alias *CLSLICE_NONNULL alias,
                                                  clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL operator_get_plan)(
        const clslice_operator *CLSLICE_NONNULL op,
        const clslice_compile_options *CLSLICE_NULLABLE options,
        clslice_plan_info *CLSLICE_NONNULL info, clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL operator_describe)(
        const clslice_operator *CLSLICE_NONNULL op,
        const clslice_compile_options *CLSLICE_NULLABLE options, char *CLSLICE_NULLABLE text,
        uint64_t size, uint64_t *CLSLICE_NULLABLE needed, clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL operator_compile)(
        clslice_operator *CLSLICE_NONNULL op,
        const clslice_compile_options *CLSLICE_NULLABLE options,
        clslice_compiled_operator *CLSLICE_NULLABLE *CLSLICE_NONNULL compiled,
        clslice_error *CLSLICE_NULLABLE error);
    void (*CLSLICE_NONNULL compiled_operator_retain)(
        clslice_compiled_operator *CLSLICE_NULLABLE compiled);
    void (*CLSLICE_NONNULL compiled_operator_release)(
        clslice_compiled_operator *CLSLICE_NULLABLE compiled);
    int32_t (*CLSLICE_NONNULL compiled_operator_get_binding_properties)(
        const clslice_compiled_operator *CLSLICE_NONNULL compiled,
        struct DML_BINDING_PROPERTIES *CLSLICE_NONNULL properties,
        clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL compiled_operator_get_info)(
        const clslice_compiled_operator *CLSLICE_NONNULL compiled,
        clslice_compiled_operator_info *CLSLICE_NONNULL info,
        clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL dispatch)(clslice_compiled_operator *CLSLICE_NONNULL compiled,
                                        const clslice_dispatch_desc *CLSLICE_NONNULL desc,
                                        struct _cl_event *CLSLICE_NULLABLE *CLSLICE_NULLABLE event,
                                        clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL event_wait)(clslice_device *CLSLICE_NONNULL device,
                                          struct _cl_event *CLSLICE_NONNULL event,
                                          clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL event_get_status)(clslice_device *CLSLICE_NONNULL device,
                                                struct _cl_event *CLSLICE_NONNULL event,
                                                clslice_error *CLSLICE_NULLABLE error);
    void (*CLSLICE_NONNULL event_release)(clslice_device *CLSLICE_NULLABLE device,
                                          struct _cl_event *CLSLICE_NULLABLE event);
    int32_t (*CLSLICE_NONNULL device_get_cache_counters)(
        const clslice_device *CLSLICE_NONNULL device,
        clslice_cache_counters *CLSLICE_NONNULL counters, clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL cache_get_info)(
        const clslice_device_options *CLSLICE_NULLABLE options,
        clslice_cache_info *CLSLICE_NONNULL info, clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL cache_enumerate)(
        const clslice_device_options *CLSLICE_NULLABLE options, uint32_t index,
        clslice_cache_entry *CLSLICE_NONNULL entry, clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL cache_clear)(const clslice_device_options *CLSLICE_NULLABLE options,
                                           uint64_t *CLSLICE_NULLABLE removed,
                                           clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL device_finish)(clslice_device *CLSLICE_NONNULL device,
                                             clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL run)(clslice_device *CLSLICE_NONNULL device,
                                   const struct DML_OPERATOR_DESC *CLSLICE_NULLABLE desc,
                                   const void *CLSLICE_NONNULL input, uint64_t input_bytes,
                                   void *CLSLICE_NONNULL output, uint64_t output_bytes,
                                   clslice_error *CLSLICE_NULLABLE error);
    uint32_t (*CLSLICE_NONNULL get_version)(void);
    const char *CLSLICE_NULLABLE (*CLSLICE_NONNULL status_name)(int32_t status);
    const char *CLSLICE_NULLABLE (*CLSLICE_NONNULL rule_name)(uint32_t rule);
    const char *CLSLICE_NULLABLE (*CLSLICE_NONNULL variant_name)(uint32_t index);
    int32_t (*CLSLICE_NONNULL parse_cache)(const char *CLSLICE_NONNULL text,
                                           uint32_t *CLSLICE_NONNULL mode,
                                           const char *CLSLICE_NULLABLE *CLSLICE_NONNULL path,
                                           clslice_error *CLSLICE_NULLABLE error);
    int32_t (*CLSLICE_NONNULL parse_bytes)(const char *CLSLICE_NONNULL text,
                                           uint64_t *CLSLICE_NONNULL bytes,
                                           clslice_error *CLSLICE_NULLABLE error);
};

/* NULL if this library does not have that version of the ABI. It cannot fail otherwise, and does
 * not use OpenCL. */
CLSLICE_API const struct clslice_api *CLSLICE_NULLABLE clslice_get_api(uint32_t abi);

#endif /* CLSLICE_API_TABLE_H */
