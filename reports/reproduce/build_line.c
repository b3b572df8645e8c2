/* Words of a shell command. */
#include "build_line.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "reference/escape.h"

static bool is_system_folder(const char *folder)
{
    static const char *const folders[] = {"/lib",
                                          "/usr/lib",
                                          "/lib/x86_64-linux-gnu",
                                          "/usr/lib/x86_64-linux-gnu",
                                          "/lib/aarch64-linux-gnu",
                                          "/usr/lib/aarch64-linux-gnu"};
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        if (!strcmp(folders[i], folder))
            return true;
    return false;
}

/* True when the linker finds the file as -lNAME: the name without a version is the same file. */
static bool find_short_name(const char *folder, const char *path, char name[64])
{
    const char *file = strrchr(path, '/');
    const char *end = file ? strstr(file, ".so") : NULL;
    char unversioned[600];
    struct stat a, b;
    if (!end || strncmp(file, "/lib", 4) != 0 || !is_system_folder(folder) || end - file > 60)
        return false;
    (void)snprintf(name, 64, "%.*s", (int)(end - file - 4), file + 4);
    (void)snprintf(unversioned, sizeof unversioned, "%s/lib%s.so", folder, name);
    return stat(unversioned, &a) == 0 && stat(path, &b) == 0 && a.st_ino == b.st_ino &&
           a.st_dev == b.st_dev;
}

static void put_library(Text *line, const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[512] = "", name[64];
    if (slash)
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (find_short_name(folder, path, name)) {
        text_printf(line, " -l%s", name);
        return;
    }
    text_put(line, " ");
    escape_put_shell(line, path);
    if (folder[0] && !is_system_folder(folder)) {
        text_put(line, " -Wl,-rpath,");
        escape_put_shell(line, folder);
    }
}

void build_line_put(Text *line, const ReproduceInput *input, const Text *words, bool cpp)
{
    const BackendFacts *facts = &input->backend->facts;
    const char *link = input->backend->kind->link;
    int64_t threads = input->c->exec.threads;
    text_put(line, cpp ? "c++ " : "cc ");
    escape_put_shell(line, input->name);
    text_put(line, cpp ? ".cpp" : ".c");
    text_printf(line, "%s%s%s", text_string(words), link ? " " : "", link ? link : "");
    put_library(line, facts->path);
    text_printf(line, " -lm && %s%s", facts->setting, facts->setting[0] ? " " : "");
    /* Which roundings there are may depend on that, however small the case is. */
    if (threads > 1 || facts->threaded)
        text_printf(line, "OMP_NUM_THREADS=%lld ", (long long)threads);
    text_put(line, "./a.out");
}

void harness_line_put(Text *line, const ReproduceInput *input)
{
    const char *path = input->backend->facts.path, *slash = strrchr(path, '/'),
               *link = input->backend->kind->link;
    Text folder = {0};
    text_append(&folder, path, slash ? (size_t)(slash - path) : 0);
    text_put(line, "cc -O1 -o reproducer ");
    escape_put_shell(line, input->name);
    text_put(line, ".c ");
    escape_put_shell(line, path);
    text_put(line, " -Wl,-rpath,");
    escape_put_shell(line, text_string(&folder));
    text_printf(line, " -lm%s%s", link ? " " : "", link ? link : "");
    text_release(&folder);
}

void harness_line_put_run(Text *line, const ReproduceInput *input)
{
    static const char *const variables[] = {"OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
                                            "OMP_NUM_THREADS"};
    const char *setting = input->backend->facts.setting;
    text_printf(line, "%s%s", setting, setting[0] ? " " : "");
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        text_printf(line, "%s=%lld ", variables[i], (long long)input->c->exec.threads);
    text_put(line, "./reproducer");
}
