/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/steps.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

#include "tests/explore/choose.h"
#include "tests/explore/faults.h"
#include "tests/explore/memory.h"
#include "tests/explore/races.h"
#include "tests/explore/run.h"

/* What a fault holds back: a store or a copy of a rank. */
#define MOST_HELD 16384
typedef struct {
    bool store, copy;
    explore_access access;
    uint64_t value;
    void *to;
    const void *from; /* NULL: `content` was read in time */
    size_t bytes;
    unsigned char content[MOST_HELD];
} held;

static held back[RUN_MOST_RANKS];
static int64_t passed[RUN_MOST_RANKS];
/* Whether the rank last saw an older value of the word. It goes on to do so, which is no new deviation. */
static bool behind[RUN_MOST_RANKS][MEMORY_MOST_WORDS];

static memory_order order_of(const explore_access *a)
{
    return faults_hit(FAULT_RELAXED, a->function, a->word) ? memory_order_relaxed : a->order;
}

static bool dropped(const explore_access *a)
{
    return faults_hit(FAULT_DROPPED, a->function, a->word);
}

static uint64_t look(const explore_access *a, memory_order order, bool update)
{
    const int word = memory_word(a->at, a->bytes), rank = run_rank();
    const unsigned values = memory->values(rank, word, order, update), taken = choose(values);
    const unsigned which = behind[rank][word] ? values - 1 - taken : taken;
    behind[rank][word] = which != 0;
    const uint64_t value = memory->load(rank, word, order, which);
    run_tell("%s: %s is %#llx%s", a->function, a->word, (unsigned long long)value,
             which != 0 ? ", an older value" : "");
    return value;
}

static void put(const explore_access *a, memory_order order, uint64_t value)
{
    const bool changes = memory_get(a->at, a->bytes) != value;
    run_tell("%s: %s becomes %#llx", a->function, a->word, (unsigned long long)value);
    memory->store(run_rank(), memory_word(a->at, a->bytes), order, value);
    memory_put(a->at, a->bytes, value);
    if (changes) run_changed();
}

static void copy_held(held *h)
{
    if (!h->copy) return;
    h->copy = false;
    if (h->from != NULL) races_note(h->from, h->bytes, false);
    races_note(h->to, h->bytes, true);
    memcpy(h->to, h->from != NULL ? h->from : h->content, h->bytes);
}

static void store_held(held *h)
{
    if (!h->store) return;
    h->store = false;
    run_step();
    put(&h->access, h->access.order, h->value);
    copy_held(h);
}

uint64_t explore_load(const explore_access *access)
{
    const explore_access a = *access;
    if (run_rank() < 0) return memory_get(a.at, a.bytes);
    if (dropped(&a)) return 0;
    run_step();
    const uint64_t value = look(&a, order_of(&a), false);
    store_held(&back[run_rank()]);
    return value + faults_hit(FAULT_ONE_AHEAD, a.function, a.word);
}

void explore_store(const explore_access *access, uint64_t value)
{
    const explore_access a = *access;
    if (run_rank() < 0) {
        memory_put(a.at, a.bytes, value);
        return;
    }
    if (dropped(&a)) return;
    held *h = &back[run_rank()];
    if (faults_hit(FAULT_LATE, a.function, a.word)) {
        h->store = true;
        h->access = a;
        h->value = value;
        return;
    }
    run_step();
    put(&a, order_of(&a), value);
    copy_held(h);
}

static uint64_t result_of(enum explore_update how, uint64_t value, uint64_t operand)
{
    switch (how) {
    case EXPLORE_ADD: return value + operand;
    case EXPLORE_SUBTRACT: return value - operand;
    case EXPLORE_OR: return value | operand;
    case EXPLORE_AND: return value & operand;
    default: return operand;
    }
}

static uint64_t cut_to(size_t bytes, uint64_t value)
{
    return bytes == sizeof value ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

static void put_update(const explore_access *a, memory_order order, uint64_t value)
{
    const bool changes = memory_get(a->at, a->bytes) != value;
    run_tell("%s: %s is made %#llx", a->function, a->word, (unsigned long long)value);
    memory->update(run_rank(), memory_word(a->at, a->bytes), order, value);
    memory_put(a->at, a->bytes, value);
    if (changes) run_changed();
}

/* As a compiler that knows nothing of other ranks might have it. */
static uint64_t update_by_halves(const explore_access *a, enum explore_update how, uint64_t operand)
{
    const uint64_t value = look(a, memory_order_relaxed, false);
    run_step();
    put(a, memory_order_relaxed, cut_to(a->bytes, result_of(how, value, operand)));
    return value;
}

uint64_t explore_update(const explore_access *access, enum explore_update how, uint64_t operand)
{
    const explore_access a = *access;
    if (run_rank() < 0) {
        const uint64_t value = memory_get(a.at, a.bytes);
        memory_put(a.at, a.bytes, result_of(how, value, operand));
        return value;
    }
    if (dropped(&a)) return memory_get(a.at, a.bytes);
    run_step();
    if (faults_hit(FAULT_NOT_ATOMIC, a.function, a.word)) return update_by_halves(&a, how, operand);
    const memory_order order = order_of(&a);
    const uint64_t value = look(&a, order, true);
    put_update(&a, order, cut_to(a.bytes, result_of(how, value, operand)));
    copy_held(&back[run_rank()]);
    return value;
}

bool explore_exchange_if(const explore_access *access, void *expected, uint64_t value, bool weak)
{
    const explore_access a = *access;
    const uint64_t wanted = memory_get(expected, a.bytes);
    if (run_rank() >= 0) run_step();
    const bool halves = run_rank() >= 0 && faults_hit(FAULT_NOT_ATOMIC, a.function, a.word);
    const memory_order order = order_of(&a);
    if (halves && look(&a, memory_order_seq_cst, false) == wanted) {
        run_step();
        put(&a, memory_order_seq_cst, value);
        return true;
    }
    const uint64_t found = run_rank() >= 0 ? look(&a, order, true) : memory_get(a.at, a.bytes);
    const bool spurious = weak && run_rank() >= 0 && found == wanted && memory->spurious && choose(2) == 1;
    if (found != wanted || spurious) {
        memory_put(expected, a.bytes, found);
        return false;
    }
    if (run_rank() >= 0)
        put_update(&a, order, value);
    else
        memory_put(a.at, a.bytes, value);
    return true;
}

void explore_fence(const explore_access *a)
{
    if (run_rank() < 0 || dropped(a)) return;
    run_tell("%s: fence", a->function);
    memory->fence(run_rank(), a->order);
}

/* Of `from` when it is done, or of `content`, as it is now. */
static void *hold_copy(void *to, const void *from, const void *content, size_t bytes)
{
    held *h = &back[run_rank()];
    h->copy = true;
    h->to = to;
    h->from = from;
    h->bytes = bytes;
    if (content != NULL) memcpy(h->content, content, bytes);
    return to;
}

void *explore_copy(void *to, const void *from, size_t bytes, const char *function, const char *word)
{
    if (run_rank() < 0) return memcpy(to, from, bytes);
    if (faults_hit(FAULT_LATE_READ, function, word)) return hold_copy(to, from, NULL, bytes);
    races_note(from, bytes, false);
    if (bytes <= MOST_HELD && faults_hit(FAULT_LATE, function, word)) return hold_copy(to, NULL, from, bytes);
    races_note(to, bytes, true);
    return memcpy(to, from, bytes);
}

int explore_compare(const void *one, const void *other, size_t bytes)
{
    races_note(one, bytes, false);
    races_note(other, bytes, false);
    return memcmp(one, other, bytes);
}

void explore_pause(void)
{
    if (run_rank() < 0) return;
    store_held(&back[run_rank()]);
    run_spin();
}

int64_t explore_clock(void)
{
    return run_rank() < 0 ? 1 : 1 + passed[run_rank()];
}

void explore_pass(int64_t ns)
{
    passed[run_rank()] += ns;
}

int explore_yield(void)
{
    explore_pause();
    return 0;
}

/* The kernel looks at the word, and puts the caller to sleep if it is as it was, while nobody wakes. */
static long wait_while(const volatile void *at, uint32_t value)
{
    const explore_access word = {at, sizeof value, memory_order_seq_cst, "futex", "word"};
    run_step();
    if (look(&word, memory_order_seq_cst, true) != value) {
        errno = EAGAIN;
        return -1;
    }
    run_sleep(at);
    return 0;
}

/* What the kernel does for a rank: all have their loads and stores in order. */
static long order_all(void)
{
    run_step();
    if (faults_hit(FAULT_DROPPED, "membarrier", "all")) return 0;
    run_tell("membarrier");
    for (int r = 0; r < RUN_MOST_RANKS; r++)
        memory->fence(r, memory_order_seq_cst);
    return 0;
}

long explore_syscall(long number, ...)
{
    if (run_rank() < 0) return 0;
    if (number == SYS_membarrier) return order_all();
    va_list list;
    va_start(list, number);
    const volatile void *at = va_arg(list, const volatile void *);
    const int what = va_arg(list, int);
    const uint32_t value = va_arg(list, uint32_t);
    va_end(list);
    if (number != SYS_futex) run_fail("system call %ld is not of the explorer's", number);
    if (what == FUTEX_WAIT) return wait_while(at, value);
    run_step();
    run_wake(at);
    return 0;
}

void explore_reset(void)
{
    for (int r = 0; r < RUN_MOST_RANKS; r++)
        back[r].store = back[r].copy = false;
    memset(behind, 0, sizeof behind);
    memset(passed, 0, sizeof passed);
}
