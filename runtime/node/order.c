/* SPDX-License-Identifier: BSD-3-Clause */
/* Order between what one rank stores and then looks at, and what another does (mailbox.c), paid for by the
 * one that is about to sleep: it has the kernel put the loads and stores of all these ranks in order, by
 * membarrier(2). So who sends needs no fence, which waits for the packet's line, 30 to 165 ns, with nothing
 * else done meanwhile. Not with bit sets of active senders, by which ranks look that do not sleep. A rank may
 * begin at any time: who sees that it has is in no need of a fence, as its every sleep since then is ordered.
 */
#include "runtime/node/order.h"

#include <linux/membarrier.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/node/ordered.h"
#include "runtime/node/segment.h"

static bool is_open;

void tti_node_order_open(void)
{
    if (is_open || !__libc_single_threaded) return;
    is_open = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

void tti_node_order_begin(tti_node *node)
{
    node->alone = true;
    node->orders = is_open && node->shape.bells == 0;
    atomic_store(&node->bell->orders, node->orders);
}

/* What comes while the kernel does not do it any more, as a filter of system calls may have been set, is
 * found at the end of a sleep. */
void tti_node_order(tti_node *node)
{
    if (!node->orders || syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0) return;
    node->orders = false;
    atomic_store(&node->bell->orders, false);
}
