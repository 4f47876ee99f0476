/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/spectral/spectrum.h"

#include <math.h>
#include <stdint.h>

#include "examples/common/dice.h"
#include "examples/common/fixed.h"
#include "examples/common/mishap.h"

/* Energy of a wave, not yet scaled: k / (1 + (k / scale)⁴) is shared by some 2πk waves of wave number k. */
static double shape(double square, double scale)
{
    const double ratio = square / (scale * scale);
    return square > 0 ? 1 / (1 + ratio * ratio) : 0;
}

static double square_of(int kx, int ky)
{
    return (double)kx * kx + (double)ky * ky;
}

static double phase(int kx, int ky, int seed)
{
    const uint64_t wave = ((uint64_t)(uint32_t)kx << 20) + (uint64_t)(uint32_t)(ky + 0x80000);
    return 2 * M_PI * dice(((uint64_t)(uint32_t)seed << 40) + wave);
}

/* Coefficients of kx and -kx, which is not stored, have the same size. */
static double counted(int kx)
{
    return kx == 0 ? 1 : 2;
}

/* Added up by every rank for itself, in one order. */
static double shape_sum(int highest, double scale)
{
    double sum = 0;
    for (int kx = 0; kx <= highest; kx++)
        for (int ky = -highest; ky <= highest; ky++)
            sum += counted(kx) * shape(square_of(kx, ky), scale);
    return sum;
}

/* A real field has conjugate coefficients for kx, ky and -kx, -ky; of kx = 0 both are stored. */
static double complex wave_begin(int kx, int ky, int seed, double size)
{
    const bool mirrored = kx == 0 && ky < 0;
    const double angle = phase(kx, mirrored ? -ky : ky, seed);
    return CMPLX(size * cos(angle), (mirrored ? -size : size) * sin(angle));
}

void spectrum_begin(const struct slabs *s, const struct settings *settings, double complex *vorticity)
{
    const double sum = shape_sum(s->highest, settings->scale);
    for (int k = 0; k < s->columns; k++)
        for (int i = 0; i < s->grid; i++, vorticity++) {
            const int kx = s->column + k, ky = slabs_wave(s, i);
            const double square = square_of(kx, ky);
            const double size = sqrt(square * shape(square, settings->scale) / sum);
            *vorticity = slabs_keeps(s, ky) ? wave_begin(kx, ky, settings->seed, size) : 0;
        }
}

enum { ENERGY, ENSTROPHY, LOST, SUMS };

static void add_wave(int64_t sums[SUMS], int kx, int ky, double complex w)
{
    const double square = square_of(kx, ky);
    const double part = counted(kx) * (creal(w) * creal(w) + cimag(w) * cimag(w)) / 2;
    if (!(part < 1e4)) {
        sums[LOST]++;
        return;
    }
    sums[ENSTROPHY] += fixed(part);
    if (square > 0) sums[ENERGY] += fixed(part / square);
}

struct totals spectrum_totals(tutti_comm *world, const struct slabs *s, const double complex *vorticity)
{
    int64_t mine[SUMS] = {0}, all[SUMS];
    for (int k = 0; k < s->columns; k++)
        for (int i = 0; i < s->grid; i++, vorticity++)
            add_wave(mine, s->column + k, slabs_wave(s, i), *vorticity);
    CHECK(tutti_allreduce(world, mine, all, SUMS, TUTTI_INT64, TUTTI_SUM));
    return (struct totals){unfixed(all[ENERGY]), unfixed(all[ENSTROPHY]), all[LOST] == 0};
}
