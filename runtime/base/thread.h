/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the library's own. */
#ifndef TTI_BASE_THREAD_H
#define TTI_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>

/* Starts a thread that takes no signals: the program's handlers run on the program's threads. 0 or an errno
 * value. */
static inline int tti_thread_start(pthread_t *thread, void *(*body)(void *), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(thread, NULL, body, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

#endif
