/* Every row of every library asks for what there is; a bad row is refused in one sentence; and what
 * a worker is asked for a case is what its row says. */
#include <string.h>

#include "ops/backend/process/request.h"
#include "ops/case/attribute.h"
#include "ops/case/gradient.h"
#include "tests/check.h"

static void test_files(void)
{
    for (int i = 0; binding_files[i].name; i++) {
        Text problems = {0};
        const Bindings *bindings = bindings_find(binding_files[i].name);
        bindings_check(bindings, &problems);
        if (problems.length > 0)
            fprintf(stderr, "%s", text_string(&problems));
        CHECK(problems.length == 0);
        text_release(&problems);
    }
    CHECK(bindings_find("no library") == NULL);
}

/* The complaint about some rows: of reading them, or of checking them. */
static void complain_of(const char *rows, Text *problems)
{
    Bindings *bindings = bindings_read("bad", rows, problems);
    if (!bindings)
        return;
    bindings_check(bindings, problems);
    bindings_release(bindings);
}

static void test_bad_rows(void)
{
    static const struct {
        const char *rows, *problem;
    } bad[] = {
        {"names f\nconv2d | float | f(x, w", "bad.bindings, line 2: expected"},
        {"names f\nconv2d | float", "line 2: expected OPERATORS | TYPES | CALL, got conv2d"},
        {"names f\nconv2q | float | f(x)", "line 2: there is no operator conv2q"},
        {"names f\nconv2d | f31 | f(x)", "line 2: there is no element type f31"},
        {"names f\nconv2d | float | f(x, width)", "width is no operand and no attribute of conv2d"},
        {"names f\nexp\n | float\n | g(x)", "line 2: g is no operand and no attribute of exp"},
        {"names f\nexp | float | f(x) requires luck", "line 2: there is no condition luck"},
        {"names f\nexp | float | f(x) requires even-padding", "exp has nothing for the condition"},
        {"names f\npad | float | f(x) requires mode=modest", "mode of pad is never modest"},
        {"names f\npad | float | f(x) requires mode=wrap requires axis=0",
         "behind two words requires: pad"},
        {"names f\nexp | float | f(x) gradient requires above-padding",
         "exp_backward has nothing for the condition"},
        {"names f\nargmax | float | f(x) gradient requires x=ones", "line 2: asks of gradients"},
        {"names f\nexp | float | f(x)\n\nexp | f32 | f(x)",
         "line 4: this row of exp is never taken"},
        {"names f\nexp | bool | f(x)", "line 2: this row of exp is never taken"},
        {"names f\nexp | float | f(x) | f(x)", "two calls of one kind"},
        {"names f\nexp | float | a::f(x * x)", "C cannot make the call a::f(x * x)"},
        {"names f\nexp | float | f('x)", "a text without end"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        Text problems = {0};
        complain_of(bad[i].rows, &problems);
        if (!strstr(text_string(&problems), bad[i].problem))
            fprintf(stderr, "of \"%s\" it says \"%s\"\n", bad[i].rows, text_string(&problems));
        CHECK(strstr(text_string(&problems), bad[i].problem) != NULL);
        text_release(&problems);
    }
}

/* The request that a line becomes; behind a ! the reason why it is declined. */
static void ask_spoilt(const Bindings *bindings, const char *line, const Illegal *illegal,
                       Text *text)
{
    Case c;
    Text error = {0};
    CHECK(case_parse(&c, line, &error));
    if (!request_put(bindings, &c, illegal, text, &error)) {
        text_clear(text);
        text_printf(text, "!%s", text_string(&error));
    }
    text_release(&error);
}

static void ask(const Bindings *bindings, const char *line, const char *name, Text *text)
{
    Illegal illegal = {.name = name,
                       .reshaped = -1,
                       .indexed = -1,
                       .attribute = -1,
                       .is_written = name && !strcmp(name, "text")};
    ask_spoilt(bindings, line, name ? &illegal : NULL, text);
}

static const char rows[] =
    "names f g\n"
    "gradients\n"
    "refuses text order\n"
    "# Comments and rows of several lines.\n"
    "sum | float\n"
    "    | f.{op}(x, axes, keepdims, eps=-inf)\n"
    "conv2d | real | f(x, w, bias, stride) requires even-padding, activation=none\n"
    "conv2d | real | g(x, pads_inner_first) requires activation=none, groups=1\n"
    "softmax | real | f(x, axis) requires illegal!=axis\n"
    "relu_linear_backward | f32 | gradient of f(g(z + bias), w)\n"
    "add neg | float | f.{op}({Op}, -x)\n";

static void test_requests(void)
{
    static const struct {
        const char *line, *illegal, *asked;
    } cases[] = {
        {"sum/1 dtype=f32 shape=2x3x4 axes=5 keepdims=yes", NULL,
         "rows sum\noperands x y\ncall f.sum(x, axes, keepdims, eps=-inf)\n"
         "with axes=(0, 2), keepdims=True"},
        {"sum_backward/1 dtype=f32 shape=2x3 axes=1 keepdims=no", NULL,
         "rows sum_backward\noperands dy x dx\ncall f.sum(x, axes, keepdims, eps=-inf)\n"
         "with axes=(1,), keepdims=False\ngradient x"},
        {"conv2d/2 dtype=f64 input_size=5x5 kernel_size=3x3 stride=2x1 pads_begin=1x1 pads_end=1x1",
         NULL, "rows conv2d\noperands x w bias y\ncall f(x, w, bias, stride)\nwith stride=(2, 1)"},
        {"conv2d/2 dtype=f64 input_size=5x5 kernel_size=3x3 pads_begin=1x0 pads_end=0x2", NULL,
         "rows conv2d\noperands x w bias y\ncall g(x, pads_inner_first)\n"
         "with pads_inner_first=(0, 2, 1, 0)"},
        {"conv2d/2 dtype=f64 input_size=5x5 kernel_size=3x3 activation=relu", NULL,
         "!needs activation=none"},
        {"conv2d/2 dtype=f16 input_size=5x5 kernel_size=3x3", NULL, "!no elements of f16"},
        {"conv2d_backward_data/2 dtype=f32 input_size=3x3 kernel_size=3x3", NULL,
         "rows conv2d_backward_data\noperands dy w dx\ncall f(x, w, bias, stride)\n"
         "with stride=(1, 1)\ngradient x w bias"},
        {"softmax/1 dtype=f32 shape=2x3 axis=1", "axis", "!the library gives that a meaning"},
        {"sum/1 dtype=f32 shape=2x3 axes=1", "text",
         "rows sum\noperands x y\nillegal\nform text\ncall f.sum(x, axes, keepdims, eps=-inf)\n"
         "with axes=(1,), keepdims=False"},
        {"add/2 dtype=f32", "axis", "!its call names no axis"},
        {"relu_linear_backward/2 dtype=f32", NULL,
         "rows relu_linear_backward\noperands dy w z dz dbias\ncall f(g(z + bias), w)\nwith \n"
         "gradient w z bias"},
        {"exp/1 dtype=f32 shape=2", NULL, "!not in the table"},
    };
    Text error = {0};
    Bindings *bindings = bindings_read("test", rows, &error);
    CHECK(bindings != NULL);
    for (size_t i = 0; bindings && i < COUNT_OF(cases); i++) {
        Text text = {0};
        ask(bindings, cases[i].line, cases[i].illegal, &text);
        if (strcmp(text_string(&text), cases[i].asked) != 0)
            fprintf(stderr, "%s: asks\n%s\n", cases[i].line, text_string(&text));
        CHECK(!strcmp(text_string(&text), cases[i].asked));
        text_release(&text);
    }
    bindings_release(bindings);
    text_release(&error);
}

/* A stray number takes the place of an integer, or of all those of a tuple; a call without such an
 * attribute is not made. */
static void test_stray_numbers(void)
{
    static const struct {
        const char *line;
        int attribute;
        const char *end;
    } cases[] = {
        {"sum/1 dtype=f32 shape=2x3 axes=3 keepdims=yes", 0, "\nwith axes=(-7, -7), keepdims=True"},
        {"sum/1 dtype=f32 shape=2x3 axes=3 keepdims=yes", 1, "!the call has no such number"},
        {"sum/1 dtype=f32 shape=2x3 axes=3 keepdims=yes", 2, "!the call has no such number"},
        {"softmax/1 dtype=f32 shape=2x3 axis=1", 0, "\nwith axis=-7"},
        {"conv2d/2 dtype=f64 input_size=5x5 kernel_size=3x3 pads_begin=1x0 pads_end=0x2", 9,
         "!the call has no such number"},
    };
    Text error = {0};
    Bindings *bindings = bindings_read("test", rows, &error);
    CHECK(bindings != NULL);
    for (size_t i = 0; bindings && i < COUNT_OF(cases); i++) {
        Illegal stray = {.name = "number",
                         .reshaped = -1,
                         .indexed = -1,
                         .attribute = cases[i].attribute,
                         .value = -7,
                         .is_stray = true};
        Text text = {0};
        ask_spoilt(bindings, cases[i].line, &stray, &text);
        const char *end = strstr(text_string(&text), cases[i].end);
        CHECK(end && !strcmp(end, cases[i].end));
        CHECK(cases[i].end[0] == '!' || strstr(text_string(&text), "\nstray\n"));
        text_release(&text);
    }
    bindings_release(bindings);
    text_release(&error);
}

/* Forms that the library has are asked for, others are not; a case has only those that it can have.
 */
static void test_call_forms(void)
{
    static const char rows[] = "names f\nforms named number\nsoftmax add | float | f(x)\n";
    static const struct {
        const char *line, *form;
    } cases[] = {
        {"softmax/1 dtype=f32 shape=2x3 axis=0 | x=ones y=ones | exec=form:named", "form named\n"},
        {"softmax/1 dtype=f32 shape=2x3 axis=0 | x=ones y=ones | exec=form:given", NULL},
        {"softmax/1 dtype=f32 shape=2x3 axis=0 | x=ones y=ones", NULL},
        {"add/2 dtype=f32 shape=2 broadcast_b=1 | a=ones b=ones y=ones | exec=form:number",
         "form number\n"},
    };
    static const char *const illegal[] = {
        "add/2 dtype=f32 shape=2 | a=ones b=ones y=ones | exec=form:number",
        "softmax/1 dtype=f32 shape=2x3 axis=0 | x=ones y=ones | exec=form:in_place",
        "exp/1 dtype=f32 shape=2 | x=ones y=ones | exec=form:negative",
        "gemm/1 dtype=f32 | a=ones b=ones c=ones | exec=form:named",
    };
    Text error = {0};
    Bindings *bindings = bindings_read("test", rows, &error);
    CHECK(bindings != NULL);
    for (size_t i = 0; bindings && i < COUNT_OF(cases); i++) {
        Text text = {0};
        ask(bindings, cases[i].line, NULL, &text);
        CHECK(cases[i].form ? strstr(text_string(&text), cases[i].form) != NULL
                            : strstr(text_string(&text), "form") == NULL);
        text_release(&text);
    }
    for (size_t i = 0; i < COUNT_OF(illegal); i++) {
        Case c;
        CHECK(!case_parse(&c, illegal[i], &error));
    }
    bindings_release(bindings);
    CHECK(bindings_read("test", "forms sideways\n", &error) == NULL);
    text_release(&error);
}

/* Of the rows that take a case, the one that exec.function asks for, modulo their number. */
static void test_forms(void)
{
    static const char forms[] = "names f g h\n"
                                "softmax | float | f(x) requires axis=0\n"
                                "softmax | f64 | g(x)\n"
                                "softmax | float | h(x)\n";
    static const struct {
        const char *line, *call;
    } cases[] = {
        {"softmax/1 dtype=f32 shape=2x3 axis=0", "call f(x)"},
        {"softmax/1 dtype=f32 shape=2x3 axis=0 | x=ones y=ones | exec=function:1", "call h(x)"},
        {"softmax/1 dtype=f32 shape=2x3 axis=0 | x=ones y=ones | exec=function:2", "call f(x)"},
        {"softmax/1 dtype=f64 shape=2x3 axis=0 | x=ones y=ones | exec=function:1", "call g(x)"},
        {"softmax/1 dtype=f64 shape=2x3 axis=1", "call g(x)"},
        {"softmax/1 dtype=f64 shape=2x3 axis=1 | x=ones y=ones | exec=function:1", "call h(x)"},
        {"softmax/1 dtype=f32 shape=2x3 axis=1 | x=ones y=ones | exec=function:5", "call h(x)"},
    };
    Text error = {0};
    Bindings *bindings = bindings_read("test", forms, &error);
    CHECK(bindings != NULL);
    for (size_t i = 0; bindings && i < COUNT_OF(cases); i++) {
        Text text = {0};
        ask(bindings, cases[i].line, NULL, &text);
        CHECK(strstr(text_string(&text), cases[i].call) != NULL);
        text_release(&text);
    }
    bindings_release(bindings);
    text_release(&error);
}

/* What a row asks of a gradient alone is asked of that case's data, whatever the recipe of an
 * infinity is, and not of other calls. */
static void test_gradient_conditions(void)
{
    static const char pools[] = "names f\n"
                                "gradients\n"
                                "max_pool1d | float | f(x, pads_begin) requires ceil_mode=no "
                                "gradient requires above-padding\n";
    static const struct {
        const char *name, *pads, *data;
        bool asked;
    } cases[] = {
        {"max_pool1d_backward", "1", "dy=ones x=ones dx=ones", true},
        {"max_pool1d_backward", "1", "dy=ones x=list,values:-inf dx=ones", false},
        {"max_pool1d_backward", "1", "dy=ones x=ones,special:-inf dx=ones", false},
        {"max_pool1d_backward", "1", "dy=ones x=list,values:inf dx=ones", true},
        {"max_pool1d_backward", "1", "dy=list,values:-inf x=ones dx=ones", true},
        {"max_pool1d_backward", "1", "dy=list,values:-inf x=ones dx=ones | exec=overlap:inputs",
         false},
        {"max_pool1d_backward", "0", "dy=ones x=list,values:-inf dx=ones", true},
        {"max_pool1d", "1", "x=list,values:-inf y=ones", true},
    };
    Text error = {0};
    Bindings *bindings = bindings_read("test", pools, &error);
    CHECK(bindings != NULL);
    for (size_t i = 0; bindings && i < COUNT_OF(cases); i++) {
        Text line = {0}, text = {0};
        text_printf(&line, "%s/2 dtype=f32 input_size=3 kernel_size=2 pads_begin=%s | %s",
                    cases[i].name, cases[i].pads, cases[i].data);
        ask(bindings, text_string(&line), NULL, &text);
        if ((text_string(&text)[0] != '!') != cases[i].asked)
            fprintf(stderr, "%s: %s\n", text_string(&line), text_string(&text));
        CHECK((text_string(&text)[0] != '!') == cases[i].asked);
        text_release(&text);
        text_release(&line);
    }
    bindings_release(bindings);
    text_release(&error);
}

static void test_attributes(void)
{
    static const struct {
        const char *line, *name, *value;
    } cases[] = {
        {"sum/1 dtype=f32 shape=2x3x4 axes=2 keepdims=no", "reduced_last", "(0, 2, 1)"},
        {"sum/1 dtype=f32 shape=2x3x4 axes=2 keepdims=no", "flat_shape", "(2, 4, 3)"},
        {"sum/1 dtype=f32 shape=2x3x4 axes=2 keepdims=no", "reduced_shape", "(2, 4)"},
        {"sum/1 dtype=f32 shape=2x3x4 axes=2 keepdims=yes", "reduced_shape", "(2, 1, 4)"},
        {"sum/1 dtype=f32 shape=2x3x4 axes=5 keepdims=yes", "reduced_rank", "2"},
        {"sum/1 dtype=f32 shape=2x3x4 axes=5 keepdims=yes", "all_axes", "(0, 1, 2)"},
        {"matmul/2 dtype=f32 batch_shape=2x3 m=1 n=1 k=1", "batch_rank", "2"},
        {"slice/2 dtype=f32 shape=2x8 axis=1 start=2 step=4 reverse=no", "slice_length", "2"},
        {"slice/2 dtype=f32 shape=2x8 axis=1 start=1 step=1 reverse=no", "slice_length", "7"},
        {"transpose/2 dtype=f32 shape=2x3x4 rotate=1 reverse=no", "order", "(1, 2, 0)"},
        {"transpose/2 dtype=f32 shape=2x3x4 rotate=1 reverse=yes", "order", "(1, 0, 2)"},
        {"tile/2 dtype=f32 shape=2x3 axis=1 repeats=4", "copies", "(1, 4)"},
        {"layer_norm/1 dtype=f32 shape=2x3x4 axis=1", "normalised_shape", "(3, 4)"},
        {"sort/2 dtype=f32 shape=2 descending=yes", "descending", "True"},
        {"pad/2 dtype=f32 shape=2x3 axis=0 pads_begin=1 pads_end=2", "axis_pads", "(0, 0, 1, 2)"},
        {"conv2d/2 dtype=f32 input_size=5x5 kernel_size=3x3 pads_begin=1x0 pads_end=0x2",
         "pads_interleaved", "(1, 0, 0, 2)"},
        {"interpolate3d/2 dtype=f32 input_size=2x2x2 output_size=3x3x3 mode=linear",
         "interpolation", "'trilinear'"},
        {"grid_sample/2 dtype=f32 input_size=2x2x2 output_size=3x3x3 mode=linear", "interpolation",
         "'bilinear'"},
        {"elu/1 dtype=f32 shape=2 alpha=0.1", "alpha", "0.10000000149011612"},
        {"elu/1 dtype=f64 shape=2 alpha=2", "alpha", "2.0"},
        {"einsum/2 dtype=f32 label_extents=2x3x4 labels_a=3 labels_b=6 labels_y=5 rotate_y=1",
         "equation", "'ab,bc->ca'"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Case c;
        Attribute value;
        Text error = {0}, text = {0};
        CHECK(case_parse(&c, cases[i].line, &error) && attribute_get(&c, cases[i].name, &value));
        attribute_print(&value, &text);
        if (strcmp(text_string(&text), cases[i].value) != 0)
            fprintf(stderr, "%s of %s is %s\n", cases[i].name, cases[i].line, text_string(&text));
        CHECK(!strcmp(text_string(&text), cases[i].value));
        text_release(&text);
        text_release(&error);
    }
    CHECK(!attribute_exists(op_find("sum"), "equation"));
    CHECK(!attribute_exists(op_find("mse_loss"), "descending"));
}

/* Gradients of saved results are not those of the forward call. */
static void test_gradients(void)
{
    CHECK(gradient_forward(op_find("conv2d_backward_weights")) == op_find("conv2d"));
    CHECK(gradient_forward(op_find("rnn_backward")) == op_find("rnn"));
    CHECK(gradient_forward(op_find("linear_backward")) == op_find("linear"));
    CHECK(gradient_forward(op_find("softmax_backward")) == NULL);
    CHECK(gradient_forward(op_find("layer_norm_backward")) == NULL);
    CHECK(gradient_forward(op_find("batch_norm_backward")) == NULL);
    CHECK(gradient_forward(op_find("relu_linear_backward")) == NULL);
    CHECK(gradient_forward(op_find("conv2d")) == NULL);
}

int main(void)
{
    test_files();
    test_bad_rows();
    test_requests();
    test_forms();
    test_stray_numbers();
    test_call_forms();
    test_gradient_conditions();
    test_attributes();
    test_gradients();
    return check_end("ops/t_binding");
}
