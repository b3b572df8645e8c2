/* opconform fleet plan: shards by what their strata cost and show. */
#include <stdio.h>

#include "fleet.h"
#include "reports/files.h"
#include "weight.h"

/* How many shards each stratum has, and strata each shard, in one line. */
static void say_plan(const Plan *plan, int shards, const char *path)
{
    size_t shared = 0, rare = 0;
    for (size_t i = 0; i < plan->count; i++) {
        shared += plan->strata[i].last > plan->strata[i].first;
        rare += plan->strata[i].rare > 0;
    }
    escape_print(stdout,
                 "%s: %zu strata for %d shards; %zu of them have several, and %zu showed what was "
                 "met once\n",
                 path, plan->count, shards, shared, rare);
}

static bool write_plan(Plan *plan, const Options *options, int shards, Store *store,
                       const char *path, Text *error)
{
    Text lines = {0};
    bool ok = plan_weigh(plan, options, store, error);
    if (ok) {
        plan_assign(plan, shards);
        plan_print(plan, options, shards, &lines);
        ok = (options->plan || folder_make(options->out ? options->out : "fleet", error)) &&
             file_replace(path, &lines, true, error);
    }
    text_release(&lines);
    return ok;
}

int fleet_plan(Options *options)
{
    Text path = {0}, error = {0};
    Plan plan = {0};
    int end = 0, status = EXIT_CLEAN, shards = fleet_array(options->array, &end);
    if (shards == 0)
        return complain(EXIT_USAGE, "fleet plan: --array %s: expected 0-LAST",
                        options->array ? options->array : "");
    if (!options->db)
        return complain(EXIT_USAGE, "fleet plan: --db is missing");
    if (options->plan)
        text_put(&path, options->plan);
    else
        text_printf(&path, "%s/fleet.plan", options->out ? options->out : "fleet");
    Store *store = options_store(options, STORE_READ);
    if (!store)
        status = EXIT_ENVIRONMENT;
    else if (plan_make(&plan, options, &status)) {
        if (write_plan(&plan, options, shards, store, text_string(&path), &error))
            say_plan(&plan, shards, text_string(&path));
        else
            status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    }
    store_close(store);
    plan_release(&plan);
    text_release(&path);
    text_release(&error);
    return status;
}
