/* SPDX-License-Identifier: BSD-3-Clause */
/* Who holds whose second copy. */
#ifndef TTI_KEEP_BUDDIES_H
#define TTI_KEEP_BUDDIES_H

/* The ranks in the order of their nodes. TUTTI_ERR_NO_MEMORY. */
int tti_keep_order(const int *node_of, int size, int *ranks);
/* buddy[r] for each of `size` ranks, of which node_of[r] says the node (any numbers): a permutation, in which
 * as few ranks as can be have a buddy on their own node, and none itself. TUTTI_ERR_NO_MEMORY. */
int tti_keep_pair(const int *node_of, int size, int *buddy);

#endif
