/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in fixed point: a sum of doubles depends on the order, and so on the number of ranks; a sum of
 * integers does not. */
#ifndef EXAMPLES_FIXED_H
#define EXAMPLES_FIXED_H

#include <math.h>
#include <stdint.h>

/* 2^-36: a number, and a sum that is kept in one word, must stay below 2^27, some 10^8. */
#define FIXED 0x1p36

static inline int64_t fixed(double value)
{
    return (int64_t)(value * FIXED);
}

static inline double unfixed(int64_t value)
{
    return (double)value / FIXED;
}

/* A sum of many: whole numbers and what is between them in a word each, so that it has room for 2^32 of the
 * largest numbers. All words of 64 bits, which a reduction adds up as TUTTI_INT64. */
struct fixed_sum {
    int64_t whole;
    int64_t part;   /* in fixed point; of either sign */
    int64_t beyond; /* how many numbers were 2^31 or more, or none at all: they are in no sum */
};

/* Keeps the part below one, so that those of all ranks have room in a word, too. */
static inline void fixed_sum_carry(struct fixed_sum *sum)
{
    const int64_t one = (int64_t)FIXED, over = sum->part / one;
    sum->whole += over;
    sum->part -= over * one;
}

static inline void fixed_sum_add(struct fixed_sum *sum, double value)
{
    if (!(fabs(value) < 0x1p31)) {
        sum->beyond++;
        return;
    }
    const int64_t whole = (int64_t)value;
    sum->whole += whole;
    sum->part += fixed(value - (double)whole);
    fixed_sum_carry(sum);
}

/* Not a number if the sum lacks some; that is better seen than a sum that is wrong. */
static inline double fixed_sum_value(struct fixed_sum sum)
{
    fixed_sum_carry(&sum);
    return sum.beyond != 0 ? NAN : (double)sum.whole + unfixed(sum.part);
}

#endif
