/* The file is written at its end only, by all processes that have it: emptied, it begins anew. */
#include "capture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reference/alone.h"

static const char own_word[] = "opconform: ";
static int file = -1, kept[2] = {-1, -1};

void capture_open(void)
{
    int made = memfd_create("output", MFD_CLOEXEC);
    if (made < 0 || fcntl(made, F_SETFL, O_APPEND) != 0)
        return;
    if (file < 0) {
        alone_keep(file = made);
        return;
    }
    (void)dup3(made, file, O_CLOEXEC);
    (void)close(made);
}

void capture_begin(void)
{
    static const int standard[] = {STDOUT_FILENO, STDERR_FILENO};
    if (file < 0)
        return;
    (void)fflush(NULL);
    for (int i = 0; i < 2; i++) {
        kept[i] = fcntl(standard[i], F_DUPFD_CLOEXEC, 0);
        (void)dup2(file, standard[i]);
    }
}

void capture_stay(void)
{
    if (file < 0)
        return;
    (void)fflush(NULL);
    (void)dup2(file, STDOUT_FILENO);
    (void)dup2(file, STDERR_FILENO);
}

void capture_end(void)
{
    static const int standard[] = {STDOUT_FILENO, STDERR_FILENO};
    (void)fflush(NULL);
    for (int i = 0; i < 2; i++) {
        if (kept[i] < 0)
            continue;
        (void)dup2(kept[i], standard[i]);
        (void)close(kept[i]);
        kept[i] = -1;
    }
}

uint64_t capture_drain(Text *ours)
{
    uint64_t others = 0;
    Text all = {0};
    char part[4096];
    off_t at = 0;
    for (ssize_t count; file >= 0 && (count = pread(file, part, sizeof part, at)) > 0; at += count)
        text_append(&all, part, (size_t)count);
    if (at > 0)
        (void)ftruncate(file, 0);
    for (const char *line = text_string(&all); *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (!strncmp(line, own_word, strlen(own_word)))
            text_append(ours, line, length);
        else
            others++;
        line += length;
    }
    text_release(&all);
    return others;
}

void capture_read(char *text, size_t size)
{
    ssize_t count = file >= 0 ? pread(file, text, size - 1, 0) : 0;
    text[count > 0 ? count : 0] = '\0';
    for (size_t i = 0; text[i]; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t')
            text[i] = '?';
    for (size_t length = strlen(text); length > 0 && text[length - 1] == '\n'; length--)
        text[length - 1] = '\0';
}
