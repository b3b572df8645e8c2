#include "recordable.h"

/* What LAPACKE is asked for it asks Fortran. */
enum { RECORDABLE_INTERFACES = INTERFACE_FORTRAN + 1 };

bool recordable_function(uint32_t number, RecordableFunction *function)
{
    char word[64];
    const CblasDecoration *decoration = &cblas_decorations[number % CBLAS_DECORATIONS];
    number /= CBLAS_DECORATIONS;
    uint32_t interface = number % RECORDABLE_INTERFACES;
    number /= RECORDABLE_INTERFACES;
    *function = (RecordableFunction){
        .routine = cblas_routine_number((int)(number / DT_COUNT)),
        .dtype = (DType)(number % DT_COUNT),
        .interface = (CblasInterface)interface,
        .naming = {NULL, decoration->prefix, decoration->suffix, decoration->wide_integers, false},
    };
    if (!function->routine)
        return false;
    const OpDesc *op = op_find(function->routine->op);
    if (op && !cblas_has_scratch(function->routine) && (op_dtypes(op) >> function->dtype & 1) &&
        cblas_spell_symbol(function->routine, function->interface, function->dtype, word,
                           sizeof word)) {
        function->op = op;
        naming_spell(&function->naming, word, function->name, sizeof function->name);
    }
    return true;
}
