/* SPDX-License-Identifier: MIT */
/* The environment as a structure, read in one place. */
#ifndef CLSLICE_BASE_ENVIRONMENT_H
#define CLSLICE_BASE_ENVIRONMENT_H

#include <stdbool.h>
#include <stdio.h>

/* Strings are borrowed from the environment: valid until the process changes it, so they are used
 * up during the call that read them. NULL where unset, CLSLICE_ ones also where empty. */
struct environment {
    const char *device;        /* CLSLICE_DEVICE */
    const char *opencl;        /* CLSLICE_OPENCL */
    const char *build_options; /* CLSLICE_BUILD_OPTIONS */
    const char *cache;         /* CLSLICE_CACHE */
    const char *cache_max;     /* CLSLICE_CACHE_MAX */
    const char *xdg_cache;     /* XDG_CACHE_HOME */
    const char *home;          /* HOME */
    bool is_setuid;            /* the process has rights that its user has not */
    bool verbose_device;       /* CLSLICE_VERBOSE holds 1 or device */
    bool verbose_cache;        /* CLSLICE_VERBOSE holds 1 or cache */
    /* What hides devices from every OpenCL program, for the errors that say so. */
    const char *icd_vendors;  /* OCL_ICD_VENDORS */
    const char *pocl_devices; /* POCL_DEVICES */
    const char *pocl_cache;   /* POCL_CACHE_DIR */
    const char *cuda_devices; /* CUDA_VISIBLE_DEVICES */
    const char *rocr_devices; /* ROCR_VISIBLE_DEVICES */
};

/* All NULL where the environment is not to be read. */
struct environment environment_read(bool ignore_environment);

/* Writes NAME=VALUE lines of the variables by which drivers change the code they generate,
 * ordered: the same variables give the same text in whatever order the environment has them. */
void environment_write_codegen(FILE *lines);

#endif
