/* benchdnn's command lines, and what it says of problems that it ran ("... __REPRO: --conv ...").
 * Source: oneDNN's documentation of benchdnn (tests/benchdnn/doc). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "onednn_primitive.h"

/* Values of options at one place of a line; they hold for the problems behind them. */
typedef struct Settings {
    const char *direction, *algorithm, *alpha, *beta, *axis, *p, *eps, *types, *bias, *batch;
    Text attributes;
} Settings;

/* A driver: the primitive that it runs, and what an algorithm of oneDNN's begins with. */
typedef struct Driver {
    const char *option, *kind, *prefix, *algorithm;
    bool window; /* problems are of images, not shapes */
} Driver;

static const Driver drivers[] = {
    {"conv", "convolution", "convolution_", "direct", true},
    {"deconv", "deconvolution", "deconvolution_", "direct", true},
    {"pool", "pooling", "pooling_", "max", true},
    {"eltwise", "eltwise", "eltwise_", "relu", false},
    {"softmax", "softmax", "softmax_", "accurate", false},
    {"binary", "binary", "binary_", "add", false},
    {"reduction", "reduction", "reduction_", "sum", false},
    {"matmul", "matmul", "", NULL, false},
};

/* What sets how a problem is run, measured, or lies in memory: a case has ways of its own. */
static const char *const ignored[] = {
    "stag",        "wtag",          "dtag",
    "tag",         "engine",        "mode",
    "impl",        "fast-ref",      "skip-impl",
    "global-impl", "match",         "mem-check",
    "inplace",     "ctx-init",      "canonical",
    "memory-kind", "cold-cache",    "mode-modifier",
    "ctx-exe",     "repeats",       "allow-enum-tags-only",
    "stream-kind", "cpu-isa-hints", "verbose",
    "v",           "perf-template",
};

/* The value of "--name=value" where a word is that; "-" and "_" are one letter in names. */
static const char *value_of(const char *word, const char *name)
{
    size_t i = 0;
    for (word += strspn(word, "-"); name[i]; i++)
        if (word[i] != name[i] && !(name[i] == '-' && word[i] == '_'))
            return NULL;
    return word[i] == '=' ? word + i + 1 : NULL;
}

static bool is_ignored(const char *word)
{
    const char *name = word + strspn(word, "-");
    size_t length = strcspn(name, "=");
    if (length > 1 && name[0] == 'v' && isdigit((unsigned char)name[1]))
        return true;
    for (size_t i = 0; i < COUNT_OF(ignored); i++)
        if (strlen(ignored[i]) == length && !strncmp(ignored[i], name, length))
            return true;
    return false;
}

/* False where a word sets what no case has. */
static bool take_option(Settings *settings, const char *word, Draft *draft)
{
    const struct {
        const char *name, **value;
    } options[] = {
        {"dir", &settings->direction}, {"alg", &settings->algorithm}, {"alpha", &settings->alpha},
        {"beta", &settings->beta},     {"axis", &settings->axis},     {"p", &settings->p},
        {"eps", &settings->eps},       {"dt", &settings->types},      {"sdt", &settings->types},
        {"bia-dt", &settings->bias},   {"mb", &settings->batch},      {"cfg", &settings->types},
    };
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        const char *value = value_of(word, options[i].name);
        if (value && strchr(value, ','))
            return draft_refuse(draft, "%s: lists of values are not read", word);
        if (value) {
            *options[i].value = value;
            return true;
        }
    }
    /* Results have the type of operands in the cases of all operators. */
    if (value_of(word, "ddt"))
        return (settings->types &&
                !strncmp(settings->types, value_of(word, "ddt"), strcspn(settings->types, ":"))) ||
               draft_refuse(draft, "operands of several element types are not read");
    if (!strncmp(word, "--attr", 6)) {
        text_printf(&settings->attributes, "%s%s", settings->attributes.length ? " " : "", word);
        return true;
    }
    return is_ignored(word) || draft_refuse(draft, "%s is not read", word);
}

static const char *direction_of(const Settings *settings, const Driver *driver)
{
    static const struct {
        const char *name, *direction;
    } directions[] = {
        {"FWD_D", "forward_training"},  {"FWD_B", "forward_training"},
        {"FWD_I", "forward_inference"}, {"BWD_D", "backward_data"},
        {"BWD_W", "backward_weights"},  {"BWD_WB", "backward_weights"},
    };
    for (size_t i = 0; settings->direction && i < COUNT_OF(directions); i++)
        if (!strcmp(settings->direction, directions[i].name))
            return directions[i].direction;
    return settings->direction ? NULL : driver->window ? "forward_training" : "forward";
}

/* Convolutions have a bias unless something else is said. */
static bool has_bias(const Settings *settings, const Driver *driver)
{
    if (settings->bias)
        return strcmp(settings->bias, "undef") != 0;
    if (strcmp(driver->kind, "convolution") != 0 && strcmp(driver->kind, "deconvolution") != 0)
        return false;
    return !settings->direction || !strcmp(settings->direction, "FWD_B") ||
           !strcmp(settings->direction, "BWD_WB");
}

/* The element types of the operands, as a verbose line has them. */
static void put_types(const Settings *settings, const Driver *driver, Text *descriptors)
{
    const char *types = settings->types ? settings->types : "f32";
    for (const char *at = types; *at; at += strspn(at, ":")) {
        size_t length = strcspn(at, ":");
        text_printf(descriptors, "%sdata:%.*s", at == types ? "" : " ", (int)length, at);
        at += length;
    }
    if (has_bias(settings, driver))
        text_printf(descriptors, " bia:%s", settings->bias ? settings->bias : "f32");
}

/* The name of an algorithm, which benchdnn shortens and writes in capitals too. */
static void put_algorithm(const Settings *settings, const Driver *driver, Text *more)
{
    static const char *const others[][2] = {
        {"softmax", "accurate"},
        {"logsoftmax", "log"},
        {"auto", "direct"},
        {"avg_np", "avg_exclude_padding"},
        {"avg_p", "avg_include_padding"},
    };
    char name[64] = "";
    const char *given = settings->algorithm ? settings->algorithm : driver->algorithm;
    if (!given)
        return;
    for (size_t i = 0; i < sizeof name - 1 && given[i]; i++)
        name[i] = (char)tolower((unsigned char)given[i]);
    const char *word = name;
    if (!strncmp(word, driver->prefix, strlen(driver->prefix)))
        word += strlen(driver->prefix);
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (!strcmp(word, others[i][0]))
            word = others[i][1];
    text_printf(more, "alg:%s%s", driver->prefix, word);
}

static void put_more(const Settings *settings, const Driver *driver, Text *more)
{
    put_algorithm(settings, driver, more);
    text_printf(more, " alpha:%s beta:%s axis:%s", settings->alpha ? settings->alpha : "0",
                settings->beta ? settings->beta : "0", settings->axis ? settings->axis : "1");
    text_printf(more, " p:%s eps:%s", settings->p ? settings->p : "0",
                settings->eps ? settings->eps : "0");
}

/* Finds the result's extent, 0, or the padding, -1, where it is left out. */
static bool complete_axis(OnednnAxis *axis, bool transposed)
{
    int64_t span = (axis->kernel - 1) * (axis->dilation + 1) + 1;
    bool padded = axis->padding >= 0, has_output = axis->output > 0;
    if (axis->input < 1 || axis->kernel < 1 || axis->stride < 1)
        return false;
    if (!padded)
        axis->padding = 0;
    if (transposed && !has_output)
        axis->output = (axis->input - 1) * axis->stride + span - 2 * axis->padding;
    else if (!has_output)
        axis->output = (axis->input - span + 2 * axis->padding) / axis->stride + 1;
    else if (!padded && transposed)
        axis->padding = ((axis->input - 1) * axis->stride - axis->output + span) / 2;
    else if (!padded)
        axis->padding = ((axis->output - 1) * axis->stride - axis->input + span) / 2;
    return axis->output >= 1 && axis->padding >= 0;
}

static void put_axis(Text *problem, char letter, const OnednnAxis *axis)
{
    text_printf(problem, "i%c%lldo%c%lldk%c%llds%c%lldd%c%lldp%c%lld_", letter,
                (long long)axis->input, letter, (long long)axis->output, letter,
                (long long)axis->kernel, letter, (long long)axis->stride, letter,
                (long long)axis->dilation, letter, (long long)axis->padding);
}

/* The whole of a problem that leaves out what follows: axes behind the first are like the one
 * before, and the batch is 2. */
static bool complete_window(const Settings *settings, const Driver *driver, const char *given,
                            Text *problem, Draft *draft)
{
    static const struct {
        const char *name;
        int64_t otherwise;
    } channels[] = {{"g", 1}, {"mb", 2}, {"ic", 0}, {"oc", 0}};
    const char *letters = "dhw";
    OnednnAxis before = {0};
    bool any = false, transposed = !strcmp(driver->kind, "deconvolution");
    for (size_t i = 0; i < COUNT_OF(channels); i++) {
        int64_t value = channels[i].otherwise;
        (void)onednn_read_number(given, channels[i].name, &value);
        if (i == 1 && settings->batch && atoll(settings->batch) > 0)
            value = atoll(settings->batch);
        if (value > 0)
            text_printf(problem, "%s%lld", channels[i].name, (long long)value);
    }
    text_put(problem, "_");
    for (; *letters; letters++) {
        OnednnAxis axis = {.stride = 1, .padding = -1};
        if (!onednn_read_axis(given, *letters, &axis) && !any)
            continue;
        if (!complete_axis(&axis, transposed)) {
            if (!any || axis.input > 0 || axis.kernel > 0)
                return draft_refuse(draft, "the window is not read");
            axis = before;
        }
        put_axis(problem, *letters, &axis);
        before = axis;
        any = true;
    }
    return any || draft_refuse(draft, "problems without an image are not read");
}

static int axes_of(const char *shape)
{
    int axes = 1;
    for (; *shape && *shape != ':'; shape++)
        axes += *shape == 'x';
    return axes;
}

/* Shapes as a verbose line has them: with the batch that is asked for, and as many axes in the
 * second as in the first. */
static void complete_shapes(const Settings *settings, const Driver *driver, const char *given,
                            Text *problem)
{
    size_t first = strspn(given, "0123456789");
    if (settings->batch && atoll(settings->batch) > 0)
        text_printf(problem, "%s%s", settings->batch, given + first);
    else
        text_put(problem, given);
    const char *second = strchr(given, ':');
    if (!second || strcmp(driver->kind, "binary") != 0)
        return;
    for (int axes = axes_of(second + 1); axes < axes_of(given); axes++)
        text_put(problem, "x1");
}

static bool take_problem(Import *import, const Settings *settings, const Driver *driver, char *word,
                         Draft *draft)
{
    Text descriptors = {0}, more = {0}, problem = {0};
    const char *direction = direction_of(settings, driver);
    /* The name of a problem stands last. */
    word[strcspn(word, "n\"")] = '\0';
    size_t length = strlen(word);
    if (length > 0 && word[length - 1] == '_')
        word[length - 1] = '\0';
    put_types(settings, driver, &descriptors);
    put_more(settings, driver, &more);
    bool ok =
        direction != NULL || draft_refuse(draft, "--dir=%s is not known", settings->direction);
    if (ok && driver->window)
        ok = complete_window(settings, driver, word, &problem, draft);
    else if (ok)
        complete_shapes(settings, driver, word, &problem);
    const Primitive primitive = {driver->kind,
                                 direction,
                                 text_string(&descriptors),
                                 text_string(&settings->attributes),
                                 text_string(&more),
                                 text_string(&problem)};
    ok = ok && onednn_import(import, &primitive, draft);
    text_release(&descriptors);
    text_release(&more);
    text_release(&problem);
    return ok;
}

/* Where the options of a line begin: behind the program's name, or behind what a report says of a
 * problem; NULL where the line is no call. */
static char *find_options(char *line)
{
    static const char *const marks[] = {"__REPRO: ", "benchdnn "};
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        char *at = strstr(line, marks[i]);
        if (at)
            return at + strlen(marks[i]);
    }
    line += strspn(line, " \t");
    return !strncmp(line, "--", 2) ? line : NULL;
}

/* NULL where no word is one. */
static const Driver *find_driver(const char *options)
{
    for (const char *at = options; *at;) {
        size_t length = strcspn(at, " \t\r\n");
        for (size_t i = 0; i < COUNT_OF(drivers); i++)
            if (strlen(drivers[i].option) + 2 == length && !strncmp(at, "--", 2) &&
                !strncmp(at + 2, drivers[i].option, length - 2))
                return &drivers[i];
        at += length + strspn(at + length, " \t\r\n");
    }
    return NULL;
}

/* All words of a line behind the program's name. */
static bool take_words(Import *import, const Driver *driver, char *rest, Draft *draft)
{
    Settings settings = {0};
    bool ok = true, any = false;
    for (char *word; ok && (word = strsep(&rest, " \t\r\n"));) {
        if (!*word || !strcmp(word + strspn(word, "-"), driver->option))
            continue;
        if (*word == '-') {
            ok = take_option(&settings, word, draft);
        } else {
            ok = take_problem(import, &settings, driver, word, draft);
            any = true;
        }
    }
    text_release(&settings.attributes);
    return ok && (any || draft_refuse(draft, "no problem is given"));
}

LineMeaning import_benchdnn_line(Import *import, char *line, Text *why)
{
    Draft draft = {0};
    char *rest = find_options(line);
    if (!rest)
        return LINE_OTHER;
    const Driver *driver = find_driver(rest);
    bool ok = driver ? take_words(import, driver, rest, &draft)
                     : draft_refuse(&draft, "no driver that is read");
    if (!ok)
        text_put(why, text_string(&draft.why));
    draft_release(&draft);
    return ok ? LINE_CALL : LINE_BAD;
}
