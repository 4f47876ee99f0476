/* SPDX-License-Identifier: BSD-3-Clause */
/* REDUCED is 1 in builds that are ten times slower: they prove fewer shapes. */
#ifndef TESTS_PROOF_EFFORT_H
#define TESTS_PROOF_EFFORT_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define REDUCED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define REDUCED 1
#endif
#endif
#ifndef REDUCED
#define REDUCED 0
#endif

#endif
