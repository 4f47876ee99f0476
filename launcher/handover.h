/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs on several hosts are started by a launcher that does just that: prterun, Open MPI's mpirun, or srun.
 */
#ifndef TTI_LAUNCHER_HANDOVER_H
#define TTI_LAUNCHER_HANDOVER_H

#include "launcher/command.h"
#include "launcher/host_list.h"

enum tti_handover_kind { TTI_HANDOVER_PRTERUN, TTI_HANDOVER_MPIRUN, TTI_HANDOVER_SRUN };

/* Writes the command line for the launcher, which is called by `path`, into *arguments (tti_strings_free()).
 * `hosts` have slots. Returns 0 or an exit status (an option that launcher does not have).
 */
int tti_handover_compose(enum tti_handover_kind kind, const char *path, const tti_command *command,
                         const tti_host_list *hosts, char ***arguments);

/* Becomes that launcher; returns only an exit status, if it could not. */
int tti_handover_run(const tti_command *command);

#endif
