/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits of how many descriptors there may be, in words for errors. */
#ifndef TTI_BASE_DESCRIPTOR_ROOM_H
#define TTI_BASE_DESCRIPTOR_ROOM_H

#include <stdbool.h>

/* Whether an errno value says that there are no descriptors left: the failure is TUTTI_ERR_LIMIT then. */
bool tti_descriptors_short(int error);
/* What to do then, to be appended; "" for any other. */
const char *tti_descriptors_remedy(int error);

/* Whether this process may open so many more, few: where a library fails and does not say why. */
bool tti_descriptors_left(int count);

#endif
