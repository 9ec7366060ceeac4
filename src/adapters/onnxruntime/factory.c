/* SPDX-License-Identifier: MIT */
/* What ONNX Runtime loads: one factory, which offers devices and makes a provider for each
 * session. */
#include "ep.h"
#include "provider.h"

#include <stdio.h>
#include <stdlib.h>

struct factory {
    OrtEpFactory base; /* first: the host knows only this */
    struct host host;
    struct devices devices;
};

static const char *ORT_API_CALL get_name(const OrtEpFactory *base) NO_EXCEPTION
{
    (void)base;
    return PROVIDER_NAME;
}

static const char *ORT_API_CALL get_vendor(const OrtEpFactory *base) NO_EXCEPTION
{
    (void)base;
    return "clslice";
}

static const char *ORT_API_CALL get_version(const OrtEpFactory *base) NO_EXCEPTION
{
    (void)base;
    return CLSLICE_VERSION_TEXT;
}

static uint32_t ORT_API_CALL get_vendor_id(const OrtEpFactory *base) NO_EXCEPTION
{
    (void)base;
    return 0; /* PCI has no such vendor */
}

/* ---- Devices and sessions ---- */

static OrtStatus *ORT_API_CALL get_devices(OrtEpFactory *base,
                                           const OrtHardwareDevice *const *hardware, size_t count,
                                           OrtEpDevice **offered, size_t most,
                                           size_t *offered_count) NO_EXCEPTION
{
    struct factory *factory = (struct factory *)base;
    *offered_count = 0;
    /* The host lists a CPU on every machine, and GPUs only where it may look into /sys. */
    for (size_t i = 0; i < count; ++i)
        if (factory->host.api->HardwareDevice_Type(hardware[i]) == OrtHardwareDeviceType_CPU)
            return devices_offer(&factory->devices, base, hardware[i], offered, most,
                                 offered_count);
    return NULL;
}

static OrtStatus *ORT_API_CALL create_provider(OrtEpFactory *base,
                                               const OrtHardwareDevice *const *hardware,
                                               const OrtKeyValuePairs *const *metadata,
                                               size_t count, const OrtSessionOptions *session,
                                               const OrtLogger *logger, OrtEp **made) NO_EXCEPTION
{
    struct factory *factory = (struct factory *)base;
    const struct host *host = &factory->host;
    struct options options;
    char *const selector = options.device.selector;
    (void)hardware, (void)logger;
    OrtStatus *status = options_read(host, session, &options);
    if (status)
        return status;
    /* Of several devices, the first: a slice is not spread over them. */
    const char *offered = count > 0 ? host->api->GetKeyValue(metadata[0], SELECTOR_KEY) : NULL;
    if (!selector[0] && offered)
        snprintf(selector, sizeof options.device.selector, "%s", offered);
    if (!selector[0])
        return host_error(host, ORT_INVALID_ARGUMENT,
                          PROVIDER_NAME ": no device is named; set the option 'device'");
    return ep_create(&factory->devices, &options, made);
}

/* ---- What the host may ask of any factory: its own memory is enough, and a run returns when it is
 * done ---- */

static OrtStatus *ORT_API_CALL validate_model(OrtEpFactory *base,
                                              const OrtHardwareDevice *const *hardware,
                                              size_t count, const char *info,
                                              OrtCompiledModelCompatibility *answer) NO_EXCEPTION
{
    (void)base, (void)hardware, (void)count, (void)info;
    *answer = OrtCompiledModelCompatibility_EP_NOT_APPLICABLE;
    return NULL;
}

static OrtStatus *ORT_API_CALL create_allocator(OrtEpFactory *base, const OrtMemoryInfo *memory,
                                                const OrtKeyValuePairs *options,
                                                OrtAllocator **allocator) NO_EXCEPTION
{
    (void)base, (void)memory, (void)options;
    *allocator = NULL;
    return NULL;
}

static void ORT_API_CALL release_allocator(OrtEpFactory *base, OrtAllocator *allocator) NO_EXCEPTION
{
    (void)base, (void)allocator;
}

static OrtStatus *ORT_API_CALL create_transfer(OrtEpFactory *base,
                                               OrtDataTransferImpl **transfer) NO_EXCEPTION
{
    (void)base;
    *transfer = NULL;
    return NULL;
}

static bool ORT_API_CALL is_stream_aware(const OrtEpFactory *base) NO_EXCEPTION
{
    (void)base;
    return false;
}

static OrtStatus *ORT_API_CALL create_stream(OrtEpFactory *base, const OrtMemoryDevice *memory,
                                             const OrtKeyValuePairs *options,
                                             OrtSyncStreamImpl **stream) NO_EXCEPTION
{
    (void)base, (void)memory, (void)options;
    *stream = NULL;
    return NULL;
}

/* ---- Exported ---- */

static const OrtEpFactory functions = {
    .ort_version_supported = HOST_API_VERSION,
    .GetName = get_name,
    .GetVendor = get_vendor,
    .GetSupportedDevices = get_devices,
    .CreateEp = create_provider,
    .ReleaseEp = ep_release,
    .GetVendorId = get_vendor_id,
    .GetVersion = get_version,
    .ValidateCompiledModelCompatibilityInfo = validate_model,
    .CreateAllocator = create_allocator,
    .ReleaseAllocator = release_allocator,
    .CreateDataTransfer = create_transfer,
    .IsStreamAware = is_stream_aware,
    .CreateSyncStreamForDevice = create_stream,
};

__attribute__((visibility("default"))) OrtStatus *
CreateEpFactories(const char *name, const OrtApiBase *base, const OrtLogger *logger,
                  OrtEpFactory **factories, size_t most, size_t *count);
__attribute__((visibility("default"))) OrtStatus *ReleaseEpFactory(OrtEpFactory *base);

OrtStatus *CreateEpFactories(const char *name, const OrtApiBase *base, const OrtLogger *logger,
                             OrtEpFactory **factories, size_t most, size_t *count)
{
    struct host host;
    (void)name;
    *count = 0;
    OrtStatus *status = host_open(&host, base, logger);
    if (status || !host.api || most == 0)
        return status;
    struct factory *factory = malloc(sizeof *factory);
    if (!factory)
        return host_error(&host, ORT_FAIL, "out of memory for a factory");
    *factory = (struct factory){functions, host, {&factory->host, PTHREAD_MUTEX_INITIALIZER, NULL}};
    factories[0] = &factory->base;
    *count = 1;
    return NULL;
}

OrtStatus *ReleaseEpFactory(OrtEpFactory *base)
{
    struct factory *factory = (struct factory *)base;
    devices_release(&factory->devices);
    free(factory);
    return NULL;
}
