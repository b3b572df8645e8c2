/* Reads and writes files with the calls of POSIX. */
#include "files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool tell(const char *path, Text *error)
{
    text_printf(error, "%s: %s", path, strerror(errno));
    return false;
}

void file_append(FILE *file, Text *text)
{
    char buffer[4096];
    for (size_t size; (size = fread(buffer, 1, sizeof buffer, file)) > 0;)
        text_append(text, buffer, size);
}

bool file_read(const char *path, Text *text, Text *error)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return tell(path, error);
    errno = 0;
    file_append(file, text);
    bool ok = !ferror(file);
    if (!ok)
        (void)tell(path, error);
    (void)fclose(file);
    return ok;
}

bool file_is_text(const char *path, const Text *text, Text *error)
{
    size_t length = strlen(text_string(text));
    if (length == text->length)
        return true;
    text_printf(error, "%s: byte %zu is a NUL: this is no file of lines", path, length + 1);
    return false;
}

static bool put(const char *path, const Text *text, bool durable)
{
    FILE *file = fopen(path, "we");
    bool ok = file && fwrite(text_string(text), 1, text->length, file) == text->length;
    ok = ok && (!durable || (fflush(file) == 0 && fsync(fileno(file)) == 0));
    if (file && fclose(file) != 0)
        ok = false;
    return ok;
}

bool file_write(const char *path, const Text *text, Text *error)
{
    return put(path, text, false) || tell(path, error);
}

bool file_replace(const char *path, const Text *text, bool durable, Text *error)
{
    struct stat facts;
    /* A device or a pipe is written to; another file in its place would be none. */
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        return put(path, text, false) || tell(path, error);
    Text beside = {0};
    text_printf(&beside, "%s.new", path);
    bool ok = put(text_string(&beside), text, durable) && rename(text_string(&beside), path) == 0;
    text_release(&beside);
    return ok || tell(path, error);
}

bool folder_make(const char *path, Text *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST || tell(path, error);
}

const char *const program_endings[] = {".c", ".cpp", ".py", NULL};

bool is_program_ending(const char *ending)
{
    for (size_t i = 0; program_endings[i]; i++)
        if (!strcmp(ending, program_endings[i]))
            return true;
    return false;
}
