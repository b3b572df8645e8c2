/* The state of a night: a few lines in a file of its folder, which survive a kill. */
#include "nightly.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "reports/files.h"

void night_may_die(void)
{
    const char *given = getenv("OPCONFORM_NIGHT_KILL");
    static long left;
    if (!given)
        return;
    if (left == 0)
        left = strtol(given, NULL, 10);
    if (--left == 0)
        (void)raise(SIGKILL);
}

void night_say(const Night *night, const char *format, ...)
{
    va_list arguments;
    if (night->quiet)
        return;
    Text text = {0};
    va_start(arguments, format);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    escape_print(stderr, "night=%lld %s\n", (long long)night->number, text_string(&text));
    text_release(&text);
}

/* name=value lines; false where there is no such file. */
static bool read_state(Night *night)
{
    long long started = 0, number = 0;
    int step = 0;
    FILE *file = fopen(text_string(&night->state), "re");
    if (!file)
        return false;
    bool ok = fscanf(file, "uuid=%32[0-9a-f]\nstarted=%lld\nnumber=%lld\nstep=%d\n", night->uuid,
                     &started, &number, &step) == 4;
    (void)fclose(file);
    night->started = started;
    night->number = number;
    night->step = step;
    return ok && step >= 0;
}

bool night_put_state(const Night *night, Text *error)
{
    Text lines = {0};
    text_printf(&lines, "uuid=%s\nstarted=%lld\nnumber=%lld\nstep=%d\n", night->uuid,
                (long long)night->started, (long long)night->number, night->step);
    bool ok = file_replace(text_string(&night->state), &lines, true, error);
    text_release(&lines);
    return ok;
}

/* A folder of the night's own. */
static bool make_folder(const Night *night, const char *name, Text *error)
{
    Text path = {0};
    text_printf(&path, "%s/%s", night->folder, name);
    bool ok = folder_make(text_string(&path), error);
    text_release(&path);
    return ok;
}

/* When something was last seen in the database of the nights, 0 where there is none: what a night
 * sees first is new, and must not be older by a clock that was set back. */
static int64_t last_time(const Night *night)
{
    const char *path = text_string(&night->database);
    int64_t last = 0;
    Text error = {0};
    Store *store = access(path, F_OK) == 0 ? store_open(path, STORE_READ, &error) : NULL;
    bool read =
        store && store_get_number(store, "SELECT max(last_seen) FROM finding", &last, &error);
    store_close(store);
    text_release(&error);
    return read ? last : 0;
}

/* A night that no other one is, after those that the state remembers. */
static void begin_night(Night *night)
{
    unsigned char bytes[16] = {0};
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        BUG("no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(night->uuid + 2 * i, 3, "%02x", bytes[i]);
    store_not_before(last_time(night) + 1);
    night->started = store_now();
    night->number++;
    night->step = 0;
}

static int count_steps(const NightStep *steps)
{
    int count = 0;
    while (steps[count].name)
        count++;
    return count;
}

/* One night at a time works in a folder; the lock ends with the process. */
static bool take_lock(Night *night, Text *error)
{
    Text path = {0};
    text_printf(&path, "%s/night.lock", night->folder);
    night->lock = file_lock(text_string(&path), &night->busy, error);
    if (night->busy) {
        text_clear(error);
        text_printf(error, "%s: another night works here: try again when it has ended",
                    night->folder);
    }
    text_release(&path);
    return night->lock >= 0;
}

bool night_open(Night *night, Options *options, const NightStep *steps, Text *error)
{
    double spent = 0;
    *night = (Night){.lock = -1,
                     .options = options,
                     .steps = steps,
                     .folder = options->out ? options->out : "nightly",
                     .quiet = options->quiet};
    text_printf(&night->database, "%s/findings.db", night->folder);
    text_printf(&night->state, "%s/night.state", night->folder);
    if (!folder_make(night->folder, error) || !take_lock(night, error) ||
        !make_folder(night, "shards", error) || !make_folder(night, "reproducers", error))
        return false;
    bool known = read_state(night);
    if (!known && access(text_string(&night->state), F_OK) == 0) {
        text_printf(error, "%s: damaged: remove it to begin a new night",
                    text_string(&night->state));
        return false;
    }
    if (known && night->step < count_steps(steps))
        night_say(night, "resumed at=%s", steps[night->step].name);
    else
        begin_night(night);
    if (steps[night->step].name && night->step > 0)
        spent = 0.01 * steps[night->step - 1].percent * options->seconds;
    night->begun = clock_nanoseconds() - (uint64_t)(1e9 * spent);
    store_not_before(night->started);
    text_printf(&night->shard, "%s/shards/%s.db", night->folder, night->uuid);
    return night_put_state(night, error);
}

void night_release(Night *night)
{
    text_release(&night->database);
    text_release(&night->shard);
    text_release(&night->state);
    if (night->lock >= 0)
        (void)close(night->lock);
}

bool night_read_counts(const Night *night, NightCounts *counts, Text *error)
{
    Store *store = store_open(text_string(&night->database), STORE_READ, error);
    bool ok = store && store_count_night(store, night->started, counts, error);
    store_close(store);
    return ok;
}

Store *night_store(const Night *night, Text *error)
{
    Store *store = store_open(text_string(&night->database), STORE_WRITE, error);
    if (store && store_resume_night(store, night->uuid, night->started,
                                    text_string(&night->options->command_line), error))
        return store;
    store_close(store);
    return NULL;
}

double night_seconds_left(const Night *night)
{
    const double least = 0.02;
    double budget = night->options->seconds;
    double spent = 1e-9 * (double)(clock_nanoseconds() - night->begun);
    double left = 0.01 * night->steps[night->step].percent * budget - spent;
    return left > least * budget ? left : least * budget;
}

uint64_t night_deadline(const Night *night)
{
    double seconds = night_seconds_left(night);
    return seconds > 0 ? clock_nanoseconds() + (uint64_t)(seconds * 1e9) : UINT64_MAX;
}
