/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_LAUNCHER_PROGRAM_PATH_H
#define TTI_LAUNCHER_PROGRAM_PATH_H

#include <limits.h>
#include <stdbool.h>

/* Finds `name` as execvp() would, once for all ranks: through `search` (a PATH; NULL is none) unless it has a
 * slash, which counts from `wdir` if that is given. The result is absolute. Returns 0, or 127
 * (not found) or 126 (found, not executable). */
int tti_program_find(const char *name, const char *search, const char *wdir, char path[PATH_MAX]);

/* Looks for an executable `name` in `search` alone, and says nothing if there is none. */
bool tti_program_search(const char *name, const char *search, char path[PATH_MAX]);

#endif
