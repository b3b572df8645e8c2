/* The search for a case by its operands and attributes: of drawn cases it finds one whose operands,
 * and attributes that rows name, are the same. */
#include "ops/import/wanted.h"

#include <string.h>

#include "ops/backend/binding/binding.h"
#include "reference/random.h"
#include "tests/check.h"

enum { DRAWS = 20 };

static Case draw(const OpDesc *op, uint64_t seed)
{
    Scope scope = scope_all();
    Case c;
    scope.ops[0] = op;
    scope.op_count = 1;
    case_draw_seeded(&c, &scope, seed);
    return c;
}

static void want_case(Wanted *wanted, const Case *c, const BindingCall *row)
{
    Shapes shapes;
    op_shape(c->op, c->params, &shapes);
    wanted->op = c->op;
    for (int i = 0; i < shapes.count; i++)
        wanted->operand[i] = (WantedOperand){.bound = true,
                                             .absent = shapes.tensor[i].ignored,
                                             .typed = true,
                                             .shaped = true,
                                             .dtype = shapes.tensor[i].layout.dtype,
                                             .shape = shape_of_tensor(&shapes.tensor[i].layout)};
    for (int i = 0; i < row->attribute_count; i++) {
        Attribute value;
        CHECK(attribute_get(c, row->attributes[i], &value));
        CHECK(wanted_attribute(wanted, row->attributes[i], &value));
    }
}

/* Axes of 1 in front aside. */
static bool is_alike(const Tensor *a, const Tensor *b)
{
    const Tensor *longer = a->rank > b->rank ? a : b, *other = longer == a ? b : a;
    int64_t more = longer->rank - other->rank;
    bool alike = a->dtype == b->dtype;
    for (int64_t i = 0; i < longer->rank; i++)
        alike = alike && longer->extent[i] == (i < more ? 1 : other->extent[i - more]);
    return alike;
}

static void check_found(const Case *found, const Case *c, const BindingCall *row)
{
    Shapes own, given;
    op_shape(found->op, found->params, &own);
    op_shape(c->op, c->params, &given);
    for (int i = 0; i < given.count; i++) {
        CHECK(own.tensor[i].ignored == given.tensor[i].ignored);
        CHECK(given.tensor[i].ignored || is_alike(&own.tensor[i].layout, &given.tensor[i].layout));
    }
    for (int i = 0; i < row->attribute_count; i++) {
        Attribute a, b;
        CHECK(attribute_get(found, row->attributes[i], &a) &&
              attribute_get(c, row->attributes[i], &b) && attribute_is(&a, &b));
    }
}

static bool try_case(const OpDesc *op, const BindingCall *row, uint64_t seed)
{
    Case c = draw(op, seed), found;
    Wanted wanted = {0};
    Draft draft = {0};
    int64_t distance;
    want_case(&wanted, &c, row);
    bool ok = wanted_find(&wanted, &found, &distance, &draft);
    if (ok)
        check_found(&found, &c, row);
    else {
        Text line = {0};
        case_print_call(&c, &line);
        fprintf(stderr, "not found: %s\n  %s\n", text_string(&line), text_string(&draft.why));
        text_release(&line);
    }
    draft_release(&draft);
    return ok;
}

static void test_rows(const char *name, BindingTarget target)
{
    int tried = 0, found = 0;
    for (int i = 0; op_registry[i]; i++) {
        const BindingCall *row = bindings_calls(bindings_find(name), target, op_registry[i]);
        for (int draws = 0; row && draws < DRAWS; draws++, tried++)
            found +=
                try_case(op_registry[i], row, random_at(11, DRAWS * (uint64_t)i + (uint64_t)draws));
    }
    printf("%s: %d of %d\n", name, found, tried);
    CHECK(found >= tried - tried / 50);
}

int main(void)
{
    test_rows("onnx", TARGET_PYTHON);
    test_rows("torch", TARGET_NATIVE);
    return check_end("ops/t_wanted");
}
