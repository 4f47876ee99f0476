/* SPDX-License-Identifier: BSD-3-Clause */
/* A file without a name that all ranks of one host have open: what they need of each other beside the library
 * under test. */
#ifndef BENCH_COMMON_FILE_H
#define BENCH_COMMON_FILE_H

#include <stddef.h>

/* Collective. The file in `folder`, of `bytes` zeros, open to read and write; to be closed by the caller. A
 * failure, of which `test` is the name, ends the job. */
int bench_common_file(const char *test, const char *folder, size_t bytes);

#endif
