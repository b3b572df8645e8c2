/* Reads issue.projects. */
#include "issue_project.h"

#include <string.h>

#include "reference/template.h"

extern const char issue_projects[];

enum { VALUES_MAX = 24 };
static const char section_mark[] = "\n=== ", text_mark[] = "\n---\n";

/* True when the words up to the end of the line hold the name. */
static bool names_library(const char *words, const char *name)
{
    size_t length = strlen(name);
    while (*words && *words != '\n') {
        size_t word = strcspn(words, " \n");
        if (word == length && !strncmp(words, name, length))
            return true;
        words += word + (words[word] == ' ');
    }
    return false;
}

/* The names behind the mark of the library's section, or of the first one. */
static const char *find_section(const char *library)
{
    const char *first = strstr(issue_projects, section_mark);
    if (!first)
        BUG("issue.projects has no section");
    for (const char *at = first; at; at = strstr(at + 1, section_mark))
        if (names_library(at + strlen(section_mark), library))
            return at + strlen(section_mark);
    return first + strlen(section_mark);
}

static void read_settings(const char *at, const char *end, IssueProject *project)
{
    const struct {
        const char *name;
        Text *value;
    } settings[] = {{"name ", &project->name},
                    {"link ", &project->link},
                    {"run ", &project->run},
                    {"collect ", &project->collect}};
    while (at < end) {
        at += strcspn(at, "\n") + 1;
        for (size_t i = 0; i < COUNT_OF(settings); i++)
            if (at < end && !strncmp(at, settings[i].name, strlen(settings[i].name)))
                text_append(settings[i].value, at + strlen(settings[i].name),
                            strcspn(at, "\n") - strlen(settings[i].name));
    }
}

void issue_project_find(const char *library, IssueProject *project)
{
    const char *section = find_section(library), *text = strstr(section, text_mark);
    if (!text)
        BUG("a section of issue.projects has no text");
    *project = (IssueProject){0};
    read_settings(section, text, project);
    text += strlen(text_mark);
    const char *end = strstr(text, section_mark);
    text_append(&project->text, text, end ? (size_t)(end - text) : strlen(text));
}

void issue_project_release(IssueProject *project)
{
    text_release(&project->name);
    text_release(&project->link);
    text_release(&project->run);
    text_release(&project->collect);
    text_release(&project->text);
}

static bool is_asked_for(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strchr(text, '@'); at; at = strchr(at + 1, '@'))
        if (!strncmp(at + 1, name, length) && at[length + 1] == '@')
            return true;
    return false;
}

/* Where the line is a heading, its level, otherwise 0. */
static size_t heading_level(const char *line)
{
    size_t level = strspn(line, "#");
    return line[level] == ' ' ? level : 0;
}

/* Appends lines up to the end of the text, or of a block of code, which may hold anything. */
static const char *put_line(Text *filled, const char *line, bool *code)
{
    size_t length = strcspn(line, "\n");
    *code = *code != (strncmp(line, "```", 3) == 0);
    text_append(filled, line, length);
    text_put(filled, "\n");
    return line + length + (line[length] == '\n');
}

/* True for a list entry whose value is empty: "- name: " or "- ". */
static bool is_empty_entry(const char *line)
{
    size_t length = strcspn(line, "\n");
    return line[0] == '-' && length >= 2 && line[length - 1] == ' ';
}

/* Copies the text without headings that nothing follows, entries without a value, and more than one
 * empty line in a row. */
static void put_tidy(Text *filled, const char *text)
{
    bool code = false, empty = true, title = true;
    while (*text) {
        size_t length = strcspn(text, "\n");
        const char *next = text + length + (text[length] == '\n');
        const char *after = next + strspn(next, "\n");
        size_t level = code ? 0 : heading_level(text);
        bool alone = level > 0 && (!*after || heading_level(after) > 0) && !title;
        if (!code && (alone || is_empty_entry(text) || (length == 0 && empty))) {
            text = next;
            continue;
        }
        title = title && level == 0;
        empty = !code && length == 0;
        text = put_line(filled, text, &code);
    }
}

void issue_project_fill(const char *text, const IssueValue *values, Text *filled)
{
    TemplateValue used[VALUES_MAX] = {{0}};
    Text whole = {0};
    size_t count = 0;
    for (; values->name; values++)
        if (is_asked_for(text, values->name) && count + 1 < VALUES_MAX)
            used[count++] = (TemplateValue){values->name, values->text, 0};
    template_put(&whole, text, used);
    put_tidy(filled, text_string(&whole));
    text_release(&whole);
}
