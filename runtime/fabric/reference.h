/* SPDX-License-Identifier: BSD-3-Clause */
/* A loaded library's references to functions of others, each in a slot of its jump table: pointed at ours
 * they mend what the library does, there and nowhere else in the process. */
#ifndef TTI_FABRIC_REFERENCE_H
#define TTI_FABRIC_REFERENCE_H

#include <stdbool.h>

typedef void tti_fabric_function(void); /* of whatever type */

/* The slot by which the library (`handle` of dlopen with RTLD_NOW) calls `name`. NULL if it does not call it
 * or not through a slot, or if that does not hold `bound`, the function that it has to be: then somebody else
 * intercepts it, whom to leave alone. */
tti_fabric_function **tti_fabric_find_reference(void *handle, const char *name, tti_fabric_function *bound);
bool tti_fabric_point_reference(tti_fabric_function **slot, tti_fabric_function *to);

#endif
