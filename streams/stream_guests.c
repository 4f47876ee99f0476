/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/stream_guests.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <rdma/fi_cm.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/base/digest.h"
#include "runtime/base/keepalive.h"
#include "runtime/base/log.h"
#include "runtime/base/parse.h"

int tti_stream_next_free(const tutti_stream_context *context)
{
    const int one = fcntl(context->kick, F_DUPFD_CLOEXEC, 0);
    if (one >= 0) close(one);
    return one;
}

int tti_stream_next_descriptor(const tutti_stream_context *context)
{
    for (const struct dirent *entry; (entry = readdir(context->descriptors)) != NULL;) {
        int64_t descriptor;
        if (tti_parse_int(entry->d_name, &descriptor)) return (int)descriptor;
    }
    return -1;
}

int tti_stream_first_descriptor(tutti_stream_context *context)
{
    if (context->descriptors == NULL) context->descriptors = opendir("/proc/self/fd");
    if (context->descriptors == NULL) {
        tti_log(TTI_LOG_WARN, "no /proc/self/fd: connections that say nothing are kept for ever");
        return -1;
    }
    rewinddir(context->descriptors);
    return tti_stream_next_descriptor(context);
}

/* Whether a connection with this near end came to this listener, which may listen at all addresses of the
 * host. */
static bool came_to(tutti_stream_listener *listener, const struct sockaddr_storage *near)
{
    struct sockaddr_storage at = {0};
    size_t length = sizeof at;
    if (fi_getname(&listener->endpoint->fid, &at, &length) != 0 || at.ss_family != near->ss_family)
        return false;
    if (at.ss_family == AF_INET) {
        const struct sockaddr_in *own = (void *)&at, *its = (const void *)near;
        return own->sin_port == its->sin_port &&
               (own->sin_addr.s_addr == htonl(INADDR_ANY) || own->sin_addr.s_addr == its->sin_addr.s_addr);
    }
    const struct sockaddr_in6 *own = (void *)&at, *its = (const void *)near;
    return at.ss_family == AF_INET6 && own->sin6_port == its->sin6_port &&
           (IN6_IS_ADDR_UNSPECIFIED(&own->sin6_addr) ||
            memcmp(&own->sin6_addr, &its->sin6_addr, sizeof own->sin6_addr) == 0);
}

const tutti_stream_listener *tti_stream_identify(tutti_stream_context *context, int descriptor,
                                                 char peer[TTI_STREAM_TEXT])
{
    struct sockaddr_storage near, far;
    socklen_t length = sizeof near;
    if (getsockname(descriptor, (struct sockaddr *)&near, &length) != 0) return NULL;
    if (near.ss_family != AF_INET && near.ss_family != AF_INET6) return NULL;
    length = sizeof far;
    if (getpeername(descriptor, (struct sockaddr *)&far, &length) != 0)
        return NULL; /* it listens, or is over */
    tti_stream_print_address(&far, length, peer);
    for (tti_link *at = context->listeners.next; at != &context->listeners; at = at->next) {
        tutti_stream_listener *one = TTI_OWNER(at, tutti_stream_listener, link);
        if (came_to(one, &near)) return one;
    }
    return NULL;
}

bool tti_stream_is_socket_of(tutti_stream_listener *listener, int descriptor)
{
    struct sockaddr_storage near;
    socklen_t length = sizeof near, length_of_int = sizeof(int);
    int listens = 0;
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length_of_int) == 0 && listens != 0 &&
           getsockname(descriptor, (struct sockaddr *)&near, &length) == 0 && came_to(listener, &near);
}

/* Whether the connection with these ends is this stream's: others may come from the same far end, too, to
 * another listener. */
static bool is_of(const tutti_stream *stream, const char *near, const char *far)
{
    struct sockaddr_storage name;
    size_t length = sizeof name;
    char text[TTI_STREAM_TEXT];
    if (strcmp(stream->peer, far) != 0 || stream->endpoint == NULL || stream->closed_endpoint) return false;
    if (fi_getname(&stream->endpoint->fid, &name, &length) != 0 || length > sizeof name) return false;
    tti_stream_print_address(&name, length, text);
    return strcmp(text, near) == 0;
}

/* Looking for guests asks of each connection whose it is: so not all streams are looked through. */
static tti_link *bucket_of(tutti_stream_context *context, const char *peer)
{
    return &context->by_peer[tti_digest(TTI_DIGEST_OF_NOTHING, peer, strlen(peer)) % TTI_STREAM_BUCKETS];
}

void tti_stream_name_peer(tutti_stream *stream, const struct fi_info *info)
{
    tti_stream_print_address(info->dest_addr, info->dest_addrlen, stream->peer);
    tti_list_append(bucket_of(stream->context, stream->peer), &stream->alike);
}

/* Of a TCP connection. */
static bool read_ends(int descriptor, char near[TTI_STREAM_TEXT], char far[TTI_STREAM_TEXT])
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return false;
    if (address.ss_family != AF_INET && address.ss_family != AF_INET6) return false;
    tti_stream_print_address(&address, length, near);
    length = sizeof address;
    if (getpeername(descriptor, (struct sockaddr *)&address, &length) != 0) return false;
    tti_stream_print_address(&address, length, far);
    return true;
}

tutti_stream *tti_stream_behind(tutti_stream_context *context, int descriptor)
{
    char near[TTI_STREAM_TEXT], far[TTI_STREAM_TEXT];
    if (!read_ends(descriptor, near, far)) return NULL;
    const tti_link *bucket = bucket_of(context, far);
    for (const tti_link *at = bucket->next; at != bucket; at = at->next) {
        tutti_stream *one = TTI_OWNER(at, tutti_stream, alike);
        if (is_of(one, near, far)) return one;
    }
    return NULL;
}

static bool keep(const tutti_stream *stream, int descriptor)
{
    char near[TTI_STREAM_TEXT], far[TTI_STREAM_TEXT];
    if (!read_ends(descriptor, near, far) || !is_of(stream, near, far)) return false;
    tti_keepalive_begin(descriptor);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return true;
}

void tti_stream_keep_alive(const tutti_stream *stream)
{
    if (keep(stream, stream->descriptor)) return;
    for (int one = tti_stream_first_descriptor(stream->context); one >= 0;
         one = tti_stream_next_descriptor(stream->context)) {
        if (keep(stream, one)) return;
    }
}

void tti_stream_shut_listener(tutti_stream_listener *listener)
{
    for (int one = tti_stream_first_descriptor(listener->context); one >= 0;
         one = tti_stream_next_descriptor(listener->context)) {
        if (!tti_stream_is_socket_of(listener, one)) continue;
        shutdown(one, SHUT_RDWR);
        listener->shut = one;
    }
}

/* Also one whose far end is gone, which cannot be told from a stream's that is. */
static bool is_guest(tutti_stream_listener *listener, int descriptor)
{
    struct sockaddr_storage near;
    socklen_t length = sizeof near;
    return descriptor != listener->shut && getsockname(descriptor, (struct sockaddr *)&near, &length) == 0 &&
           came_to(listener, &near) && tti_stream_behind(listener->context, descriptor) == NULL;
}

int tti_stream_shut_guests(tutti_stream_listener *listener)
{
    int count = 0;
    for (int one = tti_stream_first_descriptor(listener->context); one >= 0;
         one = tti_stream_next_descriptor(listener->context)) {
        if (!is_guest(listener, one)) continue;
        shutdown(one, SHUT_RDWR);
        count++;
    }
    return count;
}
