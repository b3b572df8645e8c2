/* Commands and their options. */
#ifndef FUZZ_COMMAND_H
#define FUZZ_COMMAND_H

#include "fuzz/campaign/campaign.h"
#include "reference/escape.h"
#include "reference/nearest.h"
#include "reports/query.h"
#include "reports/reproduce/reproduce.h"

/* Exit statuses; 1 and 0 come from the database, never from an engine. */
enum {
    EXIT_CLEAN = 0,
    EXIT_FINDINGS = 1,
    EXIT_USAGE = 2,
    EXIT_ENVIRONMENT = 3,
    EXIT_INTERNAL = 4,
    EXIT_BUDGET = 5,
    EXIT_LATER = 75
};

/* The statuses with what they mean; ended by a NULL meaning. */
typedef struct ExitStatus {
    int number;
    const char *meaning;
} ExitStatus;
extern const ExitStatus exit_statuses[];

#define PROGRAM_SUMMARY "finds where numerical libraries compute the wrong thing"
#define PROGRAM_EXAMPLE "opconform fuzz --time 60s && opconform query open"

enum { NAMES_MAX = 1024, ARGUMENTS_MAX = 1024 };

/* A list given with commas between. */
typedef struct NameList {
    char *storage;
    const char *names[NAMES_MAX + 1];
    int count;
} NameList;

/* Every option of every command; a command's table says which it takes. */
typedef struct Options {
    NameList op, backend, dtype, seeds, without, plugin;
    double seconds, deadline_seconds;
    uint64_t cases, seed, scale, tries;
    int64_t jobs;
    char *db, *out, *engine, *corpus, *sql, *known;
    char *shard, *scratch, *array, *plan;
    char *reason, *owner, *expires, *link, *actor;
    char *fix, *run;
    char *since, *until, *junit, *sarif, *markdown, *stats, *keep, *measures;
    bool findings, closed, force, routines;
    bool json, csv, plain, quiet, verbose, lines, no_avoid, first, dry_run, harness, right,
        no_programs, fold;
    bool help;
    bool spares_dead; /* a library that ends the process while it loads stays among the backends */
    const char *arguments[ARGUMENTS_MAX + 1]; /* ended by NULL */
    int argument_count;
    Text command_line;
} Options;

typedef enum OptionKind {
    OPTION_FLAG,
    OPTION_NUMBER,
    OPTION_COUNT,
    OPTION_DURATION, /* 60, 60s, 500ms, 5m, 2h */
    OPTION_TEXT,
    OPTION_NAMES,   /* up to NAMES_MAX between commas */
    OPTION_BACKENDS /* up to BOX_BACKENDS_MAX */
} OptionKind;

typedef struct OptionRow {
    const char *name;
    OptionKind kind;
    size_t offset;
    const char *value, *help;
} OptionRow;

/* A row by its kind and the member of Options that it is put into; does not compile where the
 * member has another type. */
#define OPTION(name, kind, member, ...)                                                            \
    {                                                                                              \
        (name), OPTION_##kind, FIELD_OFFSET(Options, member, OPTION_##kind##_TYPE), __VA_ARGS__    \
    }
#define OPTION_FLAG_TYPE     bool
#define OPTION_NUMBER_TYPE   int64_t
#define OPTION_COUNT_TYPE    uint64_t
#define OPTION_DURATION_TYPE double
#define OPTION_TEXT_TYPE     char *
#define OPTION_NAMES_TYPE    NameList
#define OPTION_BACKENDS_TYPE NameList

typedef struct Command {
    const char *name, *arguments, *summary, *example;
    const OptionRow *options; /* ended by a NULL name */
    bool takes_command;       /* its arguments are a command, whose own options follow -- */
    int (*run)(Options *options);
} Command;

extern const Command command_fuzz, command_exhaust, command_replay, command_minimize,
    command_reproduce, command_findings, command_bugs, command_issue, command_query, command_report,
    command_merge, command_bisect, command_verify, command_qualify, command_nightly, command_worker,
    command_fleet, command_fsck, command_corpus, command_record, command_import, command_list,
    command_doctor;
/* The option behind another one, first those of the command and then those of all commands; the
 * first one behind NULL, and NULL behind the last one. */
const OptionRow *command_option(const Command *command, const OptionRow *row);

/* The program that shows a finding.  All 0: none. */
typedef struct FindingProgram {
    ReproduceProgram program;
    Text interpreter; /* that runs it where it is in Python, otherwise empty */
} FindingProgram;

/* Writes that of a finding of the database, which is to be released in any case; a status, with one
 * sentence in *error where it is not clean. */
int finding_program_write(const Options *options, int64_t finding, FindingProgram *written,
                          Text *error);
void finding_program_release(FindingProgram *written);
/* Runs a SELECT on the database of --db and prints its rows; a status. */
int print_query(const Options *options, const char *sql);
/* Prints the open bugs that a run has seen, how many conventions there are, and the commands that
 * lead on; a status. */
int print_bugs_of_run(const Options *options, int64_t run);
/* Runs a campaign as the options say, and fills the summary; a status.  *run is its number in the
 * database, or 0 where there was none, which is said. */
int campaign_command(const char *command, Options *options, bool compares, CampaignSummary *summary,
                     int64_t *run);
/* Prints "opconform: message" and returns status. */
int complain(int status, const char *format, ...) PRINTF_LIKE(2, 3);
/* Complains of a name that is not known, with where to look and the name that may have been meant:
 * EXIT_USAGE. */
int complain_unknown(const char *what, const char *name, const char *hint, const Nearest *nearest);

/* Fills options from the arguments after the command's name; a message and false for bad ones. */
MUST_USE bool options_parse(Options *options, const Command *command, int argc, char **argv);
/* Loads the plug-ins that the options name, and notes which backends may be opened; false with a
 * message. */
MUST_USE bool options_announce(const Options *options);
/* The words, each ended by a NUL, that a command reads these options from: those that it takes and
 * that are not 0. */
void options_put_words(const Options *options, const Command *command, Text *words);
void options_release(Options *options, const Command *command);
void command_help(const Command *command);

/* Backends named by --backend, or those of the system that are there.  False, with a message
 * printed and *status set, when none is or a named one is missing. */
MUST_USE bool options_backends(Options *options, int *status);
MUST_USE bool options_scope(const Options *options, Scope *scope, int *status);
/* The word that stands for every operator, or every bug. */
bool is_everything(const char *word);
/* The id of a finding: digits alone, above 0. */
bool parse_id(const char *text, int64_t *id);
/* Writes lines to the file of --out in one step, or to standard output; a status. */
int options_write_lines(const Options *options, const Text *lines);
/* --json, --csv, --plain, or a table. */
QueryFormat options_format(const Options *options);
/* The name of the database of --db, or of that which is used without. */
const char *options_database(const Options *options);
/* That database, opened; NULL with a message printed. */
Store *options_store(const Options *options, StoreMode mode);

#endif
