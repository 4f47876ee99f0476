/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of different sizes through WINDOWs, where only the two ranks of a part know its size. So places must
 * not depend on sizes: a WINDOW has an equal share for each rank that reads there.
 *
 *   size, small part (up to 248 bytes) of each reader │ larger part of each reader
 *
 * Where what a WINDOW begins with comes with the post, that is the first reader's size and small part alone.
 * Where it has a front, sizes and small parts are there, and what is left of it is for parts not much larger.
 * The size tells the reader whether both mean the same part. What is larger than a chunk, or than a share,
 * goes as a message, which moves it once; only its size is in the WINDOW. So all parts pass in one round.
 * Parts of one size, which all ranks know, lie one behind the other without it. */
#ifndef TTI_COMPOSE_WINDOW_PARTS_H
#define TTI_COMPOSE_WINDOW_PARTS_H

#include "collectives/contract/algorithm.h"

/* Bytes at most of a size and a small part. */
#define TTI_WINDOW_PARTS_SMALL ((size_t)256)

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int readers;
    size_t lead;   /* bytes of the first reader's size and small part; 0: parts are of one size */
    size_t first;  /* of each other's */
    size_t middle; /* bytes of each reader's share of what is left of the front */
    size_t most;   /* of a part that passes here */
    size_t begin;  /* where larger parts begin */
    size_t stride; /* from one larger part to the next */
    size_t block;  /* of a part that passes in blocks, for which two halves of a share take turns; 0: a share
                      is too small */
} tti_window_parts;

/* For WINDOWs with so many readers; in which all others read that share memory, each one part. */
tti_window_parts tti_window_parts_open(const tti_shape *shape, tti_builder *builder, int readers);
tti_window_parts tti_window_parts_open_all(const tti_shape *shape, tti_builder *builder);

/* The same for parts of `bytes`. */
tti_window_parts tti_window_parts_open_equal(const tti_shape *shape, tti_builder *builder, int readers,
                                             size_t bytes);

/* For one part that all readers read; where parts differ it has its size beside it for each of them. */
tti_window_parts tti_window_parts_open_one(const tti_shape *shape, tti_builder *builder, int readers);

/* Of the part in share number `share`, below the number of readers, the size, and the part, into the caller's
 * WINDOW; and both out of that of `peer`, which has as many readers. */
void tti_window_parts_tell(const tti_window_parts *parts, int share, size_t bytes);
void tti_window_parts_put(const tti_window_parts *parts, int share, tti_place from, size_t bytes);
void tti_window_parts_get(const tti_window_parts *parts, int peer, int share, tti_place to, size_t bytes);

/* What is longer than `most`, up to a chunk, may pass in blocks, one after the other: in how many. 0: the
 * part passes at once, or is a message. */
int tti_window_parts_blocks(const tti_window_parts *parts, size_t bytes);
/* Block `k` of a part of `bytes` in all, into that share of the caller's WINDOW, and out of that of `peer`;
 * the part's place is told. */
void tti_window_parts_put_block(const tti_window_parts *parts, int share, int k, tti_place from,
                                size_t bytes);
void tti_window_parts_get_block(const tti_window_parts *parts, int peer, int share, int k, tti_place to,
                                size_t bytes);

/* Where all ranks read, or one. The part for `peer`, from its place into the caller's WINDOW; that which the
 * peer has for the caller, out of the peer's. */
void tti_window_parts_show(const tti_window_parts *parts, int peer, tti_place from, size_t bytes);
void tti_window_parts_take(const tti_window_parts *parts, int peer, tti_place to, size_t bytes);
/* The same of a block. */
void tti_window_parts_show_block(const tti_window_parts *parts, int peer, int k, tti_place from,
                                 size_t bytes);
void tti_window_parts_take_block(const tti_window_parts *parts, int peer, int k, tti_place to, size_t bytes);

#endif
