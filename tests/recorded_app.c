/* An application for the recorder: what it does is the word behind its name. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };
void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a,
                 int lda, const double *b, int ldb, double beta, double *c, int ldc);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
float _Complex cdotu_(const int *n, const void *x, const int *incx, const void *y, const int *incy);
void cblas_zscal(int n, const void *alpha, void *x, int incx);
void dtrsv_(const char *uplo, const char *ta, const char *diag, const int *n, const double *a,
            const int *lda, double *x, const int *incx, size_t, size_t, size_t);
size_t cblas_idamax(int n, const double *x, int incx);

static double numbers[3][4096];

static void *multiply(void *ignored)
{
    for (int i = 0; i < 1000; i++)
        cblas_dgemm(ROW_MAJOR, NO_TRANS, TRANS, 3, 5, 7, 1, numbers[0], 8, numbers[1], 9, 0,
                    numbers[2], 5);
    return ignored;
}

/* A function of every kind, with the values that it must give. */
static int call_all(void)
{
    const int n = 2, one = 1;
    const double x[] = {1, 2, 3, 4}, y[] = {5, 6, 7, 8}, a[] = {2, 0, 1, 4}, alpha[] = {0, 1};
    const float z[] = {1, 2, 3, 4};
    double solved[] = {4, 8}, scaled[] = {1, 2, 3, 4};
    float _Complex product = cdotu_(&n, z, &one, z, &one);
    float parts[2];
    memcpy(parts, &product, sizeof parts);
    dtrsv_("U", "N", "N", &n, a, &n, solved, &one, 1, 1, 1);
    cblas_zscal(1, alpha, scaled, 1);
    cblas_zscal(0, alpha, scaled, 1);
    return cblas_ddot(4, x, 1, y, 1) == 70 && cblas_ddot(2, x, 2, x, 2) == 10 && parts[0] == -10 &&
                   parts[1] == 28 && solved[1] == 2 && solved[0] == 1 && scaled[0] == -2 &&
                   scaled[1] == 1 && cblas_idamax(4, y, 1) == 3
               ? 0
               : 5;
}

static int use_threads(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, multiply, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

/* Children that end in every way, one of them with a new program. */
static int use_children(char **words)
{
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            multiply(NULL);
            if (i == 0)
                _exit(0);
            if (i == 1)
                kill(getpid(), SIGKILL);
            execl(words[0], words[0], "threads", (char *)NULL);
            _exit(1);
        }
        waitpid(child, NULL, 0);
    }
    return 0;
}

/* More different calls than a recording has room for. */
static int call_many(void)
{
    double sum = 0;
    for (int incx = 1; incx <= 300; incx++)
        for (int incy = 1; incy <= 300; incy++)
            sum += cblas_ddot(1, numbers[0], incx, numbers[1], incy);
    return sum != 0;
}

/* A long sum over rows that lie at a round distance: a shape that the generator rarely draws. */
static int multiply_far_rows(void)
{
    cblas_dgemm(ROW_MAJOR, NO_TRANS, TRANS, 3, 5, 300, 1, numbers[0], 512, numbers[1], 512, 0,
                numbers[2], 5);
    return 0;
}

/* A leading dimension that is too small, which OpenBLAS refuses. */
static int call_illegal(void)
{
    cblas_dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, 3, 5, 7, 1, numbers[0], 6, numbers[1], 5, 0,
                numbers[2], 5);
    cblas_dgemm(ROW_MAJOR, 17, NO_TRANS, 3, 5, 7, 1, numbers[0], 7, numbers[1], 5, 0, numbers[2],
                5);
    return 0;
}

/* Prints nanoseconds for a call of a product that is as small as can be. */
static int measure(void)
{
    enum { CALLS = 2000000 };
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < CALLS; i++)
        (void)cblas_ddot(1, numbers[0], 1, numbers[1], 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.0f ns\n",
           ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
               CALLS);
    return 0;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (!strcmp(word, "threads"))
        return use_threads();
    if (!strcmp(word, "children"))
        return use_children(argv);
    if (!strcmp(word, "many"))
        return call_many();
    if (!strcmp(word, "illegal"))
        return call_illegal();
    if (!strcmp(word, "far"))
        return multiply_far_rows();
    if (!strcmp(word, "measure"))
        return measure();
    return call_all();
}
