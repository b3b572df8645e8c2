/* Brief programs in Python. */
#include "brief_python.h"

#include <string.h>

#include "reproduce_python.h"

bool brief_python_write(Text *source, const ReproduceInput *input, const Operands *operands,
                        const Ref *refs, Text *note, Text *error)
{
    Text answer = {0};
    bool ok = reproduce_script(&answer, input, operands, refs, error);
    if (ok) {
        size_t reason = strcspn(text_string(&answer), "\n");
        text_append(note, text_string(&answer), reason);
        text_put(source, text_string(&answer) + reason + (reason < answer.length));
    }
    text_release(&answer);
    return ok;
}
