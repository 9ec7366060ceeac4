/* SPDX-License-Identifier: MIT */
#include "opencl/selector.h"

#include "base/ascii.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A part of the selector: not terminated. */
struct span {
    const char *at;
    size_t length;
};

enum {
    NO_NUMBER = -1,
    SHOWN_MOST = 256, /* bytes of a selector in an error: the rest of the text must fit */
    LIST_MAX = 16384  /* bytes of a list of devices in an error: some 50 of them */
};

/* One entry of the list, read. Empty spans match everything. */
struct entry {
    bool is_none, is_auto; /* these words; then nothing else counts */
    struct span uuid, pci, word, platform, device;
    long platform_number; /* '#'N, or NO_NUMBER */
    long device_number;
    unsigned types; /* TYPE_* that will do, 0: any */
};

enum { TYPE_GPU = 1, TYPE_CPU = 2, TYPE_ACC = 4, TYPE_DGPU = 8, TYPE_IGPU = 16, TYPE_ANY = 32 };

static const struct {
    const char *word;
    unsigned type;
} type_words[] = {{"gpu", TYPE_GPU},   {"cpu", TYPE_CPU},   {"acc", TYPE_ACC},
                  {"dgpu", TYPE_DGPU}, {"igpu", TYPE_IGPU}, {"any", TYPE_ANY}};

/* What reading needs to say where it stumbled. */
struct reader {
    const char *selector;
    const char *called;
    clslice_error *error;
};

/* ---- Reading ---- */

static int32_t syntax(const struct reader *reader, struct span where, const char *what)
{
    size_t position = (size_t)(where.at - reader->selector) + 1;
    if (where.length > 0) /* to the end of a character */
        while (((unsigned char)where.at[where.length] & 0xC0) == 0x80)
            ++where.length;
    return status_fail(reader->error, CLSLICE_E_INVALIDARG,
                       WHERE(.rule = CLSLICE_RULE_SELECTOR_SYNTAX, .value = {position}),
                       "%s=\"%.*s\": %s at character %zu (\"%.*s\")", reader->called, SHOWN_MOST,
                       reader->selector, what, position,
                       where.length < SHOWN_MOST ? (int)where.length : SHOWN_MOST, where.at);
}

static bool equals(struct span span, const char *word)
{
    return span.length == strlen(word) && ascii_same(span.at, word, span.length);
}

static bool begins(struct span span, const char *word)
{
    return span.length >= strlen(word) && ascii_same(span.at, word, strlen(word));
}

static struct span trimmed(struct span span)
{
    while (span.length > 0 && ascii_is_space(span.at[0]))
        ++span.at, --span.length;
    while (span.length > 0 && ascii_is_space(span.at[span.length - 1]))
        --span.length;
    return span;
}

/* Splits off what stands before the first separator; false where there is none, and then `before`
 * is the whole. */
static bool split(struct span whole, char separator, struct span *before, struct span *after)
{
    const char *at = memchr(whole.at, separator, whole.length);
    size_t length = at ? (size_t)(at - whole.at) : whole.length;
    *before = trimmed((struct span){whole.at, length});
    *after = (struct span){whole.at + length + (at != NULL), whole.length - length - (at != NULL)};
    return at != NULL;
}

/* Type words joined by '|'; 0 where one is none, which `bad` then is. */
static unsigned read_types(struct span words, struct span *bad)
{
    unsigned types = 0;
    bool more = true;
    while (more) {
        struct span word;
        unsigned type = 0;
        more = split(words, '|', &word, &words);
        for (size_t i = 0; i < sizeof type_words / sizeof type_words[0]; ++i)
            if (equals(word, type_words[i].word))
                type = type_words[i].type;
        if (type == 0) {
            *bad = word;
            return 0;
        }
        types |= type;
    }
    return types;
}

/* Cuts a trailing '#'N off; a '#' without a number behind it is an error. */
static int32_t read_number(const struct reader *reader, struct span *text, long *number)
{
    *number = NO_NUMBER;
    size_t digits = 0;
    while (digits < text->length && ascii_is_digit(text->at[text->length - 1 - digits]))
        ++digits;
    if (digits == text->length || text->at[text->length - 1 - digits] != '#')
        return CLSLICE_S_OK;
    struct span hash = {text->at + (text->length - 1 - digits), digits + 1};
    if (digits == 0 || digits > 6)
        return syntax(reader, hash, "'#' needs a number of 1 to 6 digits");
    *number = strtol(hash.at + 1, NULL, 10);
    text->length -= digits + 1;
    *text = trimmed(*text);
    return CLSLICE_S_OK;
}

static int32_t read_fields(const struct reader *reader, struct span text, struct entry *entry)
{
    struct span type, bad, rest;
    split(text, ':', &entry->platform, &rest);
    split(rest, ':', &type, &entry->device);
    entry->device = trimmed(entry->device);
    if (type.length > 0 && (entry->types = read_types(type, &bad)) == 0)
        return syntax(reader, bad, "unknown type, expected gpu, cpu, acc, dgpu, igpu or any");
    int32_t status = CLSLICE_S_OK;
    if (entry->platform.length > 0 && entry->platform.at[0] == '#')
        status = read_number(reader, &entry->platform, &entry->platform_number);
    if (status == CLSLICE_S_OK && entry->platform.length > 0 && entry->platform.at[0] == '#')
        return syntax(reader, entry->platform, "'#' needs a number of 1 to 6 digits");
    if (status == CLSLICE_S_OK && entry->device.length > 0)
        status = read_number(reader, &entry->device, &entry->device_number);
    return status;
}

static int32_t check_uuid(const struct reader *reader, struct span uuid)
{
    for (size_t i = 0; i < uuid.length; ++i)
        if (!ascii_is_hexadecimal(uuid.at[i]) && uuid.at[i] != '-')
            return syntax(reader, (struct span){uuid.at + i, 1}, "not a hexadecimal digit");
    return CLSLICE_S_OK;
}

static int32_t read_entry(const struct reader *reader, struct span text, struct entry *entry)
{
    struct span bad, nothing = {text.at, 0}, value, prefix;
    *entry = (struct entry){.uuid = nothing,
                            .pci = nothing,
                            .word = nothing,
                            .platform = nothing,
                            .device = nothing,
                            .platform_number = NO_NUMBER,
                            .device_number = NO_NUMBER};
    if (text.length == 0)
        return syntax(reader, text, "empty entry");
    if (begins(text, "uuid=") || begins(text, "pci=")) {
        split(text, '=', &prefix, &value);
        if (value.length == 0)
            return syntax(reader, text, "nothing after '='");
        *(equals(prefix, "uuid") ? &entry->uuid : &entry->pci) = value;
        return check_uuid(reader, entry->uuid);
    }
    entry->is_none = equals(text, "none");
    entry->is_auto = equals(text, "auto");
    if (text.at[0] == '#' || memchr(text.at, ':', text.length))
        return read_fields(reader, text, entry);
    if ((entry->types = read_types(text, &bad)) == 0)
        entry->word = text;
    return CLSLICE_S_OK;
}

/* ---- Matching ---- */

static bool contains(const char *text, struct span part)
{
    size_t length = strlen(text);
    if (part.length == 0)
        return true;
    for (size_t i = 0; i + part.length <= length; ++i)
        if (ascii_same(text + i, part.at, part.length))
            return true;
    return false;
}

static bool has_type(const struct found_device *device, unsigned types)
{
    bool gpu = (device->type & CL_DEVICE_TYPE_GPU) != 0;
    return types == 0 || (types & TYPE_ANY) || ((types & TYPE_GPU) && gpu) ||
           ((types & TYPE_CPU) && (device->type & CL_DEVICE_TYPE_CPU)) ||
           ((types & TYPE_ACC) && (device->type & CL_DEVICE_TYPE_ACCELERATOR)) ||
           ((types & TYPE_DGPU) && gpu && !device->unified_memory) ||
           ((types & TYPE_IGPU) && gpu && device->unified_memory);
}

/* Hexadecimal digits from the start, dashes aside. */
static bool uuid_begins(const char *uuid, struct span text)
{
    if (*uuid == '\0')
        return text.length == 0;
    for (size_t i = 0; i < text.length; ++i)
        if (text.at[i] != '-' && ascii_lower(text.at[i]) != *uuid++)
            return false;
    return true;
}

static bool pci_ends(const char *pci, struct span text)
{
    size_t length = strlen(pci);
    return text.length <= length && ascii_same(pci + length - text.length, text.at, text.length);
}

/* The how-manieth platform with devices a device belongs to. */
static long platform_number(const struct found_devices *found, uint32_t index)
{
    long number = -1;
    uint32_t first = index;
    for (uint32_t i = 0; i < index && first == index; ++i)
        if (found->device[i].platform == found->device[index].platform)
            first = i;
    for (uint32_t i = 0; i <= first; ++i) {
        bool seen = false;
        for (uint32_t j = 0; j < i; ++j)
            seen |= found->device[j].platform == found->device[i].platform;
        number += !seen;
    }
    return number;
}

static bool platform_matches(const struct found_device *device, struct span text)
{
    return contains(device->platform_name, text) || contains(device->platform_vendor, text);
}

static bool has_word(const struct found_device *device, struct span word)
{
    return platform_matches(device, word) || contains(device->name, word) ||
           contains(device->vendor, word);
}

/* Everything but the entry's device number. */
static bool matches(const struct entry *entry, const struct found_devices *found, uint32_t index)
{
    const struct found_device *device = &found->device[index];
    bool is_platform = entry->platform_number == NO_NUMBER ||
                       platform_number(found, index) == entry->platform_number;
    return is_platform && platform_matches(device, entry->platform) &&
           has_type(device, entry->types) && contains(device->name, entry->device) &&
           has_word(device, entry->word) && uuid_begins(device->uuid, entry->uuid) &&
           pci_ends(device->pci, entry->pci);
}

static bool pick_automatically(const struct found_devices *found, uint32_t *index)
{
    const unsigned order[] = {TYPE_GPU, TYPE_ACC, TYPE_CPU};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; ++i)
        for (*index = 0; *index < found->count; ++*index)
            if (!found->device[*index].unusable[0] && has_type(&found->device[*index], order[i]))
                return true;
    return false;
}

static bool pick(const struct entry *entry, const struct found_devices *found, uint32_t *index)
{
    if (entry->is_auto)
        return pick_automatically(found, index);
    long match = 0;
    for (*index = 0; *index < found->count; ++*index) {
        if (!matches(entry, found, *index))
            continue;
        bool usable = !found->device[*index].unusable[0];
        if (entry->device_number == NO_NUMBER ? usable : match++ == entry->device_number)
            return usable;
    }
    return false;
}

static int32_t no_match(const struct reader *reader, const char *hint,
                        const struct found_devices *found)
{
    char list[LIST_MAX], selector[SELECTOR_MAX];
    struct text text = text_in(list, sizeof list);
    for (uint32_t i = 0; i < found->count; ++i) {
        selector_of(found, i, selector);
        text_append(&text, " [%" PRIu32 "] \"%s\"", i, selector);
        if (found->device[i].unusable[0])
            text_append(&text, " (unusable: %s)", found->device[i].unusable);
    }
    return status_fail(reader->error, CLSLICE_DXGI_ERROR_UNSUPPORTED,
                       WHERE(.rule = CLSLICE_RULE_SELECTOR_NO_MATCH),
                       "%s=\"%.*s\": no match; devices:%s%s", reader->called, SHOWN_MOST,
                       reader->selector, found->count ? list : " none", hint);
}

int32_t selector_pick(const char *selector, const char *called, const char *hint,
                      const struct found_devices *found, uint32_t *index, clslice_error *error)
{
    struct reader reader = {selector, called, error};
    struct span text, rest = {selector, strlen(selector)};
    bool more = true, picked = false, refused = false;
    /* All entries are read, so that a slip in a fallback shows before it is needed. */
    while (more) {
        struct entry entry;
        more = split(rest, ',', &text, &rest);
        int32_t status = read_entry(&reader, text, &entry);
        if (status != CLSLICE_S_OK)
            return status;
        if (picked || refused)
            continue;
        refused = entry.is_none;
        picked = !refused && pick(&entry, found, index);
    }
    if (refused)
        return status_fail(error, CLSLICE_DXGI_ERROR_UNSUPPORTED,
                           WHERE(.rule = CLSLICE_RULE_NO_DEVICE), "%s=\"%s\": asks for no device",
                           called, selector);
    return picked ? CLSLICE_S_OK : no_match(&reader, hint, found);
}

/* ---- Writing ---- */

void selector_type_of(const struct found_device *device, char *to, size_t size)
{
    struct text text = text_in(to, size);
    const unsigned types[] = {TYPE_GPU, TYPE_CPU, TYPE_ACC};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        if (has_type(device, types[i]))
            text_append(&text, "%s%s", text.length ? "|" : "", type_words[i].word);
    if (text.length == 0)
        text_append(&text, "any");
}

/* The longest part of a name that holds no character of the grammar. */
static void plain_part(const char *name, const char *forbidden, char *to, size_t size)
{
    const char *best = name;
    size_t longest = 0;
    for (const char *at = name; *at;) {
        size_t length = strcspn(at, forbidden);
        struct span part = trimmed((struct span){at, length});
        if (part.length > longest) {
            longest = part.length;
            best = part.at;
        }
        at += length;
        at += strspn(at, forbidden);
    }
    struct text text = text_in(to, size);
    text_append(&text, "%.*s", (int)longest, best);
}

void selector_of(const struct found_devices *found, uint32_t index, char selector[SELECTOR_MAX])
{
    const struct found_device *device = &found->device[index];
    char platform[64], type[32], name[128];
    plain_part(device->platform_name, ",:#=", platform, sizeof platform);
    plain_part(device->name, ",#", name, sizeof name);
    selector_type_of(device, type, sizeof type);

    struct text text = text_in(selector, SELECTOR_MAX);
    text_append(&text, "%s:%s:%s", platform, type, name);
    struct entry entry;
    struct reader reader = {selector, "", NULL};
    read_entry(&reader, (struct span){selector, strlen(selector)}, &entry);
    uint32_t before = 0, all = 0;
    for (uint32_t i = 0; i < found->count; ++i)
        if (matches(&entry, found, i)) {
            ++all;
            before += i < index;
        }
    if (all > 1)
        text_append(&text, "#%" PRIu32, before);
}
