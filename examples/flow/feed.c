/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/flow/feed.h"

#include <stdlib.h>
#include <string.h>

#include "examples/common/mishap.h"
#include "examples/flow/picture.h"

#define LINE 64 /* the signal has a cache line of its own, and frames begin with one */

static bool is_root(const struct feed *feed)
{
    return tutti_comm_rank(feed->world) == 0;
}

static size_t place_of(const struct feed *feed, int frame)
{
    return LINE + (size_t)frame * feed->pitch;
}

/* At rank 0: memory for the window, heads of the frames, and the stream. */
static bool open_root(struct feed *feed, size_t bytes)
{
    const struct parameters *p = feed->parameters;
    char *frames[VIEWER_FRAMES];
    const struct field_head head = {.magic = FIELD_MAGIC,
                                    .width = (uint32_t)feed->obstacle->width,
                                    .height = (uint32_t)feed->obstacle->height,
                                    .steps = (uint32_t)p->steps,
                                    .strongest = (float)parameters_strongest(p)};
    if (bytes > FIELD_BYTES_MOST)
        return complain("--live: %u x %u cells are %zu bytes a frame, and %d are the most: "
                        "draw a smaller channel, or leave out --live",
                        head.width, head.height, bytes, FIELD_BYTES_MOST);
    CHECK(tutti_mem_alloc(feed->world, place_of(feed, VIEWER_FRAMES), (void **)&feed->memory));
    for (int i = 0; i < VIEWER_FRAMES; i++) {
        frames[i] = feed->memory + place_of(feed, i);
        memcpy(frames[i], &head, sizeof head);
    }
    return viewer_open(&feed->viewer, p, frames, bytes);
}

bool feed_open(struct feed *feed, tutti_comm *world, const struct parameters *p, const struct obstacle *o,
               const struct block *b)
{
    *feed = (struct feed){.world = world, .parameters = p, .obstacle = o, .block = b};
    if (p->live[0] == '\0') return true;
    const size_t bytes = field_bytes((uint32_t)o->width, (uint32_t)o->height);
    feed->pitch = (bytes + LINE - 1) / LINE * LINE;
    int good = !is_root(feed) || open_root(feed, bytes);
    CHECK(tutti_bcast(world, &good, sizeof good, 0));
    if (good) {
        CHECK(tutti_window_create(world, feed->memory, is_root(feed) ? place_of(feed, VIEWER_FRAMES) : 0,
                                  &feed->window));
        feed->row = allocate((size_t)b->width, sizeof *feed->row);
    } else {
        CHECK(tutti_mem_free(feed->memory));
    }
    return good;
}

/* This rank's block. Rank 0 waits for a signal of each rank, which comes with its last row: so all others are
 * there before. */
static void put_block(struct feed *feed, const struct lattice *l, int frame)
{
    const struct block *b = feed->block;
    const size_t begin = place_of(feed, frame) + sizeof(struct field_head), bytes = sizeof *feed->row;
    for (int y = 0; y < b->height; y++) {
        const size_t first = (size_t)(b->y + y) * (size_t)b->channel_width + (size_t)b->x;
        const size_t place = begin + first * bytes, length = (size_t)b->width * bytes;
        for (int x = 0; x < b->width; x++)
            feed->row[x] = picture_velocity(feed->obstacle, first + (size_t)x, lattice_cell(l, x, y));
        if (y < b->height - 1) {
            CHECK(tutti_put(feed->window, feed->row, length, 0, place, NULL));
            continue;
        }
        CHECK(tutti_flush(feed->window, 0));
        CHECK(tutti_put_signal(feed->window, feed->row, length, 0, place, 0, 1));
    }
}

static void send_frame(struct feed *feed, int step, int frame)
{
    const uint64_t ranks = (uint64_t)tutti_comm_size(feed->world);
    CHECK(tutti_signal_wait(feed->window, 0, feed->gathered * ranks, NULL));
    struct field_head *head = (struct field_head *)(feed->memory + place_of(feed, frame));
    head->step = (uint32_t)step;
    viewer_send(&feed->viewer, frame);
}

void feed_step(struct feed *feed, const struct lattice *l, int step)
{
    if (feed->window == NULL) return;
    const bool last = step == feed->parameters->steps;
    int frame = -1;
    if (is_root(feed)) viewer_look(&feed->viewer);
    if (step % feed->parameters->live_every != 0 && !last) return;
    if (is_root(feed)) frame = viewer_choose(&feed->viewer, last);
    CHECK(tutti_bcast(feed->world, &frame, sizeof frame, 0));
    if (frame < 0) return;
    feed->gathered++;
    put_block(feed, l, frame);
    if (is_root(feed)) send_frame(feed, step, frame);
}

void feed_close(struct feed *feed)
{
    if (feed->window == NULL) return;
    if (is_root(feed)) viewer_close(&feed->viewer);
    CHECK(tutti_window_free(&feed->window));
    CHECK(tutti_mem_free(feed->memory));
    free(feed->row);
}
