/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/program_path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "launcher/launcher_report.h"

/* 0 if a file that we may run is at `path`, else 126, or 127: nothing is there, or nothing that we may see.
 */
static int probe(const char *path)
{
    struct stat is;
    if (stat(path, &is) != 0) return TTI_STATUS_NOT_FOUND;
    if (!S_ISREG(is.st_mode) || access(path, X_OK) != 0) return TTI_STATUS_NOT_EXECUTABLE;
    return 0;
}

static bool join(char path[PATH_MAX], const char *folder, size_t length, const char *name)
{
    const int n = length == 0 ? snprintf(path, PATH_MAX, "./%s", name)
                              : snprintf(path, PATH_MAX, "%.*s/%s", (int)length, folder, name);
    return n < PATH_MAX;
}

static int search_path(const char *name, const char *search, char path[PATH_MAX])
{
    int status = TTI_STATUS_NOT_FOUND;
    for (const char *at = search; at != NULL;) {
        const size_t length = strcspn(at, ":");
        char here[PATH_MAX];
        if (join(here, at, length, name)) {
            const int found = probe(here);
            if (found != TTI_STATUS_NOT_FOUND) memcpy(path, here, sizeof here);
            if (found == 0) return 0;
            if (found == TTI_STATUS_NOT_EXECUTABLE) status = found;
        }
        at = at[length] == ':' ? at + length + 1 : NULL;
    }
    return status;
}

bool tti_program_search(const char *name, const char *search, char path[PATH_MAX])
{
    return search_path(name, search, path) == 0;
}

/* A path that the user wrote may be one that cannot be reached; a folder of PATH that cannot has nothing to
 * offer. */
static int probe_given(const char *path)
{
    const int status = probe(path);
    return status == TTI_STATUS_NOT_FOUND && errno == EACCES ? TTI_STATUS_NOT_EXECUTABLE : status;
}

/* Why what is at `path` cannot be run, and what to do. */
static int explain_refusal(const char *path)
{
    const int status = TTI_STATUS_NOT_EXECUTABLE;
    struct stat is;
    struct statvfs on;
    if (stat(path, &is) != 0)
        return tti_launcher_refuse(
            status, "%s cannot be reached: %s; check the permissions of the directories above it", path,
            strerror(errno));
    if (S_ISDIR(is.st_mode))
        return tti_launcher_refuse(status, "%s is a directory; name a program in it", path);
    if (!S_ISREG(is.st_mode) || (is.st_mode & 0111) == 0)
        return tti_launcher_refuse(
            status, "%s is not an executable file; chmod +x it, or name another program", path);
    if (statvfs(path, &on) == 0 && (on.f_flag & ST_NOEXEC) != 0)
        return tti_launcher_refuse(
            status, "%s is on a file system that is mounted noexec; copy it to another one", path);
    return tti_launcher_refuse(
        status, "%s may not be run by user %ld (its mode is %03o); have its owner, user %ld, allow it", path,
        (long)geteuid(), (unsigned)is.st_mode & 0777, (long)is.st_uid);
}

static int explain(int status, const char *name, const char *path)
{
    if (status == TTI_STATUS_NOT_EXECUTABLE) return explain_refusal(path);
    if (strchr(name, '/') != NULL)
        return tti_launcher_refuse(status, "there is no program %s; check the path (and --wdir)", path);
    if (probe(name) == 0)
        return tti_launcher_refuse(status, "%s is not in PATH; for the one in this directory write ./%s",
                                   name, name);
    return tti_launcher_refuse(status, "there is no program %s in PATH; check the name or give a path", name);
}

/* Ranks may start in another directory: what is relative counts from here. */
static int make_absolute(char path[PATH_MAX])
{
    char here[PATH_MAX], whole[PATH_MAX];
    if (path[0] == '/') return 0;
    if (getcwd(here, sizeof here) == NULL || snprintf(whole, sizeof whole, "%s/%s", here, path) >= PATH_MAX)
        return tti_launcher_refuse(TTI_STATUS_USAGE,
                                   "the path of %s is too long or its directory is gone; cd elsewhere", path);
    memcpy(path, whole, sizeof whole);
    return 0;
}

int tti_program_find(const char *name, const char *search, const char *wdir, char path[PATH_MAX])
{
    int status;
    if (name[0] == '\0')
        return tti_launcher_refuse(TTI_STATUS_NOT_FOUND, "the program's name is empty; give one");
    if (strchr(name, '/') == NULL) {
        status = search_path(name, search, path);
    } else {
        const bool relative = name[0] != '/' && wdir != NULL;
        const int n = snprintf(path, PATH_MAX, "%s%s%s", relative ? wdir : "", relative ? "/" : "", name);
        status = n < PATH_MAX ? probe_given(path) : TTI_STATUS_NOT_FOUND;
    }
    return status == 0 ? make_absolute(path) : explain(status, name, path);
}
