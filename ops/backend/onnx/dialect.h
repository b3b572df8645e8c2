/* What a version of ONNX Runtime understands: the number of its interface in C, and operator sets.
 */
#ifndef OPS_BACKEND_ONNX_DIALECT_H
#define OPS_BACKEND_ONNX_DIALECT_H

typedef struct OnnxDialect {
    int api, opset;
} OnnxDialect;

/* The newest interface and operator set that both the version, such as "1.14.1", and this tool
 * know: those of this tool for versions that are newer, or no numbers. */
OnnxDialect onnx_dialect(const char *version);

#endif
