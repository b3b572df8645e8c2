/* Brief programs in Python. */
#include "brief_python.h"

#include "reproduce_python.h"

bool brief_python_write(Text *source, const ReproduceInput *input, const Operands *operands,
                        const Ref *refs, Text *note, Text *error)
{
    (void)note;
    return reproduce_script(source, input, operands, refs, error);
}
