/* SPDX-License-Identifier: BSD-3-Clause */
/* A test fails on wrong results and on no progress, never because a machine is slow. What should come,
 * usually within milliseconds, is given this long before its absence counts as a hang. Scripts: patience.sh.
 */
#ifndef TESTS_PATIENCE_H
#define TESTS_PATIENCE_H

#define PATIENCE_S 120
#define PATIENCE_NS (PATIENCE_S * INT64_C(1000000000))

/* A whole program of many such things: on the clock, and what one process may compute. */
#define PATIENCE_PROGRAM_S 1200
#define PATIENCE_PROCESSOR_S 300

#endif
