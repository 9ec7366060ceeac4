/* SPDX-License-Identifier: MIT */
#include "opencl/enumerate.h"

#include "base/text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CL_DEVICE_PCI_BUS_ID_NV
#define CL_DEVICE_PCI_BUS_ID_NV 0x4008
#define CL_DEVICE_PCI_SLOT_ID_NV 0x4009
#endif
#ifndef CL_DEVICE_PCI_DOMAIN_ID_NV
#define CL_DEVICE_PCI_DOMAIN_ID_NV 0x400A
#endif

enum {
    TEXT_QUERY_MAX = 32 << 10 /* bytes: extension lists are long, broken drivers longer */
};

static bool device_value(const struct cl_api *cl, cl_device_id id, cl_device_info what, void *value,
                         size_t size)
{
    return cl->clGetDeviceInfo(id, what, size, value, NULL) == CL_SUCCESS;
}

/* A string as the driver gives it; empty, and not known, where it cannot be had or is absurdly
 * long. */
struct told {
    char text[TEXT_QUERY_MAX + 1];
};

static bool device_text(const struct cl_api *cl, cl_device_id id, cl_device_info what,
                        struct told *told)
{
    size_t size = 0;
    bool known = cl->clGetDeviceInfo(id, what, 0, NULL, &size) == CL_SUCCESS &&
                 size <= TEXT_QUERY_MAX &&
                 cl->clGetDeviceInfo(id, what, size, told->text, NULL) == CL_SUCCESS;
    told->text[known ? size : 0] = '\0';
    return known;
}

static bool platform_text(const struct cl_api *cl, cl_platform_id id, cl_platform_info what,
                          struct told *told)
{
    size_t size = 0;
    bool known = id && cl->clGetPlatformInfo(id, what, 0, NULL, &size) == CL_SUCCESS &&
                 size <= TEXT_QUERY_MAX &&
                 cl->clGetPlatformInfo(id, what, size, told->text, NULL) == CL_SUCCESS;
    told->text[known ? size : 0] = '\0';
    return known;
}

/* Keeps what fits, and all of it in the digest, by which strings that are cut still differ. */
static void keep(struct found_device *device, const struct told *told, char *to, size_t size)
{
    const struct hash_part parts[] = {{device->strings.byte, HASH_BYTES},
                                      {told->text, strlen(told->text) + 1}};
    device->strings = hash_of(parts, 2);
    text_copy(to, size, told->text);
}

/* Whether a space-separated list holds the word. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static void find_uuid(const struct cl_api *cl, struct found_device *device, cl_device_info what,
                      char to[33])
{
    unsigned char uuid[CL_UUID_SIZE_KHR];
    bool known = device_value(cl, device->id, what, uuid, sizeof uuid);
    device->is_identified = device->is_identified && known;
    for (size_t i = 0; known && i < sizeof uuid; ++i)
        snprintf(to + 2 * i, 3, "%02x", uuid[i]);
}

static void find_identity(const struct cl_api *cl, const char *extensions,
                          struct found_device *device)
{
    if (has_word(extensions, "cl_khr_device_uuid")) {
        find_uuid(cl, device, CL_DEVICE_UUID_KHR, device->uuid);
        find_uuid(cl, device, CL_DRIVER_UUID_KHR, device->driver_uuid);
    }
    cl_device_pci_bus_info_khr pci;
    cl_uint domain = 0, bus, slot;
    if (has_word(extensions, "cl_khr_pci_bus_info") &&
        device_value(cl, device->id, CL_DEVICE_PCI_BUS_INFO_KHR, &pci, sizeof pci)) {
        snprintf(device->pci, sizeof device->pci, "%04x:%02x:%02x.%x", pci.pci_domain & 0xFFFF,
                 pci.pci_bus & 0xFF, pci.pci_device & 0xFF, pci.pci_function & 0xF);
    } else if (has_word(extensions, "cl_nv_device_attribute_query") &&
               device_value(cl, device->id, CL_DEVICE_PCI_BUS_ID_NV, &bus, sizeof bus) &&
               device_value(cl, device->id, CL_DEVICE_PCI_SLOT_ID_NV, &slot, sizeof slot)) {
        device_value(cl, device->id, CL_DEVICE_PCI_DOMAIN_ID_NV, &domain, sizeof domain);
        snprintf(device->pci, sizeof device->pci, "%04x:%02x:%02x.%x", domain & 0xFFFF, bus & 0xFF,
                 slot >> 3 & 0x1F, slot & 7);
    }
}

static void find_limits(const struct cl_api *cl, struct found_device *device)
{
    cl_bool flag = CL_FALSE;
    cl_uint lanes = 0;
    cl_device_local_mem_type local = CL_GLOBAL;
    cl_device_svm_capabilities svm = 0;
    cl_device_id id = device->id;
    size_t items[16] = {0}; /* of a group, per dimension; 3 of them are usual */
    device_value(cl, id, CL_DEVICE_TYPE, &device->type, sizeof device->type);
    device_value(cl, id, CL_DEVICE_ADDRESS_BITS, &device->address_bits, sizeof(cl_uint));
    device_value(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS, &device->compute_units, sizeof(cl_uint));
    if (!device_value(cl, id, CL_DEVICE_VENDOR_ID, &device->vendor_id, sizeof(cl_uint)))
        device->is_identified = false;
    device_value(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE, &device->max_work_group_size,
                 sizeof(size_t));
    if (device_value(cl, id, CL_DEVICE_MAX_WORK_ITEM_SIZES, items, sizeof items) && items[0] > 0 &&
        items[0] < device->max_work_group_size)
        device->max_work_group_size = items[0];
    if (device_value(cl, id, CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, &lanes, sizeof lanes))
        device->scalar = lanes == 1;
    device_value(cl, id, CL_DEVICE_MAX_PARAMETER_SIZE, &device->parameter_bytes, sizeof(size_t));
    device_value(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &device->max_alloc_bytes, sizeof(cl_ulong));
    device_value(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE, &device->global_bytes, sizeof(cl_ulong));
    if (device_value(cl, id, CL_DEVICE_HOST_UNIFIED_MEMORY, &flag, sizeof flag))
        device->unified_memory = flag != CL_FALSE;
    if (device_value(cl, id, CL_DEVICE_ENDIAN_LITTLE, &flag, sizeof flag))
        device->little_endian = flag != CL_FALSE;
    if (device_value(cl, id, CL_DEVICE_LOCAL_MEM_TYPE, &local, sizeof local) && local == CL_LOCAL)
        device_value(cl, id, CL_DEVICE_LOCAL_MEM_SIZE, &device->local_bytes, sizeof(cl_ulong));
    if (device_value(cl, id, CL_DEVICE_SVM_CAPABILITIES, &svm, sizeof svm)) {
        device->svm = svm != 0;
        device->system_svm = (svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0;
    }
}

/* "OpenCL 1.2 ..." and up. */
static bool version_at_least_1_2(const char *version)
{
    int major, minor;
    return sscanf(version, "OpenCL %d.%d", &major, &minor) == 2 &&
           (major > 1 || (major == 1 && minor >= 2));
}

static bool host_is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

static void judge(const struct cl_api *cl, const char *extensions, const char *profile,
                  struct found_device *device)
{
    cl_bool available = CL_FALSE, compiler = CL_FALSE;
    struct text why = text_in(device->unusable, sizeof device->unusable);
    device_value(cl, device->id, CL_DEVICE_AVAILABLE, &available, sizeof available);
    device_value(cl, device->id, CL_DEVICE_COMPILER_AVAILABLE, &compiler, sizeof compiler);
    if (!available)
        text_append(&why, "CL_DEVICE_AVAILABLE is false");
    else if (!compiler)
        text_append(&why, "it has no OpenCL C compiler (CL_DEVICE_COMPILER_AVAILABLE is false)");
    else if (!version_at_least_1_2(device->version))
        text_append(&why, "CL_DEVICE_VERSION is \"%.64s\", clslice needs OpenCL 1.2",
                    device->version);
    else if (strcmp(profile, "FULL_PROFILE") != 0 && !has_word(extensions, "cles_khr_int64"))
        text_append(&why, "profile %.64s without cles_khr_int64 has no 64-bit integers", profile);
    else if (device->little_endian != host_is_little_endian())
        text_append(&why, "its byte order is not the host's");
    else if (!(device->type &
               (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR)))
        text_append(&why, "it is neither a GPU nor a CPU nor an accelerator");
    else if (device->max_work_group_size == 0 || device->max_alloc_bytes < ENUMERATE_ALLOC_BYTES)
        text_append(&why, "it reports no work-group size or no memory");
    else if (device->parameter_bytes < ENUMERATE_KERNEL_BYTES)
        text_append(&why, "CL_DEVICE_MAX_PARAMETER_SIZE is %zu, clslice's kernels need %zu",
                    device->parameter_bytes, (size_t)ENUMERATE_KERNEL_BYTES);
    text_escape(&why); /* which may quote what the driver said */
}

void enumerate_describe(const struct cl_api *cl, cl_device_id id, struct found_device *device)
{
    memset(device, 0, sizeof *device);
    device->id = id;
    device->is_identified = true;
    device_value(cl, id, CL_DEVICE_PLATFORM, &device->platform, sizeof device->platform);
    const struct {
        cl_uint what;
        bool of_platform;
        char *to;
        size_t size;
    } strings[] = {
        {CL_PLATFORM_NAME, true, device->platform_name, sizeof device->platform_name},
        {CL_PLATFORM_VENDOR, true, device->platform_vendor, sizeof device->platform_vendor},
        {CL_PLATFORM_VERSION, true, device->platform_version, sizeof device->platform_version},
        {CL_DEVICE_NAME, false, device->name, sizeof device->name},
        {CL_DEVICE_VENDOR, false, device->vendor, sizeof device->vendor},
        {CL_DEVICE_VERSION, false, device->version, sizeof device->version},
        {CL_DRIVER_VERSION, false, device->driver, sizeof device->driver},
    };
    struct told told, profile;
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; ++i) {
        bool known = strings[i].of_platform
                         ? platform_text(cl, device->platform, strings[i].what, &told)
                         : device_text(cl, id, strings[i].what, &told);
        device->is_identified = device->is_identified && known;
        keep(device, &told, strings[i].to, strings[i].size);
    }
    find_limits(cl, device);
    /* No question is answered with it, and trying would wait for ever where it is so. */
    device->copies_block = strcmp(device->platform_vendor, "NVIDIA Corporation") == 0;
    /* After 65,500 iterations or so. */
    device->loops_end_early = strcmp(device->platform_name, "rusticl") == 0;
    bool listed = device_text(cl, id, CL_DEVICE_EXTENSIONS, &told);
    device->is_identified = device->is_identified && listed && device->address_bits != 0;
    device_text(cl, id, CL_DEVICE_PROFILE, &profile);
    find_identity(cl, told.text, device);
    if (device->compute_units == 0)
        device->compute_units = 1;
    judge(cl, told.text, profile.text, device);
}

static int compare(const void *a, const void *b)
{
    const struct found_device *x = a, *y = b;
    int order = strcmp(x->platform_name, y->platform_name);
    if (order == 0)
        order = strcmp(x->pci, y->pci);
    if (order == 0)
        order = strcmp(x->uuid, y->uuid);
    if (order == 0)
        order = (x->driver_order > y->driver_order) - (x->driver_order < y->driver_order);
    return order;
}

/* Notes that a platform has no device. */
static void note_deviceless(const struct cl_api *cl, cl_platform_id platform,
                            struct found_devices *found)
{
    struct told told;
    struct text names = {found->deviceless, sizeof found->deviceless, strlen(found->deviceless)};
    platform_text(cl, platform, CL_PLATFORM_NAME, &told);
    text_append(&names, "%s%s", names.length ? ", " : "", told.text);
}

/* Appends a platform's devices; false where memory ran out. */
static bool add_platform(const struct cl_api *cl, cl_platform_id platform,
                         struct found_devices *found)
{
    cl_uint count = 0;
    if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) != CL_SUCCESS ||
        count == 0) {
        note_deviceless(cl, platform, found);
        return true;
    }
    cl_device_id *ids = calloc(count, sizeof(cl_device_id));
    struct found_device *grown =
        ids ? realloc(found->device, (found->count + count) * sizeof *grown) : NULL;
    if (grown) {
        found->device = grown;
        cl_uint now = 0; /* devices may come and go between the calls */
        if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, &now) == CL_SUCCESS)
            for (cl_uint i = 0; i < count && i < now; ++i) {
                struct found_device *device = &found->device[found->count];
                enumerate_describe(cl, ids[i], device);
                device->platform = platform;
                device->driver_order = found->count++;
            }
    }
    free(ids);
    return grown != NULL;
}

static int32_t find(const struct cl_api *cl, struct found_devices *found, clslice_error *error)
{
    memset(found, 0, sizeof *found);
    cl_uint count = 0;
    cl_int code = cl->clGetPlatformIDs(0, NULL, &count);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0))
        return CLSLICE_S_OK;
    if (code != CL_SUCCESS)
        return cl_fail(error, "clGetPlatformIDs", code, NULL);
    cl_platform_id *platforms = calloc(count, sizeof(cl_platform_id));
    bool enough = platforms != NULL;
    if (enough) {
        code = cl->clGetPlatformIDs(count, platforms, NULL);
        found->platform_count = code == CL_SUCCESS ? count : 0;
    }
    for (cl_uint i = 0; enough && i < found->platform_count; ++i)
        enough = add_platform(cl, platforms[i], found);
    free(platforms);
    if (enough && code == CL_SUCCESS) {
        if (found->count > 1)
            qsort(found->device, found->count, sizeof *found->device, compare);
        return CLSLICE_S_OK;
    }
    enumerate_release(found);
    if (enough)
        return cl_fail(error, "clGetPlatformIDs", code, NULL);
    return status_out_of_memory(error, "a list of OpenCL devices");
}

/* One at a time: loaders and drivers start when they are first asked for their devices, and not all
 * bear it that two threads ask first. */
int32_t enumerate_devices(const struct cl_api *cl, struct found_devices *found,
                          clslice_error *error)
{
    static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&asking);
    int32_t status = find(cl, found, error);
    pthread_mutex_unlock(&asking);
    return status;
}

void enumerate_release(struct found_devices *found)
{
    free(found->device);
    memset(found, 0, sizeof *found);
}
