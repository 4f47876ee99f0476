/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that the launcher gave at start, by type. */
#include "pmi/client.h"

pmix_value_t *tti_pmi_fact_ask(pmix_rank_t rank, const char *key)
{
    const pmix_proc_t process = tti_pmi_process(rank);
    const bool yes = true;
    pmix_info_t optional;
    pmix_value_t *value = NULL;
    PMIX_INFO_LOAD(&optional, PMIX_OPTIONAL, &yes, PMIX_BOOL);
    return PMIx_Get(&process, key, &optional, 1, &value) == PMIX_SUCCESS ? value : NULL;
}

bool tti_pmi_fact_number(pmix_rank_t rank, const char *key, uint32_t *number)
{
    pmix_value_t *value = tti_pmi_self.fact(rank, key);
    if (value == NULL) return false;
    pmix_status_t status;
    PMIX_VALUE_GET_NUMBER(status, value, *number, uint32_t);
    PMIX_VALUE_FREE(value, 1);
    return status == PMIX_SUCCESS;
}

bool tti_pmi_fact_text(pmix_rank_t rank, const char *key, char **text)
{
    pmix_value_t *value = tti_pmi_self.fact(rank, key);
    if (value == NULL) return false;
    const bool is_text = value->type == PMIX_STRING && value->data.string != NULL;
    if (is_text) {
        *text = value->data.string;
        value->data.string = NULL;
    }
    PMIX_VALUE_FREE(value, 1);
    return is_text;
}
