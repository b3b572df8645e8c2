/* A fork that waits for what is to be confirmed. */
#include "confirm.h"

#include <unistd.h>

#include "fuzz/check/isolate.h"
#include "reference/alone.h"

typedef struct Question {
    Checker *checker;
    const Case *c;
    const CheckResult *original;
    const ShrinkOptions *options;
    int pipe[2];
} Question;

static int answer(const void *context, int to)
{
    const Question *question = context;
    ShrinkResult shrunk;
    CheckResult alone;
    (void)close(question->pipe[1]);
    alone_keep(question->pipe[0]);
    alone_begin(to, (AloneMemory){0});
    if (read(question->pipe[0], &shrunk, sizeof shrunk) != (ssize_t)sizeof shrunk)
        return 0;
    isolated_run(question->checker, &shrunk.minimal, question->original->backend,
                 question->options->deadline, &alone);
    if (!shrink_shows_same(&shrunk.result, &alone, &shrunk.minimal)) {
        ShrinkOptions options = *question->options;
        options.isolate = true;
        shrink_case(&shrunk, question->checker, question->c, question->original, &options);
    }
    return write(to, &shrunk, sizeof shrunk) == (ssize_t)sizeof shrunk ? 0 : 1;
}

void confirm_begin(Confirmer *confirmer, Checker *checker, const Case *c,
                   const CheckResult *original, const ShrinkOptions *options)
{
    Question question = {checker, c, original, options, {-1, -1}};
    *confirmer = (Confirmer){.to = -1};
    if (options->isolate || checker->backends[original->backend].kind->expect ||
        pipe(question.pipe) != 0)
        return;
    if (child_start(&confirmer->child, answer, &question))
        confirmer->to = question.pipe[1];
    else
        (void)close(question.pipe[1]);
    (void)close(question.pipe[0]);
}

void confirm_end(Confirmer *confirmer, ShrinkResult *shrunk)
{
    ShrinkResult confirmed;
    if (confirmer->to < 0)
        return;
    bool asked = shrunk->reproduced > 0 &&
                 write(confirmer->to, shrunk, sizeof *shrunk) == (ssize_t)sizeof *shrunk;
    (void)close(confirmer->to);
    if (asked &&
        child_read(&confirmer->child, &confirmed, sizeof confirmed, -1) == sizeof confirmed)
        *shrunk = confirmed;
    (void)child_wait(&confirmer->child);
}
