/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/figures_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/user_folder.h"

/* tutti-figures 5 / boot ID / one line of name=value ... for each sample */
#define FIRST "tutti-figures 5\nboot "
#define TEXT_MOST 4096

/* Homes are shared among machines, so that the file's name is this one's. */
bool tti_figures_file_place(char path[TTI_FIGURES_PATH])
{
    char folder[TTI_USER_PATH], host[256];
    if (!tti_user_folder(folder) || gethostname(host, sizeof host) != 0 ||
        memchr(host, '\0', sizeof host) == NULL || strchr(host, '/') != NULL)
        return false;
    return snprintf(path, TTI_FIGURES_PATH, "%s/figures-%s", folder, host) < TTI_FIGURES_PATH;
}

/* The text of a small file, and its age; false if it is no plain one that this user alone may write. */
static bool read_own(const char *path, char text[TEXT_MOST], int64_t *age_s)
{
    struct stat state;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return false;
    const bool own = fstat(fd, &state) == 0 && tti_user_file_is_own(&state) && state.st_size < TEXT_MOST;
    const ssize_t n = own ? read(fd, text, TEXT_MOST - 1) : -1;
    close(fd);
    if (n < 0) return false;
    *age_s = (int64_t)(time(NULL) - state.st_mtime);
    text[n] = '\0';
    return strlen(text) == (size_t)n;
}

bool tti_figures_file_boot(char boot[TTI_FIGURES_BOOT])
{
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, boot, TTI_FIGURES_BOOT - 1) : -1;
    if (fd >= 0) close(fd);
    boot[n > 0 ? n : 0] = '\0';
    boot[strcspn(boot, "\n")] = '\0';
    return boot[0] != '\0';
}

/* Steps over `part`; NULL if the text does not begin with it. */
static const char *after(const char *text, const char *part)
{
    const size_t length = strlen(part);
    return text != NULL && strncmp(text, part, length) == 0 ? text + length : NULL;
}

bool tti_figures_file_parse(const char *text, const char *boot, tti_kept_figures *kept)
{
    text = after(after(after(text, FIRST), boot), "\n");
    if (text == NULL) return false;
    for (kept->count = 0; *text != '\0'; kept->count++) {
        char line[TTI_FIGURES_TEXT], why[160];
        const size_t length = strcspn(text, "\n");
        if (kept->count == TTI_FIGURES_SAMPLES || length >= sizeof line || text[length] == '\0') return false;
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        kept->samples[kept->count] = tti_figures_unknown();
        if (!tti_figures_parse(line, &kept->samples[kept->count], why, sizeof why)) return false;
        text += length + 1;
    }
    return kept->count > 0;
}

bool tti_figures_file_read(const char *path, const char *boot, tti_kept_figures *kept)
{
    char text[TEXT_MOST];
    return read_own(path, text, &kept->age_s) && tti_figures_file_parse(text, boot, kept);
}

static bool write_all(int fd, const char *boot, const tti_kept_figures *kept)
{
    char text[TEXT_MOST], line[TTI_FIGURES_TEXT];
    int length = snprintf(text, sizeof text, FIRST "%s\n", boot);
    for (int i = 0; i < kept->count && length < (int)sizeof text; i++) {
        tti_figures_print(&kept->samples[i], line, sizeof line);
        length += snprintf(text + length, sizeof text - (size_t)length, "%s\n", line);
    }
    return length < (int)sizeof text && write(fd, text, (size_t)length) == length;
}

bool tti_figures_file_write(const char *path, const char *boot, const tti_kept_figures *kept)
{
    if (!tti_user_file_may_have(TEXT_MOST)) return false;
    char fresh[TTI_FIGURES_PATH + 8];
    snprintf(fresh, sizeof fresh, "%s.XXXXXX", path);
    const int fd = mkostemp(fresh, O_CLOEXEC); /* 0600 */
    if (fd < 0) return false;
    bool written = write_all(fd, boot, kept);
    if (close(fd) != 0) written = false;
    if (written && rename(fresh, path) == 0) return true;
    unlink(fresh);
    return false;
}
