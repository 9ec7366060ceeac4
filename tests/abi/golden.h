/* SPDX-License-Identifier: MIT */
/*
 * The numbers that hosts are built with, written down a second time. A row that stops being true is
 * a broken ABI; a new field, constant or member is a new row.
 */
#ifndef CLSLICE_TESTS_ABI_GOLDEN_H
#define CLSLICE_TESTS_ABI_GOLDEN_H

/* The layouts of 64-bit systems and of i386: nothing is aligned to more than a pointer's bytes. */
enum { P = sizeof(void *) };

/* X(type, bytes): the sizes of version 1, which every later version accepts. */
#define GOLDEN_SIZES(X)                    \
    X(clslice_error, 1024)                 \
    X(clslice_device_options, 32 + 10 * P) \
    X(clslice_device_info, 1504 + P)       \
    X(clslice_opencl_objects, 8 + 4 * P)   \
    X(clslice_alias, 24)                   \
    X(clslice_compile_options, 16 + P)     \
    X(clslice_plan_info, 128)              \
    X(clslice_cache_counters, 72)          \
    X(clslice_cache_info, 4136)            \
    X(clslice_cache_entry, 600)            \
    X(clslice_compiled_operator_info, 168) \
    X(clslice_binding, 56 + P)             \
    X(clslice_dispatch_desc, 24 + 5 * P)   \
    X(clslice_batch, 224 + 3 * P)

/* X(type, field, offset, bytes), in order and without gaps */
#define GOLDEN_FIELDS(X)                                              \
    X(clslice_error, size, 0, 4)                                      \
    X(clslice_error, status, 4, 4)                                    \
    X(clslice_error, opencl, 8, 4)                                    \
    X(clslice_error, rule, 12, 4)                                     \
    X(clslice_error, tensor, 16, 4)                                   \
    X(clslice_error, dimension, 20, 4)                                \
    X(clslice_error, value, 24, 24)                                   \
    X(clslice_error, item, 48, 8)                                     \
    X(clslice_error, text_length, 56, 4)                              \
    X(clslice_error, text, 60, 964)                                   \
    X(clslice_device_options, size, 0, 4)                             \
    X(clslice_device_options, flags, 4, 4)                            \
    X(clslice_device_options, selector, 8, P)                         \
    X(clslice_device_options, build_options, 8 + P, P)                \
    X(clslice_device_options, get_proc, 8 + 2 * P, P)                 \
    X(clslice_device_options, get_proc_user, 8 + 3 * P, P)            \
    X(clslice_device_options, log, 8 + 4 * P, P)                      \
    X(clslice_device_options, log_user, 8 + 5 * P, P)                 \
    X(clslice_device_options, context, 8 + 6 * P, P)                  \
    X(clslice_device_options, device_id, 8 + 7 * P, P)                \
    X(clslice_device_options, queue, 8 + 8 * P, P)                    \
    X(clslice_device_options, staging_bytes, 8 + 9 * P, 8)            \
    X(clslice_device_options, cache_mode, 16 + 9 * P, 4)              \
    X(clslice_device_options, reserved, 20 + 9 * P, 4)                \
    X(clslice_device_options, cache_path, 24 + 9 * P, P)              \
    X(clslice_device_options, cache_bytes, 24 + 10 * P, 8)            \
    X(clslice_device_info, size, 0, 4)                                \
    X(clslice_device_info, device_class, 4, 4)                        \
    X(clslice_device_info, usable, 8, 4)                              \
    X(clslice_device_info, vendor_id, 12, 4)                          \
    X(clslice_device_info, compute_units, 16, 4)                      \
    X(clslice_device_info, address_bits, 20, 4)                       \
    X(clslice_device_info, host_memory, 24, 4)                        \
    X(clslice_device_info, unified_memory, 28, 4)                     \
    X(clslice_device_info, max_work_group_size, 32, 8)                \
    X(clslice_device_info, max_alloc_bytes, 40, 8)                    \
    X(clslice_device_info, global_bytes, 48, 8)                       \
    X(clslice_device_info, local_bytes, 56, 8)                        \
    X(clslice_device_info, device_id, 64, P)                          \
    X(clslice_device_info, selector, 64 + P, 256)                     \
    X(clslice_device_info, name, 320 + P, 256)                        \
    X(clslice_device_info, platform, 576 + P, 256)                    \
    X(clslice_device_info, version, 832 + P, 256)                     \
    X(clslice_device_info, driver, 1088 + P, 128)                     \
    X(clslice_device_info, type, 1216 + P, 32)                        \
    X(clslice_device_info, unusable_reason, 1248 + P, 256)            \
    X(clslice_opencl_objects, size, 0, 4)                             \
    X(clslice_opencl_objects, reserved, 4, 4)                         \
    X(clslice_opencl_objects, platform, 8, P)                         \
    X(clslice_opencl_objects, device_id, 8 + P, P)                    \
    X(clslice_opencl_objects, context, 8 + 2 * P, P)                  \
    X(clslice_opencl_objects, queue, 8 + 3 * P, P)                    \
    X(clslice_alias, size, 0, 4)                                      \
    X(clslice_alias, is_alias, 4, 4)                                  \
    X(clslice_alias, offset_bytes, 8, 8)                              \
    X(clslice_alias, size_bytes, 16, 8)                               \
    X(clslice_compile_options, size, 0, 4)                            \
    X(clslice_compile_options, flags, 4, 4)                           \
    X(clslice_compile_options, execution_flags, 8, 4)                 \
    X(clslice_compile_options, reserved, 12, 4)                       \
    X(clslice_compile_options, variant, 16, P)                        \
    X(clslice_plan_info, size, 0, 4)                                  \
    X(clslice_plan_info, element_bytes, 4, 4)                         \
    X(clslice_plan_info, index_bits, 8, 4)                            \
    X(clslice_plan_info, dimensions, 12, 4)                           \
    X(clslice_plan_info, elements, 16, 8)                             \
    X(clslice_plan_info, input_bytes, 24, 8)                          \
    X(clslice_plan_info, output_bytes, 32, 8)                         \
    X(clslice_plan_info, moved_bytes, 40, 8)                          \
    X(clslice_plan_info, floor_bytes, 48, 8)                          \
    X(clslice_plan_info, floor_bytes_64, 56, 8)                       \
    X(clslice_plan_info, input_alignment, 64, 4)                      \
    X(clslice_plan_info, output_alignment, 68, 4)                     \
    X(clslice_plan_info, local_size, 72, 4)                           \
    X(clslice_plan_info, launches, 76, 4)                             \
    X(clslice_plan_info, global_size, 80, 8)                          \
    X(clslice_plan_info, host_launches, 88, 8)                        \
    X(clslice_plan_info, variant, 96, 32)                             \
    X(clslice_cache_counters, size, 0, 4)                             \
    X(clslice_cache_counters, is_on, 4, 4)                            \
    X(clslice_cache_counters, hits, 8, 8)                             \
    X(clslice_cache_counters, misses, 16, 8)                          \
    X(clslice_cache_counters, stale, 24, 8)                           \
    X(clslice_cache_counters, corrupt, 32, 8)                         \
    X(clslice_cache_counters, untrusted, 40, 8)                       \
    X(clslice_cache_counters, refused, 48, 8)                         \
    X(clslice_cache_counters, saved, 56, 8)                           \
    X(clslice_cache_counters, unsaved, 64, 8)                         \
    X(clslice_cache_info, size, 0, 4)                                 \
    X(clslice_cache_info, mode, 4, 4)                                 \
    X(clslice_cache_info, max_bytes, 8, 8)                            \
    X(clslice_cache_info, entries, 16, 8)                             \
    X(clslice_cache_info, bytes, 24, 8)                               \
    X(clslice_cache_info, oldest, 32, 8)                              \
    X(clslice_cache_info, path, 40, 4096)                             \
    X(clslice_cache_entry, size, 0, 4)                                \
    X(clslice_cache_entry, is_whole, 4, 4)                            \
    X(clslice_cache_entry, bytes, 8, 8)                               \
    X(clslice_cache_entry, last_used, 16, 8)                          \
    X(clslice_cache_entry, name, 24, 64)                              \
    X(clslice_cache_entry, text, 88, 512)                             \
    X(clslice_compiled_operator_info, size, 0, 4)                     \
    X(clslice_compiled_operator_info, program_count, 4, 4)            \
    X(clslice_compiled_operator_info, program_outcome, 8, 4)          \
    X(clslice_compiled_operator_info, host_memory, 12, 4)             \
    X(clslice_compiled_operator_info, build_nanoseconds, 16, 8)       \
    X(clslice_compiled_operator_info, variant, 24, 32)                \
    X(clslice_compiled_operator_info, variant_unaligned, 56, 32)      \
    X(clslice_compiled_operator_info, element_bytes, 88, 4)           \
    X(clslice_compiled_operator_info, element_bytes_unaligned, 92, 4) \
    X(clslice_compiled_operator_info, input_alignment, 96, 4)         \
    X(clslice_compiled_operator_info, output_alignment, 100, 4)       \
    X(clslice_compiled_operator_info, cache_reason, 104, 64)          \
    X(clslice_binding, kind, 0, 4)                                    \
    X(clslice_binding, reserved0, 4, 4)                               \
    X(clslice_binding, handle, 8, P)                                  \
    X(clslice_binding, offset, 8 + P, 8)                              \
    X(clslice_binding, size, 16 + P, 8)                               \
    X(clslice_binding, reserved, 24 + P, 32)                          \
    X(clslice_dispatch_desc, size, 0, 4)                              \
    X(clslice_dispatch_desc, flags, 4, 4)                             \
    X(clslice_dispatch_desc, queue, 8, P)                             \
    X(clslice_dispatch_desc, inputs, 8 + P, P)                        \
    X(clslice_dispatch_desc, outputs, 8 + 2 * P, P)                   \
    X(clslice_dispatch_desc, input_count, 8 + 3 * P, 4)               \
    X(clslice_dispatch_desc, output_count, 12 + 3 * P, 4)             \
    X(clslice_dispatch_desc, wait_events, 16 + 3 * P, P)              \
    X(clslice_dispatch_desc, wait_count, 16 + 4 * P, 4)               \
    X(clslice_dispatch_desc, reserved, 20 + 4 * P, 4)                 \
    X(clslice_dispatch_desc, batch, 24 + 4 * P, P)                    \
    X(clslice_batch, size, 0, 4)                                      \
    X(clslice_batch, flags, 4, 4)                                     \
    X(clslice_batch, count, 8, 8)                                     \
    X(clslice_batch, window, 16, 56 + P)                              \
    X(clslice_batch, window_axis, 72 + P, 4)                          \
    X(clslice_batch, window_axis_count, 76 + P, 4)                    \
    X(clslice_batch, window_row_bytes, 80 + P, 8)                     \
    X(clslice_batch, window_advance, 88 + P, 8)                       \
    X(clslice_batch, output, 96 + P, 56 + P)                          \
    X(clslice_batch, output_index_bytes, 152 + 2 * P, 4)              \
    X(clslice_batch, reserved, 156 + 2 * P, 4)                        \
    X(clslice_batch, output_pitch, 160 + 2 * P, 8)                    \
    X(clslice_batch, skipped, 168 + 2 * P, 56 + P)

/* X(member, offset): the functions of the table, version 1; size, abi and version stand before
 * them */
#define GOLDEN_MEMBERS(X)                                   \
    X(device_enumerate, 8 + P)                              \
    X(device_create, 8 + 2 * P)                             \
    X(device_retain, 8 + 3 * P)                             \
    X(device_release, 8 + 4 * P)                            \
    X(device_get_info, 8 + 5 * P)                           \
    X(device_get_opencl, 8 + 6 * P)                         \
    X(device_get_proc, 8 + 7 * P)                           \
    X(device_check_feature_support, 8 + 8 * P)              \
    X(device_get_build_log, 8 + 9 * P)                      \
    X(operator_create, 8 + 10 * P)                          \
    X(operator_retain, 8 + 11 * P)                          \
    X(operator_release, 8 + 12 * P)                         \
    X(operator_get_alias, 8 + 13 * P)                       \
    X(operator_get_plan, 8 + 14 * P)                        \
    X(operator_describe, 8 + 15 * P)                        \
    X(operator_compile, 8 + 16 * P)                         \
    X(compiled_operator_retain, 8 + 17 * P)                 \
    X(compiled_operator_release, 8 + 18 * P)                \
    X(compiled_operator_get_binding_properties, 8 + 19 * P) \
    X(compiled_operator_get_info, 8 + 20 * P)               \
    X(dispatch, 8 + 21 * P)                                 \
    X(event_wait, 8 + 22 * P)                               \
    X(event_get_status, 8 + 23 * P)                         \
    X(event_release, 8 + 24 * P)                            \
    X(device_get_cache_counters, 8 + 25 * P)                \
    X(cache_get_info, 8 + 26 * P)                           \
    X(cache_enumerate, 8 + 27 * P)                          \
    X(cache_clear, 8 + 28 * P)                              \
    X(device_finish, 8 + 29 * P)                            \
    X(run, 8 + 30 * P)                                      \
    X(get_version, 8 + 31 * P)                              \
    X(status_name, 8 + 32 * P)                              \
    X(rule_name, 8 + 33 * P)                                \
    X(variant_name, 8 + 34 * P)                             \
    X(parse_cache, 8 + 35 * P)                              \
    X(parse_bytes, 8 + 36 * P)

/* X(name, value), results as the bits of HRESULT */
#define GOLDEN_CONSTANTS(X)                       \
    X(CLSLICE_S_OK, 0)                            \
    X(CLSLICE_S_FALSE, 1)                         \
    X(CLSLICE_E_NOTIMPL, 0x80004001)              \
    X(CLSLICE_E_POINTER, 0x80004003)              \
    X(CLSLICE_E_FAIL, 0x80004005)                 \
    X(CLSLICE_E_UNEXPECTED, 0x8000FFFF)           \
    X(CLSLICE_E_OUTOFMEMORY, 0x8007000E)          \
    X(CLSLICE_E_INVALIDARG, 0x80070057)           \
    X(CLSLICE_DXGI_ERROR_NOT_FOUND, 0x887A0002)   \
    X(CLSLICE_DXGI_ERROR_UNSUPPORTED, 0x887A0004) \
    X(CLSLICE_ABI_VERSION, 1)                     \
    X(CLSLICE_NO_DIMENSION, 0xFFFFFFFF)           \
    X(CLSLICE_NO_ITEM, 0xFFFFFFFF) /* low half */ \
    X(CLSLICE_RULE_NONE, 0)                       \
    X(CLSLICE_RULE_NULL_DESC, 1)                  \
    X(CLSLICE_RULE_NULL_INPUT_TENSOR, 2)          \
    X(CLSLICE_RULE_NULL_OUTPUT_TENSOR, 3)         \
    X(CLSLICE_RULE_TENSOR_TYPE, 4)                \
    X(CLSLICE_RULE_NULL_BUFFER_TENSOR_DESC, 5)    \
    X(CLSLICE_RULE_DATA_TYPE_UNSUPPORTED, 6)      \
    X(CLSLICE_RULE_FLAGS_UNKNOWN, 7)              \
    X(CLSLICE_RULE_DIMENSION_COUNT_RANGE, 8)      \
    X(CLSLICE_RULE_NULL_SIZES, 9)                 \
    X(CLSLICE_RULE_SIZE_ZERO, 10)                 \
    X(CLSLICE_RULE_TENSOR_ELEMENT_LIMIT, 11)      \
    X(CLSLICE_RULE_TOTAL_SIZE_TOO_SMALL, 12)      \
    X(CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP, 13)    \
    X(CLSLICE_RULE_BASE_OFFSET_ALIGNMENT, 14)     \
    X(CLSLICE_RULE_DIMENSION_COUNT_MATCH, 15)     \
    X(CLSLICE_RULE_DATA_TYPE_MISMATCH, 16)        \
    X(CLSLICE_RULE_NULL_WINDOW_ARRAY, 17)         \
    X(CLSLICE_RULE_STRIDE_ZERO, 18)               \
    X(CLSLICE_RULE_WINDOW_EMPTY, 19)              \
    X(CLSLICE_RULE_WINDOW_BOUNDS, 20)             \
    X(CLSLICE_RULE_OUTPUT_EXCEEDS_MAX, 21)        \
    X(CLSLICE_RULE_OWNED_BY_DML, 25)              \
    X(CLSLICE_RULE_OPERATOR_TYPE, 26)             \
    X(CLSLICE_RULE_EXECUTION_FLAGS, 27)           \
    X(CLSLICE_RULE_BIND_COUNT, 40)                \
    X(CLSLICE_RULE_BIND_TYPE, 41)                 \
    X(CLSLICE_RULE_BIND_NULL_BUFFER, 42)          \
    X(CLSLICE_RULE_BIND_OFFSET_ALIGNMENT, 43)     \
    X(CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER, 44) \
    X(CLSLICE_RULE_BIND_RANGE_TOO_SMALL, 45)      \
    X(CLSLICE_RULE_BIND_SIZE_NOT_DWORD, 46)       \
    X(CLSLICE_RULE_BIND_OVERLAP, 47)              \
    X(CLSLICE_RULE_BIND_MEM_TYPE, 48)             \
    X(CLSLICE_RULE_BIND_CONTEXT, 49)              \
    X(CLSLICE_RULE_BIND_ACCESS, 50)               \
    X(CLSLICE_RULE_BIND_RESERVED, 51)             \
    X(CLSLICE_RULE_NULL_POINTER, 60)              \
    X(CLSLICE_RULE_STRUCT_SIZE, 61)               \
    X(CLSLICE_RULE_STRUCT_UNKNOWN, 62)            \
    X(CLSLICE_RULE_OPTION, 63)                    \
    X(CLSLICE_RULE_VARIANT, 64)                   \
    X(CLSLICE_RULE_QUEUE, 65)                     \
    X(CLSLICE_RULE_WAIT_LIST, 66)                 \
    X(CLSLICE_RULE_FORKED, 67)                    \
    X(CLSLICE_RULE_FEATURE, 68)                   \
    X(CLSLICE_RULE_MEMORY, 69)                    \
    X(CLSLICE_RULE_SELECTOR_SYNTAX, 80)           \
    X(CLSLICE_RULE_SELECTOR_NO_MATCH, 81)         \
    X(CLSLICE_RULE_NO_LOADER, 82)                 \
    X(CLSLICE_RULE_NO_PLATFORM, 83)               \
    X(CLSLICE_RULE_NO_DEVICE, 84)                 \
    X(CLSLICE_RULE_DEVICE_UNSUPPORTED, 85)        \
    X(CLSLICE_RULE_OPENCL, 86)                    \
    X(CLSLICE_RULE_BUILD, 87)                     \
    X(CLSLICE_RULE_BATCH_NOT_COMPILED, 100)       \
    X(CLSLICE_RULE_BATCH_AXES, 101)               \
    X(CLSLICE_RULE_BATCH_TABLE, 102)              \
    X(CLSLICE_RULE_BATCH_WINDOW_BOUNDS, 103)      \
    X(CLSLICE_RULE_BATCH_OUTPUT_BOUNDS, 104)      \
    X(CLSLICE_RULE_BATCH_IN_PLACE, 105)           \
    X(CLSLICE_RULE_OUTPUT_SIZE_MISMATCH, 120)     \
    X(CLSLICE_TENSOR_NONE, 0)                     \
    X(CLSLICE_TENSOR_INPUT, 1)                    \
    X(CLSLICE_TENSOR_OUTPUT, 2)                   \
    X(CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT, 0x1)    \
    X(CLSLICE_DEVICE_FLAG_STRICT_DIRECTML, 0x2)   \
    X(CLSLICE_LOG_WARNING, 1)                     \
    X(CLSLICE_LOG_INFO, 2)                        \
    X(CLSLICE_CACHE_DEFAULT, 0)                   \
    X(CLSLICE_CACHE_OFF, 1)                       \
    X(CLSLICE_CACHE_READ_WRITE, 2)                \
    X(CLSLICE_CACHE_READ_ONLY, 3)                 \
    X(CLSLICE_CACHE_REFRESH, 4)                   \
    X(CLSLICE_CLASS_CPU, 1)                       \
    X(CLSLICE_CLASS_GPU, 2)                       \
    X(CLSLICE_CLASS_ACCELERATOR, 3)               \
    X(CLSLICE_HOST_MEMORY_STAGED, 0)              \
    X(CLSLICE_HOST_MEMORY_USE_HOST_PTR, 1)        \
    X(CLSLICE_HOST_MEMORY_SYSTEM_SVM, 2)          \
    X(CLSLICE_COMPILE_FLAG_WARM, 0x1)             \
    X(CLSLICE_COMPILE_FLAG_BATCH, 0x2)            \
    X(CLSLICE_BATCH_FLAG_SKIP, 0x1)               \
    X(CLSLICE_BATCH_FLAG_DISJOINT, 0x2)           \
    X(CLSLICE_PROGRAM_BUILT, 1)                   \
    X(CLSLICE_PROGRAM_FROM_CACHE, 2)              \
    X(CLSLICE_PROGRAM_IN_MEMORY, 3)               \
    X(CLSLICE_BINDING_NONE, 0)                    \
    X(CLSLICE_BINDING_CL_MEM, 1)                  \
    X(CLSLICE_BINDING_HOST, 2)                    \
    X(CLSLICE_BINDING_SVM, 3)                     \
    X(CLSLICE_BINDING_USM, 4)                     \
    X(CLSLICE_BINDING_DEVICE_ADDRESS, 5)

/* ---- DirectML's own, as documented by Microsoft ---- */

/* X(type, bytes) */
#define GOLDEN_DML_SIZES(X)                          \
    X(DML_BUFFER_TENSOR_DESC, 16 + 4 * P)            \
    X(DML_TENSOR_DESC, 2 * P)                        \
    X(DML_OPERATOR_DESC, 2 * P)                      \
    X(DML_SLICE_OPERATOR_DESC, 6 * P)                \
    X(DML_SLICE_GRAD_OPERATOR_DESC, 6 * P)           \
    X(DML_SLICE1_OPERATOR_DESC, 6 * P)               \
    X(DML_BINDING_PROPERTIES, 16 + P)                \
    X(DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT, 4) \
    X(DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT, 4)  \
    X(DML_FEATURE_QUERY_FEATURE_LEVELS, 2 * P)       \
    X(DML_FEATURE_DATA_FEATURE_LEVELS, 4)            \
    X(DML_TENSOR_DATA_TYPE, 4)                       \
    X(DML_TENSOR_TYPE, 4)                            \
    X(DML_TENSOR_FLAGS, 4)                           \
    X(DML_OPERATOR_TYPE, 4)                          \
    X(DML_EXECUTION_FLAGS, 4)                        \
    X(DML_FEATURE, 4)                                \
    X(DML_FEATURE_LEVEL, 4)

/* X(type, field, offset, bytes); the gaps are padding */
#define GOLDEN_DML_FIELDS(X)                                                \
    X(DML_BUFFER_TENSOR_DESC, DataType, 0, 4)                               \
    X(DML_BUFFER_TENSOR_DESC, Flags, 4, 4)                                  \
    X(DML_BUFFER_TENSOR_DESC, DimensionCount, 8, 4)                         \
    X(DML_BUFFER_TENSOR_DESC, Sizes, 8 + P, P)                              \
    X(DML_BUFFER_TENSOR_DESC, Strides, 8 + 2 * P, P)                        \
    X(DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes, 8 + 3 * P, 8)         \
    X(DML_BUFFER_TENSOR_DESC, GuaranteedBaseOffsetAlignment, 16 + 3 * P, 4) \
    X(DML_TENSOR_DESC, Type, 0, 4)                                          \
    X(DML_TENSOR_DESC, Desc, P, P)                                          \
    X(DML_OPERATOR_DESC, Type, 0, 4)                                        \
    X(DML_OPERATOR_DESC, Desc, P, P)                                        \
    X(DML_SLICE_OPERATOR_DESC, InputTensor, 0, P)                           \
    X(DML_SLICE_OPERATOR_DESC, OutputTensor, P, P)                          \
    X(DML_SLICE_OPERATOR_DESC, DimensionCount, 2 * P, 4)                    \
    X(DML_SLICE_OPERATOR_DESC, Offsets, 3 * P, P)                           \
    X(DML_SLICE_OPERATOR_DESC, Sizes, 4 * P, P)                             \
    X(DML_SLICE_OPERATOR_DESC, Strides, 5 * P, P)                           \
    X(DML_SLICE_GRAD_OPERATOR_DESC, InputGradientTensor, 0, P)              \
    X(DML_SLICE_GRAD_OPERATOR_DESC, OutputGradientTensor, P, P)             \
    X(DML_SLICE_GRAD_OPERATOR_DESC, DimensionCount, 2 * P, 4)               \
    X(DML_SLICE_GRAD_OPERATOR_DESC, InputWindowOffsets, 3 * P, P)           \
    X(DML_SLICE_GRAD_OPERATOR_DESC, InputWindowSizes, 4 * P, P)             \
    X(DML_SLICE_GRAD_OPERATOR_DESC, InputWindowStrides, 5 * P, P)           \
    X(DML_SLICE1_OPERATOR_DESC, InputTensor, 0, P)                          \
    X(DML_SLICE1_OPERATOR_DESC, OutputTensor, P, P)                         \
    X(DML_SLICE1_OPERATOR_DESC, DimensionCount, 2 * P, 4)                   \
    X(DML_SLICE1_OPERATOR_DESC, InputWindowOffsets, 3 * P, P)               \
    X(DML_SLICE1_OPERATOR_DESC, InputWindowSizes, 4 * P, P)                 \
    X(DML_SLICE1_OPERATOR_DESC, InputWindowStrides, 5 * P, P)               \
    X(DML_BINDING_PROPERTIES, RequiredDescriptorCount, 0, 4)                \
    X(DML_BINDING_PROPERTIES, TemporaryResourceSize, P, 8)                  \
    X(DML_BINDING_PROPERTIES, PersistentResourceSize, 8 + P, 8)             \
    X(DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT, DataType, 0, 4)           \
    X(DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT, IsSupported, 0, 4)         \
    X(DML_FEATURE_QUERY_FEATURE_LEVELS, RequestedFeatureLevelCount, 0, 4)   \
    X(DML_FEATURE_QUERY_FEATURE_LEVELS, RequestedFeatureLevels, P, P)       \
    X(DML_FEATURE_DATA_FEATURE_LEVELS, MaxSupportedFeatureLevel, 0, 4)

/* X(name, value) */
#define GOLDEN_DML_CONSTANTS(X)                               \
    X(DML_TENSOR_DIMENSION_COUNT_MAX, 5)                      \
    X(DML_TENSOR_DIMENSION_COUNT_MAX1, 8)                     \
    X(DML_TEMPORARY_BUFFER_ALIGNMENT, 256)                    \
    X(DML_PERSISTENT_BUFFER_ALIGNMENT, 256)                   \
    X(DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT, 16)                \
    X(DML_TENSOR_DATA_TYPE_UNKNOWN, 0)                        \
    X(DML_TENSOR_DATA_TYPE_FLOAT32, 1)                        \
    X(DML_TENSOR_DATA_TYPE_FLOAT16, 2)                        \
    X(DML_TENSOR_DATA_TYPE_UINT32, 3)                         \
    X(DML_TENSOR_DATA_TYPE_UINT16, 4)                         \
    X(DML_TENSOR_DATA_TYPE_UINT8, 5)                          \
    X(DML_TENSOR_DATA_TYPE_INT32, 6)                          \
    X(DML_TENSOR_DATA_TYPE_INT16, 7)                          \
    X(DML_TENSOR_DATA_TYPE_INT8, 8)                           \
    X(DML_TENSOR_DATA_TYPE_FLOAT64, 9)                        \
    X(DML_TENSOR_DATA_TYPE_UINT64, 10)                        \
    X(DML_TENSOR_DATA_TYPE_INT64, 11)                         \
    X(DML_TENSOR_DATA_TYPE_UINT4, 12)                         \
    X(DML_TENSOR_DATA_TYPE_INT4, 13)                          \
    X(DML_TENSOR_TYPE_INVALID, 0)                             \
    X(DML_TENSOR_TYPE_BUFFER, 1)                              \
    X(DML_TENSOR_FLAG_NONE, 0)                                \
    X(DML_TENSOR_FLAG_OWNED_BY_DML, 1)                        \
    X(DML_OPERATOR_INVALID, 0)                                \
    X(DML_OPERATOR_SLICE, 60)                                 \
    X(DML_OPERATOR_SLICE1, 111)                               \
    X(DML_OPERATOR_SLICE_GRAD, 135)                           \
    X(DML_EXECUTION_FLAG_NONE, 0)                             \
    X(DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION, 1) \
    X(DML_EXECUTION_FLAG_DISABLE_META_COMMANDS, 2)            \
    X(DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE, 4)             \
    X(DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT, 0)                \
    X(DML_FEATURE_FEATURE_LEVELS, 1)                          \
    X(DML_FEATURE_LEVEL_1_0, 0x1000)                          \
    X(DML_FEATURE_LEVEL_2_0, 0x2000)                          \
    X(DML_FEATURE_LEVEL_2_1, 0x2100)                          \
    X(DML_FEATURE_LEVEL_3_0, 0x3000)                          \
    X(DML_FEATURE_LEVEL_3_1, 0x3100)                          \
    X(DML_FEATURE_LEVEL_4_0, 0x4000)                          \
    X(DML_FEATURE_LEVEL_4_1, 0x4100)                          \
    X(DML_FEATURE_LEVEL_5_0, 0x5000)                          \
    X(DML_FEATURE_LEVEL_5_1, 0x5100)                          \
    X(DML_FEATURE_LEVEL_5_2, 0x5200)                          \
    X(DML_FEATURE_LEVEL_6_0, 0x6000)                          \
    X(DML_FEATURE_LEVEL_6_1, 0x6100)                          \
    X(DML_FEATURE_LEVEL_6_2, 0x6200)                          \
    X(DML_FEATURE_LEVEL_6_3, 0x6300)                          \
    X(DML_FEATURE_LEVEL_6_4, 0x6400)

#endif
