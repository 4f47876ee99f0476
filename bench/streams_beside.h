/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_STREAMS_BESIDE_H
#define BENCH_STREAMS_BESIDE_H

#include <stdbool.h>

/* Where the first word is stream-rate or the like, becomes `tutti-stream-bench rate ...`, which lies beside
 * this program: streams join programs that are no ranks, so what measures them is none either. Returns where
 * it is another word, or, having said why, where that program cannot be run: then true. */
bool bench_streams_beside(char **argv);

#endif
