/* Lines and records of earlier versions of operators mean what they meant: names that parameters
 * had are read beside those that they have, and every line that people are shown is of this
 * version. */
#include <ctype.h>
#include <glob.h>
#include <string.h>

#include "ops/case/case.h"
#include "reference/random.h"
#include "tests/check.h"

enum { LINE_MAX_LENGTH = 4096, ROUNDS = 20 };

static void put_line(const Case *c, Text *line)
{
    text_release(line);
    case_print(c, line);
}

static bool parses(const char *line, Case *c)
{
    Text error = {0};
    bool ok = case_parse(c, line, &error);
    if (!ok)
        printf("%s: %s\n", line, text_string(&error));
    text_release(&error);
    return ok;
}

/* The parameters of a line, without data. */
static void check_call(const Case *c, const char *call)
{
    Text printed = {0};
    case_print_call(c, &printed);
    CHECK(!strcmp(text_string(&printed), call));
    if (strcmp(text_string(&printed), call) != 0)
        printf("%s\n%s\n", text_string(&printed), call);
    text_release(&printed);
}

/* Pairs of lines: one of an earlier version, and the same case as this version has it. */
static void test_recorded_lines(void)
{
    char earlier[LINE_MAX_LENGTH], present[LINE_MAX_LENGTH];
    FILE *file = fopen("ops/test/former_lines.txt", "r");
    int pairs = 0;
    CHECK(file != NULL);
    while (file && fgets(earlier, sizeof earlier, file)) {
        Case a, b;
        if (*earlier == '#')
            continue;
        CHECK(fgets(present, sizeof present, file) != NULL);
        earlier[strcspn(earlier, "\n")] = present[strcspn(present, "\n")] = '\0';
        bool both = parses(earlier, &a) && parses(present, &b);
        CHECK(both && case_equal(&a, &b));
        if (both)
            check_call(&a, present);
        pairs++;
    }
    CHECK(pairs > 50);
    if (file)
        (void)fclose(file);
}

/* A line as a document has it: it ends with the quotation or the text line. */
static void check_shown_line(const char *text, const char *path)
{
    Case c, again;
    Text line = {0}, second = {0}, shown = {0};
    text_append(&shown, text, strcspn(text, "'`\"\n"));
    if (!parses(text_string(&shown), &c)) {
        printf("in %s\n", path);
        CHECK(false);
    } else {
        long version = strtol(strchr(text, '/') + 1, NULL, 10);
        CHECK(version == c.op->version);
        if (version != c.op->version)
            printf("%s: %s\n", path, text_string(&shown));
        put_line(&c, &line);
        CHECK(parses(text_string(&line), &again) && case_equal(&c, &again));
        put_line(&again, &second);
        CHECK(!strcmp(text_string(&line), text_string(&second)));
    }
    text_release(&line);
    text_release(&second);
    text_release(&shown);
}

/* True where NAME/VERSION NAME= begins, at the beginning of a text line or of a quotation. */
static bool is_line(const char *file, const char *at)
{
    if (at > file && !strchr("\n'`\"", at[-1]))
        return false;
    size_t name = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (name == 0 || at[name] != '/' || !isdigit((unsigned char)at[name + 1]))
        return false;
    const char *field = at + name + 1 + strspn(at + name + 1, "0123456789");
    return *field == ' ' &&
           field[1 + strspn(field + 1, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '=';
}

static int check_file(const char *path)
{
    Text text = {0};
    FILE *file = fopen(path, "r");
    char buffer[4096];
    int count = 0;
    CHECK(file != NULL);
    for (size_t got; file && (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        text_append(&text, buffer, got);
    if (file)
        (void)fclose(file);
    for (const char *at = text_string(&text); *at; at++)
        if (is_line(text_string(&text), at)) {
            check_shown_line(at, path);
            count++;
        }
    text_release(&text);
    return count;
}

static void test_shown_lines(void)
{
    /* Its lines have operators of a plug-in; t_tutorials follows it. */
    static const char of_plugin[] = "docs/plugin.md";
    static const char *const patterns[] = {"corpus/*.cases", "docs/*.md", "docs/*/*.md",
                                           "README.md"};
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc; k++)
            if (strcmp(found.gl_pathv[k], of_plugin) != 0)
                count += check_file(found.gl_pathv[k]);
        globfree(&found);
    }
    CHECK(count > 200);
}

static bool is_name(const OpDesc *op, const char *name)
{
    for (const Param *param = op->params; param->name; param++)
        if (!strcmp(param->name, name))
            return true;
    return false;
}

/* Every former name means one parameter, in lines and in records, and the version tells that names
 * changed.  A name may stay where only the words of a choice changed. */
static bool has_sound_names(const OpDesc *op)
{
    for (const Param *param = op->params; param->name; param++) {
        if (!param->formerly)
            continue;
        bool stays = !strcmp(param->formerly, param->name);
        if (op->version < 2 || (is_name(op, param->formerly) && !stays))
            return false;
        uint16_t tag = name_tag("", param->formerly);
        for (const Param *other = op->params; other->name; other++) {
            bool same = other->formerly && !strcmp(other->formerly, param->formerly);
            if (other != param && (same || name_tag("", other->name) == tag))
                return false;
        }
    }
    return true;
}

static void test_names_are_sound(void)
{
    for (const OpDesc *const *op = op_registry; *op; op++)
        CHECK(has_sound_names(*op));
    const OpDesc *clamp = op_find("clamp");
    OpDesc planted = *clamp;
    Param params[8];
    for (int i = 0; i < 5; i++)
        params[i] = clamp->params[i];
    planted.params = params;
    CHECK(has_sound_names(&planted));
    planted.version = 1;
    CHECK(!has_sound_names(&planted));
    planted.version = 2;
    params[2].formerly = "max";
    CHECK(!has_sound_names(&planted));
    params[2].formerly = params[3].formerly;
    CHECK(!has_sound_names(&planted));
}

/* The line of a case with the names of version 1, and its record. */
static void put_former(const Case *c, Text *line, Text *record)
{
    const char head[] = {(char)0xC1, (char)(op_tag(c->op) & 0xff), (char)(op_tag(c->op) >> 8)};
    text_printf(line, "%s/1", c->op->name);
    text_append(record, head, sizeof head);
    for (const Param *param = c->op->params; param->name; param++) {
        Param former = param_former(param);
        uint16_t tag = name_tag("", former.name);
        Text payload = {0};
        text_printf(line, " %s=", former.name);
        param_print(&former, c->params, line);
        param_encode(&former, c->params, &payload);
        const char item[] = {(char)(tag & 0xff), (char)(tag >> 8), (char)payload.length};
        text_append(record, item, sizeof item);
        text_append(record, text_string(&payload), payload.length);
        text_release(&payload);
    }
}

static void check_former(const Case *c, const Scope *scope)
{
    Text line = {0}, record = {0};
    Case of_line, of_record;
    put_former(c, &line, &record);
    CHECK(parses(text_string(&line), &of_line));
    case_decode(&of_record, scope, (const uint8_t *)record.data, record.length);
    CHECK(!memcmp(of_line.params, c->params, c->op->size));
    CHECK(!memcmp(of_record.params, c->params, c->op->size));
    text_release(&line);
    text_release(&record);
}

static void test_former_names(void)
{
    uint64_t state = 3;
    for (const OpDesc *const *op = op_registry; *op; op++) {
        Scope scope = scope_all();
        scope.ops[0] = *op;
        scope.op_count = 1;
        for (int round = 0; round < ROUNDS && (*op)->version > 1; round++) {
            uint8_t bytes[200];
            Case c;
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = (uint8_t)random_next(&state);
            case_decode(&c, &scope, bytes, sizeof bytes);
            check_former(&c, &scope);
        }
    }
}

static void test_refused_lines(void)
{
    static const struct {
        const char *line, *says;
    } rows[] = {
        {"clamp/2 dtype=f32 alpha=0x1p+0", "'alpha' is called 'min' in clamp/2"},
        {"topk/2 dtype=f32 largest=greatest", "expected one of yes, no"},
        {"clamp/1 dtype=f32 gamma=0x1p+0", "'gamma' is no parameter of clamp"},
        {"clamp/3 dtype=f32", "clamp/3: this build knows versions 1 to 2"},
        {"clamp/0 dtype=f32", "versions 1 to 2"},
        {"clamp/2x dtype=f32", "versions 1 to 2"},
        {"clamp/ dtype=f32", "versions 1 to 2"},
        {"elu/2 dtype=f32", "elu/2: this build knows version 1"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Case c;
        Text error = {0};
        CHECK(!case_parse(&c, rows[i].line, &error));
        CHECK(strstr(text_string(&error), rows[i].says) != NULL);
        if (!strstr(text_string(&error), rows[i].says))
            printf("%s: %s\n", rows[i].line, text_string(&error));
        text_release(&error);
    }
}

int main(void)
{
    test_recorded_lines();
    test_shown_lines();
    test_names_are_sound();
    test_former_names();
    test_refused_lines();
    return check_end("ops/t_lines");
}
