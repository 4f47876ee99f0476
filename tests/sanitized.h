/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether AddressSanitizer or ThreadSanitizer is in this build: each takes address space and mappings of its
 * own, keeps what is freed, and has its own handlers of signals and functions of malloc(). Gcc's, by which
 * these builds are made. */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#endif
