/* C = alpha A B + beta C of row-major matrices, four columns at a time: docs/own-gemm.md finds what
 * is wrong. */
enum { BLOCK = 4 };

static void put(double *c, double alpha, double sum, double beta)
{
    *c = beta == 0 ? alpha * sum : alpha * sum + beta * *c;
}

void my_dgemm(int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
              double beta, double *c, int ldc)
{
    for (int i = 0; i < m; i++) {
        double *row = c + (long)i * ldc;
        int j = 0;
        for (; j + BLOCK <= n; j += BLOCK) {
            double sum[BLOCK] = {0};
            for (int p = 0; p < k; p++)
                for (int q = 0; q < BLOCK; q++)
                    sum[q] += a[(long)i * lda + p] * b[(long)p * ldb + j + q];
            for (int q = 0; q < BLOCK; q++)
                put(&row[j + q], alpha, sum[q], beta);
        }
        for (; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += a[(long)i * lda + p] * b[(long)p * n + j];
            put(&row[j], alpha, sum, beta);
        }
    }
}
