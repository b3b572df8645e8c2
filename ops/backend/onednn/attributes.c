/* Operations that the library runs on the results of a primitive before it writes them. */
#include "onednn_library.h"

int dnnl_make_attributes(DnnlLibrary *l, const DnnlPlan *plan, void **attributes)
{
    void *operations = NULL;
    int algorithm = dnnl_algorithm(l, plan->activation);
    float end = (float)plan->activation_end;
    int status = l->attributes_create(attributes);
    if (status == 0)
        status = l->operations_create(&operations);
    if (status == 0)
        status = l->version == 2 ? l->append_2(operations, 1, algorithm, 0, end)
                                 : l->append_3(operations, algorithm, 0, end);
    if (status == 0)
        status = l->set_operations(*attributes, operations);
    if (operations)
        (void)l->operations_destroy(operations);
    return status;
}
