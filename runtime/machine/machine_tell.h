/* SPDX-License-Identifier: BSD-3-Clause */
/* What `tutti-info --machine` prints. */
#ifndef TTI_MACHINE_TELL_H
#define TTI_MACHINE_TELL_H

#include "tutti/info.h"

/* Measures if need be (machine.h). Options must be loaded. */
int tti_machine_tell(tutti_info_fn *tell, void *context);

#endif
