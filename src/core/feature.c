/* SPDX-License-Identifier: MIT */
#include "core/feature.h"

#include <stddef.h>

static int32_t feature_fail(clslice_error *error, int32_t status, uint64_t value, const char *text)
{
    return status_fail(error, status, WHERE(.rule = CLSLICE_RULE_FEATURE, .value = {value}), "%s",
                       text);
}

static int32_t check_levels(const DML_FEATURE_QUERY_FEATURE_LEVELS *query,
                            DML_FEATURE_DATA_FEATURE_LEVELS *support, clslice_error *error)
{
    if (query->RequestedFeatureLevelCount == 0 || !query->RequestedFeatureLevels)
        return feature_fail(error, CLSLICE_E_INVALIDARG, query->RequestedFeatureLevelCount,
                            "RequestedFeatureLevels is empty: ask for at least one level");
    static const uint32_t levels[] = {
        DML_FEATURE_LEVEL_1_0, DML_FEATURE_LEVEL_2_0, DML_FEATURE_LEVEL_2_1, DML_FEATURE_LEVEL_3_0,
        DML_FEATURE_LEVEL_3_1, DML_FEATURE_LEVEL_4_0, DML_FEATURE_LEVEL_4_1};
    uint32_t best = 0;
    for (uint32_t i = 0; i < query->RequestedFeatureLevelCount; ++i)
        for (size_t k = 0; k < sizeof levels / sizeof levels[0]; ++k)
            if ((uint32_t)query->RequestedFeatureLevels[i] == levels[k] && levels[k] > best)
                best = levels[k];
    if (best == 0)
        return feature_fail(error, CLSLICE_DXGI_ERROR_UNSUPPORTED, 0,
                            "none of RequestedFeatureLevels is supported: clslice supports levels "
                            "up to 4.1 (0x4100)");
    support->MaxSupportedFeatureLevel = (DML_FEATURE_LEVEL)best;
    return CLSLICE_S_OK;
}

int32_t feature_check(uint32_t feature, uint32_t query_size, const void *query,
                      uint32_t support_size, void *support, clslice_error *error)
{
    switch (feature) {
    case DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT: {
        const DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT *asked = query;
        DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT *answer = support;
        if (query_size != sizeof *asked || support_size != sizeof *answer)
            break;
        answer->IsSupported = tensor_element_size((uint32_t)asked->DataType) != 0;
        return CLSLICE_S_OK;
    }
    case DML_FEATURE_FEATURE_LEVELS:
        if (query_size != sizeof(DML_FEATURE_QUERY_FEATURE_LEVELS) ||
            support_size != sizeof(DML_FEATURE_DATA_FEATURE_LEVELS))
            break;
        return check_levels(query, support, error);
    default:
        return feature_fail(error, CLSLICE_DXGI_ERROR_UNSUPPORTED, feature,
                            "feature is not a DML_FEATURE that clslice supports");
    }
    return feature_fail(
        error, CLSLICE_E_INVALIDARG, feature,
        "query_size and support_size must be the sizes of the feature's structures");
}
