/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's one lock, taken by every public call that touches shared state; nothing at all below
 * TUTTI_THREAD_MULTIPLE. Not recursive: public functions do not call each other. */
#ifndef TTI_PROGRESS_LOCK_H
#define TTI_PROGRESS_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

void tti_lock_open(int thread_level);

extern bool tti_lock_needed;
/* By its thread level no other thread of this process has to do with what Tutti waits for. */
extern bool tti_thread_is_single;
void tti_lock_take(void);
void tti_lock_give(void);

static inline void tti_lock(void)
{
    if (__builtin_expect(tti_lock_needed, 0)) tti_lock_take();
}

static inline void tti_unlock(void)
{
    if (__builtin_expect(tti_lock_needed, 0)) tti_lock_give();
}

/* Under the lock: lets a thread that waits for it go first, if there is one. */
void tti_lock_share(void);
/* Under the lock, THREAD_MULTIPLE only: gives it up until tti_lock_wake_all(), or for `ns` at most. */
void tti_lock_sleep(int64_t ns);
/* Under the lock. Who is woken counts from here on as one that waits for it. */
void tti_lock_wake_all(void);

extern _Atomic bool tti_is_open;
int tti_fail_closed(const char *call);

/* 0 if Tutti is initialised, else TUTTI_ERR_STATE naming `call`. */
static inline int tti_check_open(const char *call)
{
    if (__builtin_expect(atomic_load_explicit(&tti_is_open, memory_order_relaxed), 1)) return 0;
    return tti_fail_closed(call);
}
/* From the end of tutti_init() to the start of closing. */
void tti_set_open(bool open);

#endif
