/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting. A thread polls while what it awaits is likely to come soon, then yields its core, then sleeps
 * (sleep.c). */
#include <sched.h>

#include "runtime/base/clock.h"
#include "runtime/base/hot.h"
#include "runtime/base/options.h"
#include "runtime/base/pause.h"
#include "runtime/node/order.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/core_loss.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/progress/sharing.h"
#include "runtime/progress/sleep.h"
#include "runtime/progress/spread.h"
#include "runtime/progress/wake.h"
#include "runtime/progress/watchdog.h"
#include "tutti/error.h"

/* Times below in ns are rough ones (base/clock.h).
 *
 * Rounds of polling before the core is offered to others: with a core for each rank, on a node or where a
 * round also asks the fabric, which takes twenty times as long; and without. Over TCP an answer to 64 KiB
 * takes a tenth of a millisecond: whoever offers the core before that loses it to anything else that runs
 * here, for a time slice each. */
#define SPIN_ROUNDS 1000
#define SPIN_ROUNDS_FABRIC 350
#define SPIN_ROUNDS_CROWDED 1
/* The first of them without a pause, which takes as long as a round: an answer that comes at once is 13 ns
 * sooner, of 115. After that what shares the core with this rank's thread may have it. */
#define EAGER_ROUNDS 50
/* Time of yielding before sleeping, in ns. Waking a core that went idle takes tens of microseconds (the
 * processor's sleep states, a virtual machine's exit), ten times what a message does: as long as the job is
 * lively somebody keeps each core awake, and yields it to whoever has work. */
#define YIELD_NS 1000000
/* A yield that takes longer, in ns, gave the core to somebody who needed it; after so many that did not, the
 * core is taken to be ours. */
#define YIELD_TAKEN_NS 2000
#define YIELDS_ALONE 32
/* Where memory alone tells the end of a wait, progress for others' sake is made once in so many rounds (a
 * power of two). */
#define POLL_SELDOM 8
/* Rounds with an event after which a waiter that has many does what one that has none does each time. */
#define BUSY_ROUNDS 64
enum { WAIT_ADAPTIVE, WAIT_SPIN, WAIT_SLEEP };

static struct {
    int64_t mode;
    bool crowded;     /* others need our core */
    int yields_alone; /* in a row that nobody took */
    tti_core_loss loss;
    tti_spread spread;
} waiting;

typedef struct {
    tti_sleeper sleeper;
    tti_watched watched; /* for the watchdog */
    unsigned idle;       /* rounds without an event */
    int64_t idle_since;  /* rough ns; 0: not measured yet */
    int64_t yielded;     /* when the last yield ended, rough ns; 0: other things have been done since */
    unsigned yields;     /* since then */
    unsigned looks;      /* rounds so far */
    unsigned poll_mask;  /* progress is made in rounds whose number has none of these bits */
    unsigned busy;       /* rounds with an event */
} waiter;

static void learn_crowded(void)
{
    if (!tti_sharing_find()) return;
    waiting.crowded = tti_sharing.bound_together;
    if (!waiting.crowded) tti_node_order_begin(tti_peers.node);
}

TTI_HOT bool tti_wait_shares_now(void)
{
    return waiting.crowded;
}

TTI_HOT bool tti_wait_shares_lately(void)
{
    return tti_sharing.bound_together || tti_core_loss_is_fresh(&waiting.loss);
}

int tti_wait_open(int local_ranks)
{
    waiting.mode = tti_option_value(TTI_OPTION_WAIT);
    tti_sharing_open(local_ranks);
    waiting.crowded = tti_sharing.bound_together;
    return tti_sleep_open();
}

void tti_wait_close(void)
{
    tti_turns_close(&waiting.loss.turns);
    tti_sleep_close();
}

/* Offers the core, and learns from the time it takes whether anybody wanted it. */
TTI_HOT static int64_t yield_core(int64_t now)
{
    if (!tti_sharing.all_known) learn_crowded();
    tti_core_loss_turn_ends(&waiting.loss, tti_peers.node, now);
    if (tti_peers.node != NULL) tti_spread_look(&waiting.spread, tti_peers.node, now);
    tti_unlock();
    sched_yield();
    const int64_t ended = tti_clock_rough(), took = ended - now;
    tti_lock();
    tti_core_loss_learn(&waiting.loss, tti_peers.node, now, ended);
    if (took > YIELD_TAKEN_NS) {
        waiting.crowded = true;
        waiting.yields_alone = 0;
    } else if (++waiting.yields_alone >= YIELDS_ALONE) {
        waiting.crowded = tti_sharing.bound_together;
    }
    return ended;
}

TTI_HOT void tti_wait_offer(void)
{
    if (waiting.crowded && waiting.mode != WAIT_SPIN) yield_core(tti_clock_rough());
}

TTI_HOT static bool shall_yield(const waiter *w, int64_t now)
{
    if (waiting.mode == WAIT_SLEEP || tti_core_loss_sleeps(&waiting.loss)) return false;
    return now - w->idle_since < YIELD_NS || w->yields < tti_sharing.round;
}

TTI_HOT static unsigned spin_rounds(void)
{
    if (waiting.mode == WAIT_SLEEP) return 0;
    if (waiting.crowded) return SPIN_ROUNDS_CROWDED;
    return tti_peers.fabric != NULL ? SPIN_ROUNDS_FABRIC : SPIN_ROUNDS;
}

TTI_HOT static void rest(waiter *w, int64_t now)
{
    if (waiting.mode == WAIT_SPIN) return;
    if (!shall_yield(w, now)) {
        tti_sleep(&w->sleeper, &waiting.loss);
        return;
    }
    w->yields++;
    w->yielded = yield_core(now);
}

TTI_HOT static void idle(waiter *w)
{
    tti_lock_share();
    if (w->idle++ < spin_rounds()) {
        if (w->idle > EAGER_ROUNDS) tti_pause();
        return;
    }
    /* The end of the last yield is soon enough ago. */
    const int64_t now = w->yielded > 0 ? w->yielded : tti_clock_rough();
    w->yielded = 0;
    if (w->idle_since == 0) w->idle_since = now;
    if (tti_watchdog_ns > 0) tti_watchdog_look(&w->watched);
    rest(w, now);
}

/* There was an event, maybe not for this wait. Many of those, one soon after another, keep neither the lock
 * from other threads nor the watchdog from looking. */
TTI_HOT static void busy(waiter *w)
{
    w->idle = 0;
    w->idle_since = 0;
    w->yields = 0;
    w->sleeper.blind_ns = 0;
    if (__builtin_expect(++w->busy % BUSY_ROUNDS != 0, 1)) return;
    tti_lock_share();
    if (tti_watchdog_ns > 0) tti_watchdog_look(&w->watched);
}

/* Once the core is offered between rounds they are seldom, and look everywhere. */
TTI_HOT static int progress(waiter *w)
{
    if ((w->looks++ & w->poll_mask) != 0) return 0;
    return w->idle <= spin_rounds() ? tti_progress() : tti_progress_all();
}

TTI_HOT static bool is_ready(const waiter *w)
{
    return w->sleeper.ready(w->sleeper.argument);
}

/* One round. Returns true once the awaited is there. */
TTI_HOT static bool round_of(waiter *w)
{
    if (is_ready(w)) return true;
    if (progress(w) == 0) {
        if (is_ready(w)) return true;
        idle(w);
    } else {
        busy(w);
    }
    return false;
}

TTI_HOT static void wait_by(waiter *w)
{
    while (!round_of(w))
        continue;
    if (__builtin_expect(w->watched.listed, 0)) tti_watchdog_forget(&w->watched);
}

TTI_HOT void tti_wait_until(tti_ready_fn *ready, const void *argument, const char *what, int peer)
{
    waiter w = {.sleeper = {.ready = ready, .argument = argument}, .watched = {.what = what, .peer = peer}};
    wait_by(&w);
}

static inline waiter for_ranks(tti_ready_fn *ready, const void *argument, const char *what,
                               tti_awaits_fn *awaits)
{
    return (waiter){
        .sleeper = {.ready = ready, .argument = argument},
        .watched = {.what = what, .peer = TUTTI_ANY_SOURCE, .awaits = awaits, .argument = argument}};
}

TTI_HOT void tti_wait_for_ranks(tti_ready_fn *ready, const void *argument, const char *what,
                                tti_awaits_fn *awaits)
{
    waiter w = for_ranks(ready, argument, what, awaits);
    wait_by(&w);
}

TTI_HOT void tti_wait_for_memory(tti_ready_fn *ready, const void *argument, const char *what,
                                 tti_awaits_fn *awaits)
{
    waiter w = for_ranks(ready, argument, what, awaits);
    w.poll_mask = POLL_SELDOM - 1;
    w.looks = 1;
    if (waiting.crowded) w.idle = SPIN_ROUNDS_CROWDED; /* the caller has looked */
    wait_by(&w);
}

/* The time is over only where a look after it finds nothing: this rank may not have run meanwhile. */
int tti_wait_for(tti_ready_fn *ready, const void *argument, const char *what, int64_t ns)
{
    waiter w = {.sleeper = {.ready = ready, .argument = argument},
                .watched = {.what = what, .peer = TTI_NO_PEER}};
    const int64_t until = tti_clock_later(tti_clock_ns(), ns);
    int code = 0;
    for (bool late = false; code == 0 && !round_of(&w); late = tti_clock_ns() > until)
        if (late) code = TUTTI_ERR_TIMEOUT;
    if (w.watched.listed) tti_watchdog_forget(&w.watched);
    return code;
}
