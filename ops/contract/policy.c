/* The policies (ops/contract/clauses.c says what each is about).  The situation of a case follows
 * from its parameters, its data and the policy in the description of its operator, never from an
 * operator's name. */
#include "policy.h"

#include <math.h>
#include <string.h>

#include "ops/case/relation.h"

static bool any_special(const Case *c, const char *const *names)
{
    for (const Param *param = fill_params; param->name; param++) {
        if (strcmp(param->name, "special") != 0)
            continue;
        for (int i = 0; c->op->tensors[i]; i++)
            for (const char *const *name = names; *name; name++)
                if (!strcmp(param->names[c->fill[i].special], *name))
                    return true;
    }
    return false;
}

static bool any_scalar(const Case *c, bool (*test)(Scalar))
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SCALAR &&
            test(*(const Scalar *)(const void *)(c->params + param->offset)))
            return true;
    return false;
}

static bool scalar_not_finite(Scalar s)
{
    return !isfinite(s.re) || !isfinite(s.im);
}

static bool has_not_finite(const Case *c)
{
    static const char *const names[] = {"nan", "inf", "-inf", NULL};
    return any_special(c, names) || any_scalar(c, scalar_not_finite);
}

static bool has_nan(const Case *c)
{
    static const char *const names[] = {"nan", NULL};
    return any_special(c, names);
}

static bool has_structure(const Case *c)
{
    return case_has(c, "uplo") || case_has(c, "kl") || case_has(c, "kernel_size");
}

static bool filling_decides(const Case *c)
{
    return has_structure(c) && has_not_finite(c);
}

static bool scalar_not_finite_decides(const Case *c)
{
    return any_scalar(c, scalar_not_finite);
}

static bool scalar_named_zero(const Case *c, const char *name)
{
    return case_has(c, name) && scalar_is_zero(case_scalar(c, name));
}

static bool beta_is_zero(const Case *c)
{
    return scalar_named_zero(c, "beta");
}

static bool alpha_is_zero(const Case *c)
{
    return case_multiplies(c, "alpha") && scalar_named_zero(c, "alpha");
}

/* alpha rounds when it multiplies, and there is something that it should not multiply. */
static bool factoring_decides(const Case *c)
{
    if (!case_multiplies(c, "alpha") || !case_has(c, "beta") || beta_is_zero(c))
        return false;
    Scalar alpha = case_scalar(c, "alpha");
    return alpha.im != 0 || !is_power_of_two_or_zero(alpha.re);
}

static bool any_of_kind(const Case *c, ParamKind kind, int64_t below)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == kind &&
            *(const int64_t *)(const void *)(c->params + param->offset) < below)
            return true;
    return false;
}

static bool is_empty(const Case *c)
{
    return any_of_kind(c, PARAM_DIM, 1);
}

static bool runs_backwards(const Case *c)
{
    return any_of_kind(c, PARAM_INCREMENT, 0) && case_has(c, "incy");
}

static bool lone_vector_backwards(const Case *c)
{
    return any_of_kind(c, PARAM_INCREMENT, 1) && !case_has(c, "incy") &&
           op_tensor_count(c->op) <= 2 && !case_has(c, "uplo");
}

/* The description of the operator says that references of it have this reading. */
static bool is_described(const Case *c, const char *policy)
{
    return c->op->policy && !strcmp(c->op->policy, policy);
}

static bool takes_variance(const Case *c)
{
    return is_described(c, "one-pass-variance");
}

static bool index_meets_nan(const Case *c)
{
    return is_described(c, "index-first-nan") && has_nan(c);
}

static bool has_negative_zero(const Case *c)
{
    static const char *const names[] = {"-0", NULL};
    return any_special(c, names);
}

static bool may_have_usual_zero(const Case *c)
{
    for (const ZeroSign *zero = c->op->zeros; zero && zero->which; zero++)
        if (!zero->source)
            return true;
    return false;
}

static bool any_fill(const Case *c, FillKind kind)
{
    for (int i = 0; c->op->tensors[i]; i++)
        if (c->fill[i].kind == kind)
            return true;
    return false;
}

static bool nears_overflow(const Case *c)
{
    static const char *const names[] = {"max", NULL};
    return any_fill(c, FILL_HUGE) || any_special(c, names);
}

static bool nears_underflow(const Case *c)
{
    static const char *const names[] = {"min", "subnormal", NULL};
    return any_fill(c, FILL_TINY) || any_special(c, names);
}

static bool is_illegal(const Case *c)
{
    return c->exec.illegal != 0;
}

static bool is_moved(const Case *c)
{
    return c->exec.relation == RELATION_MOVED || c->exec.relation == RELATION_REVERSED;
}

static bool rotates_zero(const Case *c)
{
    return is_described(c, "old-rotation-of-zero") && dtype_components(case_dtype(c)) == 2 &&
           c->fill[0].kind == FILL_ZEROS;
}

static bool uses_threads(const Case *c)
{
    return c->exec.threads > 1;
}

static bool shares_inputs(const Case *c)
{
    return c->exec.overlap == OVERLAP_INPUTS && op_tensor_count(c->op) > 2;
}

static bool works_in_place(const Case *c)
{
    return c->exec.overlap == OVERLAP_OUTPUT && c->op->in_place;
}

static bool may_compare(const Case *c)
{
    return is_described(c, "nan-by-comparison") && has_nan(c);
}

static bool loses_nan(const Case *c)
{
    return is_described(c, "nan-lost") && has_nan(c);
}

static bool is_narrow(const Case *c)
{
    return dtype_format(case_dtype(c))->unit > 0x1p-24;
}

const Policy policies[] = {
    {"zero-skip", has_not_finite, NULL, true, SCOPE_LIBRARY},
    {"zero-fill", filling_decides, NULL, true, SCOPE_LIBRARY},
    {"scalar-not-finite", scalar_not_finite_decides, NULL, false, SCOPE_LIBRARY},
    {"beta-zero", beta_is_zero, "beta=0", false, SCOPE_LIBRARY},
    {"alpha-zero", alpha_is_zero, NULL, false, SCOPE_LIBRARY},
    {"empty", is_empty, NULL, false, SCOPE_LIBRARY},
    {"backwards", runs_backwards, NULL, false, SCOPE_LIBRARY},
    {"backwards-counts", lone_vector_backwards, NULL, true, SCOPE_LIBRARY},
    {"backwards-is-empty", lone_vector_backwards, NULL, true, SCOPE_LIBRARY},
    {"index-nan", index_meets_nan, NULL, false, SCOPE_LIBRARY},
    {"index-first-nan", index_meets_nan, NULL, true, SCOPE_LIBRARY},
    {"index-skips-nan", index_meets_nan, NULL, true, SCOPE_LIBRARY},
    {"negative-zero", has_negative_zero, NULL, false, SCOPE_LIBRARY},
    {POLICY_OTHER_ZERO, may_have_usual_zero, NULL, true, SCOPE_LIBRARY},
    {"overflow", nears_overflow, NULL, false, SCOPE_LIBRARY},
    {"underflow", nears_underflow, NULL, false, SCOPE_LIBRARY},
    {"flush", nears_underflow, NULL, true, SCOPE_LIBRARY},
    {"illegal-argument", is_illegal, NULL, false, SCOPE_LIBRARY},
    {POLICY_ARGUMENT_NUMBER, is_illegal, NULL, true, SCOPE_LIBRARY},
    {"old-rotation-of-zero", rotates_zero, NULL, true, SCOPE_LIBRARY},
    {POLICY_POSITION, is_moved, NULL, true, SCOPE_LIBRARY},
    {"threads", uses_threads, NULL, false, SCOPE_LIBRARY},
    {"shared-inputs", shares_inputs, NULL, false, SCOPE_LIBRARY},
    {POLICY_IN_PLACE, works_in_place, NULL, true, SCOPE_LIBRARY},
    {"absolute-accuracy", NULL, NULL, true, SCOPE_OPERATOR},
    {"early-infinity", NULL, NULL, true, SCOPE_LIBRARY},
    {"absolute-deflation", NULL, NULL, true, SCOPE_LIBRARY},
    {"complex-by-formula", NULL, NULL, true, SCOPE_OF_REALS},
    {"complex-special", NULL, NULL, true, SCOPE_OF_REALS},
    {"one-pass-variance", NULL, NULL, true, SCOPE_LIBRARY},
    {"running-means", takes_variance, NULL, true, SCOPE_LIBRARY},
    {"folded-mean", NULL, NULL, true, SCOPE_LIBRARY},
    {"nan-by-comparison", may_compare, NULL, true, SCOPE_LIBRARY},
    {"nan-clamped", has_nan, NULL, true, SCOPE_LIBRARY},
    {"nan-lost", loses_nan, NULL, true, SCOPE_LIBRARY},
    {"saturated-pairs", NULL, NULL, true, SCOPE_LIBRARY},
    {"halves-up", NULL, NULL, true, SCOPE_LIBRARY},
    {"zero-point-first", NULL, NULL, true, SCOPE_LIBRARY},
    {"float-coordinates", NULL, NULL, true, SCOPE_LIBRARY},
    {"faithful-rounding", NULL, NULL, true, SCOPE_LIBRARY},
    {POLICY_NARROW_ARITHMETIC, is_narrow, NULL, true, SCOPE_OPERATOR},
    {"narrow-functions", is_narrow, NULL, true, SCOPE_OPERATOR},
    {"alpha-factored", factoring_decides, NULL, true, SCOPE_LIBRARY},
    {NULL, NULL, NULL, false, SCOPE_LIBRARY},
};

uint64_t policy_situations(const Case *c)
{
    uint64_t mask = 0;
    for (int i = 0; policies[i].name; i++)
        if (policies[i].applies ? policies[i].applies(c) : is_described(c, policies[i].name))
            mask |= UINT64_C(1) << i;
    return mask;
}

uint64_t policy_of_finding(const Case *minimal, const char *reading, const char *needed)
{
    uint64_t mask = 0;
    for (int i = 0; reading && policies[i].name; i++)
        if (!strcmp(policies[i].name, reading))
            mask |= UINT64_C(1) << i;
    if (mask)
        return mask;
    mask = policy_situations(minimal);
    for (int i = 0; policies[i].name; i++)
        if (policies[i].by_reading || (policies[i].needs && !strstr(needed, policies[i].needs)))
            mask &= ~(UINT64_C(1) << i);
    return mask;
}

static const Policy *find(const char *name)
{
    const Policy *p = policies;
    while (p->name && strcmp(p->name, name) != 0)
        p++;
    return p;
}

bool policy_is_reading(const char *name)
{
    return find(name)->by_reading;
}

bool policy_is_of_operator(const char *name, DType dtype)
{
    PolicyScope scope = find(name)->scope;
    return scope == SCOPE_OPERATOR || (scope == SCOPE_OF_REALS && dtype_components(dtype) == 2);
}
