/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/reserve.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "runtime/base/claim_wire.h"

typedef struct claim {
    struct claim *next;
    uint64_t context;
    bool granted;
    int count;
    uint32_t members[]; /* words of the answer (runtime/base/claim_wire.h) */
} claim;

typedef struct {
    enum tti_reserve_state state;
    uint64_t context; /* of the claim that has it */
    int place;        /* the process in whose place it is */
    int program;      /* which one it runs; not known of one that can be started */
    bool dead;        /* of the ranks, too */
} process;

static struct {
    pthread_mutex_t lock;
    int world, count, wake;
    process *processes;
    claim *claims;
    int *births, first_birth, last_birth; /* claimed and not started yet */
} reserve = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool tti_reserve_open(int world, int spares, int respawn, const int *program_of, int wake)
{
    reserve.world = world;
    reserve.count = world + spares + respawn;
    reserve.wake = wake;
    reserve.first_birth = reserve.last_birth = 0;
    reserve.processes = calloc((size_t)reserve.count, sizeof *reserve.processes);
    reserve.births = calloc((size_t)reserve.count, sizeof *reserve.births);
    if (reserve.processes == NULL || reserve.births == NULL) return false;
    for (int i = world; i < reserve.count; i++)
        reserve.processes[i] =
            (process){.state = i < world + spares ? TTI_RESERVE_FREE : TTI_RESERVE_UNBORN, .place = -1};
    for (int i = 0; i < world + spares; i++)
        reserve.processes[i].program = program_of[i];
    return true;
}

void tti_reserve_close(void)
{
    for (claim *c = reserve.claims, *next; c != NULL; c = next) {
        next = c->next;
        free(c);
    }
    free(reserve.processes);
    free(reserve.births);
    reserve.processes = NULL;
    reserve.births = NULL;
    reserve.claims = NULL;
}

static claim *find(uint64_t context)
{
    claim *c = reserve.claims;
    while (c != NULL && c->context != context)
        c = c->next;
    return c;
}

/* The claim came to nothing: what it had is free for the next one, awake as it may be. */
static void give_back(uint64_t context)
{
    for (int i = reserve.world; i < reserve.count; i++) {
        process *p = &reserve.processes[i];
        if (p->context == context && p->state == TTI_RESERVE_CLAIMED) p->state = TTI_RESERVE_FREE;
    }
}

/* A process that can be in the place of another: it runs the same program, or is yet to be started. -1: there
 * is none. */
static int find_for(int place)
{
    int unborn = -1;
    for (int i = reserve.world; i < reserve.count; i++) {
        const process *p = &reserve.processes[i];
        if (p->state == TTI_RESERVE_FREE && p->program == reserve.processes[place].program) return i;
        if (p->state == TTI_RESERVE_UNBORN && unborn < 0) unborn = i;
    }
    return unborn;
}

static bool take(uint64_t context, int place, uint32_t *member)
{
    const int taken = find_for(place);
    if (taken < 0) return false;
    process *p = &reserve.processes[taken];
    if (p->state == TTI_RESERVE_UNBORN) reserve.births[reserve.last_birth++] = taken;
    *p = (process){.state = TTI_RESERVE_CLAIMED,
                   .context = context,
                   .place = place,
                   .program = reserve.processes[place].program};
    *member = (uint32_t)taken | TTI_CLAIM_LOST;
    return true;
}

/* Those that were to be started since then need not. */
static void call_off_births(int since)
{
    while (reserve.last_birth > since)
        reserve.processes[reserve.births[--reserve.last_birth]] =
            (process){.state = TTI_RESERVE_UNBORN, .place = -1};
}

static bool take_all(claim *c, const tti_claim_question *question)
{
    for (int i = 0; i < c->count; i++)
        if (tti_claim_is_lost(question, i) &&
            !take(c->context, tti_claim_member(question, i), &c->members[i]))
            return false;
    return true;
}

/* All that it needs, or nothing. */
static void decide(claim *c, const tti_claim_question *question)
{
    const int births = reserve.last_birth;
    if (question->instead != 0) give_back(question->instead);
    for (int i = 0; i < c->count; i++)
        c->members[i] = (uint32_t)tti_claim_member(question, i);
    c->granted = take_all(c, question);
    if (!c->granted) {
        call_off_births(births);
        give_back(c->context);
    }
    for (int i = 0; i < c->count && c->granted; i++)
        if (tti_claim_is_lost(question, i)) reserve.processes[tti_claim_member(question, i)].dead = true;
    if (reserve.last_birth > births) eventfd_write(reserve.wake, (eventfd_t)(reserve.last_birth - births));
}

static bool is_sound(const tti_claim_question *question)
{
    for (int i = 0; i < question->count; i++)
        if (tti_claim_member(question, i) >= reserve.count) return false;
    return true;
}

/* Not granted yet. NULL: no memory. */
static claim *add(uint64_t context, int count)
{
    claim *c = malloc(sizeof *c + (size_t)count * sizeof c->members[0]);
    if (c == NULL) return NULL;
    *c = (claim){.next = reserve.claims, .context = context, .count = count};
    reserve.claims = c;
    return c;
}

static claim *get(const tti_claim_question *question)
{
    claim *c = find(question->context);
    if (c != NULL || question->count == 0 || !is_sound(question)) return c;
    c = add(question->context, question->count);
    if (c != NULL) decide(c, question);
    return c;
}

/* Who asks what it was claimed for knows that the claim holds. */
static void note_use(int asker, const claim *c)
{
    process *p = &reserve.processes[asker];
    if (p->state == TTI_RESERVE_CLAIMED && p->context == c->context) p->state = TTI_RESERVE_IN_USE;
}

static bool compose(const claim *c, void **answer, size_t *bytes)
{
    *bytes = tti_claim_answer_bytes(c->count, reserve.count);
    uint8_t *record = malloc(*bytes);
    if (record == NULL) return false;
    tti_wire_out out = {record, record + *bytes, false};
    tti_wire_put_uint(&out, c->granted, 1);
    tti_wire_put_uint(&out, (uint64_t)c->count, 4);
    for (int i = 0; i < c->count; i++)
        tti_wire_put_uint(&out, c->members[i], 4);
    for (int i = 0; i < reserve.count; i++)
        if (reserve.processes[i].dead) tti_wire_put_uint(&out, (uint64_t)i, 4);
    *bytes = (size_t)(out.at - record);
    *answer = record;
    return true;
}

bool tti_reserve_ask(int asker, const void *question, size_t bytes, void **answer, size_t *answer_bytes)
{
    tti_claim_question read;
    if (!tti_claim_read_question(question, bytes, &read)) return false;
    pthread_mutex_lock(&reserve.lock);
    const claim *c = get(&read);
    const bool answered = c != NULL && compose(c, answer, answer_bytes);
    if (answered) note_use(asker, c);
    pthread_mutex_unlock(&reserve.lock);
    return answered;
}

/* A claim that nobody got through with has a place in the list, too: the question of a rank that is dead by
 * now may still come, and would take a process that nobody waits for. */
void tti_reserve_return(uint64_t context)
{
    pthread_mutex_lock(&reserve.lock);
    if (find(context) == NULL) add(context, 0);
    give_back(context);
    pthread_mutex_unlock(&reserve.lock);
}

bool tti_reserve_call_of(int number, void **answer, size_t *answer_bytes)
{
    pthread_mutex_lock(&reserve.lock);
    const claim *c = number >= reserve.world ? find(reserve.processes[number].context) : NULL;
    const bool called = c != NULL && compose(c, answer, answer_bytes);
    pthread_mutex_unlock(&reserve.lock);
    return called;
}

bool tti_reserve_next_birth(int *number, int *place)
{
    pthread_mutex_lock(&reserve.lock);
    const bool any = reserve.first_birth < reserve.last_birth;
    if (any) {
        *number = reserve.births[reserve.first_birth++];
        *place = reserve.processes[*number].place;
    }
    pthread_mutex_unlock(&reserve.lock);
    return any;
}

void tti_reserve_died(int number)
{
    pthread_mutex_lock(&reserve.lock);
    process *p = &reserve.processes[number];
    p->dead = true;
    if (number >= reserve.world) p->state = TTI_RESERVE_DEAD;
    pthread_mutex_unlock(&reserve.lock);
}

enum tti_reserve_state tti_reserve_state_of(int number)
{
    pthread_mutex_lock(&reserve.lock);
    const enum tti_reserve_state state = reserve.processes[number].state;
    pthread_mutex_unlock(&reserve.lock);
    return state;
}

int tti_reserve_place_of(int number)
{
    pthread_mutex_lock(&reserve.lock);
    const int place = number < reserve.world ? -1 : reserve.processes[number].place;
    pthread_mutex_unlock(&reserve.lock);
    return place;
}
