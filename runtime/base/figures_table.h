/* SPDX-License-Identifier: BSD-3-Clause */
/* What a node does in which time, and has room for, as far as choices rest on it: in one table, which makes
 * the parser of the kept file and of TUTTI_MACHINE, and `tutti-info --machine`.
 *
 *   FIGURE(NAME, unit, least, most, typical, what was measured)
 *
 * Values outside least … most are not believed. `typical` stands in where nothing could be measured; it is
 * that of the machine on which the choices were first tuned (a Xeon of 2 GHz). 0 is "cannot be had here",
 * which only the kernel's copy and the cache may be. */

FIGURE(LINE, "ns", 5, 5000, 200, "a cache line that one core has written comes to another")
FIGURE(LOAD, "ns", 5, 5000, 200, "the same, as who reads it times it: the reading alone")
FIGURE(KERNEL_CALL, "ns", 50, 100000, 700, "process_vm_readv() of a few bytes")
FIGURE(KERNEL_MIB, "ns/MiB", 2000, 10000000, 49000, "each further byte of it, from 64 KiB")
FIGURE(SHARED_MIB, "ns/MiB", 2000, 10000000, 174000,
       "through two shared buffers of 16 KiB, one core copying in while another copies out")
FIGURE(PIECE_MIB, "ns/MiB", 2000, 10000000, 305000,
       "through one shared buffer of 16 KiB, out by another core once all is in")
FIGURE(PAST_CALL, "ns", 1, 100000, 1000, "to write past the caches for another core, beside its bytes")
FIGURE(PAST_MIB, "ns/MiB", 2000, 10000000, 305000,
       "each further byte of it, through one shared buffer, up to 16 KiB")
FIGURE(COPY_MIB, "ns/MiB", 1000, 10000000, 47000, "memcpy() of 1 MiB")
FIGURE(CACHE, "KiB", 1, 4194304, 1408, "of the last cache, a processor's share")
FIGURE(SWITCH, "ns", 50, 100000, 500, "sched_yield() to another thread on the same processor")
