/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with both libraries, linked in either order: the detail of either's failure is found in one
 * place. */
#include <string.h>

#include "tests/unit/expect.h"
#include "tutti/stream.h"
#include "tutti/tutti.h"

int main(void)
{
    tutti_stream_context *context;
    const tutti_stream_options options = {.credits = -1};
    EXPECT(tutti_stream_context_create(&context, &options) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "credits") != NULL);
    EXPECT(tutti_finalize() == TUTTI_ERR_STATE);
    EXPECT(tutti_error_detail()[0] != '\0' && strstr(tutti_error_detail(), "credits") == NULL);
    EXPECT(tutti_stream_fd(NULL) == -1);
    EXPECT(tutti_stream_process(NULL, 0) == TUTTI_ERR_ARG);
    EXPECT(strstr(tutti_error_detail(), "tutti_stream_process") != NULL);
    return 0;
}
