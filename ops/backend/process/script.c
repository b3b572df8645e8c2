/* Scripts for reproducers, from the Python side. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reference/child.h"
#include "server.h"

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

typedef struct Script {
    const Backend *backend;
    const char *folder; /* that has the library, or NULL */
    int description;
} Script;

static int script_child(const void *context, int to)
{
    const Script *script = context;
    if (dup2(script->description, STDIN_FILENO) == STDIN_FILENO && dup2(to, STDOUT_FILENO) >= 0)
        server_exec_python(script->backend, script->folder, "record.py", NULL, NULL);
    return 127;
}

bool process_script(const Backend *backend, const Operands *operands, const Text *description,
                    Text *source, Text *error)
{
    (void)operands;
    return process_script_in(backend, NULL, description, source, error);
}

bool process_script_in(const Backend *backend, const char *folder, const Text *description,
                       Text *source, Text *error)
{
    Child child;
    Script script = {backend, folder, description_file(description)};
    bool ok = child_start(&child, script_child, &script);
    (void)close(script.description);
    if (ok)
        child_read_text(&child, source);
    ok = child_wait(&child) == 0;
    if (!ok)
        text_printf(error, "%s: the script could not be written", backend->name);
    return ok;
}
