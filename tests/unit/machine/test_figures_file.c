/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of figures: kept, found again, and not believed where anything about it is wrong. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/options.h"
#include "runtime/machine/figures_file.h"
#include "runtime/machine/machine.h"
#include "tests/unit/expect.h"

#define BOOT "0a1b-2c3d"
#define GOOD "tutti-figures 5\nboot " BOOT "\nline=74\n"

static char folder[] = "/tmp/tutti-figures-XXXXXX";
static char path[TTI_FIGURES_PATH];

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    EXPECT(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool readable(void)
{
    tti_kept_figures kept;
    return tti_figures_file_read(path, BOOT, &kept);
}

static void set_age(const char *file, int seconds)
{
    const struct timespec then = {.tv_sec = time(NULL) - seconds}, times[2] = {then, then};
    EXPECT(utimensat(AT_FDCWD, file, times, 0) == 0);
}

static void test_kept(void)
{
    tti_kept_figures kept = {.count = TTI_FIGURES_SAMPLES}, read;
    struct stat state;
    for (int i = 0; i < kept.count; i++) {
        for (int figure = 0; figure < TTI_FIGURES; figure++)
            kept.samples[i].value[figure] = tti_figure_describe((enum tti_figure)figure)->most;
        kept.samples[i].value[TTI_FIGURE_LINE] = 74 + i;
    }
    kept.samples[3].value[TTI_FIGURE_SWITCH] = TTI_FIGURE_UNKNOWN;
    EXPECT(!readable());
    EXPECT(tti_figures_file_write(path, BOOT, &kept) && tti_figures_file_write(path, BOOT, &kept));
    EXPECT(stat(path, &state) == 0 && (state.st_mode & 07777) == 0600);
    EXPECT(tti_figures_file_read(path, BOOT, &read) && read.count == kept.count);
    EXPECT(memcmp(read.samples, kept.samples, sizeof read.samples) == 0);
    EXPECT(read.age_s >= 0 && read.age_s < 3600);
    set_age(path, 7200);
    EXPECT(tti_figures_file_read(path, BOOT, &read) && read.age_s >= 7200);
    EXPECT(!tti_figures_file_read(path, "0a1b-2c3e", &read)); /* since then the machine was started anew */
    EXPECT(!tti_figures_file_write("/proc/none/figures", BOOT, &kept));
}

static void test_wrong(void)
{
    static const char *const wrong[] = {
        "",
        "tutti-figures 5\n",
        "tutti-figures 5\nboot " BOOT "\n",
        "tutti-figures 4\nboot " BOOT "\nline=74\n",
        "tutti-figures 5\nboot " BOOT "\nline=74",
        "tutti-figures 5\nboot " BOOT "\nline=74\nline=1\n",
        "tutti-figures 5\nboot " BOOT "\nlime=74\n",
        "tutti-figures 5\nboot " BOOT "x\nline=74\n",
        "tutti-figures 5\nboot " BOOT "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        write_text(wrong[i]);
        EXPECT(!readable());
    }
}

static void test_not_ours(void)
{
    char other[TTI_FIGURES_PATH + 8], large[8192];
    write_text(GOOD);
    EXPECT(chmod(path, 0600) == 0 && readable());
    EXPECT(chmod(path, 0620) == 0 && !readable() && chmod(path, 0602) == 0 && !readable());
    if (geteuid() == 0) {
        EXPECT(chmod(path, 0600) == 0 && chown(path, 65534, 0) == 0 && !readable());
        EXPECT(chown(path, 0, 0) == 0 && readable());
    }
    snprintf(other, sizeof other, "%s.other", path);
    EXPECT(rename(path, other) == 0 && symlink(other, path) == 0 && !readable());
    EXPECT(unlink(path) == 0 && unlink(other) == 0 && mkfifo(path, 0600) == 0 && !readable());
    EXPECT(unlink(path) == 0 && mkdir(path, 0700) == 0 && !readable() && rmdir(path) == 0);
    memset(large, ' ', sizeof large - 1);
    memcpy(large, GOOD, strlen(GOOD));
    large[sizeof large - 1] = '\0';
    write_text(large);
    EXPECT(!readable() && unlink(path) == 0);
}

static int count_files(const char *where)
{
    int count = 0;
    DIR *listing = opendir(where);
    while (listing != NULL && readdir(listing) != NULL)
        count++;
    if (listing != NULL) closedir(listing);
    return count - 2;
}

/* Whether a job has added a sample to a file that was so old. */
static bool joins(const char *file, int seconds)
{
    tti_machine machine;
    struct stat state;
    set_age(file, seconds);
    tti_machine_learn(&machine);
    EXPECT(stat(file, &state) == 0);
    return time(NULL) - state.st_mtime < seconds / 2;
}

/* Full, the file is left alone until it is a minute old; one of the future, which the clock has been set back
 * behind, would be for hours. Sanitizers keep none. */
static void test_refreshing(const char *file)
{
    tti_machine machine;
    struct stat state;
    if (access(file, R_OK) != 0) return;
    EXPECT(!joins(file, 30) && joins(file, 7200));
    set_age(file, -7200);
    tti_machine_learn(&machine);
    EXPECT(stat(file, &state) == 0 && state.st_mtime < time(NULL) + 3600);
}

/* From the first job on one file, and the same figures; a figure told by the option is used in place. */
static void test_learning(void)
{
    char own[TTI_FIGURES_PATH];
    const char *set[] = {"TUTTI_MACHINE=line=74", NULL};
    tti_machine machine;
    setenv("XDG_RUNTIME_DIR", folder, 1);
    EXPECT(tti_options_load(NULL) == 0);
    EXPECT(tti_figures_file_place(own) && strncmp(own, folder, strlen(folder)) == 0);
    for (int i = 0; i < TTI_FIGURES_SAMPLES; i++) {
        tti_machine_learn(&machine);
        EXPECT(machine.figures.value[TTI_FIGURE_COPY_MIB] > 0 && machine.origin[0] != '\0');
    }
    test_refreshing(own);
    *strrchr(own, '/') = '\0';
    EXPECT(count_files(own) <= 1); /* none under sanitizers */
    EXPECT(tti_options_load(set) == 0);
    tti_machine_learn(&machine);
    EXPECT(machine.figures.value[TTI_FIGURE_LINE] == 74);
    EXPECT(machine.figures.value[TTI_FIGURE_SWITCH] == tti_figure_describe(TTI_FIGURE_SWITCH)->typical);
    tti_options_unload();
}

/* Beyond the limit of a file's length nothing is written, and no signal ends the program. */
static void test_limit(void)
{
    const tti_kept_figures kept = {.count = 1, .samples = {tti_figures_unknown()}};
    struct rlimit before, none;
    EXPECT(getrlimit(RLIMIT_FSIZE, &before) == 0);
    none = before;
    none.rlim_cur = 0;
    EXPECT(setrlimit(RLIMIT_FSIZE, &none) == 0);
    EXPECT(!tti_figures_file_write(path, BOOT, &kept));
    EXPECT(setrlimit(RLIMIT_FSIZE, &before) == 0);
    EXPECT(count_files(folder) == 0);
}

/* A place that others may write to, or that is none, is not used. */
static void test_place(void)
{
    char at[TTI_FIGURES_PATH];
    EXPECT(chmod(folder, 0777) == 0);
    setenv("XDG_CACHE_HOME", "/proc", 1);
    const bool elsewhere = tti_figures_file_place(at);
    EXPECT(!elsewhere || strncmp(at, folder, strlen(folder)) != 0);
    EXPECT(chmod(folder, 0700) == 0);
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("XDG_RUNTIME_DIR", "relative", 1);
    EXPECT(tti_figures_file_place(at) && strncmp(at, folder, strlen(folder)) == 0);
}

int main(void)
{
    EXPECT(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/kept", folder);
    test_kept();
    test_wrong();
    test_not_ours();
    test_limit();
    test_learning();
    test_place();
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? 0 : 1;
}
