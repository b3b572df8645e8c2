/* Fuzzes what comes from other databases: a database with bytes of the input in it is merged, or
 * refused in one line, and then the one that was to take it is as it was. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/store/connection_parts.h"
#include "reports/store/merge.h"
#include "reports/store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 20 };
typedef struct Image {
    unsigned char bytes[BYTES_MAX];
    size_t length;
} Image;

static char folder[PATH_MAX];
static char source_path[PATH_MAX + 16], target_path[PATH_MAX + 16];
static Image source, target, found;

static void read_image(const char *path, Image *image)
{
    int file = open(path, O_RDONLY);
    ssize_t length = file < 0 ? -1 : read(file, image->bytes, sizeof image->bytes);
    if (length <= 0 || length == BYTES_MAX || close(file) != 0)
        abort();
    image->length = (size_t)length;
}

static void write_image(const char *path, const Image *image)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, image->bytes, image->length) != (ssize_t)image->length ||
        close(file) != 0)
        abort();
}

/* A database with a run, two findings and counts, as a campaign leaves it. */
static void make_database(const char *path, uint64_t seed, const char *backend)
{
    Text error = {0};
    int64_t id = 0;
    Store *store = store_open(path, STORE_WRITE, &error);
    if (!store ||
        !store_begin_run(
            store, &(RunRecord){.arguments = "fuzz", .engine = "random", .seed = seed, .jobs = 1},
            &error))
        abort();
    for (int i = 0; i < 2; i++) {
        const FindingRecord record = {.signature = i ? "gemm/f32 | one" : "gemm/f32 | whole",
                                      .raw = "raw",
                                      .op = "gemm",
                                      .dtype = "f32",
                                      .kind = "DIVERGE",
                                      .backend = backend,
                                      .tier = "exact",
                                      .defect = "value",
                                      .pattern = "whole",
                                      .detail = "",
                                      .line = "gemm/1 m=1 n=1 k=5",
                                      .expected = "0",
                                      .got = "1",
                                      .bound = "0"};
        if (!store_put_finding(store, &record, &id, &error))
            abort();
    }
    if (!store_put_backend(store, &(BackendRecord){backend, "1", "", "", "", 1}, &error) ||
        !store_put_totals(store, &(RunTotals){.end_reason = "cases", .cases = 10}, &error))
        abort();
    store_close(store);
}

static void remove_all(void)
{
    store_delete(source_path);
    store_delete(target_path);
    (void)rmdir(folder);
}

static void begin(void)
{
    /* In memory unless the user says otherwise: each merge waits for the disk several times. */
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : P_tmpdir;
    (void)snprintf(folder, sizeof folder, "%s/fuzz-merge-XXXXXX", parent);
    if (!mkdtemp(folder))
        abort();
    (void)snprintf(source_path, sizeof source_path, "%s/source.db", folder);
    (void)snprintf(target_path, sizeof target_path, "%s/target.db", folder);
    make_database(source_path, 1, "netlib");
    make_database(target_path, 2, "openblas");
    read_image(source_path, &source);
    read_image(target_path, &target);
    (void)atexit(remove_all);
}

/* Each change is a place, a length, and so many bytes; the last may cut the file off. */
static void change(Image *image, const uint8_t *data, size_t size)
{
    while (size > 4) {
        size_t at = (data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) % image->length;
        size_t count = data[3] % 32;
        data += 4;
        size -= 4;
        count = count > size ? size : count;
        count = at + count > image->length ? image->length - at : count;
        memcpy(image->bytes + at, data, count);
        data += count;
        size -= count;
    }
    if (size > 2)
        image->length = (data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) % image->length;
}

static void check_target(void)
{
    Text error = {0};
    Store *store = store_open(target_path, STORE_WRITE, &error);
    if (!store)
        abort();
    Statement s = statement_begin(store->db, "PRAGMA integrity_check");
    bool holds =
        statement_row(&s) && !strcmp((const char *)sqlite3_column_text(s.statement, 0), "ok");
    if (!statement_end(&s, "check", &error) || !holds)
        abort();
    store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Image changed;
    Text error = {0};
    if (!source.length)
        begin();
    changed = source;
    change(&changed, data, size);
    write_image(source_path, &changed);
    write_image(target_path, &target);
    const char *const sources[] = {source_path};
    if (merge_databases(target_path, sources, 1,
                        size % 2 ? MERGE_COUNTS_TOGETHER : MERGE_COUNTS_BY_RUN, &error)) {
        check_target();
    } else {
        read_image(target_path, &found);
        if (error.length == 0 || strchr(text_string(&error), '\n') ||
            found.length != target.length ||
            memcmp(found.bytes, target.bytes, target.length) != 0) {
            (void)fprintf(stderr, "refused: %s\n", text_string(&error));
            abort();
        }
    }
    text_release(&error);
    store_delete(source_path);
    store_delete(target_path);
    return 0;
}
