/* The command line. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/command/command.h"
#include "fuzz/command/manual_page.h"
#include "reference/selftest.h"
#include "reports/store/version.h"

static const Command *const commands[] = {
    &command_fuzz,      &command_exhaust, &command_replay,  &command_minimize,
    &command_reproduce, &command_bugs,    &command_issue,   &command_findings,
    &command_query,     &command_report,  &command_nightly, &command_worker,
    &command_fleet,     &command_bisect,  &command_verify,  &command_qualify,
    &command_merge,     &command_fsck,    &command_corpus,  &command_record,
    &command_import,    &command_list,    &command_doctor,  NULL};

static void print_help(void)
{
    printf("example: " PROGRAM_EXAMPLE "\n\nopconform %s: " PROGRAM_SUMMARY ".\n\ncommands:\n",
           OPCONFORM_VERSION);
    for (const Command *const *command = commands; *command; command++)
        printf("  %-10s %.*s\n", (*command)->name, (int)strcspn((*command)->summary, "\n"),
               (*command)->summary);
    printf("\nopconform COMMAND --help tells more; opconform --man-page [COMMAND] and --completion "
           "SHELL\n"
           "print pages for man and completions for bash, zsh and fish.\n\nexit status:\n");
    for (const ExitStatus *status = exit_statuses; status->meaning; status++)
        printf("  %2d  %s\n", status->number, status->meaning);
}

static int run_command(const Command *command, int argc, char **argv)
{
    Options options = {0};
    int status = EXIT_USAGE;
    if (options_parse(&options, command, argc, argv)) {
        if (options.help) {
            command_help(command);
            status = EXIT_CLEAN;
        } else if (!options_announce(&options)) {
            status = EXIT_ENVIRONMENT;
        } else {
            status = command->run(&options);
        }
    }
    options_release(&options, command);
    return status;
}

/* What a command has lost: of its output, or of what its database should have. */
static int check_losses(int status)
{
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written)
        return complain(EXIT_INTERNAL, "standard output: %s: not all was written",
                        strerror(errno ? errno : EIO));
    return store_had_trouble() && (status == EXIT_CLEAN || status == EXIT_FINDINGS) ? EXIT_INTERNAL
                                                                                    : status;
}

static int refuse_command(const char *name)
{
    Nearest nearest = nearest_begin(name, strlen(name));
    for (const Command *const *command = commands; *command; command++)
        nearest_offer(&nearest, (*command)->name);
    return complain_unknown("unknown command", name, "opconform --help lists them", &nearest);
}

static int print_version(const char *ignored)
{
    (void)ignored;
    printf("opconform %s\n", OPCONFORM_VERSION);
    return EXIT_CLEAN;
}

static int print_commands(const char *ignored)
{
    (void)ignored;
    for (const Command *const *command = commands; *command; command++)
        printf("%s\n", (*command)->name);
    return EXIT_CLEAN;
}

static int print_manual_page(const char *name)
{
    return manual_page(commands, name) ? EXIT_CLEAN : refuse_command(name);
}

static int print_completion(const char *shell)
{
    return completion(commands, shell)
               ? EXIT_CLEAN
               : complain(EXIT_USAGE, "--completion: expected bash, zsh or fish");
}

/* What the program says of itself, without a command. */
static const struct {
    const char *option;
    int (*print)(const char *argument);
} words[] = {
    {"--version", print_version},
    {"--commands", print_commands},
    {"--man-page", print_manual_page},
    {"--completion", print_completion},
};

int main(int argc, char **argv)
{
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
        print_help();
        return check_losses(argc < 2 ? EXIT_USAGE : EXIT_CLEAN);
    }
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (!strcmp(argv[1], words[i].option))
            return check_losses(words[i].print(argc > 2 ? argv[2] : ""));
    /* Writing beyond the limit of the size of files is an error like any other. */
    (void)signal(SIGXFSZ, SIG_IGN);
    const char *failure = selftest_run();
    if (failure)
        return complain(EXIT_INTERNAL,
                        "self-test failed: %s; nothing computed here could be trusted", failure);
    for (const Command *const *command = commands; *command; command++)
        if (!strcmp((*command)->name, argv[1]))
            return check_losses(run_command(*command, argc - 1, argv + 1));
    return refuse_command(argv[1]);
}
