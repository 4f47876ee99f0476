/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/usage.h"

#include <stdio.h>

#include "bench/suite.h"

static const char head[] = "tutti-bench: measures message passing between the ranks of a job\n"
                           "\n"
                           "usage: tuttirun -n RANKS tutti-bench [options] TEST...\n"
                           "\n"
                           "tests:\n";

static const char tail[] =
    "  startup         time from exec to the first barrier done, and resident memory per rank\n"
    "  idle            rank 0 computes, all others wait in a barrier: the processor time they use together, "
    "and how\n"
    "                  much slower rank 0 is than alone; on one host\n"
    "  stream-rate, stream-latency, stream-bandwidth, stream-answer [options]: of streams, without a "
    "launcher:\n"
    "                  what `tutti-stream-bench rate` and the like measure, and with its options\n"
    "  all             a compact tour: every test but idle and the floors at 8, 1k, 64k and 1m bytes, 150 ms "
    "each\n"
    "\n"
    "what is measured:\n"
    "  --sizes LIST    sizes and ranges of bytes, as 1-8m (doubling) or 8,64,4k-64k, 1024g at\n"
    "                  most                                                             [8-1m]\n"
    "  --form LIST     of collectives: blocking, nonblocking, persistent, or all [blocking; halo: "
    "nonblocking]\n"
    "  --type TYPE     of reductions: int32, int64, float, double                       [float]\n"
    "  --op OP         of reductions: sum, prod, min, max                               [sum]\n"
    "  --root RANK     of bcast, reduce, gather, scatter, gatherv and scatterv          [0]\n"
    "  --window N      messages under way at once in bandwidth and rate tests, up to 64 MiB of them  [64]\n"
    "  --compute T     time that rank 0 computes for in the test idle                   [2s]\n"
    "  --memory KIND   of the buffers: plain (malloc), or shared (tutti_mem_alloc; of an MPI: "
    "MPI_Alloc_mem)\n"
    "                  [plain]\n"
    "  --validate WHEN ends (before the first repetition of each size and after the last), all (also\n"
    "                  before every batch), off [ends]; a wrong result names rank and element and ends\n"
    "                  the job\n"
    "\n"
    "how it is measured:\n"
    "  --max-time T    longest time per size, as 2s or 200ms                            [1s; all: 150ms]\n"
    "  --total-time T  no size is begun after this time, measured from the first one           [no limit]\n"
    "  --tolerance P   stop earlier, once the median has kept within P percent over five batches  [2]\n"
    "  --iterations N  exactly N repetitions per size, however long they take, each timed by itself\n"
    "  --sync HOW      start of each repetition of a collective: clock (at an agreed time), barrier (timed\n"
    "                  from the first rank's leaving it to the last one's end), iteration (a barrier that\n"
    "                  is timed with it), none (back to back), at least ten of the last two timed as one,\n"
    "                  unless --iterations is given; auto (barrier where ranks share cores of one host,\n"
    "                  else clock) [auto]\n"
    "\n"
    "where the results go, besides the table:\n"
    "  --json FILE, --csv FILE, --plot FILE.svg|FILE.png (by gnuplot)\n"
    "  -h, --help; --version\n"
    "\n"
    "Times are microseconds per operation, of the slowest rank for collectives; MB are 10^6 bytes. Exit "
    "status:\n"
    "0; 1 for a wrong result or a failure; 2 for a bad command line. See docs/benchmarking.md.\n";

void bench_usage(void)
{
    fputs(head, stdout);
    for (int i = 0; bench_tests[i]; i++)
        printf("  %-15s %s\n", bench_tests[i]->name, bench_tests[i]->help);
    fputs(tail, stdout);
}

void bench_version(void)
{
    puts(port_program());
}
