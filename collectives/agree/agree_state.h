/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* Agreement of ranks of which some may die meanwhile: early-returning agreement (Herault, Bouteiller, Bosilca et
 * al., "Practical scalable consensus for pseudo-synchronous distributed systems", SC'15). Here is one rank's part
 * of it, as a machine that does no I/O: what happens goes in, messages come out. tests/unit/agree tries it in
 * every order of messages and deaths.
 *
 *            0              Ranks form a tree. UP: a rank tells its parent what it and all below it say, once
 *          / | \            these have told it. DOWN: the first rank, which has it from everybody then, has
 *         1  2  3           decided, and tells those that told it. Who has the decision has left the agreement,
 *        / \                and keeps it for those that have not.
 *       4   5
 *
 * In the place of a dead rank its nearest living ancestor hears of those below it; if no ancestor lives, the
 * first living rank, which decides. So whoever hears that its parent is dead tells the next one: UP what it has
 * told before; or, if it has the decision, that, for the new one may decide only when nobody has decided before.
 * It waits for UP of each living rank that is in the place of one below it, or covered by a living one above.
 *
 * A rank may also count as dead at another because the connection of the two is broken. Each may then wait for
 * ranks that know nothing of it, so it tells them. ASK: I wait for your UP, for these are dead; whoever has the
 * decision, or gets it, answers DOWN. Of two such ranks the lower one is believed: what a rank says of one before
 * itself the receiver does not believe before it has heard it otherwise, but tells that one. DOUBT: so-and-so
 * holds you for dead; it goes on without so-and-so then. Whoever believes that a rank is dead tells that rank
 * so (`cast_out`), which ends then, and uses nothing more that it sends. Where one connection breaks, all that
 * are left decide the same. Where others die or leave at the same time, or more connections break, nobody waits
 * for ever, but some may have decided differently, as they must where no connection is left between them.
 *
 * A rank that has freed the communicator before it ever began an agreement, or has said so in one in which others
 * said something else, says nothing any more by itself. It answers: who tells it UP hears DOWN, that it is so; who
 * asks it hears UP, and waits for the others all the same, so that nobody is two agreements ahead of another.
 *
 * Of the last agreement, in which ranks say that they have freed the communicator, nothing follows, and what others
 * say of deaths in it nobody believes: there a rank counts as failed that said so and left, as it may. Who believed
 * it would end other communicators' operations with that rank, whose part in them may still be on its way.
 *
 * Two ranks need no tree: each tells the other UP, and has decided when it has heard the other's.
 *
 * What a rank sent counts up to the moment in which the receiver heard of its death, and not behind it.
 * Agreements have numbers, from 1. A rank begins one when it has the decision of the one before. Who hears UP of
 * an agreement from a rank knows thereby that the rank has the one before; so when one is decided nobody needs
 * the one before any more. */
/* clang-format on */
#ifndef TTI_AGREE_STATE_H
#define TTI_AGREE_STATE_H

#include "collectives/agree/agree_types.h"

/* Words of memory that the sets of a state take. */
size_t tti_agree_memory(int size);
/* Sets rank, size, tree and the sets, in `memory`; that and the tree are the caller's. */
void tti_agree_open(tti_agree_state *s, int rank, int size, const tti_agree_branch *tree, uint64_t *memory);
/* Begins the next agreement; the one before is decided. `offer` is this rank's, if it decides. */
void tti_agree_begin(tti_agree_state *s, const tti_agree_value *said);
/* A message of agreement `number` has come, with what it says, of which may be taken out what this rank does
 * not believe. False: no rank sends this. */
bool tti_agree_heard(tti_agree_state *s, int from, enum tti_agree_message message, uint64_t number,
                     tti_agree_value *value);
/* A rank is dead, or will say nothing more. */
void tti_agree_died(tti_agree_state *s, int rank);
/* The decision of agreement `number`, if this rank has it and still keeps it; else NULL. */
const tti_agree_value *tti_agree_decision(const tti_agree_state *s, uint64_t number);
/* This rank has freed the communicator, and begins no more: it tells those that wait for its next. */
void tti_agree_refuse(tti_agree_state *s);
/* Tells the decisions that this rank keeps to all who may lack them: it is about to leave. */
void tti_agree_leave(tti_agree_state *s);

#endif
