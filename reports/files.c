/* Reads and writes files with the calls of POSIX. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
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

/* On the disk: what the file holds, or of a folder its names. */
static bool sync_path(const char *path, int how)
{
    int file = open(path, how | O_CLOEXEC);
    bool ok = file >= 0 && fsync(file) == 0;
    int problem = errno;
    if (file >= 0)
        (void)close(file);
    errno = problem;
    return ok;
}

bool file_publish(const char *from, const char *to, Text *error)
{
    Text folder = {0};
    const char *slash = strrchr(to, '/');
    text_append(&folder, slash ? to : ".", slash ? (size_t)(slash - to) + 1 : 1);
    bool ok = sync_path(from, O_RDWR) && rename(from, to) == 0 &&
              sync_path(text_string(&folder), O_RDONLY | O_DIRECTORY);
    text_release(&folder);
    return ok || tell(to, error);
}

int file_lock(const char *path, bool *busy, Text *error)
{
    int lock = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    *busy = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0;
    if (lock < 0 || *busy)
        (void)tell(path, error);
    if (*busy) {
        (void)close(lock);
        lock = -1;
    }
    return lock;
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
