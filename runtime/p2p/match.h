/* SPDX-License-Identifier: BSD-3-Clause */
/* Matching of messages and receives, with MPI's rules: a message takes the oldest posted receive that admits
 * it, a receive the oldest waiting message it admits. Pure: no transport, no allocation but for the tables.
 *
 * Both sides are hash tables from a key (context, source, tag), in which source and tag may be wildcards, to
 * the entries with that key, oldest first. A receive has the one key it was posted with; a message looks at
 * the four keys that admit it and takes the oldest of their first entries. A message that nobody waits for is
 * entered under all its four keys, so that any receive finds it at the head of one list. So every step costs
 * the same however many messages or receives there are. */
#ifndef TTI_P2P_MATCH_H
#define TTI_P2P_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TTI_MATCH_ANY (-1)

/* An entry under one key. The first of a key (its leader) hangs in the bucket's chain; the others follow it
 * by `next`; `prev` of the leader is the last. */
typedef struct tti_match_node tti_match_node;
struct tti_match_node {
    tti_match_node *chain, *next, *prev;
    uint64_t context;
    uint64_t ends; /* source and tag, 32 bits each: a word, since one that is read at once though it was
                      written by halves has to wait until these have reached the cache */
    uint32_t hash;
};

typedef struct {
    tti_match_node node;
    uint64_t order; /* when it was posted */
} tti_match_receive;

typedef struct {
    tti_match_node by[4]; /* by[0] has the true source and tag */
} tti_match_message;

typedef struct {
    tti_match_node **buckets;
    size_t count; /* of buckets, a power of two */
    size_t keys;
} tti_match_table;

/* Which of source and tag are wildcards, together the index in posted_by. */
enum { TTI_MATCH_ANY_SOURCE = 1, TTI_MATCH_ANY_TAG = 2 };

typedef struct {
    tti_match_table posted, waiting;
    uint64_t posts;      /* receives posted so far */
    size_t posted_by[4]; /* receives posted now */
    size_t messages_waiting;
} tti_match;

/* Whether receives from any source are posted, whatever their communicators. */
static inline bool tti_match_takes_any_source(const tti_match *match)
{
    return match->posted_by[TTI_MATCH_ANY_SOURCE] +
               match->posted_by[TTI_MATCH_ANY_SOURCE | TTI_MATCH_ANY_TAG] >
           0;
}

/* TUTTI_ERR_NO_MEMORY. Later growth that finds no memory only makes it slower. */
int tti_match_open(tti_match *match);
/* Forgets all entries, which stay their owners'. */
void tti_match_close(tti_match *match);

void tti_match_post(tti_match *match, tti_match_receive *receive, uint64_t context, int source, int tag);
void tti_match_unpost(tti_match *match, tti_match_receive *receive);
/* A message arrived: takes out the receive it belongs to, or returns NULL. */
tti_match_receive *tti_match_arrive(tti_match *match, uint64_t context, int source, int tag);

/* Enters a message for which tti_match_arrive() found nothing. */
void tti_match_keep(tti_match *match, tti_match_message *message, uint64_t context, int source, int tag);
/* The oldest waiting message that a receive would take, left in its place, or NULL. */
tti_match_message *tti_match_find(const tti_match *match, uint64_t context, int source, int tag);
void tti_match_drop(tti_match *match, tti_match_message *message);

/* Calls `visit` for each posted receive; it must not change the matching. */
void tti_match_each_posted(const tti_match *match, void (*visit)(tti_match_receive *, void *), void *context);
/* The same for each waiting message. */
void tti_match_each_waiting(const tti_match *match, void (*visit)(tti_match_message *, void *),
                            void *context);
/* Any waiting message, or NULL; to empty the queue. */
tti_match_message *tti_match_any_waiting(const tti_match *match);

#endif
