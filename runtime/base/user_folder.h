/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder of what this user's jobs keep for each other. */
#ifndef TTI_BASE_USER_FOLDER_H
#define TTI_BASE_USER_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#define TTI_USER_PATH 512

/* It is in XDG_RUNTIME_DIR or /run/user/UID, which end with the boot, else in the user's cache folder, and is
 * made where it is missing. False if there is no such place that this user alone may write to. */
bool tti_user_folder(char path[TTI_USER_PATH]);

/* Whether a file there is a plain one that this user alone may write. */
bool tti_user_file_is_own(const struct stat *state);

/* Whether a file may be so long. Beyond the limit (ulimit -f) the kernel answers with SIGXFSZ, which ends
 * who has not asked before. */
bool tti_user_file_may_have(size_t bytes);

#endif
