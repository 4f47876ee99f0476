/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <sys/resource.h>

#include "launcher/launch.h"
#include "launcher/launcher_report.h"

/* Each rank costs so many descriptors here: two pipes, one connection, one that tells of its end. */
#define RANK_FILES 4
/* And the start of one, the loop and PMIx's server some more. PMIx 4.2 crashes where its start has too few.
 */
#define OTHER_FILES 24

static int count_open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    if (folder == NULL) return 0;
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count - 3; /* without ".", ".." and the folder's own */
}

static void set_limit(const tti_launch *launch, rlim_t files)
{
    const struct rlimit ours = {files, launch->files.rlim_max};
    setrlimit(RLIMIT_NOFILE, &ours);
}

/* Without room for all their connections ranks would be refused by PMIx, without a word, and wait for it. */
int tti_launch_take_files(tti_launch *launch)
{
    getrlimit(RLIMIT_NOFILE, &launch->files);
    const rlim_t soft = launch->files.rlim_cur, hard = launch->files.rlim_max;
    const int processes = launch->world + launch->command->spares;
    /* The limit as it is may leave no descriptor to count the others with. */
    if (soft < OTHER_FILES) set_limit(launch, hard < OTHER_FILES ? hard : OTHER_FILES);
    const int others = count_open_files() + OTHER_FILES;
    const rlim_t need = (rlim_t)RANK_FILES * (rlim_t)processes + (rlim_t)others;
    if (need > hard)
        return tti_launcher_refuse(
            TTI_STATUS_USAGE,
            "tuttirun needs %llu open files for %d processes (%d for each, and %d), and may "
            "have %llu: raise the hard limit (ulimit -Hn) or start fewer",
            (unsigned long long)need, processes, RANK_FILES, others, (unsigned long long)hard);
    set_limit(launch, need > soft ? need : soft);
    return 0;
}

void tti_launch_take_all_files(const tti_launch *launch)
{
    set_limit(launch, launch->files.rlim_max);
}
