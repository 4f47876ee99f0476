/* SPDX-License-Identifier: BSD-3-Clause */
/* The option parsers: the first byte picks the option, the rest is its value. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    char *text = malloc(size);
    if (text == NULL) return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const tti_option_row *row = tti_option_describe((enum tti_option)(data[0] % TTI_OPTION_COUNT));
    int64_t value;
    const int code = tti_option_parse(row, text, &value);
    const bool bounded =
        row->kind == TTI_KIND_INT || row->kind == TTI_KIND_SIZE || row->kind == TTI_KIND_TIME;
    if (code == 0 && bounded && (value < row->least || value > row->most)) abort();
    free(text);
    return 0;
}
