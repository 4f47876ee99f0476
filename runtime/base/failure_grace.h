/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a rank that is asked to end after a failure has for that. */
#ifndef TTI_BASE_FAILURE_GRACE_H
#define TTI_BASE_FAILURE_GRACE_H

#include "runtime/base/clock.h"

/* Between SIGTERM and SIGKILL. Short, because the job has to be gone within two seconds. */
#define TTI_FAILURE_GRACE_NS TTI_NS_PER_SECOND

#endif
