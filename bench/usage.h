/* SPDX-License-Identifier: BSD-3-Clause */
/* --help and --version, on stdout. */
#ifndef BENCH_USAGE_H
#define BENCH_USAGE_H

void bench_usage(void);
void bench_version(void);

#endif
