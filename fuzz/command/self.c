/* Words of the options by their rows, and a process that becomes this program with them. */
#include "self.h"

#include <fcntl.h>
#include <string.h>

typedef struct Run {
    const char *log;
    const char *const *words;
} Run;

static int run_child(const void *context, int to)
{
    const Run *run = context;
    int log = open(run->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    (void)to;
    if (log < 0)
        return 127;
    child_become_self(run->words, log, false);
}

bool self_start(Child *child, const char *log, const Command *command, const Options *options,
                const char *const *arguments)
{
    enum { WORDS_MAX = 64 };
    Text given = {0};
    const char *words[WORDS_MAX] = {"opconform", command->name};
    int count = 2;
    options_put_words(options, command, &given);
    while (*arguments && count < WORDS_MAX - 1)
        words[count++] = *arguments++;
    const char *end = given.data + given.length;
    for (const char *at = given.data; at < end && count < WORDS_MAX - 1; at += strlen(at) + 1)
        words[count++] = at;
    bool started = child_start(child, run_child, &(Run){log, words});
    text_release(&given);
    return started;
}
