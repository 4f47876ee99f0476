/* SPDX-License-Identifier: BSD-3-Clause */
/* The limit of this process's address space (RLIMIT_AS, ulimit -v), and errors that name it. */
#ifndef TTI_BASE_ADDRESS_SPACE_H
#define TTI_BASE_ADDRESS_SPACE_H

#include <stdint.h>

/* What the limit leaves, in bytes; UINT64_MAX where there is none. */
uint64_t tti_address_space_left(void);
/* TUTTI_ERR_NO_MEMORY because `need` bytes for `what` could not be mapped (errno `error`), with what the
 * limit leaves. */
int tti_fail_mapping(int error, const char *what, uint64_t need);
/* The same before it is tried, if the limit leaves less; else 0. */
int tti_address_space_check(const char *what, uint64_t need);

#endif
