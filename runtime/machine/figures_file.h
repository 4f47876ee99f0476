/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures kept from job to job: a small file of the user's, good for one boot of one machine. Whatever is
 * wrong with it, it is as if there were none. */
#ifndef TTI_MACHINE_FIGURES_FILE_H
#define TTI_MACHINE_FIGURES_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/figures.h"

#define TTI_FIGURES_PATH 512
#define TTI_FIGURES_BOOT 64

typedef struct {
    int count;
    tti_figures samples[TTI_FIGURES_SAMPLES]; /* the youngest last */
    int64_t age_s; /* of the youngest, where they come from a file; below 0: of the future */
} tti_kept_figures;

/* Where it lies, in the user's folder (base/user_folder.h). False if there is no such place. */
bool tti_figures_file_place(char path[TTI_FIGURES_PATH]);
/* What names this boot; false if the kernel does not tell. */
bool tti_figures_file_boot(char boot[TTI_FIGURES_BOOT]);

/* The samples of the content; false unless all of it is well formed and of this boot. Pure. */
bool tti_figures_file_parse(const char *text, const char *boot, tti_kept_figures *kept);
/* False unless it is a plain file that this user alone may write. */
bool tti_figures_file_read(const char *path, const char *boot, tti_kept_figures *kept);
/* At once, so that nobody reads half of it; 0600. False, and nothing is left, if it cannot be. */
bool tti_figures_file_write(const char *path, const char *boot, const tti_kept_figures *kept);

#endif
