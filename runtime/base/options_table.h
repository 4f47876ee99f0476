/* SPDX-License-Identifier: BSD-3-Clause */
/* Every option of Tutti, in one table: environment variable TUTTI_<NAME>, or tutti_options.set. It makes the
 * parser, `tutti-info --options` and docs/options.md.
 *
 *   OPTION(NAME, RANKS, KIND, default, least, most, choices, help)
 *
 * RANKS is ALIKE where all ranks of a job must have the same value (runtime/base/alike.h), or EACH.
 * KIND is BOOL (yes|no), INT, SIZE (bytes; suffixes k m g, powers of 1024), TIME (nanoseconds; suffixes ns us
 * ms s, plain numbers are seconds), AUTO_SIZE (a SIZE, or "auto": what Tutti takes for best), TEXT, FIGURES
 * (of the machine, "name=value,..."; runtime/base/figures.h), CHOICE (one of "a|b|c", its value the place in
 * the list). The default is text, parsed like the user's. least/most bound INT, SIZE, AUTO_SIZE, TIME. */

OPTION(LOG, EACH, CHOICE, "error", 0, 0, "error|warn|info|debug", "what is written to stderr")
OPTION(TRANSPORT, EACH, CHOICE, "auto", 0, 0, "auto|fabric|node",
       "way to peers: auto (shared memory on the node, fabric beyond), fabric (libfabric for all), node "
       "(shared memory alone); the same at all ranks of a node")
OPTION(PROVIDER, EACH, TEXT, "", 0, 0, NULL,
       "libfabric provider, as fi_info names it (empty: the best there is)")
OPTION(INTERFACE, EACH, TEXT, "", 0, 0, NULL,
       "network interface, domain or address/prefix to use; looked for where a job needs the network (empty: "
       "chosen)")
OPTION(MODEX, ALIKE, CHOICE, "auto", 0, 0, "auto|direct|full",
       "address exchange: direct (at first contact), full (one collecting fence at start), auto (by job size "
       "and launcher)")
#define COLLECTIVE(NAME, name, example)                                                                      \
    OPTION(NAME, ALIKE, TEXT, "", 0, 0, NULL,                                                                \
           "algorithms of tutti_" #name " by bytes per rank, such as \"" example                             \
           "\" (empty: the default table)")
#include "runtime/base/collectives_table.h"
#undef COLLECTIVE
OPTION(
    CONNECT_TIMEOUT, EACH, TIME, "30s", 1000000, INT64_MAX, NULL,
    "longest wait for a peer's address, or for a connection to a host or port that does not answer; a rank "
    "that is there and computes is waited for (over TCP and shm)")
OPTION(
    SINGLE_COPY, EACH, BOOL, "yes", 0, 0, NULL,
    "copy large messages on a node straight from memory to memory (process_vm_readv) where the kernel lets")
OPTION(SINGLE_LEAST, EACH, AUTO_SIZE, "auto", 1024, 1073741824, NULL,
       "shortest message, and part of a collective, that is copied so; auto: as `tutti-info --machine` tells")
OPTION(EAGER_NODE, EACH, AUTO_SIZE, "auto", 0, 16384, NULL,
       "largest message sent at once to a peer on the node if that lags behind or shares the core; auto, and "
       "what goes at once to all others: as `tutti-info --machine` tells")
OPTION(MACHINE, EACH, FIGURES, "", 0, 0, NULL,
       "figures of this node to choose by, in place of measured ones, such as \"line=74,kernel_call=2100\"; "
       "those that are not named are typical ones (empty: measured in the first jobs after a boot, then once "
       "a minute)")
OPTION(EAGER_FABRIC, EACH, SIZE, "120k", 0, 1073741824, NULL,
       "largest message sent at once over the fabric, if its packets are that large; longer ones are "
       "announced first")
OPTION(WAIT, EACH, CHOICE, "adaptive", 0, 0, "adaptive|spin|sleep",
       "waiting: adaptive (spin shortly, yield, sleep), spin (never sleep), sleep (at once)")
OPTION(
    SPREAD, EACH, BOOL, "yes", 0, 0, NULL,
    "ranks that wait on processors which they share move to those, of the ones they may use, that fewer of "
    "them are on")
OPTION(
    VERIFY, ALIKE, CHOICE, "no", 0, 0, "no|calls",
    "calls: before each collective call, among them those that make communicators, windows and checkpoints, "
    "all ranks exchange which call they make; if they differ, all get an error that names both")
OPTION(WATCHDOG, EACH, TIME, "0", 0, INT64_MAX, NULL,
       "report on stderr which call waits for whom, and where those are, after this long, and at once on "
       "SIGUSR1 if the program does not use that (0: never)")
OPTION(HEARTBEAT, ALIKE, TIME, "0", 0, INT64_MAX, NULL,
       "a rank that is reached over the fabric and does not answer for this long, computing or not, counts "
       "as dead, and ends if it lives (0: silence is never death)")
OPTION(
    ORPHANS, EACH, CHOICE, "end", 0, 0, "end|live",
    "ranks whose launcher is gone: end (by SIGTERM, a second later SIGKILL), live (go on; nobody ends them)")
OPTION(KEEP, ALIKE, CHOICE, "copies", 0, 0, "copies|xor",
       "what tutti_keep() makes besides a rank's own copy, the same at all ranks: copies (another one, at "
       "its buddy), xor (the exclusive or of the pieces of a group of ranks, divided among them, from which "
       "that of one can be had again)")
OPTION(KEEP_GROUP, ALIKE, INT, "4", 2, 64, NULL,
       "ranks of a group of TUTTI_KEEP=xor: each takes 1 / (group - 1) of a copy's memory more")
OPTION(FINALIZE_TIMEOUT, EACH, TIME, "60s", 0, INT64_MAX, NULL,
       "how long tutti_finalize() waits for messages to be taken (a second at most after a death), and then "
       "again for the other ranks of a job on several nodes to come (not after a death)")
