#include "onnx.h"

#include <string.h>

#include "onnx_read.h"
#include "wanted.h"

/* Constants are data. */
static bool is_constant(Asked *asked, const AskedCall *call)
{
    if (strcmp(call->name, "Constant") != 0)
        return false;
    if (call->output_count == 1 && call->argument_count == 1) {
        AskedValue *output = &asked->values[call->outputs[0]];
        *output = asked->values[call->arguments[0].value];
        if (!output->shaped && output->constant && output->number.kind != ATTRIBUTE_TEXT) {
            output->shape = (Shape){.rank = output->number.kind == ATTRIBUTE_TUPLE};
            output->shape.extent[0] = output->shape.rank ? output->number.count : 0;
            output->dtype = output->number.kind == ATTRIBUTE_REAL ? DT_F32 : DT_I64;
            output->typed = output->shaped = true;
        }
    }
    return true;
}

static bool take_node(Import *import, Asked *asked, int number, Draft *draft)
{
    Case found;
    if (!asked_find(asked, number, &found, draft))
        return false;
    asked_put_outputs(asked, number, &found);
    return wanted_draft(&found, draft) && import_draft(import, draft, 1, asked->calls[number].name);
}

bool import_onnx(Import *import, const Text *file, ImportTell *tell, void *context, Text *error)
{
    Asked asked = {.bindings = "onnx"};
    Text reason = {0};
    uint64_t symbolic = 0;
    bool ok = onnx_read(&asked, text_string(file), file->length, &symbolic, error);
    import->assumed += symbolic;
    for (size_t i = 0; ok && i < asked.call_count; i++) {
        Draft draft = {0};
        if (!is_constant(&asked, &asked.calls[i]) && !take_node(import, &asked, (int)i, &draft)) {
            onnx_pass_on(&asked, &asked.calls[i]);
            text_clear(&reason);
            text_printf(&reason, "%s: %s", asked.calls[i].name, text_string(&draft.why));
            tell(context, i + 1, text_string(&reason));
        }
        draft_release(&draft);
    }
    text_release(&reason);
    asked_release(&asked);
    return ok;
}
