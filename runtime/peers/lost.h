/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks are lost or have departed, who is told, and what is said of them. Under the library's lock
 * (progress/lock.h). */
#ifndef TTI_PEERS_LOST_H
#define TTI_PEERS_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/comm/comm.h"

/* -- peer_failure.c -- */
/* This rank holds `job_rank` for dead because others say that it is, and tells it so: if it lives, and only
 * the way to one rank is broken, it must not wait for ranks that take nothing of it any more. In progress. */
void tti_lost_hold_for_dead(int job_rank);
/* Whether the others hold this rank for dead, and have told it: it has lost them all then, and says nothing.
 */
bool tti_lost_is_cast_out(void);
/* True once `job_rank` is known to be lost: dead, or gone because another died. */
bool tti_lost_is_dead(int job_rank);
/* The same, or it has left: nothing will come from it. */
bool tti_lost_is_gone(int job_rank);
/* Whether a lost one has left after the death of another, and not died. */
bool tti_lost_has_left(int job_rank);
/* Whether any rank of the job is. */
bool tti_lost_any_dead(void);
/* A peer died (any thread). */
void tti_lost_peer_died(int job_rank, void *context);
/* `failed` is called, in progress, once for each rank that is lost, after its own operations have ended; it
 * may start and abandon operations. One that has `left` has done, after a death elsewhere, all that it was to
 * do: it answers nobody any more, and what it sent has arrived. A layer above may have one watcher each (at
 * most TTI_LOST_WATCHERS), until p2p closes. */
#define TTI_LOST_WATCHERS 3
void tti_lost_watch(void (*failed)(int job_rank, bool left));
/* A rank of `comm` (its rank there) that is lost, or -1; one that has left only if there is no other. Cheap
 * while nobody is. */
int tti_lost_member(const tutti_comm *comm);
/* The same, but for those that have left: in a collective they may have done their part before. */
int tti_lost_dead_member(const tutti_comm *comm);
/* 0, TUTTI_ERR_REVOKED, or TUTTI_ERR_PEER_FAILED if there is a lost member, with its detail. */
int tti_lost_check_alive(const tutti_comm *comm);
/* The same, but for members that have left. */
int tti_lost_check_parts(const tutti_comm *comm);
/* What is to be said of a lost rank, behind "rank R"; until the next call. */
const char *tti_lost_text(int rank);

/* -- cause.c -- */
/* Why the rank is lost, where that was found out here and is what `error` says; else NULL. */
const char *tti_lost_cause(int job_rank, int error);

/* -- peers.c -- */
/* Whether the rank is known to have called tutti_finalize(), and all that it had sent has been taken in: what
 * is not here by then never comes. */
bool tti_lost_has_departed(int job_rank);
/* Whether any rank is. */
bool tti_lost_any_departed(void);

/* -- acknowledge.c -- */
/* tti_lost_member() and tti_lost_check_alive() for receives and probes from any source, which wait for the
 * living where the program has acknowledged the dead. */
int tti_lost_mourned_member(const tutti_comm *comm);
int tti_lost_check_any_source(const tutti_comm *comm);
/* Whether all other members are known to be lost: died, or have left after a death. */
bool tti_lost_is_deserted(const tutti_comm *comm);
/* A member (its rank there) that has departed, or -1. */
int tti_lost_departed_member(const tutti_comm *comm);
/* Whether all other members, of which there are some, have departed or are lost. */
bool tti_lost_is_left_alone(const tutti_comm *comm);
/* How many members' deaths the program has taken note of. */
int tti_lost_count_acknowledged(const tutti_comm *comm);
/* The program takes note of all that are known. */
void tti_lost_acknowledge(tutti_comm *comm);
/* The members that have failed, no more than `room` of them; returns how many there are. */
int tti_lost_list_failed(const tutti_comm *comm, int *ranks, int room);
/* Names them, the first ones if they are many: "rank 2", "ranks 2, 5 and 3 more". */
#define TTI_LOST_NAMES 160
void tti_lost_name_failed(const tutti_comm *comm, char names[TTI_LOST_NAMES]);

/* -- death_news.c -- */
/* A process in reserve has become a rank of this one's communicators: it may die. */
void tti_death_news_introduce(int job_rank);

#endif
