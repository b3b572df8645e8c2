/* Placeholders are replaced; one without a value, and a value without a placeholder, end the
 * program. */
#include "reference/template.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"

static bool gives(const char *template, const TemplateValue *values, const char *wanted)
{
    Text text = {0};
    template_put(&text, template, values);
    bool equal = strcmp(text_string(&text), wanted) == 0;
    text_release(&text);
    return equal;
}

/* True where filling the template is a BUG. */
static bool is_refused(const char *template, const TemplateValue *values)
{
    int status = 0;
    (void)fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        (void)freopen("/dev/null", "w", stderr);
        (void)gives(template, values, "");
        _exit(0);
    }
    return waitpid(process, &status, 0) == process && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGABRT;
}

int main(void)
{
    const TemplateValue none[] = {{0}};
    const TemplateValue values[] = {
        {.name = "NAME", .text = "x"}, {.name = "BYTES_2", .number = -12}, {0}};
    const TemplateValue nested[] = {{.name = "NAME", .text = "@OTHER@"}, {0}};
    CHECK(gives("", none, ""));
    CHECK(gives("a@b.c @ @@ @name@ 100%s", none, "a@b.c @ @@ @name@ 100%s"));
    CHECK(gives("@NAME@", (const TemplateValue[]){{.name = "NAME", .text = ""}, {0}}, ""));
    CHECK(gives("int @NAME@[@BYTES_2@]; @NAME@@NAME@\n", values, "int x[-12]; xx\n"));
    CHECK(gives("f@NAME@e", nested, "f@OTHER@e"));
    CHECK(is_refused("@NAME@ @BYTES_2@ @UNKNOWN@", values));
    CHECK(is_refused("@NAME@", values));
    CHECK(is_refused("@NAME@", none));
    CHECK(!is_refused("@NAME@ @BYTES_2@", values));
    return check_end("template");
}
