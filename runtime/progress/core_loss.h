/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the core that this rank yields while it waits comes back soon, or is lost to somebody who computes
 * a whole time slice. A sleeper that is woken takes the core back from such a one, a yielder waits for it: so
 * in the next waits it sleeps at once. Under the lock. */
#ifndef TTI_PROGRESS_CORE_LOSS_H
#define TTI_PROGRESS_CORE_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/node/node.h"
#include "runtime/progress/turns.h"

typedef struct {
    int suspicion;      /* so many yields not lost are to come until a loss is no longer believed */
    int sleeps_at_once; /* that many sleeps to come are not put off by yielding */
    int sleeps_next;    /* so many after the next loss that is believed; 0: none was yet */
    int kept;           /* yields in a row that were not lost */
    int64_t begun;      /* when this rank's turn began; times are rough ns */
    int64_t awake;      /* for so long it has had turns and yielded since the last loss */
    tti_turns turns;    /* of all ranks on the machine */
} tti_core_loss;

static inline bool tti_core_loss_sleeps(const tti_core_loss *loss)
{
    return loss->sleeps_at_once > 0;
}
/* A loss is still believed. */
static inline bool tti_core_loss_is_fresh(const tti_core_loss *loss)
{
    return loss->suspicion > 0;
}
static inline void tti_core_loss_slept(tti_core_loss *loss)
{
    loss->sleeps_at_once -= loss->sleeps_at_once > 0;
}

/* This rank has had its turn, or begins one. `node`: NULL if it is alone. */
void tti_core_loss_turn_ends(tti_core_loss *loss, const tti_node *node, int64_t now);
void tti_core_loss_turn_begins(tti_core_loss *loss, int64_t now);
/* Learns from a yield, whose end begins a turn. */
void tti_core_loss_learn(tti_core_loss *loss, const tti_node *node, int64_t yielded, int64_t back);

#endif
