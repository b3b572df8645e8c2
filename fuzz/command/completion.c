/* Completions for shells, with the names that this build knows written out. */
#include <stdio.h>
#include <string.h>

#include "manual_page.h"
#include "ops/backend/backend.h"

static void put_ops(void)
{
    for (const OpDesc *const *op = op_registry; *op; op++)
        printf(" %s", (*op)->name);
}

static void put_backends(void)
{
    for (const BackendKind *const *kind = backend_registry; *kind; kind++)
        printf(" %s", (*kind)->name);
}

static void put_dtypes(void)
{
    for (int i = 0; i < DT_COUNT; i++)
        printf(" %s", dtype_names[i]);
}

static void put_queries(void)
{
    for (const QueryRow *row = query_rows; row->name; row++)
        printf(" %s", row->name);
}

/* Options, and commands, whose words are names of one kind. */
typedef struct NamedWords {
    const char *word;
    bool is_command;
    void (*put)(void);
} NamedWords;

static const NamedWords named[] = {
    {"op", false, put_ops},
    {"backend", false, put_backends},
    {"dtype", false, put_dtypes},
    {"query", true, put_queries},
};

static void put_options(const Command *command)
{
    for (const OptionRow *row = NULL; (row = command_option(command, row));)
        printf(" --%s", row->name);
}

static void put_words(const NamedWords *row)
{
    printf("        words=\"");
    row->put();
    printf("\" ;;\n");
}

/* Lists are completed behind their last comma.  Words that are no names are those of files: without
 * them follows what the shell does then. */
static void put_function(const Command *const *commands, const char *without)
{
    printf("_opconform() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= "
           "list=\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words=\"--help --version");
    for (const Command *const *command = commands; *command; command++)
        printf(" %s", (*command)->name);
    printf("\"\n    elif [[ $word == -* ]]; then\n        case ${COMP_WORDS[1]} in\n");
    for (const Command *const *command = commands; *command; command++) {
        printf("        %s) words=\"--help", (*command)->name);
        put_options(*command);
        printf("\" ;;\n");
    }
    printf("        esac\n    else\n        case $before in\n");
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        printf("        %s%s)\n", named[i].is_command ? "" : "--", named[i].word);
        put_words(&named[i]);
    }
    printf("        esac\n"
           "        [ -z \"$words\" ] || [[ $word != *,* ]] || list=${word%%,*},\n"
           "    fi\n"
           "    if [ -n \"$words\" ]; then\n"
           "        COMPREPLY=($(compgen -P \"$list\" -W \"$words\" -- \"${word##*,}\"))\n"
           "    else\n%s"
           "        COMPREPLY=()\n"
           "    fi\n"
           "}\n",
           without);
}

static void put_bash(const Command *const *commands)
{
    printf("# Completion of opconform, by `opconform --completion bash`.\n");
    put_function(commands, "        compopt -o default\n");
    printf("complete -F _opconform opconform\n");
}

/* zsh reads the file when a word is completed for the first time, and that word is asked for too.
 */
static void put_zsh(const Command *const *commands)
{
    printf("#compdef opconform\n"
           "# Completion of opconform, by `opconform --completion zsh`.\n"
           "autoload -U +X bashcompinit && bashcompinit\n");
    put_function(commands, "");
    printf("complete -o default -F _opconform opconform\n"
           "[[ ${funcstack[1]} != _opconform ]] || _bash_complete -o default -F _opconform\n");
}

static void put_quoted(const char *text, size_t length)
{
    (void)putchar('\'');
    for (size_t i = 0; i < length; i++)
        printf(text[i] == '\'' || text[i] == '\\' ? "\\%c" : "%c", text[i]);
    (void)putchar('\'');
}

/* The words of options are lists, which fish completes behind their last comma. */
static void put_fish_names(const NamedWords *row)
{
    printf("function __opconform_%s\n    printf '%%s\\n'", row->word);
    row->put();
    printf("\nend\n");
    if (row->is_command)
        printf("complete -c opconform -n '__fish_seen_subcommand_from %s' -f -a "
               "'(__opconform_%s)'\n",
               row->word, row->word);
    else
        printf("complete -c opconform -l %s -x -a '(__fish_complete_list , __opconform_%s)'\n",
               row->word, row->word);
}

static void put_fish(const Command *const *commands)
{
    printf("# Completion of opconform, by `opconform --completion fish`.\n");
    for (const Command *const *command = commands; *command; command++) {
        const char *summary = (*command)->summary;
        printf("complete -c opconform -n __fish_use_subcommand -f -a %s -d ", (*command)->name);
        put_quoted(summary, strcspn(summary, "\n"));
        printf("\n");
        for (const OptionRow *row = NULL; (row = command_option(*command, row));) {
            printf("complete -c opconform -n '__fish_seen_subcommand_from %s' -l %s %s-d ",
                   (*command)->name, row->name, row->kind == OPTION_FLAG ? "" : "-r ");
            put_quoted(row->help, strlen(row->help));
            printf("\n");
        }
    }
    for (size_t i = 0; i < COUNT_OF(named); i++)
        put_fish_names(&named[i]);
}

bool completion(const Command *const *commands, const char *shell)
{
    static const struct {
        const char *shell;
        void (*put)(const Command *const *commands);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    for (size_t i = 0; i < COUNT_OF(shells); i++)
        if (!strcmp(shells[i].shell, shell)) {
            shells[i].put(commands);
            return true;
        }
    return false;
}
