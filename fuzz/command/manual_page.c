/* Pages for man: in the macros of man(7), with what --help says. */
#include "manual_page.h"

#include <stdio.h>
#include <string.h>

#include "reports/store/version.h"

/* Text as it stands: hyphens of options can be copied, and no line is a request. */
static void put_text(const char *text)
{
    bool starts = true;
    for (; *text; text++) {
        if (starts && (*text == '.' || *text == '\''))
            printf("\\&");
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            (void)putchar(*text);
        starts = *text == '\n';
    }
}

static void put_line(const char *before, const char *text)
{
    printf("%s", before);
    put_text(text);
    (void)putchar('\n');
}

/* The first sentence, in one line: man's index has it. */
static void put_name(const char *name, const char *summary)
{
    const char *end = strstr(summary, ".\n");
    size_t length = end ? (size_t)(end - summary) : strlen(summary);
    printf(".TH %s 1 \"\" \"opconform %s\"\n.SH NAME\n", name, OPCONFORM_VERSION);
    put_text(name);
    printf(" \\- ");
    for (size_t i = 0; i < length && !(summary[i] == '.' && i + 1 == length); i++)
        (void)putchar(summary[i] == '\n' ? ' ' : summary[i]);
    (void)putchar('\n');
}

static void put_statuses(void)
{
    printf(".SH EXIT STATUS\n");
    for (const ExitStatus *status = exit_statuses; status->meaning; status++) {
        printf(".TP\n%d\n", status->number);
        put_line("", status->meaning);
    }
}

static void put_command(const Command *command)
{
    char name[64];
    (void)snprintf(name, sizeof name, "opconform-%s", command->name);
    put_name(name, command->summary);
    printf(".SH SYNOPSIS\n.B opconform %s\n", command->name);
    put_line("", command->arguments);
    put_line(".SH DESCRIPTION\n", command->summary);
    printf(".SH OPTIONS\n");
    for (const OptionRow *row = NULL; (row = command_option(command, row));) {
        printf(".TP\n\\fB\\-\\-");
        put_text(row->name);
        printf("\\fR %s\n", row->value ? row->value : "");
        put_line("", row->help);
    }
    put_line(".SH EXAMPLES\n.EX\n", command->example);
    printf(".EE\n");
    put_statuses();
    printf(".SH SEE ALSO\n.BR opconform (1)\n");
}

static void put_overview(const Command *const *commands)
{
    put_name("opconform", PROGRAM_SUMMARY);
    printf(".SH SYNOPSIS\n.B opconform\n.I COMMAND\n[options]\n.SH COMMANDS\n");
    for (const Command *const *command = commands; *command; command++) {
        printf(".TP\n.BR opconform\\-%s (1)\n", (*command)->name);
        put_line("", (*command)->summary);
    }
    put_line(".SH EXAMPLES\n.EX\n", PROGRAM_EXAMPLE);
    printf(".EE\n");
    put_statuses();
}

bool manual_page(const Command *const *commands, const char *name)
{
    if (!*name) {
        put_overview(commands);
        return true;
    }
    for (const Command *const *command = commands; *command; command++)
        if (!strcmp((*command)->name, name)) {
            put_command(*command);
            return true;
        }
    return false;
}
