/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/inherited_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/base/open_files.h"

static int *files;
static int count;

static void append(int fd)
{
    int *longer = realloc(files, (size_t)(count + 1) * sizeof *files);
    if (longer == NULL) return;
    files = longer;
    files[count++] = fd;
}

void tti_inherited_note(void)
{
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const int fd = atoi(entry->d_name);
        if (fd > STDERR_FILENO && fd != dirfd(folder)) append(fd);
    }
    closedir(folder);
}

void tti_inherited_pass_on(void)
{
    tti_open_files_mark(STDERR_FILENO + 1);
    for (int i = 0; i < count; i++)
        fcntl(files[i], F_SETFD, 0);
}

void tti_inherited_forget(void)
{
    free(files);
    files = NULL;
    count = 0;
}
