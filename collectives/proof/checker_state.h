/* SPDX-License-Identifier: BSD-3-Clause */
/* The checker from the inside: what its parts share. */
#ifndef TTI_PROOF_CHECKER_STATE_H
#define TTI_PROOF_CHECKER_STATE_H

#include "collectives/contract/contract.h"
#include "collectives/proof/checker.h"
#include "collectives/schedule/access.h"
#include "tutti/types.h"

/* A step of a rank; steps of all ranks are numbered through: first[rank] + step. */
typedef struct {
    int rank, step;
} tti_event;

/* A value: a contribution, or two values combined. Interned, so that equal trees have equal numbers. */
typedef struct {
    int left, right;
    int first, last; /* ranks first … last in this order, if `ordered` */
    bool ordered;
    int slot; /* in the hash table, of a combination */
} tti_value;

/* What a rank posts, and where it is in the order of its posts and awaits. */
typedef struct {
    int posts;   /* how many it makes */
    int *post;   /* [posts] their steps, numbered through */
    int made;    /* posts so far */
    int held;    /* the AWAIT that it is in, numbered through, or -1 */
    int missing; /* posts that this still waits for */
    int rows;    /* of what it knows after its posts and awaits (check_known.c) */
    int last;    /* the row of what it knows in the end */
} tti_meeter;

/* About what is known somewhere. */
typedef struct {
    int number; /* after so many posts and awaits of its rank; -1: with what messages brought */
    int owner;  /* the one step that has it, and may add to it, or -1 */
} tti_row;

typedef struct {
    tti_value *at;
    uint64_t *ranks; /* [room][words] the set of ranks in it */
    int count, room, words;
    int *table; /* hash table of value numbers, 0 is empty */
    int table_size;
} tti_values;

struct tti_checker {
    const tti_contract *contract;
    const tti_shape *shape;
    tti_schedule *const *schedules;
    int ranks;       /* that call it */
    int size, total; /* ranks, with the one that the last to come plays; steps */
    int *first;      /* [size + 1] */
    int *owner;      /* [total] rank */
    int *partner;    /* [total] the other end of a message, or -1 */
    int *waits;      /* [total] */
    int *stack;      /* [total] */
    bool *started;   /* [total] */
    int *table;      /* of sends, by key; -1 is empty */
    int table_size;
    tti_event *order; /* [total] completions; a message is there once, as its receive */
    int order_count;
    tti_meeter *meeters; /* [size] */
    int *posts;          /* [total] the POSTs, rank by rank */
    int *shown;          /* [total] the first post that comes after the step; INT_MAX: none */
    int *knows;          /* [total] the row of what each step knows */
    uint16_t *known;     /* [rows][size] see check_known.c */
    tti_row *about_rows; /* [rows] */
    int rows, rows_room;
    size_t known_room;
    int first_room, total_room, table_room;
    uint64_t *bits; /* of race: ancestors */
    size_t bits_room;
    tti_access_map accesses[TTI_SPACES]; /* of race, one rank at a time */
    tti_access_map *contents;            /* [size][TTI_SPACES] of value; WINDOWs also of reach */
    int contents_room;
    tti_values values;
    size_t *begins; /* [size + 1] of contributions that stand one after the other, or 0 (check_value.c) */
    bool failed;
    char why[512];
};

/* Remembers the first thing wrong; returns false. */
bool tti_check_wrong(tti_checker *checker, const char *format, ...) TUTTI_PRINTF(2, 3);
/* Zeroed bits, reused; NULL if memory is out (and that is what is wrong). */
uint64_t *tti_check_bits(tti_checker *checker, size_t words);

static inline const tti_schedule *tti_check_schedule(const tti_checker *checker, int rank)
{
    return rank < checker->ranks ? checker->schedules[rank] : checker->schedules[0]->last;
}
static inline const tti_step *tti_check_step(const tti_checker *checker, int rank, int step)
{
    return &tti_check_schedule(checker, rank)->steps[step];
}
/* The same for a step numbered through all ranks. */
static inline const tti_step *tti_check_global(const tti_checker *checker, int global)
{
    const int rank = checker->owner[global];
    return tti_check_step(checker, rank, global - checker->first[rank]);
}
static inline tti_access_map *tti_check_content(const tti_checker *checker, int rank, int space)
{
    return &checker->contents[rank * TTI_SPACES + space];
}
static inline const tti_need *tti_check_need_of(const tti_checker *checker, int global)
{
    const tti_schedule *schedule = tti_check_schedule(checker, checker->owner[global]);
    return tti_schedule_need(schedule, tti_check_global(checker, global));
}
/* A step as if the numbers of its need were what it reads. */
static inline tti_step tti_check_numbers(const tti_step *step, const tti_need *need)
{
    tti_step numbers = *step;
    numbers.from -= need->before;
    numbers.bytes = (size_t)need->count * TTI_STEP_WORD;
    return numbers;
}
/* Whether the one may await posts of the other and read its WINDOW. */
static inline bool tti_check_shares(const tti_checker *checker, int a, int b)
{
    if (a < checker->ranks && b < checker->ranks) return tti_shape_shares(checker->shape, a, b);
    return a != b && checker->shape->window > 0 && checker->shape->nodes == NULL;
}
/* Whether `step`, a POST or AWAIT of `rank`, is for `other`, or on one of its posts. */
static inline bool tti_check_meets(const tti_checker *checker, int rank, const tti_step *step, int other)
{
    const bool named = step->peer == other || (step->peer == TTI_ALL && other < checker->ranks);
    return named && tti_check_shares(checker, rank, other);
}

/* The parts of the proof, in their order. */
bool tti_check_form(tti_checker *checker);
bool tti_check_meetings(tti_checker *checker);
/* check_meetings.c: of those proved, whether meetings by counting have the form that they are run in. */
bool tti_check_counted(tti_checker *checker);
bool tti_check_match(tti_checker *checker);
bool tti_check_race(tti_checker *checker);
bool tti_check_order(tti_checker *checker);
bool tti_check_known(tti_checker *checker);
bool tti_check_value(tti_checker *checker);

/* An end of a step, in a space of its rank's or a peer's. */
typedef struct {
    int rank;
    tti_place place;
} tti_end;
/* What a peer shows, as INPUT or OUTPUT, where a step of another's reaches it. */
static inline tti_end tti_check_reached(const tti_checker *checker, const tti_step *step)
{
    size_t at;
    const int as = tti_step_reached(step, &at);
    const tti_shown *shown = &tti_check_schedule(checker, step->peer)->shown[as];
    return (tti_end){step->peer, {(enum tti_space)shown->space, shown->at + at}};
}
/* Where a step of `rank` finds its source. */
static inline tti_end tti_check_source(const tti_checker *checker, int rank, const tti_step *step)
{
    if (!tti_step_reads_peer(step)) return (tti_end){rank, {(enum tti_space)step->from_space, step->from}};
    if (!tti_step_reaches(step)) return (tti_end){step->peer, {TTI_WINDOW, step->from}};
    return tti_check_reached(checker, step);
}
/* check_target.c: where a step of `rank` that writes, or PUTs, has its target; and the number that a PUT goes
 * by, which a message brings. TTI_CHECK_UNTOLD: none does. */
#define TTI_CHECK_UNTOLD SIZE_MAX
tti_end tti_check_target(const tti_checker *checker, int rank, const tti_step *step);
size_t tti_check_told(const tti_checker *checker, int rank, const tti_step *step);
/* The number that such a PUT goes by, as if it were what a step reads. */
static inline tti_step tti_check_told_word(const tti_step *step)
{
    return (tti_step){.kind = TTI_STEP_COPY,
                      .peer = TTI_OWN,
                      .from_space = TTI_SCRATCH,
                      .from = step->to,
                      .bytes = TTI_STEP_WORD};
}

/* check_reach.c: begins with nobody having touched any WINDOW or buffer; then, step after step in the order
 * found, whether what it touches of them is ordered with what other ranks did there. `known` is what it knows
 * of each rank as it starts. */
void tti_check_reach_begin(tti_checker *checker);
bool tti_check_reach(tti_checker *checker, int global, const uint16_t *known);
/* Whether all reads in the buffers of `rank` come before its end, at which it knows that. */
bool tti_check_reach_end(tti_checker *checker, int rank, const uint16_t *known);

/* values.c: number of the contribution of `rank`; of the combination of two (0 if memory is out). */
bool tti_values_reset(tti_values *values, int size);
void tti_values_close(tti_values *values);
static inline int tti_values_of_rank(int rank)
{
    return rank + 1;
}
int tti_values_combine(tti_values *values, int left, int right);
/* A rank that is in both, or -1. */
int tti_values_common(const tti_values *values, int a, int b);
/* Whether exactly the ranks first … last are in it. */
bool tti_values_are(const tti_values *values, int value, int first, int last);

#endif
