/* SPDX-License-Identifier: BSD-3-Clause */
/* Showing others what was written, before looking whether they sleep. */
#ifndef TTI_BASE_PUBLISH_H
#define TTI_BASE_PUBLISH_H

#include "runtime/base/atomics.h"

/* tti_publish(word, value) stores the value after all that was written before, and before all that is read
 * after: as a sequentially consistent store, but as a plain store and a fence of its own. A locked store
 * waits for the line and then takes it once more; a plain one goes into the line together with what was
 * written beside it, before a rank that looks at the line can take it away in between. A macro, as those of
 * C11 are, for words of any size. */
#if defined(__SANITIZE_THREAD__) || defined(__clang__)
/* The thread sanitizer does not know fences. */
#define tti_publish(word, value) atomic_store(word, value)
#else
#define tti_publish(word, value)                                                                             \
    (atomic_store_explicit(word, value, memory_order_release), atomic_thread_fence(memory_order_seq_cst))
#endif

/* The same, or without the fence where whoever may sleep has the two put in order (`ordered`). */
#define tti_publish_to(ordered, word, value)                                                                 \
    do {                                                                                                     \
        if (ordered) {                                                                                       \
            atomic_store_explicit(word, value, memory_order_release);                                        \
            atomic_signal_fence(memory_order_seq_cst);                                                       \
        } else {                                                                                             \
            tti_publish(word, value);                                                                        \
        }                                                                                                    \
    } while (0)

#endif
