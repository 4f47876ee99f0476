/* SPDX-License-Identifier: BSD-3-Clause */
/* What the compiler calls from code built with -fsanitize=thread: before each plain access, and at the
 * beginning and end of functions. The atomics of that code are calls already (replaced/). */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "tests/explore/races.h"

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_read_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes);

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void)
{
}

#define NOTE(name, bytes, write)                                                                             \
    void name(void *at);                                                                                     \
    void name(void *at)                                                                                      \
    {                                                                                                        \
        races_note(at, bytes, write);                                                                        \
    }
#define NOTES(bytes)                                                                                         \
    NOTE(__tsan_read##bytes, bytes, false)                                                                   \
    NOTE(__tsan_write##bytes, bytes, true)                                                                   \
    NOTE(__tsan_unaligned_read##bytes, bytes, false)                                                         \
    NOTE(__tsan_unaligned_write##bytes, bytes, true)

NOTES(1)
NOTES(2)
NOTES(4)
NOTES(8)
NOTES(16)

void __tsan_read_range(void *at, size_t bytes)
{
    races_note(at, bytes, false);
}

void __tsan_write_range(void *at, size_t bytes)
{
    races_note(at, bytes, true);
}

void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    return __tsan_memmove(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    races_note(from, bytes, false);
    races_note(to, bytes, true);
    return memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int value, size_t bytes)
{
    races_note(to, bytes, true);
    return memset(to, value, bytes);
}
