/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_LAUNCHER_RANK_ENVIRONMENT_H
#define TTI_LAUNCHER_RANK_ENVIRONMENT_H

#include "launcher/command.h"

/* Takes out of this process's environment what a launcher above us left there (tuttirun inside srun or
 * mpirun): PMIX_* except PMIX_MCA_*, PMI_*; the ranks would find that launcher instead of us. Before any
 * thread. */
void tti_environment_forget_launcher(void);

/* A malloc'ed, NULL-ended copy of the environment with the program's -x applied. Returns 0 or an exit status
 * (a -x without value names a variable that is not set). */
int tti_environment_make(const tti_program *program, char ***environment);
/* Frees a malloc'ed, NULL-ended array of malloc'ed strings. */
void tti_strings_free(char **strings);

#endif
