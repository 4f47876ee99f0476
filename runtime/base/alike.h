/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that must be the same at all ranks: where two ranks pass a collective by different rules, or one
 * verifies calls and the other does not, each waits for what the other never sends. So each rank tells, with
 * the record by which others find it, what its options of that kind are, and who reads it compares.
 *
 * Told are a digest of all of them, and those that the user has set as text, as many as find room: to name
 * the one that differs. Pure; fuzzed with the card. */
#ifndef TTI_BASE_ALIKE_H
#define TTI_BASE_ALIKE_H

#include <stdint.h>

#include "runtime/base/wire.h"

#define TTI_ALIKE_ROOM 256

typedef struct {
    uint64_t digest;
    char set[TTI_ALIKE_ROOM]; /* a line "NAME=value" for each option that is not at its default; "..." at the
                                 end says that there are more */
} tti_alike;

/* What this process's options are, as loaded. */
void tti_alike_own(tti_alike *own);

void tti_alike_put(tti_wire_out *out, const tti_alike *alike);
void tti_alike_take(tti_wire_in *in, tti_alike *alike);

/* Compares what `rank` told with this process's options, rank `self`. TUTTI_ERR_OPTION names the option that
 * differs and both values. */
int tti_alike_check(const tti_alike *told, int rank, int self);

#endif
