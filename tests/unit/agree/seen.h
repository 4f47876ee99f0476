/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of states that have been seen, by 128 bits of each. */
#ifndef TESTS_UNIT_AGREE_SEEN_H
#define TESTS_UNIT_AGREE_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t (*slots)[2];
    size_t room, count;
} seen_set;

/* Whether these bytes are new; ends the program where memory is out. */
bool seen_add(seen_set *set, const void *bytes, size_t length);
void seen_free(seen_set *set);

#endif
