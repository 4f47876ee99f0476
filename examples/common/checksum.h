/* SPDX-License-Identifier: BSD-3-Clause */
/* A number that tells whether two results are the same to the bit. */
#ifndef EXAMPLES_CHECKSUM_H
#define EXAMPLES_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bits. */
uint64_t checksum(const void *bytes, size_t count);

#endif
