/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/live/site.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "examples/flow/paint.h"
#include "examples/live/page.h"

#define CONNECTIONS_MOST 32
#define CONNECTION_BYTES (16 * 1024u) /* for a request's lines, and what is being sent */
#define IDLE_SECONDS 20u

/* ---- what is answered ---- */

static struct MHD_Response *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
static struct MHD_Response *text_of(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_COPY);
}

static struct MHD_Response *file_of(const void *bytes, size_t count)
{
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_PERSISTENT);
}

static struct MHD_Response *state_of(const struct site *site)
{
    const struct frames *f = site->frames;
    const struct field_head none = {0}, *head = f->last != NULL ? f->last : &none;
    return text_of("{\"viewer\":\"%llx\",\"frame\":%lu,\"connected\":%s,\"step\":%u,\"steps\":%u,"
                   "\"width\":%u,\"height\":%u}\n",
                   site->birth, f->count, f->stream != NULL ? "true" : "false", head->step, head->steps,
                   head->width, head->height);
}

static void label(struct MHD_Response *response, const char *type)
{
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(
        response, "Content-Security-Policy",
        "default-src 'self'; img-src blob:; style-src 'unsafe-inline'; frame-ancestors 'none'");
}

/* A PNG in memory of its own, or NULL. Speed counts for more than size: it is painted several times a second.
 */
static void *encode(const struct field_head *head, const struct colour *pixels, size_t *bytes)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = head->width,
                       .height = head->height,
                       .format = PNG_FORMAT_RGB,
                       .flags = PNG_IMAGE_FLAG_FAST};
    *bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    void *png = malloc(*bytes);
    if (png != NULL && png_image_write_to_memory(&image, png, bytes, 0, pixels, 0, NULL) != 0) return png;
    free(png);
    return NULL;
}

static struct MHD_Response *paint_last(const struct frames *frames)
{
    const struct field_head *head = frames->last;
    size_t bytes = 0;
    struct colour *pixels = calloc((size_t)head->width * head->height, sizeof *pixels);
    if (pixels == NULL) return NULL;
    paint(frames_field(frames), (int)head->width, (int)head->height, (double)head->strongest, pixels);
    void *png = encode(head, pixels, &bytes);
    free(pixels);
    return png == NULL ? NULL : MHD_create_response_from_buffer(bytes, png, MHD_RESPMEM_MUST_FREE);
}

/* The same for all who ask before the next frame comes; who still reads an older one keeps it alive. */
static struct MHD_Response *picture_of(struct site *site)
{
    if (site->painted == site->frames->count) return site->picture;
    if (site->picture != NULL) MHD_destroy_response(site->picture);
    site->picture = paint_last(site->frames);
    site->painted = site->frames->count;
    if (site->picture != NULL) label(site->picture, "image/png");
    return site->picture;
}

/* ---- requests ---- */

/* A page from elsewhere can make its name mean this host and then read what is here, unless names are looked
 * at (DNS rebinding). Who lets other hosts in knows the names by which they come. */
static bool host_fits(const struct site *site, struct MHD_Connection *connection)
{
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    if (!site->loopback || host == NULL) return true;
    const char *names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) == 0 && (host[length] == ':' || host[length] == '\0'))
            return true;
    }
    return false;
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, const char *type,
                              struct MHD_Response *response)
{
    if (response == NULL) return MHD_NO; /* no memory: the connection is closed */
    label(response, type);
    const enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result route(struct site *site, struct MHD_Connection *connection, const char *path)
{
    if (strcmp(path, "/") == 0)
        return answer(connection, MHD_HTTP_OK, "text/html; charset=utf-8",
                      file_of(page_html, sizeof page_html));
    if (strcmp(path, "/page.js") == 0)
        return answer(connection, MHD_HTTP_OK, "text/javascript; charset=utf-8",
                      file_of(page_js, sizeof page_js));
    if (strcmp(path, "/state") == 0)
        return answer(connection, MHD_HTTP_OK, "application/json", state_of(site));
    if (strcmp(path, "/frame.png") != 0)
        return answer(connection, MHD_HTTP_NOT_FOUND, "text/plain", text_of("no such page\n"));
    if (site->frames->last == NULL)
        return answer(connection, MHD_HTTP_NOT_FOUND, "text/plain", text_of("no frame has come yet\n"));
    struct MHD_Response *picture = picture_of(site);
    return picture != NULL ? MHD_queue_response(connection, MHD_HTTP_OK, picture) : MHD_NO;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *content, size_t *bytes,
                                  void **mine)
{
    static char begun;
    (void)version;
    (void)content;
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return answer(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", text_of("only GET\n"));
    if (*mine == NULL) { /* its head; once more when it is whole */
        *mine = &begun;
        return MHD_YES;
    }
    if (*bytes > 0) {
        *bytes = 0;
        return MHD_YES;
    }
    if (!host_fits(user, connection))
        return answer(connection, MHD_HTTP_FORBIDDEN, "text/plain", text_of("ask for localhost\n"));
    return route(user, connection, path);
}

/* ---- opening, and the event loop ---- */

/* getaddrinfo() takes the lower bits of a port that is too large. */
static bool is_port(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= 5 && text[digits] == '\0' && atoi(text) <= 65535;
}

static bool split(const char *address, char *host, size_t room, const char **port)
{
    const char *colon = strrchr(address, ':');
    snprintf(host, room, "127.0.0.1");
    *port = colon == NULL ? address : colon + 1;
    if (colon == NULL) return true;
    const bool bracket = colon > address && address[0] == '[' && colon[-1] == ']';
    const int length = (int)(colon - address) - (bracket ? 2 : 0);
    return length > 0 && snprintf(host, room, "%.*s", length, address + (bracket ? 1 : 0)) < (int)room;
}

static struct addrinfo *look_up(const char *address)
{
    char host[64];
    const char *port;
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    if (!split(address, host, sizeof host, &port) || !is_port(port) ||
        getaddrinfo(host, port, &hints, &found) != 0)
        return NULL;
    return found;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
    return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
}

bool site_open(struct site *site, const char *address, const struct frames *frames)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *site = (struct site){.frames = frames,
                          .birth = (unsigned long long)now.tv_sec * 1000000000 + (unsigned)now.tv_nsec};
    struct addrinfo *at = look_up(address);
    if (at == NULL)
        return complain("--http %s: give host:port, [IPv6]:port or a port, all in numbers", address);
    site->loopback = is_loopback(at->ai_addr);
    const unsigned flags = MHD_USE_EPOLL | (at->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    site->daemon = MHD_start_daemon(flags, 0, NULL, NULL, on_request, site, MHD_OPTION_SOCK_ADDR, at->ai_addr,
                                    MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MOST,
                                    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
                                    MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS, MHD_OPTION_END);
    freeaddrinfo(at);
    if (site->daemon == NULL)
        return complain("--http %s: pages cannot be served there: the address is taken, or not of this host",
                        address);
    const union MHD_DaemonInfo *port = MHD_get_daemon_info(site->daemon, MHD_DAEMON_INFO_BIND_PORT);
    const int length = strrchr(address, ':') != NULL ? (int)(strrchr(address, ':') - address) : 0;
    fprintf(stderr, "live: the page is http://%.*s:%u/\n", length > 0 ? length : 9,
            length > 0 ? address : "127.0.0.1", port->port);
    return true;
}

void site_close(struct site *site)
{
    if (site->daemon != NULL) MHD_stop_daemon(site->daemon);
    if (site->picture != NULL) MHD_destroy_response(site->picture);
}

int site_fd(const struct site *site)
{
    return MHD_get_daemon_info(site->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int site_timeout(const struct site *site, int most)
{
    MHD_UNSIGNED_LONG_LONG wish;
    if (MHD_get_timeout(site->daemon, &wish) != MHD_YES || wish > 1000 * IDLE_SECONDS) return most;
    return most >= 0 && (int)wish > most ? most : (int)wish;
}

void site_process(struct site *site)
{
    MHD_run(site->daemon);
}
