/* Names of readings are those of policies (ops/contract/policy.h) where there is one. */
#include "promise.h"

#include <stddef.h>

const Model models_ieee[] = {{.name = "ieee"}, {.name = NULL}};
const Model models_absolute[] = {{.name = "ieee"}, {.name = "absolute-accuracy"}, {.name = NULL}};
const Model models_faithful[] = {{.name = "ieee"}, {.name = "faithful-rounding"}, {.name = NULL}};
const Model models_flushing[] = {
    {.name = "ieee"},
    {.name = "flush", .flush = true, .flush_factors = true},
    {.name = "absolute-accuracy", .flush = true, .flush_factors = true},
    {.name = NULL}};
const Model models_clamping_readings[] = {
    {.name = "other-zero", .any_zero = true},
    {.name = "flush", .flush = true, .flush_factors = true},
    {.name = "nan-clamped", .flush = true, .flush_factors = true, .nan_clamped = true},
    {.name = "zero-fill",
     .flush = true,
     .flush_factors = true,
     .zero_fill = true,
     .nan_clamped = true},
    {.name = NULL},
};
const Model models_readings[] = {
    {.name = "other-zero", .any_zero = true},
    {.name = "zero-skip", .zero_skip = true},
    {.name = "zero-fill", .zero_fill = true},
    {.name = NULL},
};
const Model models_flush_readings[] = {
    {.name = "other-zero", .any_zero = true},
    {.name = "zero-fill", .zero_fill = true},
    {.name = "flush", .flush = true, .flush_factors = true},
    {.name = NULL},
};
const Model models_flush_results_readings[] = {
    {.name = "other-zero", .any_zero = true},
    {.name = "zero-fill", .zero_fill = true},
    {.name = "flush", .flush = true},
    {.name = NULL},
};
const Model models_wide_readings[] = {
    {.name = "other-zero", .any_zero = true},
    {.name = "zero-skip", .zero_skip = true},
    {.name = "zero-fill", .zero_fill = true},
    {.name = "alpha-factored", .alpha_factored = true},
    {.name = "flush", .flush = true, .flush_factors = true},
    {.name = NULL},
};

const InputReading readings_flushed[] = {{.name = "flush", .flush = true}, {.name = NULL}};
const InputReading readings_tf32[] = {{.name = "tf32", .precision = 11},
                                      {.name = "tf32 cut", .precision = 11, .cut = true},
                                      {.name = NULL}};
const InputReading readings_bf16[] = {{.name = "bf16", .precision = 8},
                                      {.name = "bf16 cut", .precision = 8, .cut = true},
                                      {.name = "tf32", .precision = 11},
                                      {.name = "tf32 cut", .precision = 11, .cut = true},
                                      {.name = NULL}};
