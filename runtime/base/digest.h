/* SPDX-License-Identifier: BSD-3-Clause */
/* A digest by which ranks tell that they have the same: FNV-1a, by bytes. Against mistakes, not against
 * somebody who wants two to be alike. */
#ifndef TTI_BASE_DIGEST_H
#define TTI_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define TTI_DIGEST_OF_NOTHING UINT64_C(14695981039346656037)

/* The digest of what `digest` is of, and then these bytes. */
static inline uint64_t tti_digest(uint64_t digest, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        digest = (digest ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
    return digest;
}
/* And then this word: quicker than by bytes, and another one than of the bytes. */
static inline uint64_t tti_digest_with(uint64_t digest, uint64_t word)
{
    digest = (digest ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    return digest ^ digest >> 29;
}

#endif
