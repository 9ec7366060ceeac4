/* SPDX-License-Identifier: MIT */
#ifdef REAL_DIRECTML
#include <winadapter.h>

#include <DirectML.h>
#endif

#include "golden_asserts.h"

#include <type_traits>

template <class Field, class Type> constexpr bool is = std::is_same<Field, const Type *>::value;

static_assert(is<decltype(DML_SLICE1_OPERATOR_DESC::InputWindowStrides), int32_t>, "signed");
static_assert(is<decltype(DML_SLICE1_OPERATOR_DESC::InputWindowSizes), uint32_t>, "unsigned");
static_assert(is<decltype(DML_SLICE1_OPERATOR_DESC::InputWindowOffsets), uint32_t>, "unsigned");
static_assert(is<decltype(DML_BUFFER_TENSOR_DESC::Strides), uint32_t>, "unsigned");
static_assert(is<decltype(DML_OPERATOR_DESC::Desc), void>, "untyped");

/* A host's descriptor is clslice's without a cast. */
static_assert(std::is_same<decltype(clslice_api::operator_create),
                           int32_t (*)(clslice_device *, const DML_OPERATOR_DESC *,
                                       clslice_operator **, clslice_error *)>::value,
              "one DML_OPERATOR_DESC");
