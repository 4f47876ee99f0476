/* SPDX-License-Identifier: BSD-3-Clause */
/* What users of other launchers type here. */
#ifndef TTI_LAUNCHER_FOREIGN_OPTIONS_H
#define TTI_LAUNCHER_FOREIGN_OPTIONS_H

/* What to do instead of the option `text` ("--name", "-name" or "--name=value") of mpirun, mpiexec, prterun
 * or srun; NULL if it is none of theirs that we know. Pure. */
const char *tti_foreign_hint(const char *text);

#endif
