/* SPDX-License-Identifier: MIT */
/* Types of pointers to OpenCL's functions. Khronos' headers name them in two ways: since December
 * 2023 by what this file looks for, before that by a prefix. */
#ifndef CLSLICE_CONFORMANCE_CL_POINTER_H
#define CLSLICE_CONFORMANCE_CL_POINTER_H

#if __has_include(<CL/cl_function_types.h>)
#include <CL/cl_function_types.h>
#define CL_POINTER(name) name##_t *
#else
#include <CL/cl_icd.h>
#define CL_POINTER(name) cl_api_##name
#endif

#endif
