/* SPDX-License-Identifier: BSD-3-Clause */
/* What libfabric offers here and what would be chosen, told without opening an endpoint. For tutti-info. */
#ifndef TTI_FABRIC_SURVEY_H
#define TTI_FABRIC_SURVEY_H

#include "tutti/info.h"

/* Version of the libfabric that would be loaded. TUTTI_ERR_FABRIC if there is none. */
int tti_fabric_tell_version(tutti_info_fn *tell, void *context);
/* Each provider with an RDM endpoint: what it can do. */
int tti_fabric_tell_providers(tutti_info_fn *tell, void *context);
/* The provider and interfaces that a job over several nodes would use from this host, and why. */
int tti_fabric_tell_choice(tutti_info_fn *tell, void *context);

#endif
