/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks divided into groups that keep the exclusive or of their pieces. */
#ifndef TTI_KEEP_GROUPS_H
#define TTI_KEEP_GROUPS_H

/* What TUTTI_KEEP_GROUP may be at most (runtime/base/options_table.h): a rank then has so many parts to send.
 */
#define TTI_KEEP_GROUP_MOST 64

typedef struct {
    int size, groups;
    int *rank_at, *place_of; /* [size]; place p is of group p % groups */
} tti_keep_groups;

/* Divides `size` ranks, of which node_of[r] says the node (any numbers), into groups of at most `most`, or
 * one more where a rank would be alone; no two of a group on one node as far as no node has more ranks than
 * there are groups. Fills the lists, which the caller has set. TUTTI_ERR_NO_MEMORY. */
int tti_keep_divide(const int *node_of, int most, tti_keep_groups *groups);
/* How many ranks the rank's group has. */
int tti_keep_group_size(const tti_keep_groups *groups, int rank);
/* The one that comes `steps` (0 or more) behind it in its group, which is a ring. */
int tti_keep_behind(const tti_keep_groups *groups, int rank, int steps);
/* How many steps `other`, of the same group, is behind `rank`. */
int tti_keep_steps(const tti_keep_groups *groups, int rank, int other);

#endif
