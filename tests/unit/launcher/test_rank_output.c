/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams into a sink: tagging, unfinished lines, a slow and a dead reader, a full disk. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "launcher/rank_output.h"
#include "runtime/base/clock.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"

/* As a time for tti_rank_output_show_partial(): every line has been held for long. */
#define LATER (INT64_MAX / 2)

typedef struct {
    tti_sink sink;
    tti_rank_output a, b;
    int to_a, to_b, result;
} fixture;

/* Opens the sink where it cannot open the pipe again: for want of a descriptor, where in the field it is
 * another user's. */
static void open_shared(tti_sink *sink, int fd)
{
    struct rlimit limit;
    EXPECT(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    const int next = dup(fd); /* will be the sink's epoll descriptor */
    const struct rlimit tight = {(rlim_t)next + 1, limit.rlim_max};
    EXPECT(next >= 0 && close(next) == 0 && setrlimit(RLIMIT_NOFILE, &tight) == 0);
    EXPECT(tti_sink_open(sink, fd, "stdout") == 0 && sink->fd == fd && !sink->owned);
    EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

static void set_up(fixture *f, const char *tag_a, const char *tag_b)
{
    int ends[2];
    EXPECT(pipe(ends) == 0);
    EXPECT(tti_sink_open(&f->sink, ends[1], "stdout") == 0);
    EXPECT(tti_rank_output_open(&f->a, &f->sink, tag_a, false, &f->to_a) == 0);
    EXPECT(tti_rank_output_open(&f->b, &f->sink, tag_b, true, &f->to_b) == 0);
    close(ends[1]);
    f->result = ends[0];
    fcntl(f->result, F_SETFL, O_NONBLOCK);
}

static void tear_down(fixture *f)
{
    tti_rank_output_finish(&f->a);
    tti_rank_output_finish(&f->b);
    tti_sink_close(&f->sink);
    close(f->to_a);
    close(f->to_b);
    close(f->result);
}

static void write_text(int fd, const char *text)
{
    EXPECT(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

static void expect_result(fixture *f, const char *wanted)
{
    char text[4096];
    tti_sink_flush(&f->sink);
    const ssize_t n = read(f->result, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    if (strcmp(text, wanted) != 0) fprintf(stderr, "got \"%s\"\n", text);
    EXPECT(strcmp(text, wanted) == 0);
}

static void test_tagged(void)
{
    fixture f;
    set_up(&f, "[0] ", "[1] ");
    write_text(f.to_a, "one\ntw");
    write_text(f.to_b, "half");
    tti_rank_output_read(&f.a);
    tti_rank_output_read(&f.b);
    EXPECT(tti_rank_output_show_partial(&f.b, INT64_MAX - 1) ==
           INT64_MAX); /* tagged lines wait for their end */
    expect_result(&f, "[0] one\n");
    write_text(f.to_a, "o\n\n");
    tti_rank_output_read(&f.a);
    expect_result(&f, "[0] two\n[0] \n");
    tti_rank_output_finish(&f.b);
    expect_result(&f, "[1] half\n");
    tear_down(&f);
}

static void test_untagged(void)
{
    fixture f;
    set_up(&f, "", "");
    write_text(f.to_a, "aa");
    write_text(f.to_b, "bb\n");
    tti_rank_output_read(&f.a);
    tti_rank_output_read(&f.b);
    expect_result(&f, "bb\n");
    EXPECT(tti_rank_output_show_partial(&f.a, f.a.held_since) > f.a.held_since);
    expect_result(&f, ""); /* held for a moment */
    EXPECT(tti_rank_output_show_partial(&f.a, LATER) == INT64_MAX);
    expect_result(&f, "aa");
    EXPECT(f.b.tail_used == 3 && memcmp(f.b.tail, "bb\n", 3) == 0);
    tear_down(&f);
}

/* Two ranks' unfinished lines: no text is glued to another's, and whose line is not broken off goes on. */
static void test_unfinished(void)
{
    fixture f;
    set_up(&f, "", "");
    write_text(f.to_a, "name? ");
    tti_rank_output_read(&f.a);
    EXPECT(tti_rank_output_show_partial(&f.a, LATER) == INT64_MAX);
    expect_result(&f, "name? ");
    write_text(f.to_b, "wait");
    tti_rank_output_read(&f.b);
    const int64_t soon = f.b.held_since + TTI_NS_PER_SECOND / 2;
    EXPECT(tti_rank_output_show_partial(&f.b, soon) > soon); /* longer than on a free line */
    expect_result(&f, "");
    write_text(f.to_a, "Bob");
    tti_rank_output_read(&f.a);
    EXPECT(tti_rank_output_show_partial(&f.a, LATER) == INT64_MAX);
    expect_result(&f, "Bob");
    EXPECT(tti_rank_output_show_partial(&f.b, LATER) == INT64_MAX);
    expect_result(&f, "\nwait");
    write_text(f.to_a, "by\nof a\n");
    tti_rank_output_read(&f.a);
    expect_result(&f, "\nby\nof a\n");
    write_text(f.to_b, "ed\n");
    tti_rank_output_read(&f.b);
    expect_result(&f, "ed\n");
    write_text(f.to_a, "a");
    write_text(f.to_b, "b");
    tti_rank_output_finish(&f.a);
    tti_rank_output_finish(&f.b);
    expect_result(&f, "a\nb");
    tear_down(&f);
}

/* A line is shown unfinished only where the rank left it so, not where we did not read its end. */
static void test_unread(void)
{
    fixture f;
    set_up(&f, "", "");
    write_text(f.to_a, "12");
    tti_rank_output_read(&f.a);
    write_text(f.to_a, "34\n56");
    EXPECT(tti_rank_output_show_partial(&f.a, LATER) < INT64_MAX);
    expect_result(&f, "");
    tti_rank_output_read(&f.a);
    expect_result(&f, "1234\n");
    f.sink.paused = true; /* its end is not read now, wherever it is */
    EXPECT(tti_rank_output_show_partial(&f.a, LATER) < INT64_MAX);
    f.sink.paused = false;
    EXPECT(tti_rank_output_show_partial(&f.a, LATER + 1) < INT64_MAX);
    expect_result(&f, "");
    EXPECT(tti_rank_output_show_partial(&f.a, LATER + TTI_NS_PER_SECOND) == INT64_MAX);
    expect_result(&f, "56");
    tear_down(&f);
}

/* What cannot be written is counted for whom it was of; the queue begins with what of it was written. */
static void test_full_disk(void)
{
    fixture f;
    set_up(&f, "[0] ", "");
    const int full = open("/dev/full", O_WRONLY);
    EXPECT(full >= 0 && dup2(full, f.sink.fd) >= 0);
    tti_sink_append(&f.sink, &f.b.source, "bbb\n", 4);
    tti_sink_append(&f.sink, &f.sink.own, "own\n", 4);
    write_text(f.to_a, "aa\naa");
    tti_rank_output_read(&f.a);
    EXPECT(f.b.source.lost == 0 && !tti_sink_flush(&f.sink));
    EXPECT(f.sink.error == ENOSPC && f.b.source.lost == 4 && f.a.source.lost == 7 && f.sink.own.lost == 4);
    tti_rank_output_finish(
        &f.a); /* the rank is read on, and the tag and the newline of its line are lost with it */
    EXPECT(f.a.source.lost == 14);
    close(full);
    tear_down(&f);
}

static void test_partly_written(void)
{
    fixture f;
    static char block[1 << 18];
    set_up(&f, "", "");
    memset(block, 'x', sizeof block);
    tti_sink_append(&f.sink, &f.a.source, block, sizeof block);
    tti_sink_append(&f.sink, &f.b.source, block, 10);
    EXPECT(tti_sink_flush(&f.sink));
    const size_t queued = f.sink.used - f.sink.start;
    EXPECT(queued > 10 && queued < sizeof block + 11);
    tti_sink_give_up(&f.sink, EAGAIN);
    EXPECT(f.b.source.lost == 10 && f.a.source.lost + f.sink.own.lost == queued - 10);
    tti_sink_append(&f.sink, &f.b.source, block, 5);
    EXPECT(!tti_sink_flush(&f.sink) && f.b.source.lost == 15);
    tear_down(&f);
}

static void test_tail_keeps_the_last(void)
{
    fixture f;
    char line[64];
    set_up(&f, "", "");
    for (int i = 0; i < 1000; i++) {
        snprintf(line, sizeof line, "line %d\n", i);
        write_text(f.to_b, line);
    }
    tti_rank_output_drain(&f.b);
    EXPECT(f.b.tail_used == TTI_TAIL_BYTES);
    EXPECT(memcmp(f.b.tail + TTI_TAIL_BYTES - 9, "line 999\n", 9) == 0);
    tear_down(&f);
}

static void read_slowly(fixture *f)
{
    static char block[1 << 20], text[65536];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 5; i++)
        tti_sink_append(&f->sink, &f->a.source, block, sizeof block);
    EXPECT(tti_sink_flush(&f->sink)); /* returned although the pipe is full */
    EXPECT(tti_sink_is_full(&f->sink));
    size_t got = 0;
    for (int i = 0; i < 100000 && got < 5 * sizeof block; i++) {
        const ssize_t n = read(f->result, text, sizeof text);
        if (n > 0) got += (size_t)n;
        tti_sink_flush(&f->sink);
    }
    EXPECT(got == 5 * sizeof block && !tti_sink_is_full(&f->sink));
}

static void test_slow_reader(void)
{
    fixture f;
    set_up(&f, "", "");
    read_slowly(&f);
    tear_down(&f);
}

/* The same through a descriptor that blocks, as do others' that share it. */
static void test_shared_pipe(void)
{
    fixture f = {.a.fd = -1};
    int ends[2];
    EXPECT(pipe(ends) == 0);
    f.result = ends[0];
    fcntl(f.result, F_SETFL, O_NONBLOCK);
    open_shared(&f.sink, ends[1]);
    alarm(PATIENCE_S); /* a write that blocks lasts for ever */
    read_slowly(&f);
    EXPECT((fcntl(ends[1], F_GETFL) & O_NONBLOCK) == 0);
    close(ends[0]);
    tti_sink_append(&f.sink, &f.a.source, "lost\n", 5);
    EXPECT(!tti_sink_flush(&f.sink) && f.sink.error == EPIPE && f.a.source.lost == 5);
    alarm(0);
    tti_sink_close(&f.sink);
    close(ends[1]);
}

static void test_dead_reader(void)
{
    fixture f;
    set_up(&f, "", "");
    close(f.result);
    write_text(f.to_a, "lost\n");
    tti_rank_output_read(&f.a);
    EXPECT(!tti_sink_flush(&f.sink) && f.sink.error == EPIPE && f.a.source.lost == 5);
    tti_rank_output_read(&f.a);
    EXPECT(f.a.fd < 0); /* the writer will see it */
    EXPECT(write(f.to_a, "x", 1) < 0);
    f.result = open("/dev/null", O_RDONLY);
    tear_down(&f);
}

/* What the launcher would never read is refused, and nothing of it stays open. */
static void test_unwatched(void)
{
    tti_sink sink = {.fd = STDOUT_FILENO, .streams = -1}; /* as where the user has no watches left */
    tti_rank_output stream;
    int end = -1;
    const int before = dup(STDOUT_FILENO);
    EXPECT(before >= 0 && close(before) == 0);
    EXPECT(tti_rank_output_open(&stream, &sink, "", true, &end) == 2);
    EXPECT(strstr(tutti_error_detail(), "cannot wait for a rank's output") != NULL);
    EXPECT(stream.fd == -1 && stream.tail == NULL && end == -1);
    EXPECT(dup(STDOUT_FILENO) == before && close(before) == 0);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    test_tagged();
    test_untagged();
    test_unfinished();
    test_unread();
    test_full_disk();
    test_partly_written();
    test_tail_keeps_the_last();
    test_slow_reader();
    test_shared_pipe();
    test_dead_reader();
    test_unwatched();
    return 0;
}
