/* SPDX-License-Identifier: BSD-3-Clause */
/* How wide the provider's tags are. Pure. */
#ifndef TTI_FABRIC_TAG_H
#define TTI_FABRIC_TAG_H

#include <stdbool.h>
#include <stdint.h>

/* mem_tag_format divides the tag into fields by alternating runs of bits; what lies above its highest set bit
 * is the provider's own. We use one field, of all the bits. */
static inline int tti_fabric_tag_bits(uint64_t mem_tag_format)
{
    return mem_tag_format == 0 ? 0 : 64 - __builtin_clzll(mem_tag_format);
}

/* The largest tag of so many bits. */
static inline uint64_t tti_fabric_tag_most(int bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline bool tti_fabric_tag_fits(uint64_t tag, int bits)
{
    return tag <= tti_fabric_tag_most(bits);
}

#endif
