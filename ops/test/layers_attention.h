/* Attention with and without a mask; a part of layers.h, which has the numbers. */
#ifndef OPS_TEST_LAYERS_ATTENTION_H
#define OPS_TEST_LAYERS_ATTENTION_H

/* The element of a mask for one of the scores, the value of none where there is no mask. */
static double mask_of(const Problem *p, int64_t row, int64_t column, double none)
{
    int number = op_operand(p->c.op, "mask");
    if (number < 0)
        return none;
    const Tensor *q = &p->shapes.tensor[0].layout;
    Tensor scores = {
        .rank = 4,
        .extent = {q->extent[0], q->extent[1], q->extent[2], of(p, "kv_sequence_length")}};
    Tensor mask = nn_broadcast(&p->shapes.tensor[number].layout, &scores);
    int64_t at = row * of(p, "kv_sequence_length") + column;
    return p->values[number][tensor_offset_of(&mask, at)];
}

static Number *hyperbolic_tangent(Number *x)
{
    Number *square = exponential(add(x, x));
    return sub(number(1), quotient(number(2), add(square, number(1))));
}

/* A score of masked_attention from the product of a row and a column. */
static Number *masked_score(Problem *p, Number *dot, int64_t row, int64_t column)
{
    double cap = param_scalar(case_param(&p->c, "softcap"), p->c.params)->re;
    Number *score = mul(dot, number(param_scalar(case_param(&p->c, "scale"), p->c.params)->re));
    if (cap != 0)
        score = mul(number(cap), hyperbolic_tangent(quotient(score, number(cap))));
    return of(p, "boolean_mask") ? score : add(score, number(mask_of(p, row, column, 0)));
}

static bool is_attended(const Problem *p, int64_t row, int64_t column)
{
    if (op_operand(p->c.op, "mask") < 0)
        return !of(p, "is_causal") || column <= row % of(p, "q_sequence_length");
    return !of(p, "boolean_mask") || mask_of(p, row, column, 1) != 0;
}

/* A row of y from the scores of the columns that it attends to; where there are none its weights
 * are 0, as kernels choose. */
static void attend(Problem *p, int64_t row, int64_t keys, Number *const *scores)
{
    int64_t columns = of(p, "kv_sequence_length"), width = of(p, "v_head_size");
    Number *weights[ELEMENTS_MAX], *top = NULL, *sum = number(0);
    for (int64_t j = 0; j < columns; j++)
        if (scores[j])
            top = top ? greater(top, scores[j]) : scores[j];
    for (int64_t j = 0; j < columns; j++) {
        weights[j] = scores[j] ? exponential(sub(scores[j], top)) : number(0);
        sum = add(sum, weights[j]);
    }
    for (int64_t c = 0; c < width; c++) {
        Number *y = number(0);
        for (int64_t j = 0; top && j < columns; j++)
            y = add(y, mul(quotient(weights[j], sum), in(p, 2, (keys + j) * width + c)));
        p->results[row * width + c] = y;
    }
}

static void of_attention(Problem *p)
{
    int64_t rows = of(p, "q_sequence_length"), columns = of(p, "kv_sequence_length");
    int64_t depth = of(p, "head_size"), group = of(p, "group_size");
    Number *scores[ELEMENTS_MAX], *scale = quotient(number(1), root(number((double)depth)));
    int64_t heads = of(p, "batch") * of(p, "kv_num_heads") * group;
    bool masked = op_operand(p->c.op, "mask") >= 0;
    for (int64_t row = 0; row < heads * rows; row++) {
        int64_t keys = row / rows / group * columns;
        for (int64_t j = 0; j < columns; j++) {
            Number *dot = number(0);
            for (int64_t i = 0; i < depth; i++)
                dot = add(dot, mul(in(p, 0, row * depth + i), in(p, 1, (keys + j) * depth + i)));
            scores[j] = masked ? masked_score(p, dot, row, j) : mul(dot, scale);
            if (!is_attended(p, row, j))
                scores[j] = NULL;
        }
        attend(p, row, keys, scores);
    }
}

#endif
