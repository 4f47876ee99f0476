/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/proof/checker_state.h"

/* A number that was told, with that as its shift: nothing that ends in an OUTPUT. */
#define NUMBER (-1)

/* Whether a whole one stands there. */
static bool is_number(const tti_interval *word, size_t at)
{
    return word->value == NUMBER && word->low == at && word->high - at == TTI_STEP_WORD;
}

static void put(tti_access_map *map, size_t low, size_t high, int value, size_t shift)
{
    tti_interval *whole = tti_access_unite(map, low, high);
    if (whole == NULL) return;
    whole->value = value;
    whole->shift = shift;
    tti_access_join(map, low);
}

/* The value of a rank's contribution. Where nothing is combined all have one, as if they stood one after the
 * other: so those of ranks in a row are one interval where they come to lie in a row, and not as many as
 * there are ranks. */
static int value_of(const tti_checker *checker, int rank)
{
    return tti_values_of_rank(checker->contract->reduces ? rank : 0);
}

/* What is at the beginning: each rank's contribution where the contract says, nothing elsewhere. Returns how
 * far that goes. */
static size_t fill_in_rank(tti_checker *checker, int rank)
{
    size_t end = 0;
    const tti_contract *contract = checker->contract;
    const tti_shape shape = tti_checker_shape(contract->number, checker->shape, rank);
    tti_access_reset(tti_check_content(checker, rank, TTI_INPUT), tti_contract_input(contract, &shape), 0);
    tti_access_reset(tti_check_content(checker, rank, TTI_OUTPUT), tti_contract_output(contract, &shape), 0);
    tti_access_reset(tti_check_content(checker, rank, TTI_SCRATCH), checker->schedules[rank]->scratch, 0);
    tti_content own;
    for (int i = 0; i < contract->before(&shape, i, &own); i++) {
        const size_t low = own.place.offset;
        put(tti_check_content(checker, rank, own.place.space), low, low + own.bytes, value_of(checker, rank),
            checker->begins[rank] + own.from - low);
        if (own.from + own.bytes > end) end = own.from + own.bytes;
    }
    return end;
}

static void fill_in(tti_checker *checker)
{
    size_t begin = 0;
    for (int r = 0; r < checker->ranks; r++) {
        checker->begins[r] = begin;
        const size_t bytes = fill_in_rank(checker, r);
        begin += checker->contract->reduces ? 0 : bytes;
    }
    checker->begins[checker->ranks] = begin;
    for (int r = 0; r < checker->size; r++)
        tti_access_reset(tti_check_content(checker, r, TTI_WINDOW), tti_check_schedule(checker, r)->window,
                         0);
}

static bool unwritten(tti_checker *checker, const tti_event *event, size_t at)
{
    return tti_check_wrong(checker, "rank %d step %d takes byte %zu, which nobody wrote", event->rank,
                           event->step, at);
}

/* Passes on what no data are: a number, if all of it, or nothing. */
static void pass_on(tti_access_map *to, size_t low, size_t high, const tti_interval *what)
{
    tti_interval *whole = tti_access_unite(to, low, high);
    const bool number = what->value == NUMBER && what->high - what->low == high - low;
    if (whole == NULL) return;
    whole->value = number ? NUMBER : 0;
    whole->shift = number ? what->shift : 0;
}

/* Copies what the source holds, interval by interval. What the caller does not get may have gaps, and numbers
 * between the data. */
static bool move(tti_checker *checker, const tti_event *event, const tti_access_map *from, size_t low,
                 const tti_end *target, size_t bytes)
{
    tti_access_map *to = tti_check_content(checker, target->rank, target->place.space);
    for (size_t at = low; at < low + bytes;) {
        const tti_interval here = *tti_access_find(from, at);
        const size_t end = here.high < low + bytes ? here.high : low + bytes;
        const size_t there = target->place.offset + (at - low);
        if (here.value > 0)
            put(to, there, there + (end - at), here.value, here.shift + at - there);
        else if (target->place.space == TTI_OUTPUT)
            return unwritten(checker, event, at);
        else
            pass_on(to, there, there + (end - at), &here);
        at = end;
    }
    return true;
}

/* The combination of two values, if it makes sense; else 0. */
static int combine(tti_checker *checker, const tti_event *event, int left, int right)
{
    const int twice = tti_values_common(&checker->values, left, right);
    if (twice >= 0) {
        tti_check_wrong(checker, "rank %d step %d combines the contribution of rank %d twice", event->rank,
                        event->step, twice);
        return 0;
    }
    const int made = tti_values_combine(&checker->values, left, right);
    if (made == 0) tti_check_wrong(checker, "no memory for values");
    if (made != 0 && !checker->shape->commutes && !checker->values.at[made].ordered) {
        tti_check_wrong(checker, "rank %d step %d combines out of rank order", event->rank, event->step);
        return 0;
    }
    return made;
}

static tti_access_map *content_of(const tti_checker *checker, const tti_end *end)
{
    return tti_check_content(checker, end->rank, end->place.space);
}

static bool reduce(tti_checker *checker, const tti_event *event, const tti_step *step)
{
    const tti_end source = tti_check_source(checker, event->rank, step);
    const tti_access_map *from = content_of(checker, &source);
    tti_access_map *to = tti_check_content(checker, event->rank, step->to_space);
    for (size_t done = 0; done < step->bytes;) {
        const size_t a_at = source.place.offset + done, b_at = step->to + done;
        const tti_interval a = *tti_access_find(from, a_at);
        const tti_interval b = *tti_access_find(to, b_at);
        if (a.value <= 0 || b.value <= 0) return unwritten(checker, event, a.value <= 0 ? a_at : b_at);
        if (a_at + a.shift != b_at + b.shift || (a_at + a.shift) % checker->shape->element != 0)
            return tti_check_wrong(checker, "rank %d step %d combines byte %zu with byte %zu", event->rank,
                                   event->step, a_at + a.shift, b_at + b.shift);
        const size_t a_rest = a.high - a_at, b_rest = b.high - b_at, rest = step->bytes - done;
        size_t n = a_rest < b_rest ? a_rest : b_rest;
        if (n > rest) n = rest;
        const int made = combine(checker, event, a.value, b.value);
        if (made == 0) return false;
        put(to, b_at, b_at + n, made, b.shift);
        done += n;
    }
    return true;
}

static bool tell(tti_checker *checker, const tti_event *event, const tti_step *step)
{
    tti_interval *word = tti_access_unite(tti_check_content(checker, event->rank, step->to_space), step->to,
                                          step->to + step->bytes);
    if (word == NULL) return tti_check_wrong(checker, "no memory for intervals");
    word->value = NUMBER;
    word->shift = step->from;
    return true;
}

static bool compare(tti_checker *checker, const tti_event *event, const tti_step *step)
{
    const tti_end source = tti_check_source(checker, event->rank, step);
    const tti_access_map *from = content_of(checker, &source);
    const tti_interval *word = tti_access_find(from, step->from);
    if (is_number(word, step->from) && word->shift == step->to) return true;
    return tti_check_wrong(checker, "rank %d step %d expects the number %zu of rank %d, which tells another",
                           event->rank, event->step, step->to, step->about);
}

/* What the source of a move, a step of `rank`, says is needed of it. */
static bool find_moved(tti_checker *checker, int rank, int global, size_t *bytes)
{
    const tti_need *need = tti_check_need_of(checker, global);
    const tti_step *step = tti_check_global(checker, global);
    *bytes = step->bytes;
    if (need == NULL) return true;
    const tti_step numbers = tti_check_numbers(step, need);
    const tti_end at = tti_check_source(checker, rank, &numbers);
    const tti_access_map *map = content_of(checker, &at);
    size_t used = 0;
    for (size_t i = 0; i < (size_t)need->count; i++) {
        const size_t low = at.place.offset + i * TTI_STEP_WORD;
        const tti_interval *word = tti_access_find(map, low);
        if (!is_number(word, low))
            return tti_check_wrong(checker, "rank %d step %d goes by a number at byte %zu, where none stands",
                                   rank, global - checker->first[rank], low);
        used = tti_need_take(need, used, word->shift);
    }
    *bytes = tti_need_bytes(need, *bytes, used);
    return true;
}

/* Whether the number is there that a PUT was found to go by. */
static bool is_told(tti_checker *checker, const tti_event *event, const tti_step *step)
{
    if (!tti_step_is_told(step)) return true;
    const tti_interval *word =
        tti_access_find(tti_check_content(checker, event->rank, TTI_SCRATCH), step->to);
    if (is_number(word, step->to) && word->shift == tti_check_told(checker, event->rank, step)) return true;
    return tti_check_wrong(checker, "rank %d step %d goes by a number at byte %zu, where none stands",
                           event->rank, event->step, step->to);
}

/* What a shorter message leaves as it was is not what the schedule says. */
static void forget(tti_checker *checker, const tti_end *target, size_t low, size_t high)
{
    tti_interval *rest = tti_access_unite(content_of(checker, target), target->place.offset + low,
                                          target->place.offset + high);
    if (rest != NULL) rest->value = 0;
}

static bool execute(tti_checker *checker, const tti_event *event)
{
    const tti_step *step = tti_check_step(checker, event->rank, event->step);
    if (tti_step_is_meeting(step)) return true;
    if (step->kind == TTI_STEP_TELL) return tell(checker, event, step);
    if (step->kind == TTI_STEP_COMPARE) return compare(checker, event, step);
    if (step->kind == TTI_STEP_REDUCE) return reduce(checker, event, step);
    int from = checker->first[event->rank] + event->step;
    if (step->kind == TTI_STEP_RECV) from = checker->partner[from];
    const int sender = checker->owner[from];
    const tti_end source = tti_check_source(checker, sender, tti_check_global(checker, from)),
                  target = tti_check_target(checker, event->rank, step);
    size_t bytes;
    if (!is_told(checker, event, step) || !find_moved(checker, sender, from, &bytes)) return false;
    if (step->kind == TTI_STEP_RECV) forget(checker, &target, bytes, step->bytes);
    return move(checker, event, content_of(checker, &source), source.place.offset, &target, bytes);
}

static bool wrong_end(tti_checker *checker, int owner, const tti_content *wanted, size_t at)
{
    if (wanted->first == wanted->last)
        return tti_check_wrong(checker, "rank %d ends without the data of rank %d at byte %zu", owner,
                               wanted->first, at);
    return tti_check_wrong(checker, "rank %d ends without the combination of ranks %d to %d at byte %zu",
                           owner, wanted->first, wanted->last, at);
}

/* Whether what is in an interval is what is wanted in that place. */
static bool is_wanted(const tti_checker *checker, const tti_interval *here, const tti_content *wanted)
{
    const size_t begin = checker->begins[wanted->first], low = wanted->place.offset;
    if (here->value <= 0 || here->shift + low != begin + wanted->from) return false;
    if (checker->contract->reduces)
        return tti_values_are(&checker->values, here->value, wanted->first, wanted->last);
    const size_t has = checker->begins[wanted->first + 1] - begin;
    return wanted->first == wanted->last && wanted->from + wanted->bytes <= has;
}

/* Rank `owner` must have what is wanted in its OUTPUT. */
static bool ends_with(tti_checker *checker, int owner, const tti_content *wanted)
{
    const tti_access_map *map = tti_check_content(checker, owner, TTI_OUTPUT);
    const size_t low = wanted->place.offset, high = low + wanted->bytes;
    for (size_t at = low; at < high;) {
        const tti_interval *here = tti_access_find(map, at);
        if (!is_wanted(checker, here, wanted)) return wrong_end(checker, owner, wanted, at);
        at = here->high;
    }
    return true;
}

/* A result that rank 0 has as well must be combined there as here. */
static bool ends_alike(tti_checker *checker, int owner, int index, const tti_content *mine)
{
    const tti_shape shape = tti_checker_shape(checker->contract->number, checker->shape, 0);
    tti_content theirs;
    if (index >= checker->contract->after(&shape, index, &theirs) || theirs.from != mine->from ||
        theirs.first != mine->first || theirs.last != mine->last || theirs.bytes != mine->bytes)
        return true;
    const tti_access_map *map = tti_check_content(checker, owner, TTI_OUTPUT),
                         *other = tti_check_content(checker, 0, TTI_OUTPUT);
    for (size_t done = 0; done < mine->bytes;) {
        const tti_interval *here = tti_access_find(map, mine->place.offset + done);
        const tti_interval *there = tti_access_find(other, theirs.place.offset + done);
        if (there->value != here->value)
            return tti_check_wrong(checker, "ranks 0 and %d combine byte %zu in different ways", owner,
                                   mine->from + done);
        const size_t end = here->high - mine->place.offset, other_end = there->high - theirs.place.offset;
        done = end < other_end ? end : other_end;
    }
    return true;
}

/* Where parts lie apart, what is between them stays as it was. */
static bool leaves_gaps(tti_checker *checker, int owner, size_t wanted)
{
    const tti_access_map *map = tti_check_content(checker, owner, TTI_OUTPUT);
    const size_t end = tti_access_end(map);
    size_t written = 0;
    for (size_t at = 0; at < end;) {
        const tti_interval *here = tti_access_find(map, at);
        if (here->value != 0) written += here->high - here->low;
        at = here->high;
    }
    return written == wanted ||
           tti_check_wrong(checker, "rank %d writes %zu bytes of OUTPUT for parts of %zu", owner, written,
                           wanted);
}

static bool check_end(tti_checker *checker)
{
    for (int r = 0; r < checker->ranks; r++) {
        const tti_shape shape = tti_checker_shape(checker->contract->number, checker->shape, r);
        tti_content wanted;
        size_t bytes = 0;
        for (int i = 0; i < checker->contract->after(&shape, i, &wanted); i++) {
            if (!ends_with(checker, r, &wanted)) return false;
            if (wanted.first < wanted.last && !ends_alike(checker, r, i, &wanted)) return false;
            bytes += wanted.bytes;
        }
        const bool parts = checker->contract->received != TTI_NO_TABLE || checker->contract->neighbours;
        if (parts && !leaves_gaps(checker, r, bytes)) return false;
    }
    return true;
}

bool tti_check_value(tti_checker *checker)
{
    if (!tti_values_reset(&checker->values, checker->ranks))
        return tti_check_wrong(checker, "no memory for %d values", checker->size);
    fill_in(checker);
    for (int i = 0; i < checker->order_count; i++)
        if (!execute(checker, &checker->order[i])) return false;
    for (int i = 0; i < checker->size * TTI_SPACES; i++)
        if (checker->contents[i].failed) return tti_check_wrong(checker, "no memory for intervals");
    return check_end(checker);
}
