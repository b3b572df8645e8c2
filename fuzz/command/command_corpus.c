/* opconform corpus */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fuzz/corpus.h"
#include "reports/files.h"

static const OptionRow rows[] = {
    OPTION("backend", BACKENDS, backend, "LIST",
           "what the cases of distil run on; the BLAS libraries of the system by default"),
    OPTION("op", NAMES, op, "LIST", "operators or patterns; all by default"),
    OPTION("dtype", NAMES, dtype, "LIST", "element types, all by default"),
    OPTION("out", TEXT, out, "PATH",
           "the file of distil and dictionary, written at once and as the last thing, stdout by "
           "default; the folder of unpack"),
    OPTION("measures", TEXT, measures, "FILE",
           "what the cases of distil showed when they were measured last; kept for those that it "
           "keeps"),
    OPTION("time", DURATION, seconds, "T",
           "when distil measures no more cases; it keeps those that are left"),
    OPTION("deadline", DURATION, deadline_seconds, "T", "longest processor time of one call (1s)"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

static bool read_hex(const char *text, Text *bytes)
{
    size_t length = strlen(text);
    if (length % 2 != 0)
        return false;
    for (size_t i = 0; i < length; i += 2) {
        char pair[3] = {text[i], text[i + 1], 0}, *end;
        char byte = (char)strtol(pair, &end, 16);
        if (*end != '\0')
            return false;
        text_append(bytes, &byte, 1);
    }
    return true;
}

static int encode_line(const char *line)
{
    Case c;
    Text error = {0}, bytes = {0};
    int status = EXIT_CLEAN;
    if (!case_parse(&c, line, &error)) {
        status = complain(EXIT_USAGE, "%s", text_string(&error));
    } else {
        case_encode(&c, &bytes);
        for (size_t i = 0; i < bytes.length; i++)
            escape_print(stdout, "%02x", (unsigned char)bytes.data[i]);
        escape_print(stdout, "\n");
    }
    text_release(&error);
    text_release(&bytes);
    return status;
}

static int decode_hex(const char *hex)
{
    Case c;
    Text bytes = {0}, line = {0};
    Scope scope = scope_all();
    int status = EXIT_CLEAN;
    if (!read_hex(hex, &bytes)) {
        status = complain(EXIT_USAGE, "corpus decode: expected bytes as hexadecimal digits");
    } else {
        case_decode(&c, &scope, (const uint8_t *)text_string(&bytes), bytes.length);
        case_print(&c, &line);
        escape_print(stdout, "%s\n", text_string(&line));
    }
    text_release(&bytes);
    text_release(&line);
    return status;
}

/* Reads the corpora named behind the verb. */
static bool read_all(const Options *options, Corpus *corpus, int *status)
{
    Scope scope;
    Text error = {0};
    bool ok = options_scope(options, &scope, status);
    for (int i = 1; ok && i < options->argument_count; i++) {
        ok = corpus_read(corpus, options->arguments[i], &scope, &error);
        if (!ok)
            *status = complain(EXIT_USAGE, "%s", text_string(&error));
    }
    text_release(&error);
    return ok;
}

/* To --out, in one step, where it is given; `told` is what is said of that then. */
static int write_lines(const Options *options, const Text *lines, const Text *told)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    if (!options->out)
        (void)fwrite(text_string(lines), 1, lines->length, stdout);
    else if (!file_replace(options->out, lines, true, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else
        escape_print(stdout, "%s\n", text_string(told));
    text_release(&error);
    return status;
}

/* With the checker open. */
static int distil_all(const Options *options, Corpus *corpus, Checker *checker)
{
    Measures measures = {0};
    Text lines = {0}, told = {0}, error = {0};
    size_t before = corpus->count;
    uint64_t deadline = (uint64_t)(options->deadline_seconds * 1e9);
    uint64_t until = options->seconds > 0 ? clock_nanoseconds() + (uint64_t)(options->seconds * 1e9)
                                          : UINT64_MAX;
    if (options->measures)
        measures_read(&measures, options->measures, checker, deadline);
    size_t left = corpus_distil(corpus, checker, deadline, &measures, until);
    corpus_put(corpus, &lines);
    text_printf(&told, "%zu of %zu cases", corpus->count, before);
    if (left > 0)
        text_printf(&told, ", %zu not measured yet", left);
    int status = write_lines(options, &lines, &told);
    if (status == EXIT_CLEAN && options->measures &&
        !measures_write(&measures, options->measures, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    measures_release(&measures);
    text_release(&lines);
    text_release(&told);
    text_release(&error);
    return status;
}

static int distil(Options *options)
{
    int status = EXIT_CLEAN;
    Corpus corpus = {0};
    Checker checker = {0};
    Text error = {0};
    if (!read_all(options, &corpus, &status) || !options_backends(options, &status)) {
        corpus_release(&corpus);
        return status;
    }
    if (!checker_open(&checker, blackbox_create(), options->backend.names, &error)) {
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    } else {
        status = distil_all(options, &corpus, &checker);
        checker_close(&checker);
    }
    corpus_release(&corpus);
    text_release(&error);
    return status;
}

/* Cases by operator and element type. */
static int stats(Options *options)
{
    enum { CELLS = OP_MAX * DT_COUNT };
    static size_t counts[CELLS];
    int status = EXIT_CLEAN;
    Corpus corpus = {0};
    if (read_all(options, &corpus, &status)) {
        for (size_t i = 0; i < corpus.count; i++) {
            const Case *c = &corpus.entries[i].c;
            counts[op_number(c->op) * DT_COUNT + case_dtype(c)]++;
        }
        for (int i = 0; i < CELLS; i++)
            if (counts[i])
                escape_print(stdout, "%-32s %-8s %zu\n", op_registry[i / DT_COUNT]->name,
                             dtype_name((DType)(i % DT_COUNT)), counts[i]);
        escape_print(stdout, "%zu cases\n", corpus.count);
    }
    corpus_release(&corpus);
    return status;
}

static int unpack(Options *options)
{
    int status = EXIT_CLEAN;
    Corpus corpus = {0};
    Text error = {0};
    if (!options->out)
        return complain(EXIT_USAGE, "corpus unpack: name a folder by --out");
    if (read_all(options, &corpus, &status)) {
        if (corpus_unpack(&corpus, options->out, &error))
            escape_print(stdout, "%zu cases\n", corpus.count);
        else
            status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    }
    corpus_release(&corpus);
    text_release(&error);
    return status;
}

static int dictionary(Options *options)
{
    int status = EXIT_CLEAN;
    Corpus corpus = {0};
    Text lines = {0}, told = {0};
    if (read_all(options, &corpus, &status)) {
        corpus_put_dictionary(&corpus, &lines);
        text_printf(&told, "of %zu cases", corpus.count);
        status = write_lines(options, &lines, &told);
    }
    corpus_release(&corpus);
    text_release(&lines);
    text_release(&told);
    return status;
}

/* What is done with files of cases. */
typedef struct CorpusVerb {
    const char *name;
    int (*run)(Options *options);
} CorpusVerb;

static const CorpusVerb verbs[] = {
    {"distil", distil},
    {"stats", stats},
    {"unpack", unpack},
    {"dictionary", dictionary},
};

static int run_corpus(Options *options)
{
    const char *verb = options->argument_count >= 2 ? options->arguments[0] : "";
    if (!strcmp(verb, "encode") && options->argument_count == 2)
        return encode_line(options->arguments[1]);
    if (!strcmp(verb, "decode") && options->argument_count == 2)
        return decode_hex(options->arguments[1]);
    for (size_t i = 0; i < COUNT_OF(verbs); i++)
        if (!strcmp(verb, verbs[i].name))
            return verbs[i].run(options);
    return complain(EXIT_USAGE, "corpus: expected distil, stats, unpack or dictionary and FILE..., "
                                "encode LINE or decode HEX");
}

const Command command_corpus = {
    .name = "corpus",
    .arguments =
        "distil FILE... | stats FILE... | unpack FILE... | dictionary FILE... | encode LINE "
        "| decode HEX",
    .summary = "Keeps a few cases that show what many show, counts cases, or converts between case "
               "lines\nand the bytes that engines see: unpack writes a folder of them, dictionary "
               "the values of\nparameters in them.  A FILE is one of lines, or a folder that an "
               "engine keeps.",
    .example = "opconform corpus distil corpus/gemm.cases --backend openblas",
    .options = rows,
    .run = run_corpus,
};
