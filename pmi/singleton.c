/* SPDX-License-Identifier: BSD-3-Clause */
/* A job of one without a launcher: what it publishes, only itself can fetch. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pmi/client.h"
#include "runtime/base/list.h"
#include "runtime/base/status.h"

typedef struct {
    tti_link link;
    const char *key; /* behind the bytes */
    size_t bytes;
    unsigned char value[];
} record;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tti_link records = {&records, &records};

static record *find(const char *key)
{
    for (tti_link *at = records.next; at != &records; at = at->next) {
        record *found = TTI_OWNER(at, record, link);
        if (strcmp(found->key, key) == 0) return found;
    }
    return NULL;
}

int tti_pmi_singleton_put(const char *key, const void *value, size_t bytes)
{
    const size_t key_bytes = strlen(key) + 1;
    record *made = malloc(sizeof *made + bytes + key_bytes);
    if (made == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to publish %zu bytes under \"%s\"", bytes, key);
    made->bytes = bytes;
    made->key = (char *)made->value + bytes;
    memcpy(made->value, value, bytes);
    memcpy(made->value + bytes, key, key_bytes);

    pthread_mutex_lock(&lock);
    record *old = find(key);
    if (old != NULL) tti_list_remove(&old->link);
    tti_list_append(&records, &made->link);
    pthread_mutex_unlock(&lock);
    free(old);
    return 0;
}

int tti_pmi_singleton_get(const char *key, void *value, size_t *bytes)
{
    pthread_mutex_lock(&lock);
    const record *found = find(key);
    const size_t have = found != NULL ? found->bytes : 0;
    const bool fits = found != NULL && have <= *bytes;
    if (fits) memcpy(value, found->value, have);
    pthread_mutex_unlock(&lock);

    if (found == NULL)
        return tti_fail(TUTTI_ERR_TIMEOUT,
                        "nothing is published under \"%s\", and there is no other rank to do it", key);
    if (!fits)
        return tti_fail(TUTTI_ERR_LIMIT, "record \"%s\" is %zu bytes, room is for %zu", key, have, *bytes);
    *bytes = have;
    return 0;
}

void tti_pmi_singleton_close(void)
{
    pthread_mutex_lock(&lock);
    while (!tti_list_empty(&records)) {
        record *last = TTI_OWNER(records.next, record, link);
        tti_list_remove(&last->link);
        free(last);
    }
    pthread_mutex_unlock(&lock);
}
