/* Scripts for reproducers, from the Python side. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker_server.h"

/* The description as a file that is read from its start. */
static int description_file(const Text *description)
{
    int file = memfd_create("description", MFD_CLOEXEC);
    size_t done = 0;
    while (file >= 0 && done < description->length) {
        ssize_t count = write(file, description->data + done, description->length - done);
        if (count < 0 && errno != EINTR)
            BUG("cannot describe a finding: %s", strerror(errno));
        done += count > 0 ? (size_t)count : 0;
    }
    if (file < 0 || lseek(file, 0, SEEK_SET) != 0)
        BUG("cannot describe a finding: %s", strerror(errno));
    return file;
}

static void read_all(int from, Text *source)
{
    char part[4096];
    ssize_t count;
    while ((count = read(from, part, sizeof part)) > 0 || (count < 0 && errno == EINTR))
        if (count > 0)
            text_append(source, part, (size_t)count);
}

bool worker_script(const Backend *backend, const Text *description, Text *source, Text *error)
{
    int ends[2], status = 0, file = description_file(description);
    if (pipe(ends) != 0)
        BUG("no pipe: %s", strerror(errno));
    (void)fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        if (dup2(file, STDIN_FILENO) != STDIN_FILENO || dup2(ends[1], STDOUT_FILENO) < 0)
            _exit(127);
        (void)close(ends[0]);
        (void)close(ends[1]);
        worker_exec(backend, "record.py", NULL, NULL);
    }
    (void)close(file);
    (void)close(ends[1]);
    read_all(ends[0], source);
    (void)close(ends[0]);
    bool ok = process > 0 && waitpid(process, &status, 0) == process && status == 0;
    if (!ok)
        text_printf(error, "%s: the script could not be written", backend->name);
    return ok;
}
