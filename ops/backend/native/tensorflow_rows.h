/* Operators by the names of TensorFlow's registry (tf.raw_ops). */
#ifndef OPS_BACKEND_NATIVE_TENSORFLOW_ROWS_H
#define OPS_BACKEND_NATIVE_TENSORFLOW_ROWS_H

#include "native.h"

extern const NativeRow tensorflow_rows[];

#endif
