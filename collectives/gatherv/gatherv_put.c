/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts up to a chunk go through the WINDOW of who has them, as in gatherv_window.c. Longer ones their ranks
 * put into the root's buffer themselves, so that several processors copy; where, the root says by a message
 * with the size that it expects. nβ, all at the same time, and two meetings.
 *
 *   root                                          rank with a long part
 *   shows its buffer                              tells its size, posts, awaits that the root has begun
 *   size and offset ──────── message ───────────▶ compares the size
 *   awaits the post, compares the size            puts the part there, posts
 *   awaits the second post
 */
#include "collectives/compose/window_parts.h"
#include "collectives/gatherv/gatherv.h"

#define READERS 1 /* the root */
#define HAS_SHOWN 1
#define HAS_PUT 2
#define INVITATION (2 * TTI_STEP_WORD) /* a size, and an offset in the root's buffer */

static bool is_long(const tti_window_parts *parts, size_t bytes)
{
    return bytes > parts->most;
}

static void give(const tti_window_parts *parts)
{
    tti_builder *builder = parts->builder;
    const int root = parts->shape->root;
    const size_t bytes = tti_shape_own_bytes(parts->shape);
    const tti_place input = tti_place_at(TTI_INPUT, 0);
    tti_window_parts_show(parts, root, input, bytes);
    tti_build_post(builder, root);
    if (!is_long(parts, bytes)) return;
    tti_build_await_post(builder, root, 0); /* that it makes the same call */
    const tti_place invitation = tti_build_scratch(builder, INVITATION);
    tti_build_recv(builder, invitation, INVITATION, root, 0);
    const int same = tti_build_compare_passed(builder, TTI_OWN, invitation, bytes, root);
    tti_build_put_told(builder, root, input, tti_place_plus(invitation, TTI_STEP_WORD), bytes);
    tti_build_after(builder, same);
    tti_build_post(builder, root);
}

/* Returns the step that sends it. */
static int invite(const tti_window_parts *parts, int rank, tti_extent part)
{
    const tti_place invitation = tti_build_scratch(parts->builder, INVITATION);
    tti_build_tell(parts->builder, invitation, part.bytes);
    tti_build_tell(parts->builder, tti_place_plus(invitation, TTI_STEP_WORD), part.at);
    return tti_build_send(parts->builder, invitation, INVITATION, rank, 0);
}

/* As the root: shows the buffer as far as long parts go, if there are any. Returns the last step of it; -1:
 * there is none. */
static int invite_all(const tti_window_parts *parts)
{
    size_t end = 0;
    int last = -1;
    for (int r = 0; r < parts->shape->size; r++) {
        const tti_extent part = tti_shape_received(parts->shape, r);
        if (r != parts->shape->root && is_long(parts, part.bytes) && part.at + part.bytes > end)
            end = part.at + part.bytes;
    }
    if (end > 0) tti_build_show_room(parts->builder, tti_place_at(TTI_OUTPUT, 0), end, true);
    for (int r = 0; r < parts->shape->size; r++) {
        const tti_extent part = tti_shape_received(parts->shape, r);
        if (r != parts->shape->root && is_long(parts, part.bytes)) last = invite(parts, r, part);
    }
    return last;
}

/* While others put theirs: not before they are invited. */
static void keep_own(const tti_window_parts *parts, int invited)
{
    const tti_extent own = tti_shape_received(parts->shape, parts->shape->root);
    if (parts->shape->in_place || own.bytes == 0) return;
    tti_build_copy(parts->builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, own.at), own.bytes);
    tti_build_after(parts->builder, invited);
}

static void collect(const tti_window_parts *parts)
{
    const tti_shape *shape = parts->shape;
    for (int r = 0; r < shape->size; r++) {
        const tti_extent part = tti_shape_received(shape, r);
        if (r == shape->root) continue;
        tti_build_await_post(parts->builder, r, HAS_SHOWN);
        tti_window_parts_take(parts, r, tti_place_at(TTI_OUTPUT, part.at), part.bytes);
    }
    for (int r = 0; r < shape->size; r++)
        if (r != shape->root && is_long(parts, tti_shape_received(shape, r).bytes))
            tti_build_await_post(parts->builder, r, HAS_PUT);
}

void tti_gatherv_put(const tti_shape *shape, tti_builder *builder)
{
    const tti_window_parts parts = tti_window_parts_open(shape, builder, READERS);
    if (shape->rank != shape->root) {
        give(&parts);
        return;
    }
    keep_own(&parts, shape->size > 1 ? invite_all(&parts) : -1);
    if (shape->size > 1) collect(&parts);
}
