/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/user_folder.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/base/options.h"

static bool is_own_folder(const char *path)
{
    struct stat state;
    return path[0] == '/' && lstat(path, &state) == 0 && S_ISDIR(state.st_mode) &&
           state.st_uid == geteuid() && (state.st_mode & 022) == 0;
}

/* One of the user's own, made if only it is missing. */
static bool make_folder(const char *path)
{
    return (mkdir(path, 0700) == 0 || errno == EEXIST) && is_own_folder(path);
}

static bool make_in(const char *folder, char path[TTI_USER_PATH])
{
    return is_own_folder(folder) && snprintf(path, TTI_USER_PATH, "%s/tutti", folder) < TTI_USER_PATH &&
           make_folder(path);
}

static bool make_in_cache(char path[TTI_USER_PATH])
{
    char folder[TTI_USER_PATH];
    const char *cache = tti_environment("XDG_CACHE_HOME"), *home = tti_environment("HOME");
    if (cache != NULL) return make_in(cache, path);
    if (home == NULL || !is_own_folder(home) ||
        snprintf(folder, sizeof folder, "%s/.cache", home) >= (int)sizeof folder)
        return false;
    return make_folder(folder) && make_in(folder, path);
}

bool tti_user_folder(char path[TTI_USER_PATH])
{
    char folder[64];
    const char *runtime = tti_environment("XDG_RUNTIME_DIR");
    snprintf(folder, sizeof folder, "/run/user/%ld", (long)geteuid());
    return make_in(runtime != NULL ? runtime : folder, path) || make_in_cache(path);
}

bool tti_user_file_is_own(const struct stat *state)
{
    return S_ISREG(state->st_mode) && state->st_uid == geteuid() && (state->st_mode & 022) == 0;
}

bool tti_user_file_may_have(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= bytes;
}
