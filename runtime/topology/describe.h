/* SPDX-License-Identifier: BSD-3-Clause */
/* The topology in words, for tutti-info. */
#ifndef TTI_TOPOLOGY_DESCRIBE_H
#define TTI_TOPOLOGY_DESCRIBE_H

#include "tutti/info.h"

/* Version of hwloc. */
void tti_topology_tell_version(tutti_info_fn *tell, void *context);
/* This machine, as far as this process may use it. TUTTI_ERR_SYSTEM, TUTTI_ERR_NO_MEMORY. */
int tti_topology_tell(tutti_info_fn *tell, void *context);

#endif
