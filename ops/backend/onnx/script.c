/* The Python side writes the program; the description gets the model beside the operands. */
#include "script.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dialect.h"
#include "graph.h"
#include "ops/backend/library.h"
#include "ops/backend/process/process.h"

enum { PATH_BYTES = 2048 };

/* The folder with the Python package of the library's version: that which make backends fetched, or
 * the one whose onnxruntime/capi/ has the library.  False where there is none. */
static bool find_package(const Backend *backend, char folder[PATH_BYTES])
{
    char fetched[PATH_BYTES - 256], file[PATH_BYTES + 64];
    library_fetched_folder(fetched, sizeof fetched);
    (void)snprintf(folder, PATH_BYTES, "%s/onnxruntime-%s", fetched, backend->facts.version);
    if (access(folder, R_OK) == 0)
        return true;
    (void)snprintf(folder, PATH_BYTES, "%s", backend->facts.path);
    char *capi = strstr(folder, "/onnxruntime/capi/");
    if (!capi)
        return false;
    *capi = '\0';
    (void)snprintf(file, sizeof file, "%s/onnxruntime/__init__.py", folder);
    return access(file, R_OK) == 0;
}

void ort_put_interpreter(const Backend *backend, Text *command)
{
    char folder[PATH_BYTES];
    if (find_package(backend, folder))
        process_put_interpreter_in(folder, command);
}

/* Appends the string as a member of an object, which has others, before its end. */
static void put_member(Text *json, const char *name, const Text *value)
{
    text_printf(json, ", \"%s\": \"", name);
    for (const char *at = text_string(value); *at; at++)
        text_printf(json, *at == '\n' ? "\\n" : *at == '"' ? "\\\"" : "%c", *at);
    text_put(json, "\"");
}

bool ort_script(const Backend *backend, const Operands *o, const Text *description, Text *source,
                Text *error)
{
    char folder[PATH_BYTES];
    Text bytes = {0}, model = {0}, why = {0}, json = {0};
    if (!find_package(backend, folder)) {
        text_printf(source, "Python's onnxruntime %s and onnx are not there: make backends\n\n\n",
                    backend->facts.version);
        return true;
    }
    bool ok = onnx_write(o, onnx_dialect(backend->facts.version).opset, &bytes, &model, &why);
    if (!ok)
        text_printf(source, "%s\n\n\n", text_string(&why));
    size_t end = description->length;
    while (end > 0 && description->data[end - 1] != '}')
        end--;
    text_append(&json, description->data, end - (end > 0));
    put_member(&json, "model", &model);
    text_put(&json, "}\n");
    if (ok)
        ok = process_script_in(backend, folder, &json, source, error);
    else
        ok = true;
    text_release(&bytes);
    text_release(&model);
    text_release(&why);
    text_release(&json);
    return ok;
}
