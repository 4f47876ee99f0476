/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a long scatter among more than two ranks of a node each rank reads its block in the root's buffer, in
 * all three forms: no message is sent, whether the ranks share cores or not. Where the kernel does not let
 * ranks read in each other's memory there is nothing to see. */
#include "runtime/node/single_copy.h"
#include "runtime/p2p/engine.h"
#include "tests/job/coll/forms.h"
#include "tests/job/inside.h"

#define BYTES ((size_t)256 << 10)

static bool can_read_all(void)
{
    for (int peer = 0; peer < size; peer++)
        if (peer != rank && !tti_node_can_read(tti_peers.node, peer)) return false;
    return true;
}

static void scatter(enum form form, int root, unsigned char *all, unsigned char *part)
{
    for (int r = 0; r < size; r++)
        memset(all + (size_t)r * BYTES, 1 + r + root, BYTES);
    memset(part, 0, BYTES);
    const long before = inside;
    IN_FORM(form, scatter, world, all, part, BYTES, root);
    EXPECT(inside == before);
    for (size_t i = 0; i < BYTES; i++)
        EXPECT(part[i] == 1 + rank + root);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(3);
    OK(tutti_barrier(world)); /* all are here: who can be read is known */
    if (!can_read_all()) return tutti_finalize() != 0 ? 1 : 77;
    unsigned char *all = malloc((size_t)size * BYTES), *part = malloc(BYTES);
    EXPECT(all != NULL && part != NULL);
    for (int root = 0; root < size; root++)
        for (int form = BLOCKING; form < FORMS; form++)
            scatter((enum form)form, root, all, part);
    free(all);
    free(part);
    return job_close();
}
