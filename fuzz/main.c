/* The command line. */
#include <stdio.h>
#include <string.h>

#include "fuzz/command/command.h"
#include "reference/selftest.h"
#include "reports/store/version.h"

const Command *const commands[] = {&command_fuzz,      &command_replay, &command_minimize,
                                   &command_reproduce, &command_bugs,   &command_issue,
                                   &command_findings,  &command_query,  &command_report,
                                   &command_nightly,   &command_bisect, &command_verify,
                                   &command_merge,     &command_fsck,   &command_corpus,
                                   &command_list,      &command_doctor, NULL};

static void print_help(void)
{
    printf("example: opconform fuzz --time 60s && opconform query open\n\n"
           "opconform %s: finds where numerical libraries compute the wrong thing.\n\ncommands:\n",
           OPCONFORM_VERSION);
    for (const Command *const *command = commands; *command; command++)
        printf("  %-10s %.*s\n", (*command)->name, (int)strcspn((*command)->summary, "\n"),
               (*command)->summary);
    printf(
        "\nopconform COMMAND --help tells more.  Exit status: 0 nothing new, 1 a new divergence,\n"
        "2 usage, 3 a backend or the environment, 4 internal error, 5 the budget ended early,\n"
        "75 try again later.\n");
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

static int refuse_command(const char *name)
{
    Nearest nearest = nearest_begin(name, strlen(name));
    for (const Command *const *command = commands; *command; command++)
        nearest_offer(&nearest, (*command)->name);
    return complain_unknown("unknown command", name, "opconform --help lists them", &nearest);
}

int main(int argc, char **argv)
{
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
        print_help();
        return argc < 2 ? EXIT_USAGE : EXIT_CLEAN;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("opconform %s\n", OPCONFORM_VERSION);
        return EXIT_CLEAN;
    }
    const char *failure = selftest_run();
    if (failure)
        return complain(EXIT_INTERNAL,
                        "self-test failed: %s; nothing computed here could be trusted", failure);
    for (const Command *const *command = commands; *command; command++)
        if (!strcmp((*command)->name, argv[1]))
            return run_command(*command, argc - 1, argv + 1);
    return refuse_command(argv[1]);
}
