/* Fuzzes what leaves the database: whatever libraries and people wrote, known issues are taken or
 * refused in words, SARIF is JSON, and neither JUnit nor a page has markup of theirs. */
#include <stdlib.h>
#include <string.h>

#include "reports/export.h"
#include "reports/html/page.h"
#include "reports/store/connection_parts.h"
#include "reports/store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bytes of the input as a text that no NUL cuts off. */
static char *take(const uint8_t **data, size_t *size, size_t most)
{
    size_t length = *size < most ? *size : most;
    char *text = calloc(1, length + 1);
    if (!text)
        abort();
    for (size_t i = 0; i < length; i++)
        text[i] = (char)((*data)[i] ? (*data)[i] : 'x');
    *data += length;
    *size -= length;
    return text;
}

static void check_json(Store *store, const Text *json)
{
    Statement s = statement_begin(store->db, "SELECT json_valid(?)");
    statement_text(&s, text_string(json));
    bool valid = statement_row(&s) && sqlite3_column_int(s.statement, 0) == 1;
    Text error = {0};
    if (!statement_end(&s, "json", &error) || !valid)
        abort();
    text_release(&error);
}

/* Begins a text of theirs: our own pages have no such tag. */
static const char tag[] = "<script>theirs";

static void check_escaped(const Text *text)
{
    if (strstr(text_string(text), tag))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Text error = {0}, form = {0}, wild = {0};
    int64_t id = 0;
    Store *store = store_open(":memory:", STORE_WRITE, &error);
    if (!store ||
        !store_begin_run(
            store, &(RunRecord){.arguments = "fuzz", .engine = "random", .seed = 1, .jobs = 1},
            &error))
        abort();
    char *detail = take(&data, &size, 64), *line = take(&data, &size, 64);
    text_printf(&wild, "%s%s", tag, detail);
    const FindingRecord record = {.signature = line,
                                  .raw = detail,
                                  .op = "gemm",
                                  .dtype = "f32",
                                  .kind = "DIVERGE",
                                  .backend = detail,
                                  .tier = "exact",
                                  .defect = "none",
                                  .pattern = "whole",
                                  .detail = text_string(&wild),
                                  .line = line,
                                  .expected = "0",
                                  .got = detail,
                                  .bound = "0"};
    char *known = take(&data, &size, 512);
    if (store_put_finding(store, &record, &id, &error)) {
        if (!store_put_known(store, known, "known.json", &error) && error.length == 0)
            abort();
        text_clear(&error);
        if (!export_sarif(store, 0, &form, &error))
            abort();
        check_json(store, &form);
        text_clear(&form);
        if (!export_junit(store, &form, &error))
            abort();
        check_escaped(&form);
        text_clear(&form);
        if (!page_put_finding(&form, store, id, &(PagePlace){".", ".", false}, &error))
            abort();
        check_escaped(&form);
    }
    store_close(store);
    free(detail);
    free(line);
    free(known);
    text_release(&error);
    text_release(&form);
    text_release(&wild);
    return 0;
}
