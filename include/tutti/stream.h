/* SPDX-License-Identifier: BSD-3-Clause */
/** @file stream.h
 * @brief Streams: connected channels of messages between separately started programs.
 *
 * A stream carries messages of up to a buffer's length both ways between two processes, each message once
 * and in order, until one side closes it or is gone. It needs no job and no launcher: one program listens
 * at an address, others connect. This header belongs to a library of its own, libtutti_stream; a program
 * may use it with or without libtutti.
 *
 * All of a program's streams hang on a **context**, which has the memory, and one descriptor to wait on:
 * nothing here blocks (but tutti_stream_run()). Callbacks are called from within tutti_stream_process()
 * alone, and may call every function of this header but tutti_stream_process(), tutti_stream_run() and
 * tutti_stream_context_destroy().
 *
 * A receiver gives its peer **credits**: as many messages may be under way, or lie unprocessed, or be held,
 * at a time. Where none is left tutti_stream_get_buffer() says TUTTI_ERR_AGAIN, and on_ready tells when it
 * is worth another try. So a slow receiver slows its sender; no message is lost and no memory grows.
 *
 * Messages of at most a quarter of a buffer are **coalesced**: several that are sent one after the other
 * share one network operation. By default one that finds nothing of its stream under way leaves at once;
 * those that follow wait until that has left, and share the next operation. It leaves also when the next
 * message does not fit in, when no other can be had (TUTTI_ERR_AGAIN), when `coalesce_ms` are over, and by
 * tutti_stream_flush(). Each message is handed out by itself, and takes a credit of its own, as ever.
 *
 * Large data is sent **in place**, without a copy, by tutti_stream_send() from memory that
 * tutti_stream_register() has made known.
 *
 * Addresses are texts: "host:port", "[IPv6]:port", or "port" alone, which is on the loopback 127.0.0.1.
 *
 * A context is made for one thread or for many; different contexts know nothing of each other.
 * - **For one**, without the option `thread_safe`: once tutti_stream_process() or tutti_stream_run() has
 * been called, all calls come from that thread, the loop's. Nothing is locked. Debug builds of the library
 *   answer a call from another thread with TUTTI_ERR_STATE; others do not notice it, and anything may
 * happen.
 * - **For many**, with `thread_safe`: any thread may send, connect, release and close while one is in
 *   tutti_stream_process() or tutti_stream_run(); one at a time is inside the library. Callbacks come
 *   from the loop's thread alone, and no lock is held while one runs, so it may take a lock that another
 *   thread holds while it calls. A stream and the buffers that it has lent end with its on_closed: the
 *   program sees to it that no other thread uses them any more when that returns.
 *
 * Threads: the loop's; with `thread_safe` any, at any time.
 *
 * Errors common to all: TUTTI_ERR_ARG, TUTTI_ERR_STATE. */
#ifndef TUTTI_STREAM_H
#define TUTTI_STREAM_H

#include <stdint.h>
#include <sys/uio.h>

#include "tutti/error.h"
#include "tutti/types.h"

TUTTI_BEGIN_DECLS

typedef struct tutti_stream_context tutti_stream_context;   /**< Buffers, streams and what they wait on. */
typedef struct tutti_stream_listener tutti_stream_listener; /**< An address at which streams may arrive. */
typedef struct tutti_stream tutti_stream;                   /**< One end of a connection. */

/** What a program may ask of a context. Zero-initialise it, then set what you need: 0 and NULL are the
 * values in brackets. Memory is at most `buffer_bytes` for each of `send_buffers` and, for each stream that
 * is open, of `credits` + 3; as much for what is held of streams that are gone; and some hundred bytes for
 * each of `zero_copy_sends`. */
typedef struct tutti_stream_options {
    const char *provider; /**< libfabric's provider by name [the first that libfabric has for the address]. */
    size_t buffer_bytes;  /**< Longest message, 64 … 2^30 [16 KiB]; a peer may allow less. */
    int send_buffers;     /**< Buffers that all streams send from, 1 … 65536 [64]. */
    int credits;          /**< Messages from the peer that one stream has room for, 1 … 4096 [16]. */
    /** Streams at a time, 1 … 65536; more are refused, and so are new ones while the program holds more than
     *  `max_streams` × (`credits` + 3) messages of streams that are gone [64]. */
    int max_streams;
    /** Longest wait for a connection to come about, and with a secret once more for the peer's proof. Who
     * looks so seldom that this time, or another of these, is over still finds what came [10000]. */
    int connect_timeout_ms;
    int close_timeout_ms; /**< Longest wait for the peer to agree to a close [60000]. */
    /** 0: small messages wait for others only while the stream has some under way, for 1 ms at most. More:
     * the longest time that a small message waits for others, also where nothing is under way, so that more
     * share an operation. -1: each has an operation of its own, at once [0]. */
    int coalesce_ms;
    int zero_copy_sends; /**< Calls of tutti_stream_send() under way at a time, of all streams, 1 … 65536
                            [64]. */
    /** A file with a secret that both ends must know, of 16 to 4096 bytes without a line's end at its end
     *  [none]. It must be the user's own, and of mode 0600 or less. */
    const char *secret_file;
    const void *secret;  /**< Such a secret in memory, in place of a file; copied [none]. */
    size_t secret_bytes; /**< Its length. */
    int max_half_open; /**< Streams at a time that arrive and are not open yet, 1 … 65536; more are refused
                          [32]. */
    int handshake_timeout_ms; /**< Longest time from a stream's arrival until it is open [5000]. */
    int own_connections;      /**< Not 0: each tutti_stream_connect() gets a connection of its own [0]. */
    int thread_safe;          /**< Not 0: any thread may call, not only the one that processes [0]. */
    /** Not 0: the program never waits, but calls tutti_stream_poll() all the time. The network then keeps
     *  nothing to wait on, which makes each look cheaper; the descriptor is always readable [0]. */
    int polling;
} tutti_stream_options;

/** What becomes of a stream is told by these; any may be NULL. Copied by the call that takes them. All are
 * called by the thread that is in tutti_stream_process(). */
typedef struct tutti_stream_callbacks {
    void (*on_open)(tutti_stream *stream, void *user); /**< It is connected: sending may begin. */
    /** A message, in place and 16-byte aligned. It is the callback's, also for writing, until it returns,
     *  or, after tutti_stream_hold(), until tutti_stream_release(). */
    void (*on_message)(tutti_stream *stream, void *data, size_t bytes, void *user);
    /** After TUTTI_ERR_AGAIN: tutti_stream_get_buffer() or tutti_stream_send() may succeed now. */
    void (*on_ready)(tutti_stream *stream, void *user);
    /** The data of a tutti_stream_send() is the program's again: once for each that returned 0, whatever
     *  becomes of the stream, and before its on_closed. It tells that the network is through with the memory,
     *  not that the message has arrived. */
    void (*on_sent)(tutti_stream *stream, uint64_t key, void *user);
    /** The last word of every stream, called once; the handle is dead when it returns. `code` is 0 if both
     *  sides have all that was sent; TUTTI_ERR_REFUSED, TUTTI_ERR_TIMEOUT, TUTTI_ERR_PEER_FAILED (it
     *  went without closing, or cannot be reached), TUTTI_ERR_VERSION, TUTTI_ERR_LIMIT (the peer has no
     *  room for another stream), TUTTI_ERR_DENIED (a wrong secret, or one side has none), TUTTI_ERR_CANCELLED
     * (by a call here), TUTTI_ERR_FABRIC. `why` says it in words, and is valid in the callback alone. */
    void (*on_closed)(tutti_stream *stream, int code, const char *why, void *user);
    void *user; /**< Given to each of them. */
    /** Of a listener: somebody knocked and was turned away, or went, before there was a stream.
     *  TUTTI_ERR_DENIED (a wrong secret, or one side has none), TUTTI_ERR_VERSION, TUTTI_ERR_LIMIT,
     * TUTTI_ERR_TIMEOUT, TUTTI_ERR_PEER_FAILED, TUTTI_ERR_FABRIC (it is no stream). `why` says who and why,
     * and is valid in the callback alone. What is no stream of libfabric's at all is turned away unseen. */
    void (*on_refused)(int code, const char *why, void *user);
} tutti_stream_callbacks;

/** Makes a context. No network is touched until the first tutti_stream_listen() or tutti_stream_connect().
 * @param[out] context  the caller's, for tutti_stream_context_destroy().
 * @param      options  NULL, or the program's wishes; only read in the call.
 * @return TUTTI_ERR_NO_MEMORY; TUTTI_ERR_LIMIT no descriptors are left; TUTTI_ERR_SYSTEM the secret file
 *         cannot be read; TUTTI_ERR_DENIED the secret file is not the user's alone.
 * Threads: any; the loop's may be another one. */
TUTTI_API TUTTI_CHECKED int tutti_stream_context_create(tutti_stream_context **context,
                                                        const tutti_stream_options *options);

/** Ends a context and all that hangs on it at once, and sets *context to NULL. What was sent and has not
 * arrived may be lost: close streams before, and process until on_closed, where that matters. Streams that
 * are left get on_closed with TUTTI_ERR_CANCELLED.
 * @return TUTTI_ERR_STATE called from a callback.
 * Threads: any, when no other uses the context any more; callbacks come from it. */
TUTTI_API int tutti_stream_context_destroy(tutti_stream_context **context);

/** Lets streams arrive at an address; each gets the callbacks, on_open first. Port 0 is one that is free,
 * see tutti_stream_listener_address(). What knocks and is no stream of this version is turned away, and
 * on_refused hears of it; what does not speak libfabric's protocol is turned away unseen.
 * The first call of a process that touches the network takes libfabric 50 to 100 ms.
 * @return TUTTI_ERR_FABRIC the address is taken or not of this host, or libfabric is missing;
 *         TUTTI_ERR_UNSUPPORTED the provider has no descriptor to wait on; TUTTI_ERR_LIMIT no descriptors are
 *         left (`ulimit -n`); TUTTI_ERR_SYSTEM the kernel refused to watch one; TUTTI_ERR_NO_MEMORY. */
TUTTI_API TUTTI_CHECKED int tutti_stream_listen(tutti_stream_context *context, const char *address,
                                                const tutti_stream_callbacks *callbacks,
                                                tutti_stream_listener **listener);

/** The address at which a listener can be reached, "127.0.0.1:40123", as a string of at most `bytes`.
 * @return TUTTI_ERR_LIMIT it does not fit; TUTTI_ERR_FABRIC. */
TUTTI_API TUTTI_CHECKED int tutti_stream_listener_address(const tutti_stream_listener *listener, char *text,
                                                          size_t bytes);

/** No more streams arrive; those that are there stay, and who is on the way is turned away without a word to
 * on_refused. Sets *listener to NULL. Called by another thread than the loop's, an on_refused may still be
 * running when it returns. */
TUTTI_API int tutti_stream_listener_close(tutti_stream_listener **listener);

/** Begins to connect to a listener. Returns at once: on_open follows, or on_closed with the reason.
 * A host name is looked up in the call, which holds up other threads that use the context: give an address
 * in numbers where that matters.
 *
 * Where a stream to the same address, begun with the same callbacks and `user`, is there and not closed, the
 * call gives that one, unless the options say own_connections: on_open is called again for this connect, and
 * the stream closes at the last tutti_stream_close(), of which each connect needs one. on_closed is called
 * once for all. Other callbacks make another connection.
 * @return TUTTI_ERR_LIMIT max_streams are there, or no descriptors are left (`ulimit -n`); TUTTI_ERR_FABRIC
 *         no way to such an address, or libfabric is missing; TUTTI_ERR_UNSUPPORTED and TUTTI_ERR_SYSTEM as
 *         of tutti_stream_listen(); TUTTI_ERR_NO_MEMORY. */
TUTTI_API TUTTI_CHECKED int tutti_stream_connect(tutti_stream_context *context, const char *address,
                                                 const tutti_stream_callbacks *callbacks,
                                                 tutti_stream **stream);

/** Closes a stream. What was sent before is delivered, and messages from the peer still come, until on_closed
 * tells that both sides are through. The peer can send no more once it knows. A stream that is not open yet
 * ends with TUTTI_ERR_CANCELLED. Again is harmless, unless tutti_stream_connect() has given the stream more
 * than once: then each connect is to be closed once, and the last close is the one that counts. */
TUTTI_API int tutti_stream_close(tutti_stream *stream);

/** Ends a stream without waiting for anybody: on_closed follows with TUTTI_ERR_CANCELLED, no message does,
 * and what was sent may be lost; for all who share it. */
TUTTI_API int tutti_stream_abort(tutti_stream *stream);

/** Lends a buffer for one message on this stream: fill up to `room` bytes from `*data` on, 16-byte aligned,
 * then tutti_stream_send_buffer() or tutti_stream_return_buffer(). Buffers may be sent in any order.
 * @return TUTTI_ERR_AGAIN no buffer is free, or the peer has no room now: on_ready will tell;
 *         TUTTI_ERR_STATE not open yet, or closing. */
TUTTI_API TUTTI_CHECKED int tutti_stream_get_buffer(tutti_stream *stream, void **data, size_t *room);

/** Sends the first `bytes` (0 too) of a lent buffer, which is not the caller's any more, as one message: at
 * once, or with others (see `coalesce_ms`).
 * @return TUTTI_ERR_ARG not a buffer that this stream has lent, or more bytes than its room (it stays lent);
 *         TUTTI_ERR_STATE closing: the message is dropped and the buffer given back. */
TUTTI_API TUTTI_CHECKED int tutti_stream_send_buffer(tutti_stream *stream, void *data, size_t bytes);

/** Sends now what waits to share a network operation; to be called after the last message for a while, where
 * `coalesce_ms` would be too long. Harmless where nothing waits. */
TUTTI_API int tutti_stream_flush(tutti_stream *stream);

/** Gives a lent buffer back without sending it. */
TUTTI_API int tutti_stream_return_buffer(tutti_stream *stream, void *data);

/** Makes memory of the program's known to a context, so that its streams may send from it in place. Where
 * the provider registers memory it is pinned: register large regions once, not a region for each message.
 * The memory stays the program's, for writing too where nothing is being sent; it must stay mapped until
 * tutti_stream_unregister() or the end of the context.
 * @param data   where it begins; regions of a context may touch but not overlap.
 * @param bytes  its length, at least 1.
 * @return TUTTI_ERR_ARG also: some of it is registered already; TUTTI_ERR_NO_MEMORY, also of the
 *         provider (`ulimit -l`), which is asked here or, before there is a network, by the first
 *         tutti_stream_listen() or tutti_stream_connect(). */
TUTTI_API TUTTI_CHECKED int tutti_stream_register(tutti_stream_context *context, const void *data,
                                                  size_t bytes);

/** Forgets the region that begins at `data`.
 * @return TUTTI_ERR_ARG no region begins there; TUTTI_ERR_STATE something of it is being sent, on_sent has
 *         not come: it stays registered. */
TUTTI_API int tutti_stream_unregister(tutti_stream_context *context, const void *data);

/** Sends header and pieces, one after the other, as one message, in place: the pieces are not copied, and
 * must stay as they are until on_sent() gives `key` back. The peer gets it like any other. It leaves at once,
 * after what waits to be sent before it. It takes a credit, but no send buffer.
 * @param header        the program's, copied in the call; 16-byte headers keep the data aligned at the peer.
 *                      NULL: none.
 * @param header_bytes  0 … 16.
 * @param pieces        where the data is: each in one registered region; of 0 bytes: left out. Only read in
 *                      the call.
 * @param count         how many, 0 … what the provider takes in one operation, less one: 3 over tcp.
 * @param key           anything; need not differ from others.
 * @return TUTTI_ERR_AGAIN `zero_copy_sends` are under way, or the peer has no room now: on_ready will tell;
 *         TUTTI_ERR_ARG also: a piece outside of all regions, or more bytes than the `buffer_bytes` of
 *         either side; TUTTI_ERR_LIMIT too many pieces; TUTTI_ERR_STATE not open yet, or closing.
 *         In each of these cases nothing is sent, and on_sent does not come. */
TUTTI_API TUTTI_CHECKED int tutti_stream_send(tutti_stream *stream, const void *header, size_t header_bytes,
                                              const struct iovec *pieces, int count, uint64_t key);

/** In on_message: keeps the message beyond the callback. It takes one of the stream's credits until
 * tutti_stream_release(). Threads: the loop's, in the callback. */
TUTTI_API TUTTI_CHECKED int tutti_stream_hold(tutti_stream *stream, const void *data);

/** Gives back a message that was held, also after its stream is gone. */
TUTTI_API int tutti_stream_release(tutti_stream_context *context, const void *data);

/** Attaches a pointer of the program's to a stream; NULL at first. Threads: any; the program orders these
 * calls and those of tutti_stream_data(), by setting it in on_open, say. */
TUTTI_API void tutti_stream_set_data(tutti_stream *stream, void *data);

/** The pointer of tutti_stream_set_data(). Threads: as there. */
TUTTI_API void *tutti_stream_data(const tutti_stream *stream);

/** The other side's address, as text; valid as long as the stream. Threads: any. */
TUTTI_API const char *tutti_stream_peer(const tutti_stream *stream);

/** A descriptor that is readable whenever tutti_stream_process() has something to do, for epoll, poll or any
 * event loop (level-triggered); the context's, never to be read or closed. Calls of other threads make it
 * readable where the loop has to know. Threads: any. */
TUTTI_API int tutti_stream_fd(const tutti_stream_context *context);

/** Milliseconds after which tutti_stream_process() has something to do although the descriptor is not
 * readable (messages that wait for others are to leave, or a deadline passes); -1: never. As epoll_wait()
 * takes it; to be asked after the last call that sends (of this thread; what others send makes the
 * descriptor readable where it changes the answer). */
TUTTI_API int tutti_stream_timeout(const tutti_stream_context *context);

/** Does what is to be done, without waiting: messages, connections, deadlines. To be called when the
 * descriptor is readable or the timeout is over; more often does no harm.
 * @param budget  how many messages to hand out at most before it returns (the descriptor stays readable if
 *                there are more); 0: no limit but that of a call, some thousand network operations.
 * @return the number of messages handed out, or an error: TUTTI_ERR_FABRIC the network failed as a whole;
 *         TUTTI_ERR_STATE called from a callback, or while another thread is in it.
 * Threads: one, the loop's; with `thread_safe` it may be another each time. */
TUTTI_API int tutti_stream_process(tutti_stream_context *context, int budget);

/** As tutti_stream_process() without a budget, for a program that looks all the time instead of waiting: one
 * look, which makes nothing ready for waiting on the descriptor, and so costs little where it finds nothing
 * (least with the option `polling`).
 * Connections and deadlines have their turn at some of the calls. The descriptor is readable from then until
 * tutti_stream_process(), which a program that goes back to waiting calls first.
 * @return as tutti_stream_process(). Threads: as there. */
TUTTI_API int tutti_stream_poll(tutti_stream_context *context);

/** A loop for programs without one: waits and processes until tutti_stream_stop(), or until there is neither
 * a listener nor a stream left.
 * @return TUTTI_ERR_FABRIC, TUTTI_ERR_STATE as tutti_stream_process(), TUTTI_ERR_SYSTEM the wait failed.
 * Threads: as of tutti_stream_process(). */
TUTTI_API int tutti_stream_run(tutti_stream_context *context);

/** Makes tutti_stream_run() return after what it is doing, or the next one at once. Threads: any, at any
 * time, also of a context for one thread. */
TUTTI_API void tutti_stream_stop(tutti_stream_context *context);

TUTTI_END_DECLS

#endif
