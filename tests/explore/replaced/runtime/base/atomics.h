/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of the header of that name: each atomic operation is a step of the explorer
 * (tests/explore/steps.h), which is told where it stands and on which word, in the words of the source.
 * Included first of all, so that memcpy() and memcmp() are replaced in every file, too. */
#ifndef TTI_BASE_ATOMICS_H
#define TTI_BASE_ATOMICS_H

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "tests/explore/steps.h"

#define EXPLORE_WORD(word, order)                                                                            \
    (&(const explore_access){(const volatile void *)(word), sizeof *(word), (order), __func__, #word})
/* What a word holds, without _Atomic; the type of `+` does not have it. */
#define EXPLORE_TYPE(word) __typeof__(+*(word))

#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange
#undef atomic_fetch_add
#undef atomic_fetch_sub
#undef atomic_fetch_or
#undef atomic_fetch_and
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_strong
#undef atomic_thread_fence
#undef atomic_signal_fence
#define atomic_load_explicit(word, order) ((EXPLORE_TYPE(word))explore_load(EXPLORE_WORD(word, order)))
#define atomic_load(word) atomic_load_explicit(word, memory_order_seq_cst)
#define atomic_store_explicit(word, value, order)                                                            \
    explore_store(EXPLORE_WORD(word, order), (uint64_t)(EXPLORE_TYPE(word))(value))
#define atomic_store(word, value) atomic_store_explicit(word, value, memory_order_seq_cst)
#define EXPLORE_UPDATE(word, how, value)                                                                     \
    ((EXPLORE_TYPE(word))explore_update(EXPLORE_WORD(word, memory_order_seq_cst), how,                       \
                                        (uint64_t)(EXPLORE_TYPE(word))(value)))
#define atomic_exchange(word, value) EXPLORE_UPDATE(word, EXPLORE_EXCHANGE, value)
#define atomic_fetch_add(word, value) EXPLORE_UPDATE(word, EXPLORE_ADD, value)
#define atomic_fetch_sub(word, value) EXPLORE_UPDATE(word, EXPLORE_SUBTRACT, value)
#define atomic_fetch_or(word, value) EXPLORE_UPDATE(word, EXPLORE_OR, value)
#define atomic_fetch_and(word, value) EXPLORE_UPDATE(word, EXPLORE_AND, value)
#define EXPLORE_EXCHANGE_IF(word, expected, value, weak)                                                     \
    explore_exchange_if(EXPLORE_WORD(word, memory_order_seq_cst), (expected),                                \
                        (uint64_t)(EXPLORE_TYPE(word))(value), (weak))
#define atomic_compare_exchange_weak(word, expected, value) EXPLORE_EXCHANGE_IF(word, expected, value, true)
#define atomic_compare_exchange_strong(word, expected, value)                                                \
    EXPLORE_EXCHANGE_IF(word, expected, value, false)
#define atomic_thread_fence(order) explore_fence(&(const explore_access){NULL, 0, (order), __func__, "fence"})
/* For the compiler alone: steps are taken in the order of the source. */
#define atomic_signal_fence(order) ((void)(order))
#define memcmp(one, other, bytes) explore_compare((one), (other), (bytes))
#define memcpy(to, from, bytes) explore_copy(to, from, bytes, __func__, #to)

#endif
