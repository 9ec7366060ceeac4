/* SPDX-License-Identifier: MIT */
/*
 * The part of DirectML's C API that clslice uses: the same names, values and 64-bit layouts as in
 * Microsoft's DirectML.h (feature level 6.4), in plain C99 and C++11.
 *
 * DirectML.h itself is C++ and needs Direct3D 12. Where a C++ host uses it as well, include it
 * *before* this header: this header then declares nothing and only asserts that both agree.
 * The other order is a redefinition and does not compile.
 *
 * No structure here carries a size: DirectML is extended by new operator numbers, and so is
 * clslice. DirectML's UINT is uint32_t here, INT is int32_t, UINT64 is uint64_t, BOOL is int32_t.
 */
#ifndef CLSLICE_DIRECTML_H
#define CLSLICE_DIRECTML_H

#ifndef CLSLICE_PLAIN /* see clslice.h */
#include <stddef.h>
#include <stdint.h>
#endif

/* DirectML.h defines its include guard even if the API family leaves the header empty; only
 * DML_TARGET_VERSION shows that it declared anything. */
#if defined(DIRECTML_H) && defined(DML_TARGET_VERSION)
#if DML_TARGET_VERSION < 0x2100
#error "DirectML.h was included with DML_TARGET_VERSION below 0x2100, which has no SLICE1: raise it"
#endif
#else

/* The maximum number of dimensions before feature level 3.0, and since. */
enum { DML_TENSOR_DIMENSION_COUNT_MAX = 5, DML_TENSOR_DIMENSION_COUNT_MAX1 = 8 };

/* In bytes. clslice requires them of bindings only with CLSLICE_DEVICE_FLAG_STRICT_DIRECTML. */
enum {
    DML_TEMPORARY_BUFFER_ALIGNMENT = 256,
    DML_PERSISTENT_BUFFER_ALIGNMENT = 256,
    DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT = 16
};

/* Element types. SLICE1 takes 1 to 11; UINT4 and INT4 exist to be refused by name. A boolean tensor
 * is passed as UINT8. */
typedef enum DML_TENSOR_DATA_TYPE {
    DML_TENSOR_DATA_TYPE_UNKNOWN = 0,
    DML_TENSOR_DATA_TYPE_FLOAT32 = 1,
    DML_TENSOR_DATA_TYPE_FLOAT16 = 2,
    DML_TENSOR_DATA_TYPE_UINT32 = 3,
    DML_TENSOR_DATA_TYPE_UINT16 = 4,
    DML_TENSOR_DATA_TYPE_UINT8 = 5,
    DML_TENSOR_DATA_TYPE_INT32 = 6,
    DML_TENSOR_DATA_TYPE_INT16 = 7,
    DML_TENSOR_DATA_TYPE_INT8 = 8,
    DML_TENSOR_DATA_TYPE_FLOAT64 = 9,
    DML_TENSOR_DATA_TYPE_UINT64 = 10,
    DML_TENSOR_DATA_TYPE_INT64 = 11,
    DML_TENSOR_DATA_TYPE_UINT4 = 12,
    DML_TENSOR_DATA_TYPE_INT4 = 13
} DML_TENSOR_DATA_TYPE;

typedef enum DML_TENSOR_TYPE {
    DML_TENSOR_TYPE_INVALID = 0,
    DML_TENSOR_TYPE_BUFFER = 1
} DML_TENSOR_TYPE;

typedef enum DML_TENSOR_FLAGS {
    DML_TENSOR_FLAG_NONE = 0x0,
    DML_TENSOR_FLAG_OWNED_BY_DML = 0x1
} DML_TENSOR_FLAGS;

typedef enum DML_OPERATOR_TYPE {
    DML_OPERATOR_INVALID = 0,
    DML_OPERATOR_SLICE = 60,
    DML_OPERATOR_SLICE1 = 111,
    DML_OPERATOR_SLICE_GRAD = 135
} DML_OPERATOR_TYPE;

typedef enum DML_EXECUTION_FLAGS {
    DML_EXECUTION_FLAG_NONE = 0,
    DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION = 0x1,
    DML_EXECUTION_FLAG_DISABLE_META_COMMANDS = 0x2,
    DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE = 0x4
} DML_EXECUTION_FLAGS;

typedef enum DML_FEATURE {
    DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT = 0,
    DML_FEATURE_FEATURE_LEVELS = 1
} DML_FEATURE;

typedef enum DML_FEATURE_LEVEL {
    DML_FEATURE_LEVEL_1_0 = 0x1000,
    DML_FEATURE_LEVEL_2_0 = 0x2000,
    DML_FEATURE_LEVEL_2_1 = 0x2100,
    DML_FEATURE_LEVEL_3_0 = 0x3000,
    DML_FEATURE_LEVEL_3_1 = 0x3100,
    DML_FEATURE_LEVEL_4_0 = 0x4000,
    DML_FEATURE_LEVEL_4_1 = 0x4100,
    DML_FEATURE_LEVEL_5_0 = 0x5000,
    DML_FEATURE_LEVEL_5_1 = 0x5100,
    DML_FEATURE_LEVEL_5_2 = 0x5200,
    DML_FEATURE_LEVEL_6_0 = 0x6000,
    DML_FEATURE_LEVEL_6_1 = 0x6100,
    DML_FEATURE_LEVEL_6_2 = 0x6200,
    DML_FEATURE_LEVEL_6_3 = 0x6300,
    DML_FEATURE_LEVEL_6_4 = 0x6400
} DML_FEATURE_LEVEL;

/*
 * A tensor in a linear buffer. The element at coordinate c lies dot(c, Strides) elements from the
 * start of the bound range.
 */
typedef struct DML_BUFFER_TENSOR_DESC {
    DML_TENSOR_DATA_TYPE DataType;
    DML_TENSOR_FLAGS Flags;
    uint32_t DimensionCount; /* 1 to 8 */
    const uint32_t *Sizes;   /* elements, DimensionCount of them, none 0 */
    const uint32_t *Strides; /* elements, or NULL: packed, last dimension innermost; 0 broadcasts */
    uint64_t TotalTensorSizeInBytes; /* at least (last element + 1) * its size, rounded up to 4 */
    uint32_t GuaranteedBaseOffsetAlignment; /* bytes, a power of two, or 0: no promise */
} DML_BUFFER_TENSOR_DESC;

typedef struct DML_TENSOR_DESC {
    DML_TENSOR_TYPE Type;
    const void *Desc; /* DML_BUFFER_TENSOR_DESC where Type is BUFFER */
} DML_TENSOR_DESC;

typedef struct DML_OPERATOR_DESC {
    DML_OPERATOR_TYPE Type;
    const void *Desc; /* DML_SLICE1_OPERATOR_DESC where Type is SLICE1, and so on */
} DML_OPERATOR_DESC;

/*
 * Per dimension: start = Offset + (Stride < 0 ? Size - 1 : 0); Out[o] = In[start + Stride * o].
 * The window [Offset, Offset + Size) lies inside the input; the output has at most
 * 1 + (Size - 1) / |Stride| elements, and may have fewer. A stride is any non-zero INT.
 */
typedef struct DML_SLICE1_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t DimensionCount;
    const uint32_t *InputWindowOffsets;
    const uint32_t *InputWindowSizes;
    const int32_t *InputWindowStrides;
} DML_SLICE1_OPERATOR_DESC;

/*
 * Per dimension: Out[o] = In[Offset + Stride * o]. Sizes are those of the output; every element
 * that is taken lies inside the input, and a stride is not 0.
 */
typedef struct DML_SLICE_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t DimensionCount;
    const uint32_t *Offsets;
    const uint32_t *Sizes;
    const uint32_t *Strides;
} DML_SLICE_OPERATOR_DESC;

/*
 * The gradient of SLICE1: OutputGradient is 0, except for OutputGradient[start + Stride * i] =
 * InputGradient[i] with SLICE1's start. The window lies inside OutputGradient; InputGradient may
 * have fewer elements than the window yields.
 */
typedef struct DML_SLICE_GRAD_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputGradientTensor;
    const DML_TENSOR_DESC *OutputGradientTensor;
    uint32_t DimensionCount;
    const uint32_t *InputWindowOffsets;
    const uint32_t *InputWindowSizes;
    const int32_t *InputWindowStrides;
} DML_SLICE_GRAD_OPERATOR_DESC;

typedef struct DML_BINDING_PROPERTIES {
    uint32_t RequiredDescriptorCount;
    uint64_t TemporaryResourceSize;
    uint64_t PersistentResourceSize;
} DML_BINDING_PROPERTIES;

typedef struct DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT {
    DML_TENSOR_DATA_TYPE DataType;
} DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT;

typedef struct DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT {
    int32_t IsSupported;
} DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT;

typedef struct DML_FEATURE_QUERY_FEATURE_LEVELS {
    uint32_t RequestedFeatureLevelCount;
    const DML_FEATURE_LEVEL *RequestedFeatureLevels;
} DML_FEATURE_QUERY_FEATURE_LEVELS;

typedef struct DML_FEATURE_DATA_FEATURE_LEVELS {
    DML_FEATURE_LEVEL MaxSupportedFeatureLevel;
} DML_FEATURE_DATA_FEATURE_LEVELS;

#endif /* the real DirectML.h */

#if !defined(CLSLICE_PLAIN) && \
    (defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L))
/* The layouts are part of the contract, even if the real header declared the types. */
#ifdef __cplusplus
#define CLSLICE_DML_ASSERT(condition) static_assert(condition, #condition)
#else
#define CLSLICE_DML_ASSERT(condition) _Static_assert(condition, #condition)
#endif
#define CLSLICE_DML_AT(type, field, offset) CLSLICE_DML_ASSERT(offsetof(type, field) == (offset))

CLSLICE_DML_ASSERT(sizeof(DML_TENSOR_DATA_TYPE) == 4); /* -fshort-enums breaks the layout */
CLSLICE_DML_ASSERT(sizeof(DML_TENSOR_FLAGS) == 4);
CLSLICE_DML_ASSERT(sizeof(DML_OPERATOR_TYPE) == 4);
CLSLICE_DML_ASSERT(sizeof(DML_FEATURE_LEVEL) == 4);
CLSLICE_DML_ASSERT(DML_OPERATOR_SLICE1 == 111 && DML_TENSOR_DATA_TYPE_INT64 == 11);
#if UINTPTR_MAX == UINT64_MAX
CLSLICE_DML_ASSERT(sizeof(DML_BUFFER_TENSOR_DESC) == 48);
CLSLICE_DML_AT(DML_BUFFER_TENSOR_DESC, DataType, 0);
CLSLICE_DML_AT(DML_BUFFER_TENSOR_DESC, Flags, 4);
CLSLICE_DML_AT(DML_BUFFER_TENSOR_DESC, DimensionCount, 8);
CLSLICE_DML_AT(DML_BUFFER_TENSOR_DESC, Sizes, 16);
CLSLICE_DML_AT(DML_BUFFER_TENSOR_DESC, Strides, 24);
CLSLICE_DML_AT(DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes, 32);
CLSLICE_DML_AT(DML_BUFFER_TENSOR_DESC, GuaranteedBaseOffsetAlignment, 40);
CLSLICE_DML_ASSERT(sizeof(DML_TENSOR_DESC) == 16);
CLSLICE_DML_AT(DML_TENSOR_DESC, Type, 0);
CLSLICE_DML_AT(DML_TENSOR_DESC, Desc, 8);
CLSLICE_DML_ASSERT(sizeof(DML_OPERATOR_DESC) == 16);
CLSLICE_DML_AT(DML_OPERATOR_DESC, Type, 0);
CLSLICE_DML_AT(DML_OPERATOR_DESC, Desc, 8);
CLSLICE_DML_ASSERT(sizeof(DML_SLICE_OPERATOR_DESC) == 48);
CLSLICE_DML_AT(DML_SLICE_OPERATOR_DESC, InputTensor, 0);
CLSLICE_DML_AT(DML_SLICE_OPERATOR_DESC, OutputTensor, 8);
CLSLICE_DML_AT(DML_SLICE_OPERATOR_DESC, DimensionCount, 16);
CLSLICE_DML_AT(DML_SLICE_OPERATOR_DESC, Offsets, 24);
CLSLICE_DML_AT(DML_SLICE_OPERATOR_DESC, Sizes, 32);
CLSLICE_DML_AT(DML_SLICE_OPERATOR_DESC, Strides, 40);
CLSLICE_DML_ASSERT(sizeof(DML_SLICE_GRAD_OPERATOR_DESC) == 48);
CLSLICE_DML_AT(DML_SLICE_GRAD_OPERATOR_DESC, InputGradientTensor, 0);
CLSLICE_DML_AT(DML_SLICE_GRAD_OPERATOR_DESC, OutputGradientTensor, 8);
CLSLICE_DML_AT(DML_SLICE_GRAD_OPERATOR_DESC, DimensionCount, 16);
CLSLICE_DML_AT(DML_SLICE_GRAD_OPERATOR_DESC, InputWindowOffsets, 24);
CLSLICE_DML_AT(DML_SLICE_GRAD_OPERATOR_DESC, InputWindowSizes, 32);
CLSLICE_DML_AT(DML_SLICE_GRAD_OPERATOR_DESC, InputWindowStrides, 40);
CLSLICE_DML_ASSERT(sizeof(DML_SLICE1_OPERATOR_DESC) == 48);
CLSLICE_DML_AT(DML_SLICE1_OPERATOR_DESC, InputTensor, 0);
CLSLICE_DML_AT(DML_SLICE1_OPERATOR_DESC, OutputTensor, 8);
CLSLICE_DML_AT(DML_SLICE1_OPERATOR_DESC, DimensionCount, 16);
CLSLICE_DML_AT(DML_SLICE1_OPERATOR_DESC, InputWindowOffsets, 24);
CLSLICE_DML_AT(DML_SLICE1_OPERATOR_DESC, InputWindowSizes, 32);
CLSLICE_DML_AT(DML_SLICE1_OPERATOR_DESC, InputWindowStrides, 40);
CLSLICE_DML_ASSERT(sizeof(DML_BINDING_PROPERTIES) == 24);
CLSLICE_DML_AT(DML_BINDING_PROPERTIES, RequiredDescriptorCount, 0);
CLSLICE_DML_AT(DML_BINDING_PROPERTIES, TemporaryResourceSize, 8);
CLSLICE_DML_AT(DML_BINDING_PROPERTIES, PersistentResourceSize, 16);
CLSLICE_DML_ASSERT(sizeof(DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT) == 4);
CLSLICE_DML_ASSERT(sizeof(DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT) == 4);
CLSLICE_DML_ASSERT(sizeof(DML_FEATURE_QUERY_FEATURE_LEVELS) == 16);
CLSLICE_DML_AT(DML_FEATURE_QUERY_FEATURE_LEVELS, RequestedFeatureLevelCount, 0);
CLSLICE_DML_AT(DML_FEATURE_QUERY_FEATURE_LEVELS, RequestedFeatureLevels, 8);
CLSLICE_DML_ASSERT(sizeof(DML_FEATURE_DATA_FEATURE_LEVELS) == 4);
#endif
#undef CLSLICE_DML_AT
#undef CLSLICE_DML_ASSERT
#endif /* assertions */

#endif /* CLSLICE_DIRECTML_H */
