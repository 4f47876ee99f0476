/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocations that fail. Of a program that has the library in itself and is linked with
 * --wrap=malloc,--wrap=calloc,--wrap=realloc. */
#ifndef TESTS_NO_MEMORY_H
#define TESTS_NO_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

static _Thread_local int countdown = -1; /* this thread's allocations until one fails; negative: none does */

static bool fails_now(void)
{
    return countdown >= 0 && countdown-- == 0;
}

/* The names are the linker's. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return fails_now() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails_now() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *block, size_t bytes)
{
    return fails_now() ? NULL : __real_realloc(block, bytes);
}

#endif
