/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "bench/pattern.h"
#include "tests/unit/expect.h"

enum { COUNT = 1000, RANKS = 5 };

static void bytes_differ_by_rank_and_pattern(void)
{
    unsigned char buf[COUNT];
    bench_fault fault;
    bench_fill_bytes(buf, COUNT, 3, 7);
    EXPECT(bench_holds(buf, COUNT, 3, 7, &fault));
    EXPECT(!bench_holds(buf, COUNT, 2, 7, &fault) && fault.element == 0);
    EXPECT(!bench_holds(buf, COUNT, 3, 8, &fault) && fault.element == 0);
    buf[555] ^= 1;
    EXPECT(!bench_holds(buf, COUNT, 3, 7, &fault) && fault.element == 555);
    EXPECT(fault.expected != fault.got && fault.got == buf[555]);
}

/* Ranks of a job, and the parts that one has for others (numbered on, rank by rank): none passes for another.
 */
static void parts_differ(size_t bytes, int parts)
{
    unsigned char buf[COUNT];
    bench_fault fault;
    for (int one = 0; one < parts; one++) {
        bench_fill_bytes(buf, bytes, one, 7);
        for (int other = 0; other < parts; other++)
            EXPECT(bench_holds(buf, bytes, other, 7, &fault) == (one == other));
    }
}

/* What a rank sends from one place is not what another sends from elsewhere. */
static void places_differ(void)
{
    unsigned char buf[COUNT];
    bench_fault fault;
    bench_fill_bytes(buf, COUNT, 0, 7);
    for (size_t at = 1; at + 32 < COUNT; at++)
        for (int rank = 0; rank < 64; rank++)
            EXPECT(!bench_holds(buf + at, 32, rank, 7, &fault));
}

/* A reduction done here by hand, in every type and operation, must pass; one changed element must not. */
static void reduce_by_hand(enum port_type type, enum port_op op)
{
    double all[RANKS][COUNT] = {{0}}, result[COUNT];
    bench_fault fault;
    for (int r = 0; r < RANKS; r++)
        bench_fill_elements(all[r], COUNT, PORT_DOUBLE, op, r);
    for (int i = 0; i < COUNT; i++) {
        double value = all[0][i];
        for (int r = 1; r < RANKS; r++) {
            double other = all[r][i];
            value = op == PORT_SUM                        ? value + other
                    : op == PORT_PROD                     ? value * other
                    : (op == PORT_MIN) == (other < value) ? other
                                                          : value;
        }
        if (type == PORT_INT32) ((int *)result)[i] = (int)value;
        if (type == PORT_INT64) ((int64_t *)result)[i] = (int64_t)value;
        if (type == PORT_FLOAT) ((float *)result)[i] = (float)value;
        if (type == PORT_DOUBLE) result[i] = value;
    }
    bench_combination of = {type, op, RANKS, 0};
    EXPECT(bench_holds_elements(result, COUNT, &of, &fault));
    of.first = 3; /* of the elements from 3 on */
    EXPECT(bench_holds_elements((char *)result + 3 * bench_type_bytes(type), COUNT - 3, &of, &fault));
    of.first = 0;
    memset((char *)result + 17 * bench_type_bytes(type), 0x11, bench_type_bytes(type));
    EXPECT(!bench_holds_elements(result, COUNT, &of, &fault) && fault.element == 17);
    EXPECT(fault.expected != fault.got);
}

int main(void)
{
    bytes_differ_by_rank_and_pattern();
    parts_differ(1, 256);
    parts_differ(64, 32 * 32);
    places_differ();
    for (int type = 0; type < PORT_TYPES; type++)
        for (int op = 0; op < PORT_OPS; op++)
            reduce_by_hand((enum port_type)type, (enum port_op)op);
    return 0;
}
