/* The part of a night that takes findings one by one: it runs them again in fresh processes, and
 * with settings that may make them go away. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/command/again.h"
#include "nightly.h"
#include "ops/backend/knobs.h"

enum {
    REPLAYS = 3, /* of a known finding */
    CAPTURES = 5 /* of one that is new, in fresh processes */
};

/* Runs a case some times and notes what it shows; false where the database does not take it.  A
 * case that cannot be run now has no outcome: *known is false. */
static bool note_again(Store *store, OutcomeRecord *outcome, const char *line, bool *known,
                       Text *error)
{
    *known = again_count(line, outcome->backend, NULL, outcome->tries, &outcome->diverged);
    outcome->version = again_version(outcome->backend);
    return !*known || store_put_outcome(store, outcome, error);
}

/* Runs findings first seen since then once more, each some times, in the order of their numbers
 * from behind `first` on, and those up to it afterwards; those that this night has done already are
 * left out. */
static bool run_again(Night *night, Store *store, int64_t since, int64_t first, uint64_t until,
                      Text *error)
{
    Text line = {0}, backend = {0};
    int64_t id = first, counts[2] = {0};
    bool ok = true, from_start = first == 0;
    while (ok && clock_nanoseconds() < until) {
        ok = store_next_again(store, since, id, "", &id, &line, &backend, error);
        if (!ok || (from_start && (id == 0 || (first > 0 && id > first))))
            break;
        from_start = from_start || id == 0;
        if (id == 0)
            continue;
        OutcomeRecord outcome = {.finding = id,
                                 .backend = text_string(&backend),
                                 .tries = since > 0 ? CAPTURES : REPLAYS,
                                 .captured = since > 0};
        bool known;
        ok = note_again(store, &outcome, text_string(&line), &known, error);
        counts[known]++;
        night_may_die();
    }
    night_say(night, "again=%lld unknown=%lld", (long long)counts[true], (long long)counts[false]);
    text_release(&line);
    text_release(&backend);
    return ok;
}

/* Goes on where the night before ended, since its time may not suffice for all. */
bool night_replay(Night *night, Text *error)
{
    int64_t first = 0;
    Store *store = night_store(night, error);
    bool ok = store && store_last_again(store, &first, error) &&
              run_again(night, store, 0, first, night_deadline(night), error);
    store_close(store);
    return ok;
}

/* A change of how a case is run: words of its execution, one item of its batch, or a knob of the
 * library. */
typedef struct Setting {
    const char *name;
    bool batch;
    const Knob *knob;
} Setting;

/* The line with the first extent that is called batch made 1; false where that changes nothing. */
static bool take_one_item(Text *line)
{
    Case c;
    Text error = {0};
    ParamGroup groups[CASE_GROUPS_MAX];
    bool changed = false;
    if (case_parse(&c, text_string(line), &error) && case_groups(&c, groups) > 0) {
        const Scope scope = scope_all();
        for (const Param *param = groups[0].params; param->name && !changed; param++) {
            int64_t *batch = (int64_t *)(void *)((char *)groups[0].values + param->offset);
            changed = param->kind == PARAM_DIM && !strcmp(param->name, "batch") && *batch > 1;
            if (changed)
                *batch = 1;
        }
        case_normalise(&c, &scope);
        text_clear(line);
        case_print(&c, line);
    }
    text_release(&error);
    return changed;
}

/* Changes the line or the backend as the setting says; false where it says nothing about them. */
static bool apply_setting(const Setting *setting, Text *line, Text *backend)
{
    if (setting->batch)
        return take_one_item(line);
    if (setting->knob)
        return knob_apply(setting->knob, backend);
    /* A case that asks for such a thing itself has another bar already. */
    if (strstr(text_string(line), "exec="))
        return false;
    text_printf(line, " | exec=%s", setting->name);
    return true;
}

/* Runs each new finding that has no outcome with the setting yet, as long as there is time. */
static bool try_setting(const Night *night, Store *store, const Setting *setting, uint64_t until,
                        Text *error)
{
    Text line = {0}, backend = {0}, changed = {0};
    int64_t id = 0;
    bool ok = true;
    while (ok && clock_nanoseconds() < until) {
        ok =
            store_next_again(store, night->started, id, setting->name, &id, &line, &backend, error);
        if (!ok || id == 0)
            break;
        OutcomeRecord outcome = {
            .finding = id, .backend = text_string(&backend), .setting = setting->name, .tries = 1};
        text_clear(&changed);
        text_put(&changed, text_string(&backend));
        if (!apply_setting(setting, &line, &changed) ||
            !again_count(text_string(&line), text_string(&changed),
                         setting->knob ? setting->knob->variable : NULL, 1, &outcome.diverged))
            continue;
        outcome.version = again_version(outcome.backend);
        ok = store_put_outcome(store, &outcome, error);
        night_may_die();
    }
    text_release(&line);
    text_release(&backend);
    text_release(&changed);
    return ok;
}

/* Whether what is new can be reproduced, and which setting removes it, as far as there is time. */
bool night_settle(Night *night, Text *error)
{
    static const Setting settings[] = {
        {"threads:2", false, NULL},
        {"align:8", false, NULL},
        {"layout:strided", false, NULL},
        {"one item", true, NULL},
    };
    uint64_t until = night_deadline(night);
    Store *store = night_store(night, error);
    bool ok = store && run_again(night, store, night->started, 0, until, error);
    for (size_t i = 0; ok && i < COUNT_OF(settings); i++)
        ok = try_setting(night, store, &settings[i], until, error);
    for (const Knob *knob = knobs; ok && knob->backend; knob++)
        ok = try_setting(night, store, &(Setting){knob_name(knob), false, knob}, until, error);
    if (clock_nanoseconds() >= until)
        night_say(night, "settings=unfinished");
    store_close(store);
    return ok;
}
