/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/cgroup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define ROOT "/sys/fs/cgroup"

/* The path in a line of /proc/self/cgroup, "number:controller,controller:path", if it has that one. */
static const char *path_in(char *line, const char *controller)
{
    char *rest = strchr(line, ':'), *path = rest != NULL ? strchr(rest + 1, ':') : NULL;
    if (path == NULL) return NULL;
    *path++ = '\0';
    rest++;
    for (const char *one; (one = strsep(&rest, ",")) != NULL;)
        if (strcmp(one, controller) == 0) return path;
    return NULL;
}

/* Path of this process in the tree, "" if there is none. */
static void own_path(const char *controller, char path[PATH_MAX])
{
    path[0] = '\0';
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (file == NULL) return;
    char line[PATH_MAX];
    const char *found = NULL;
    while (found == NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        found = path_in(line, controller);
    }
    if (found != NULL) snprintf(path, PATH_MAX, "%s", found);
    fclose(file);
}

void tti_cgroup_walk(const char *controller, tti_cgroup_look_fn *look, void *context)
{
    char path[PATH_MAX], folder[PATH_MAX + 64];
    own_path(controller, path);
    for (;;) {
        snprintf(folder, sizeof folder, "%s%s%s%s", ROOT, controller[0] != '\0' ? "/" : "", controller, path);
        look(context, folder);
        char *slash = strrchr(path, '/');
        if (slash == NULL) return;
        *slash = '\0';
    }
}
