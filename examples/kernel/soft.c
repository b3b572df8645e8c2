/* A softmax of each row, with a mistake: docs/own-kernel.md finds it. */
#include <math.h>

void my_softmax(const float *x, float *y, int rows, int cols)
{
    for (int i = 0; i < rows; i++, x += cols, y += cols) {
        float greatest = -INFINITY, sum = 0;
        for (int k = 0; k < cols; k++)
            greatest = fmaxf(greatest, x[k]);
        for (int k = 0; k < cols; k++)
            sum += y[k] = expf(x[k] - greatest);
        int k = 0;
        for (; k + 4 <= cols; k += 4) {
            y[k] /= sum;
            y[k + 1] /= sum;
            y[k + 2] /= sum;
            y[k + 3] /= sum;
        }
        for (; k < cols; k += 2)
            y[k] /= sum;
    }
}
