/* A user's functions, in the ways in which people write them. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void my_softmax(const float *x, float *y, int outer, int extent, int inner)
{
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++) {
            const float *from = x + (size_t)o * extent * inner + i;
            float *to = y + (size_t)o * extent * inner + i, greatest = -INFINITY, sum = 0;
            for (int k = 0; k < extent; k++)
                greatest = fmaxf(greatest, from[(size_t)k * inner]);
            for (int k = 0; k < extent; k++)
                sum += to[(size_t)k * inner] = expf(from[(size_t)k * inner] - greatest);
            for (int k = 0; k < extent; k++)
                to[(size_t)k * inner] /= sum;
        }
}

/* y = alpha a b + beta y, by rows; 0 where it worked, 7 where it does not like its arguments. */
int my_dgemm(int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
             double beta, double *c, int ldc)
{
    if (m < 0 || n < 0 || k < 0 || lda < k || ldb < n || ldc < n)
        return 7;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0, *at = c + (size_t)i * (size_t)ldc + j;
            for (int l = 0; alpha != 0 && l < k; l++)
                sum += a[(size_t)i * (size_t)lda + l] * b[(size_t)l * (size_t)ldb + j];
            *at = alpha == 0 && beta != 0 ? beta * *at : alpha * sum + (beta != 0 ? beta * *at : 0);
        }
    return 0;
}

/* The same for columns, as Fortran is called; refuses what has more than 40 columns. */
int my_sgemm_(const char *ta, const int *m, const int *n, const int *k, const float *alpha,
              const float *a, const int *lda, const float *b, const int *ldb, const float *beta,
              float *c, const int *ldc)
{
    if (*n > 40)
        return 3;
    for (int j = 0; j < *n; j++)
        for (int i = 0; i < *m; i++) {
            float sum = 0, *at = c + (size_t)j * (size_t)*ldc + i;
            for (int l = 0; *alpha != 0 && l < *k; l++)
                sum += (*ta == 't' ? a[(size_t)i * (size_t)*lda + l]
                                   : a[(size_t)l * (size_t)*lda + i]) *
                       b[(size_t)j * (size_t)*ldb + l];
            *at = *alpha == 0 && *beta != 0 ? *beta * *at
                                            : *alpha * sum + (*beta != 0 ? *beta * *at : 0);
        }
    return 0;
}

#define DOT(name, type)                                                                            \
    type name(size_t n, const type *x, const type *y)                                              \
    {                                                                                              \
        type sum = 0;                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            sum += x[i] * y[i];                                                                    \
        return sum;                                                                                \
    }
DOT(my_sdot, float)
DOT(my_ddot, double)

#define UNARY(name, value)                                                                         \
    void name(const float *restrict x, float *restrict y, size_t n)                                \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            y[i] = value;                                                                          \
    }
UNARY(my_relu, x[i] > 0 || isnan(x[i]) ? x[i] : 0)
UNARY(my_exp, expf(x[i]))

void my_leaky_relu(const double *x, double *y, const int64_t *shape, int rank, double slope)
{
    int64_t n = 1;
    for (int i = 0; i < rank; i++)
        n *= shape[i];
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : slope * x[i];
}

void my_layer_norm(const float *x, const float *scale, const float *bias, float *y, long rows,
                   long cols, float epsilon)
{
    for (long i = 0; i < rows; i++, x += cols, y += cols) {
        float mean = 0, variance = 0;
        for (long k = 0; k < cols; k++)
            mean += x[k];
        mean /= (float)cols;
        for (long k = 0; k < cols; k++)
            variance += (x[k] - mean) * (x[k] - mean);
        float root = sqrtf(variance / (float)cols + epsilon);
        for (long k = 0; k < cols; k++)
            y[k] = (x[k] - mean) / root * scale[k] + bias[k];
    }
}

/* As its definition has it, from left to right. */
void my_batch_norm(const float *x, const float *scale, const float *bias, const float *mean,
                   const float *variance, float *y, int batch, int channels, int area,
                   float epsilon)
{
    for (int i = 0; i < batch * channels; i++)
        for (int k = 0; k < area; k++, x++, y++)
            *y = (*x - mean[i % channels]) / sqrtf(variance[i % channels] + epsilon) *
                     scale[i % channels] +
                 bias[i % channels];
}

/* my_layer_norm without scale and bias, with a number for epsilon that nobody is told. */
void my_plain_norm(const float *x, float *y, long rows, long cols)
{
    for (long i = 0; i < rows; i++) {
        float scale[4096], bias[4096];
        for (long k = 0; k < cols; k++)
            scale[k] = 1, bias[k] = 0;
        my_layer_norm(x + i * cols, scale, bias, y + i * cols, 1, cols, 1e-5f);
    }
}

void my_sum(const float *x, float *y, int rows, int cols)
{
    for (int i = 0; i < rows; i++) {
        y[i] = 0;
        for (int k = 0; k < cols; k++)
            y[i] += x[(size_t)i * (size_t)cols + k];
    }
}

float my_sum_of_all(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

void my_linear(const float *x, const float *w, const float *bias, float *y, int batch, int in,
               int out)
{
    for (int i = 0; i < batch; i++)
        for (int o = 0; o < out; o++) {
            float sum = bias ? bias[o] : 0;
            for (int k = 0; k < in; k++)
                sum += x[i * in + k] * w[o * in + k];
            y[i * out + o] = sum;
        }
}

/* Any strides, as frameworks have them. */
void my_add(const double *a, const double *b, double *y, ptrdiff_t rows, ptrdiff_t cols,
            ptrdiff_t a0, ptrdiff_t a1, ptrdiff_t b0, ptrdiff_t b1, ptrdiff_t y0, ptrdiff_t y1)
{
    for (ptrdiff_t i = 0; i < rows; i++)
        for (ptrdiff_t k = 0; k < cols; k++)
            y[i * y0 + k * y1] = a[i * a0 + k * a1] + b[i * b0 + k * b1];
}

/* A reduction by its name. */
double my_loss(const double *x, const double *target, int n, const char *reduction)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (x[i] - target[i]) * (x[i] - target[i]);
    return strcmp(reduction, "mean") ? sum : sum / n;
}

/* Blocks of eight columns only, by aligned vectors. */
void my_square(const float *x, float *y, int rows, int cols)
{
    typedef float Vector __attribute__((vector_size(32)));
    for (long i = 0; i < (long)rows * cols / 8; i++)
        ((Vector *)y)[i] = ((const Vector *)x)[i] * ((const Vector *)x)[i];
}

void my_bfloat(const uint16_t *x, uint16_t *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] & 0x7fff;
}
