/* SPDX-License-Identifier: MIT */
#include "cache_fixture.h"

#include "support/asserts.h"

#include <unistd.h>

struct path folder;
struct cache *cache;

void fixture_enter(void)
{
    folder = new_folder();
    cache = cache_create(folder.text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    ck_assert_ptr_nonnull(cache);
}

void fixture_leave(void)
{
    cache_release(cache);
    remove_tree(folder.text);
}

struct path entry_of(unsigned key)
{
    return entry_path(folder.text, key);
}

bool is_there(unsigned key)
{
    return access(entry_of(key).text, F_OK) == 0;
}
