/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/node_views.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/node/view.h"
#include "tests/explore/races.h"
#include "tests/explore/run.h"
#include "tests/unit/expect.h"

tti_node *node_views[RUN_MOST_RANKS];

/* Memory as it is at the beginning of each run. */
typedef struct {
    void *at, *content;
    size_t bytes;
} saved;

#define MOST_SAVED 96
static struct {
    saved parts[MOST_SAVED];
    int count, ranks;
} views;

void node_views_save(void *at, size_t bytes)
{
    EXPECT(views.count < MOST_SAVED);
    saved *s = &views.parts[views.count++];
    *s = (saved){at, malloc(bytes), bytes};
    EXPECT(s->content != NULL);
    memmove(s->content, at, bytes);
}

static void save_view(tti_node *node)
{
    const size_t ranks = (size_t)node->ranks;
    node_views_save(node, sizeof *node);
    node_views_save(node->out, ranks * sizeof *node->out);
    node_views_save(node->in, ranks * sizeof *node->in);
    node_views_save(node->pending, (ranks + 63) / 64 * sizeof *node->pending);
    node_views_save(node->out[0].ends, ranks * node->shape.slots * sizeof *node->out[0].ends);
}

static void let_order(tti_node *node)
{
    node->orders = true;
    atomic_init(&node->bell->orders, true);
}

void node_views_open(const tti_node_shape *shape, int order)
{
    void *segment = NULL;
    views.ranks = (int)shape->ranks;
    for (int r = 0; r < views.ranks; r++)
        EXPECT(tti_node_open_shaped(shape, r, &segment, &node_views[r]) == 0);
    for (int r = 0; r < order; r++)
        let_order(node_views[r]);
    const tti_node_header *header = segment;
    node_views_save(segment, header->bytes);
    for (int r = 0; r < views.ranks; r++)
        save_view(node_views[r]);
    races_watch(segment, header->bytes, "segment");
}

void node_views_reset(void)
{
    for (int i = 0; i < views.count; i++)
        memmove(views.parts[i].at, views.parts[i].content, views.parts[i].bytes);
}

void node_views_close(void)
{
    node_views_reset();
    races_forget();
    while (views.count > 0)
        free(views.parts[--views.count].content);
    for (int r = 0; r < views.ranks; r++)
        tti_node_close(node_views[r]);
}
