/* Interfaces have the number of the minor version; operator sets are those of ONNX Runtime's page
 * Compatibility, ONNX opset support. */
#include "dialect.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "ort_api.h"
#include "reference/base.h"

OnnxDialect onnx_dialect(const char *version)
{
    static const struct {
        int below, opset;
    } sets[] = {{14, 17}, {15, 18}, {17, 19}, {18, 20}};
    OnnxDialect dialect = {ORT_API_VERSION, ONNX_OPSET};
    if (strncmp(version, "1.", 2) != 0)
        return dialect;
    int minor = (int)strtol(version + 2, NULL, 10);
    if (minor > 0 && minor < dialect.api)
        dialect.api = minor;
    for (size_t i = 0; i < COUNT_OF(sets); i++)
        if (minor > 0 && minor < sets[i].below) {
            dialect.opset = sets[i].opset;
            break;
        }
    return dialect;
}
