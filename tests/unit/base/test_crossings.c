/* SPDX-License-Identifier: BSD-3-Clause */
/* Recorded figures of machines, and what is chosen on them. */
#include <stdio.h>

#include "runtime/base/crossings.h"
#include "tests/unit/expect.h"

#define KIB ((size_t)1024)

static tti_figures machine(const char *text)
{
    char why[160];
    tti_figures figures = tti_figures_unknown();
    EXPECT(tti_figures_parse(text, &figures, why, sizeof why));
    EXPECT(tti_figures_whole(&figures) || figures.value[TTI_FIGURE_KERNEL_CALL] == TTI_FIGURE_NONE);
    return figures;
}

static tti_crossings crossings_of(const char *text)
{
    const tti_figures figures = machine(text);
    return tti_crossings_of(&figures);
}

/* The choices that were found by measuring on it, one by one, before they were computed. */
static void expect_xeon(const tti_crossings *c)
{
    EXPECT(c->eager_sure == 5 * KIB && c->eager_most == 8 * KIB);
    EXPECT(c->fetch == 5 * KIB + 1 && c->fetch_shared <= 8 * KIB);
    EXPECT(c->help == 64 * KIB);
    EXPECT(c->cell == 6 * KIB && c->single_part == 32 * KIB && c->direct == KIB);
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++)
        EXPECT(c->single[i] == 6 * KIB + 1 && c->shown[i] == c->single[i]);
}

static void test_xeon(void)
{
    const tti_crossings c = crossings_of("line=200 kernel_call=700 kernel_mib=49000 shared_mib=174000 "
                                         "piece_mib=305000 copy_mib=47000 switch=500");
    expect_xeon(&c);
    const tti_figures typical = tti_figures_typical();
    const tti_crossings same = tti_crossings_of(&typical);
    expect_xeon(&same);
}

/* Measured there, us: messages of 4100 B, 8, 16, 64, 256 KiB, 1 MiB by the kernel's copy 2.6 2.7 3.3 5.1 15
 * 50, in packets 0.44 0.72 1.4 3.6 13.3 54; allreduce 0.64 3.05 4.3 10.2 46 153, by blocks 0.63 1.0 1.85 5.7
 * 26 103. */
static void test_epyc(void)
{
    const tti_crossings c = crossings_of("line=74 kernel_call=2100 kernel_mib=102400 shared_mib=54000 "
                                         "piece_mib=87000 copy_mib=44000 switch=1900");
    EXPECT(c.eager_sure == 16 * KIB && c.eager_most == 16 * KIB);
    EXPECT(c.fetch > 256 * KIB && c.fetch <= 1024 * KIB);
    EXPECT(c.cell == 8 * KIB);
    EXPECT(c.single[TTI_CROSSING_ALLREDUCE] > 1024 * KIB);
    EXPECT(c.single[TTI_CROSSING_BCAST] > 256 * KIB && c.single[TTI_CROSSING_BCAST] <= 1024 * KIB);
    EXPECT(c.single[TTI_CROSSING_REDUCE] > 64 * KIB && c.single[TTI_CROSSING_ALLGATHER] > 64 * KIB);
    EXPECT(c.single_part == TTI_CROSSING_NEVER && c.shown[TTI_CROSSING_ALLREDUCE] == TTI_CROSSING_NEVER);
    /* A switch there costs what a call of the kernel does. */
    EXPECT(c.fetch_shared <= 16 * KIB);
}

/* The same kind of machine another day. Where ranks share cores a second turn of the sender's, for a message
 * that fills the area, costs more than the kernel's copy: of 64 KiB, and not only of the 67 KiB that lie a
 * sixteenth above the last size at which packets are the shorter way. */
static void test_crossings_are_found_to_the_kib(void)
{
    const tti_crossings c = crossings_of("line=55 kernel_call=1282 kernel_mib=71328 shared_mib=118016 "
                                         "piece_mib=100672 copy_mib=21693 switch=1354");
    EXPECT(c.fetch_shared == 64 * KIB);
}

static void test_slow_arm(void)
{
    const tti_crossings c = crossings_of("line=150 kernel_call=3000 kernel_mib=200000 shared_mib=300000 "
                                         "piece_mib=500000 copy_mib=150000 switch=3000");
    EXPECT(c.eager_sure > 8 * KIB && c.eager_sure < 16 * KIB && c.eager_most == 16 * KIB);
    EXPECT(c.fetch == c.eager_sure + 1);
    EXPECT(c.cell == 8 * KIB);
}

static void test_no_kernel_copy(void)
{
    const tti_crossings c =
        crossings_of("line=100 kernel_call=0 kernel_mib=0 shared_mib=90000 piece_mib=150000 "
                     "copy_mib=50000 switch=900");
    EXPECT(c.eager_sure == 16 * KIB && c.cell == 8 * KIB);
    EXPECT(c.fetch == TTI_CROSSING_NEVER && c.fetch_shared == TTI_CROSSING_NEVER);
    EXPECT(c.single_part == TTI_CROSSING_NEVER);
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++)
        EXPECT(c.single[i] == TTI_CROSSING_NEVER);
}

/* Whatever is within bounds gives choices that hold together: figures come from a file. */
static void expect_sane(const tti_crossings *c)
{
    EXPECT(c->eager_sure <= c->eager_most && c->eager_most <= TTI_CROSSING_EAGER_MOST);
    EXPECT(c->eager_sure >= 4 * KIB && c->eager_most >= 8 * KIB);
    EXPECT(c->cell <= TTI_CROSSING_CELL_MOST && c->help > 0 && c->direct > 0);
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++)
        EXPECT(c->single[i] > c->cell);
}

/* Another day on the Xeon, us: latency of 5500 B, 6, 7, 8, 10 KiB by the kernel's copy 3.32 3.33 3.35 3.40
 * 3.50, in packets 2.57 2.75 3.02 3.55 4.48; a halo of them 8.8 8.3 8.8 8.5 9.3 and 6.1 6.5 7.1 7.8 8.3. */
static void test_xeon_again(void)
{
    const tti_crossings c = crossings_of("line=188 kernel_call=712 kernel_mib=53360 shared_mib=166296 "
                                         "piece_mib=254016 copy_mib=46025 switch=678");
    EXPECT(c.eager_sure >= 6 * KIB && c.eager_sure <= 8 * KIB && c.eager_most == 8 * KIB);
    EXPECT(c.fetch == c.eager_sure + 1);
}

static void test_extremes(void)
{
    for (unsigned corner = 0; corner < 1u << TTI_FIGURES; corner++) {
        tti_figures figures;
        for (int i = 0; i < TTI_FIGURES; i++) {
            const tti_figure_row *row = tti_figure_describe((enum tti_figure)i);
            figures.value[i] = corner >> i & 1 ? row->most : row->least;
        }
        const tti_crossings c = tti_crossings_of(&figures);
        expect_sane(&c);
    }
}

static void test_forced(void)
{
    const tti_figures typical = tti_figures_typical();
    tti_crossings c = tti_crossings_of(&typical);
    tti_crossings_force(&c, 2 * KIB);
    EXPECT(c.fetch == 2 * KIB && c.eager_sure == 2 * KIB && c.cell == 2 * KIB && c.single_part == 2 * KIB);
    c = tti_crossings_of(&typical);
    tti_crossings_force(&c, 1024 * KIB);
    EXPECT(c.fetch == 1024 * KIB && c.single[TTI_CROSSING_BCAST] == 1024 * KIB && c.cell == 6 * KIB);
}

int main(void)
{
    test_xeon();
    test_xeon_again();
    test_epyc();
    test_crossings_are_found_to_the_kib();
    test_slow_arm();
    test_no_kernel_copy();
    test_extremes();
    test_forced();
    return 0;
}
