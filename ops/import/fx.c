/* A line of a graph is NAME: "f32[2, 3]" = torch.ops.aten.FUNCTION.OVERLOAD(ARGUMENTS), with the
 * element type and the shape of what it gives; those of what the graph is given stand in its
 * head.  Source: PyTorch's documentation, "torch.fx", and ATen's native_functions.yaml for the
 * arguments of the functions below. */
#include "fx.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/list.h"
#include "torch_calls.h"
#include "wanted.h"

enum { FX_NAME_BYTES = 128 };

typedef struct Named {
    char name[FX_NAME_BYTES];
    AskedValue value;
} Named;

typedef struct Graph {
    Named *values;
    size_t count, room;
    bool begun;
} Graph;

/* What autograd and decompositions call in place of functions that rows have.  Arguments are, in
 * the order of the row's function, places of the call's: a number, with t where its matrix is
 * transposed; - is none, * is any, F is False.  {n} is the number of spatial axes. */
typedef struct Stand {
    const char *name, *function, *arguments;
    bool gradient;    /* the call computes the function's gradient */
    int place;        /* the row is one where the argument of this place, if it is not 0, */
    const char *only; /* is this one */
} Stand;

static const Stand stands[] = {
    {"_softmax", "softmax", "0 1", false, 0, NULL},
    {"_log_softmax", "log_softmax", "0 1", false, 0, NULL},
    {"addmm", "linear", "1 2t 0", false, 0, NULL},
    {"convolution", "conv{n}d", "0 1 2 3 4 5 8", false, 6, "False"},
    {"convolution", "conv_transpose{n}d", "0 1 2 3 4 7 8 5", false, 6, "True"},
    {"max_pool2d_with_indices", "max_pool2d", "0 1 2 3 4 5", false, 0, NULL},
    {"nll_loss_forward", "nll_loss_nd", "0 1 2 3 4", false, 0, NULL},
    {"_native_batch_norm_legit_no_training", "batch_norm", "0 1 2 3 4 F * 6 *", false, 0, NULL},
    {"native_layer_norm", "layer_norm", "0 1 2 3 4 *", false, 0, NULL},
    {"native_group_norm", "group_norm", "0 6 1 2 7 *", false, 0, NULL},
    {"_softmax_backward_data", "softmax", "1 2", true, 0, NULL},
    {"_log_softmax_backward_data", "log_softmax", "1 2", true, 0, NULL},
    {"convolution_backward", "conv{n}d", "1 2 - 4 5 6 9", true, 7, "False"},
    {"convolution_backward", "conv_transpose{n}d", "1 2 - 4 5 8 9 6", true, 7, "True"},
    {"max_pool2d_with_indices_backward", "max_pool2d", "1 2 3 4 5 6", true, 0, NULL},
    {"avg_pool2d_backward", "avg_pool2d", "1 2 3 4 5 6 7", true, 0, NULL},
    {"_adaptive_avg_pool2d", "adaptive_avg_pool2d", "0 1", false, 0, NULL},
    {"nll_loss_backward", "nll_loss_nd", "1 2 3 4 5", true, 0, NULL},
    {"mse_loss_backward", "mse_loss", "1 2 3", true, 0, NULL},
    {"native_batch_norm_backward", "batch_norm", "1 2 2 3 4 7 * 8 *", true, 0, NULL},
    {"native_layer_norm_backward", "layer_norm", "1 2 5 6 * *", true, 0, NULL},
    {"native_group_norm_backward", "group_norm", "1 8 4 4 * *", true, 0, NULL},
    {"threshold_backward", "relu", "1", true, 2, "0"},
    {"gelu_backward", "gelu", "1 2", true, 0, NULL},
    {"silu_backward", "silu", "1", true, 0, NULL},
    {"hardswish_backward", "hardswish", "1", true, 0, NULL},
    {"sigmoid_backward", "sigmoid", "1", true, 0, NULL},
    {"tanh_backward", "tanh", "1", true, 0, NULL},
    {"leaky_relu_backward", "leaky_relu", "1 2", true, 0, NULL},
};

/* The values of the present graph; NULL where it has none of the name. */
static const AskedValue *find_value(const Graph *graph, const char *name)
{
    for (size_t i = graph->count; i-- > 0;)
        if (!strcmp(graph->values[i].name, name))
            return &graph->values[i].value;
    return NULL;
}

static bool read_type(const char *text, size_t length, DType *dtype)
{
    char name[8];
    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    return dtype_find(strcmp(name, "b8") ? name : "bool", dtype);
}

/* f32[2, 3]; strides and a device may follow.  Of extents with names no shape is known. */
static AskedValue read_annotation(const char *text)
{
    AskedValue value = {.present = true, .maker = -1};
    size_t type = strcspn(text, "[\"");
    Attribute dims;
    value.typed = read_type(text, type, &value.dtype);
    value.shaped =
        text[type] == '[' && torch_put_list(&dims, text + type) && dims.count <= TENSOR_RANK_MAX;
    for (int i = 0; value.shaped && i < dims.count; i++) {
        value.shape.extent[value.shape.rank++] = dims.list[i];
        value.shaped = dims.list[i] >= 0 && dims.list[i] <= WANTED_EXTENT_MAX;
    }
    return value;
}

static void define(Graph *graph, const char *name, size_t length, const char *annotation)
{
    graph->values = list_grow(graph->values, graph->count, &graph->room, sizeof *graph->values);
    Named *named = &graph->values[graph->count++];
    (void)snprintf(named->name, sizeof named->name, "%.*s", (int)length, name);
    named->value = read_annotation(annotation);
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* The piece up to a comma or the closing bracket outside of all others, which ends it; *rest is
 * NULL behind the last one. */
static char *next_piece(char **rest)
{
    char *piece = *rest + strspn(*rest, " "), *at = piece, quote = '\0';
    int depth = 0;
    for (; *at; at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? '\0' : *at;
        if (quote)
            continue;
        depth += strchr("([{", *at) != NULL;
        if (depth == 0 && strchr(",)", *at))
            break;
        depth -= strchr(")]}", *at) != NULL;
    }
    *rest = *at == ',' ? at + 1 : NULL;
    *at = '\0';
    return piece;
}

/* The head of a graph: what it is given. */
static void begin_graph(Graph *graph, char *parameters)
{
    graph->count = 0;
    graph->begun = true;
    while (parameters) {
        const char *piece = next_piece(&parameters);
        size_t length = name_length(piece);
        if (!strncmp(piece + length, ": \"", 3))
            define(graph, piece, length, piece + length + 3);
    }
}

static void put_text(AskedValue *value, const char *text)
{
    Attribute *own = &value->number;
    *own = (Attribute){.kind = ATTRIBUTE_TEXT};
    (void)snprintf(own->text, sizeof own->text, "%.*s", (int)strcspn(text + 1, "'"), text + 1);
    value->present = value->constant = true;
}

static void put_argument(AskedValue *value, const Graph *graph, const char *text)
{
    const AskedValue *named = find_value(graph, text);
    if (named)
        *value = *named;
    else if (*text == '\'')
        put_text(value, text);
    else if (isdigit((unsigned char)*text) || *text == '-' || *text == '[' ||
             !strcmp(text, "True") || !strcmp(text, "False"))
        torch_put_number(value, text);
    else
        value->present = strcmp(text, "None") != 0;
}

/* Reads the arguments of a call; false where they are too many.  Which of two functions `gelu` is
 * a keyword says, which rows have in its place. */
static bool read_arguments(const Graph *graph, char *rest, Asked *asked, AskedCall *call)
{
    while (rest && *rest != ')') {
        char *piece = next_piece(&rest), keyword[FX_NAME_BYTES] = "";
        size_t length = name_length(piece);
        if (length > 0 && !strncmp(piece + length, " = ", 3)) {
            piece[length] = '\0';
            (void)snprintf(keyword, sizeof keyword, "%s", piece);
            piece += length + 3;
        }
        bool in_place = !*keyword || !strcmp(keyword, "approximate");
        int value = asked_value(asked);
        put_argument(&asked->values[value], graph, piece);
        if (!asked_argument(call, in_place ? "" : keyword, value))
            return false;
    }
    return true;
}

static bool is_argument(const Asked *asked, const AskedCall *call, int place, const char *word)
{
    Text own = {0};
    bool is = place < call->argument_count;
    if (is) {
        const AskedValue *value = &asked->values[call->arguments[place].value];
        if (value->constant)
            attribute_print(&value->number, &own);
        is = !strcmp(text_string(&own), word);
    }
    text_release(&own);
    return is;
}

/* The axes of the call's first array of images. */
static int spatial_axes(const Asked *asked, const AskedCall *call, const Stand *stand)
{
    int place = atoi(stand->arguments);
    const AskedValue *x =
        place < call->argument_count ? &asked->values[call->arguments[place].value] : NULL;
    return x && x->shaped ? (int)x->shape.rank - 2 : 0;
}

/* "{n}" in the name of a function is replaced. */
static void put_function(AskedCall *to, const char *function, int axes)
{
    const char *hole = strstr(function, "{n}");
    size_t front = hole ? (size_t)(hole - function) : strlen(function);
    (void)snprintf(to->name, sizeof to->name, TORCH_SPACE "%.*s", (int)front, function);
    size_t length = strlen(to->name);
    if (hole)
        (void)snprintf(to->name + length, sizeof to->name - length, "%d%s", axes, hole + 3);
}

static AskedValue stand_value(const Asked *asked, const AskedCall *call, const char **at)
{
    AskedValue value = {.maker = -1};
    char *end;
    long place = strtol(*at, &end, 10);
    if (end == *at) {
        value.present = **at != '-';
        value.free = **at == '*';
        value.constant = **at == 'F';
        value.number = (Attribute){.kind = ATTRIBUTE_BOOLEAN};
        ++*at;
    } else if (place < call->argument_count) {
        value = asked->values[call->arguments[place].value];
    }
    *at = end > *at ? end : *at;
    if (**at == 't') {
        int64_t rows = value.shape.extent[0];
        value.shaped = value.shaped && value.shape.rank == 2;
        value.shape.extent[0] = value.shape.extent[1];
        value.shape.extent[1] = rows;
        ++*at;
    }
    *at += strspn(*at, " ");
    return value;
}

/* The call in place of which another one stands. */
static void put_stand(const Asked *asked, const AskedCall *call, const Stand *stand, Asked *to)
{
    AskedCall *own = asked_call(to, "");
    put_function(own, stand->function, spatial_axes(asked, call, stand));
    for (const char *at = stand->arguments; *at;) {
        AskedValue argument = stand_value(asked, call, &at);
        int value = asked_value(to);
        to->values[value] = argument;
        (void)asked_argument(own, "", value);
    }
}

static const Stand *find_stand(const Asked *asked, const AskedCall *call)
{
    for (size_t i = 0; i < COUNT_OF(stands); i++)
        if (!strcmp(stands[i].name, call->name + strlen(TORCH_SPACE)) &&
            (stands[i].place == 0 || is_argument(asked, call, stands[i].place, stands[i].only)))
            return &stands[i];
    return NULL;
}

static const Asked unasked = {
    .bindings = "torch", .space = TORCH_SPACE, .defaults = torch_defaults};

/* Takes a call; false with the reason. */
static bool take_call(Import *import, const Asked *asked, Draft *draft)
{
    const AskedCall *call = &asked->calls[0];
    const Stand *stand = find_stand(asked, call);
    Asked other = unasked;
    Case found;
    if (stand)
        put_stand(asked, call, stand, &other);
    Asked *meant = stand ? &other : &(Asked){0};
    if (!stand)
        *meant = *asked;
    torch_leave_minor(meant, meant->calls[0].name);
    bool ok = asked_find(meant, 0, &found, draft);
    if (ok && stand && stand->gradient)
        ok = torch_put_gradients(import, &found, other.calls[0].name) ||
             draft_refuse(draft, "no operator is the gradient of %s", found.op->name);
    else if (ok)
        (void)torch_put_case(import, &found, call->name);
    asked_release(&other);
    return ok;
}

/* A line behind its name and annotation: torch.ops.aten.relu.default(x);  x = None */
static void read_call(const Graph *graph, Import *import, char *text, size_t number,
                      ImportTell *tell, void *context)
{
    static const char front[] = "torch.ops.aten.";
    Asked asked = unasked;
    Draft draft = {0};
    Text reason = {0};
    char name[FX_NAME_BYTES];
    char *arguments = strchr(text, '(');
    text += strlen(front);
    (void)snprintf(name, sizeof name, TORCH_SPACE "%.*s", (int)name_length(text), text);
    AskedCall *call = asked_call(&asked, name);
    bool ok = read_arguments(graph, arguments + 1, &asked, call)
                  ? take_call(import, &asked, &draft)
                  : draft_refuse(&draft, "it has too many arguments");
    text_printf(&reason, "%s: %s", name, text_string(&draft.why));
    if (!ok && strcmp(text_string(&draft.why), ASKED_NO_ROW) != 0)
        tell(context, number, text_string(&reason));
    else if (!ok)
        import_skip(import, 1, text_string(&reason));
    text_release(&reason);
    draft_release(&draft);
    asked_release(&asked);
}

/* Of a line of a log only what stands behind its marks: [0/0] [__aot_graphs]. */
static char *line_text(char *line)
{
    char *mark = strstr(line, "] [__");
    char *end = mark ? strstr(mark + 2, "] ") : NULL;
    line = end ? end + 2 : line;
    return line + strspn(line, " \t");
}

static void read_line(Graph *graph, Import *import, char *line, size_t number, ImportTell *tell,
                      void *context)
{
    static const char head[] = "def forward(self, ";
    char *text = line_text(line);
    if (!strncmp(text, head, strlen(head))) {
        begin_graph(graph, text + strlen(head));
        return;
    }
    size_t length = name_length(text);
    char *is = strstr(text, " = ");
    const char *annotation = strncmp(text + length, ": \"", 3) ? NULL : text + length + 3;
    if (!graph->begun || length == 0 || !is || !(annotation || is == text + length))
        return;
    if (!strncmp(is + 3, "torch.ops.aten.", strlen("torch.ops.aten.")) && strchr(is, '('))
        read_call(graph, import, is + 3, number, tell, context);
    else if (!strncmp(is + 3, "torch.", strlen("torch.")))
        import_skip(import, 1,
                    "it is no call of torch.ops.aten, which graphs behind autograd have");
    if (annotation)
        define(graph, text, length, annotation);
}

bool import_fx(Import *import, const Text *file, ImportTell *tell, void *context, Text *error)
{
    Graph graph = {0};
    char *lines = memory_duplicate(text_string(file)), *rest = lines;
    for (size_t number = 1; rest; number++) {
        char *line = strsep(&rest, "\n");
        read_line(&graph, import, line, number, tell, context);
    }
    if (!graph.begun)
        text_put(error, "it has no graph, which print_readable and TORCH_LOGS=aot_graphs write");
    free(graph.values);
    free(lines);
    return graph.begun;
}
