/* SPDX-License-Identifier: BSD-3-Clause */
/* What tutti-stream --json tells: one object on one line. */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <tutti/error.h>
#include <unistd.h>

#include "stream_transfer.h"

/* A pipe that is opened and closed would have ended for its reader. */
bool transfer_can_write_json(const transfer_request *request)
{
    struct stat is;
    if (strcmp(request->json, "-") == 0) return true;
    if (stat(request->json, &is) == 0 && S_ISFIFO(is.st_mode)) return access(request->json, W_OK) == 0;
    const int file = open(request->json, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) close(file);
    return file >= 0;
}

static json_t *counters(const transfer_request *request, const transfer_result *result)
{
    const double seconds = result->started > 0 ? result->ended - result->started : 0;
    json_t *object = json_object();
    json_object_set_new(object, "role", json_string(request->sends ? "send" : "receive"));
    json_object_set_new(object, "peer", result->peer[0] != '\0' ? json_string(result->peer) : json_null());
    json_object_set_new(object, "bytes", json_integer((json_int_t)result->bytes));
    json_object_set_new(object, "messages", json_integer((json_int_t)result->messages));
    json_object_set_new(object, "seconds", json_real(seconds));
    json_object_set_new(object, "bytes_per_second",
                        seconds > 0 ? json_real((double)result->bytes / seconds) : json_null());
    json_object_set_new(object, "status", json_integer(result->status));
    json_object_set_new(object, "result", json_string(tutti_strerror(result->code)));
    json_object_set_new(object, "error", result->error[0] != '\0' ? json_string(result->error) : json_null());
    return object;
}

bool transfer_write_json(const transfer_request *request, const transfer_result *result)
{
    const bool is_stderr = strcmp(request->json, "-") == 0;
    FILE *file = is_stderr ? stderr : fopen(request->json, "w");
    if (file == NULL) return false;
    json_t *object = counters(request, result);
    bool written =
        json_dumpf(object, file, JSON_COMPACT | JSON_PRESERVE_ORDER) == 0 && fputc('\n', file) != EOF;
    json_decref(object);
    if (is_stderr) return fflush(file) == 0 && written;
    return fclose(file) == 0 && written;
}
