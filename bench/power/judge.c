/* Tolerances in common use. */
#include "judge.h"
#include "reference/ref.h"

#include <math.h>

/* |got - expected| <= absolute + relative |expected|, of complex elements by their moduli. */
static bool is_close(DType dtype, const double *got, const double *expected, size_t count,
                     double relative, double absolute)
{
    size_t components = (size_t)dtype_components(dtype);
    for (size_t i = 0; i < count; i += components) {
        double distance = 0, size = 0;
        for (size_t part = i; part < i + components; part++) {
            if (value_same(got[part], expected[part]))
                continue;
            if (!isfinite(got[part]) || !isfinite(expected[part]))
                return false;
            distance = hypot(distance, got[part] - expected[part]);
        }
        for (size_t part = i; part < i + components; part++)
            size = isfinite(expected[part]) ? hypot(size, expected[part]) : size;
        if (distance > absolute + relative * size)
            return false;
    }
    return true;
}

/* numpy.allclose's defaults. */
static bool agrees_numpy(DType dtype, const double *got, const double *expected, size_t count)
{
    return is_close(dtype, got, expected, count, 1e-5, 1e-8);
}

/* torch.testing.assert_close's, by element type; whole numbers must be equal. */
static bool agrees_torch(DType dtype, const double *got, const double *expected, size_t count)
{
    static const struct {
        DType dtype;
        double relative, absolute;
    } rows[] = {{DT_F16, 1e-3, 1e-5},   {DT_BF16, 1.6e-2, 1e-5}, {DT_F32, 1.3e-6, 1e-5},
                {DT_C64, 1.3e-6, 1e-5}, {DT_F64, 1e-7, 1e-7},    {DT_C128, 1e-7, 1e-7}};
    double relative = 0, absolute = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].dtype == dtype)
            relative = rows[i].relative, absolute = rows[i].absolute;
    return is_close(dtype, got, expected, count, relative, absolute);
}

/* The mean square error over the mean square of what is expected, at most 1e-7. */
static bool agrees_nmse(DType dtype, const double *got, const double *expected, size_t count)
{
    double error = 0, square = 0;
    (void)dtype;
    for (size_t i = 0; i < count; i++) {
        if (value_same(got[i], expected[i])) {
            square += isfinite(expected[i]) ? expected[i] * expected[i] : 0;
            continue;
        }
        if (!isfinite(got[i]) || !isfinite(expected[i]))
            return false;
        error += (got[i] - expected[i]) * (got[i] - expected[i]);
        square += expected[i] * expected[i];
    }
    return error == 0 || error <= 1e-7 * square;
}

/* AutoTest's defaults. */
static bool agrees_autotest(DType dtype, const double *got, const double *expected, size_t count)
{
    return is_close(dtype, got, expected, count, 1e-4, 1e-5);
}

const Judge judges[] = {{"numpy", agrees_numpy},
                        {"torch", agrees_torch},
                        {"nmse", agrees_nmse},
                        {"autotest", agrees_autotest},
                        {NULL, NULL}};
