/* Results of kernels that are right in another way than the reference is: where the order of
 * factors, a reciprocal in place of a quotient, or a mask that is multiplied decide, where a
 * definition says nothing, and where two known departures meet.  Beside each a result that is
 * wrong. */
#include <math.h>
#include <string.h>

#include "ops/backend/promise.h"
#include "ops/case/operands.h"
#include "oracle/judge.h"
#include "tests/check.h"

enum { VALUES_MAX = 8, COUNT_MAX = 4096 };

/* The only elements of an output that matter: the first of them. */
typedef struct Way {
    const char *line, *output;
    VerdictKind verdict;
    const char *model; /* of VERDICT_POLICY, or NULL */
    size_t count;
    double values[VALUES_MAX];
} Way;

#define MEAN_OF_SEVEN                                                                              \
    "avg_pool1d_backward/2 dtype=f32 input_size=7 kernel_size=7 stride=1 | "                       \
    "dy=list,values:0x1.1fp+8"
#define NO_SLOPE_AT_INFINITY                                                                       \
    "hardsigmoid/1 dtype=f32 shape=scalar alpha=0x0p+0 beta=0x0p+0 | x=list,values:inf"
#define MEAN_OF_THREE                                                                              \
    "avg_pool1d_backward/2 dtype=f64 input_size=3 kernel_size=3 stride=1 | dy=list,values:1"
#define NAN_UPSTREAM "maximum_backward/2 dtype=f32 shape=1 | dy=ones,special:nan a=ones b=zeros"
#define HEADS                                                                                      \
    "attention_backward/2 dtype=f64 q_sequence_length=2 kv_sequence_length=2 head_size=1 "         \
    "v_head_size=1 is_causal=yes | "
#define PADDED_NAN                                                                                 \
    "conv1d/2 dtype=f64 out_channels_per_group=2 input_size=1 kernel_size=2 stride=1 "             \
    "pads_begin=0 pads_end=1 "                                                                     \
    "activation=relu | "                                                                           \
    "x=ones w=ones,special:nan,place:last"
#define ROOT          "acos_backward/1 dtype=f32 shape=1 | dy=ones x=list,values:0x1p-1"
#define FIFTH         "log_backward/1 dtype=f32 shape=1 | dy=ones x=list,values:5"
#define NO_ROOT       "sqrt_backward/1 dtype=f32 shape=1 | dy=zeros x=list,values:-1"
#define BELL          "erf_backward/1 dtype=f32 shape=1 | x=list,values:2 "
#define SLOPE         "sqrt_backward/1 dtype=f32 shape=1 | dy=zeros x=zeros"
#define ONE_TIMES_NAN "scal/1 dtype=c64 n=2 alpha=0x1p+0 incx=1 | x=ones,special:nan"
#define INFINITE_VARIANCE(mean)                                                                    \
    "batch_norm_backward/2 dtype=f32 batch=1 channels=1 input_size=1 epsilon=0x1p+0 | "            \
    "dy=list,values:0x1p+1 x=zeros scale=ones mean=" mean " variance=list,values:inf"
#define SMALL_SCALE                                                                                \
    "batch_norm_backward/2 dtype=f32 batch=1 channels=1 input_size=2 epsilon=0x1p+0 | "            \
    "dy=list,values:0;0x1p+122 x=ones scale=list,values:0x1p-108 mean=ones "                       \
    "variance=list,values:0x1p+88"
#define BEYOND_THE_RANGE                                                                           \
    "gemm3m/1 dtype=c128 m=1 n=1 k=1 alpha=0x1p+0 beta=0x1p+0 | a=int b=ones,special:max "         \
    "c=ones,special:nan"
#define INFINITE_LOGIT                                                                             \
    "bce_with_logits/2 dtype=f64 shape=1 reduction=mean | x=list,values:inf target=zeros"
#define EQUAL_TO_TARGET                                                                            \
    "l1_loss_backward/2 dtype=f64 shape=1 reduction=mean | dy=ones,special:nan x=ones target=ones"
#define RISING_PRODUCT "prod/1 dtype=f32 shape=3 axes=1 | x=list,values:0x1p+100;0x1p+100;0x1p-100"
#define RISING_ZERO    "prod/1 dtype=f32 shape=3 axes=1 | x=list,values:0x1p+100;0x1p+100;0"
#define FALLING_PRODUCT                                                                            \
    "prod/1 dtype=f32 shape=3 axes=1 | x=list,values:0x1.8p-100;0x1p-100;0x1p+100"
#define NAN_ON_NO_PIECE                                                                            \
    "leaky_relu_backward/2 dtype=f64 shape=1 negative_slope=1 | dy=ones x=list,values:nan"
#define STEEP_TIMES_INFINITY                                                                       \
    "sigmoid_backward/1 dtype=f32 shape=1 | dy=list,values:inf x=list,values:"
#define POWER_OF_ZERO "pow_backward/2 dtype=f64 shape=1 | dy=list,values:inf a=ones b=zeros"
#define OUTSIDE_THE_GRID                                                                           \
    "grid_sample_backward/2 dtype=f64 batch=1 channels=1 input_size=1x1 output_size=1x1 "          \
    "mode=linear padding_mode=zeros | dy=ones,special:nan x=ones grid=list,values:2;-3"

#define OVER_INFINITY "floor_divide/2 dtype=f32 shape=1 | a=list,values:-3 b=list,values:inf"
#define REFLECTED                                                                                  \
    "ormqr/1 dtype=f32 m=2 n=1 k=1 | a=list,values:1;2 tau=list,values:0x1p-126 "                  \
    "c=list,values:1;"
#define LONG_QUOTIENT                                                                              \
    "floor_divide/2 dtype=bf16 shape=1 | a=list,values:-0x1.0ep+3 b=list,values:0x1.2ep-6"
#define SHORT_QUOTIENT "floor_divide/2 dtype=bf16 shape=1 | a=list,values:-7 b=list,values:2"
#define NO_QUOTIENT                                                                                \
    "floor_divide/2 dtype=bf16 shape=1 | a=list,values:0x1.b4p-63 b=list,values:-0x1.9p+71"
#define POLE         "zeta/2 dtype=f32 shape=1 | a=list,values:0x1.8p+0 b=list,values:-2"
#define GAMMA_OF_0_0 "igamma/2 dtype=f64 shape=1 | a=zeros b=zeros"
#define GAMMA_TO_0   "igamma/2 dtype=f64 shape=1 | a=list,values:-1 b=zeros"
#define GAMMA_TO_1   "igamma/2 dtype=f64 shape=1 | a=list,values:-1 b=ones"
#define FAR_FACTORS                                                                                \
    "prod_backward/1 dtype=f32 shape=4 axes=1 | dy=ones "                                          \
    "x=list,values:0x1p+100;0x1p-100;0x1p+100;0x1p-100"

#define NO_TARGET                                                                                  \
    "kl_div_backward/2 dtype=f64 shape=1 reduction=mean | dy=ones x=ones target=ones,special:-inf"
#define HALF_TARGET                                                                                \
    "kl_div_backward/2 dtype=f64 shape=1 reduction=mean | dy=ones x=ones "                         \
    "target=list,values:0x1p-1"
#define QUANTILE "quantile/1 dtype=f64 shape=2 axis=0 q=0x0p+0 | x=ones,special:inf"
#define ERF      "erf/1 dtype=f32 shape=1 | x=list,values:0x1.5daed6p+1"

static const Way ways[] = {
    /* A target that is no probability counts as it is, or as 0. */
    {NO_TARGET, "dx", VERDICT_VACUOUS, NULL, 1, {0}},
    {NO_TARGET, "dx", VERDICT_VACUOUS, NULL, 1, {INFINITY}},
    {HALF_TARGET, "dx", VERDICT_AGREE, NULL, 1, {-0.5}},
    {HALF_TARGET, "dx", VERDICT_DIVERGE, NULL, 1, {0}},
    /* The least of 1 and infinity, found or interpolated by a weight of 0. */
    {QUANTILE, "y", VERDICT_AGREE, NULL, 1, {1}},
    {QUANTILE, "y", VERDICT_AGREE, NULL, 1, {NAN}},
    {QUANTILE, "y", VERDICT_DIVERGE, NULL, 1, {2}},
    /* 0.99988822 within the 16 ulp that OpenCL C has for erf, and 20 away. */
    {ERF, "y", VERDICT_AGREE, NULL, 1, {0x1.fff162p-1}},
    {ERF, "y", VERDICT_DIVERGE, NULL, 1, {0x1.fff182p-1}},
    /* A number over an infinity of the other sign, by its remainder; a quotient that leaves no room
     * for what is behind the point; and one that underflows. */
    {OVER_INFINITY, "y", VERDICT_AGREE, NULL, 1, {-1}},
    {OVER_INFINITY, "y", VERDICT_AGREE, NULL, 1, {-0.0}},
    {OVER_INFINITY, "y", VERDICT_DIVERGE, NULL, 1, {1}},
    {REFLECTED "0x1.fp+127", "c", VERDICT_VACUOUS, NULL, 2, {-INFINITY, -INFINITY}},
    {REFLECTED "0x1p+100", "c", VERDICT_DIVERGE, NULL, 2, {-INFINITY, -INFINITY}},
    {REFLECTED "0x1p+100", "c", VERDICT_AGREE, NULL, 2, {1, 0x1p100}},
    {LONG_QUOTIENT, "y", VERDICT_AGREE, NULL, 1, {-458}},
    {LONG_QUOTIENT, "y", VERDICT_AGREE, NULL, 1, {-460}},
    {LONG_QUOTIENT, "y", VERDICT_DIVERGE, NULL, 1, {-474}},
    {SHORT_QUOTIENT, "y", VERDICT_AGREE, NULL, 1, {-4}},
    {SHORT_QUOTIENT, "y", VERDICT_DIVERGE, NULL, 1, {-3}},
    {NO_QUOTIENT, "y", VERDICT_AGREE, NULL, 1, {-1}},
    {NO_QUOTIENT, "y", VERDICT_AGREE, NULL, 1, {-0.0}},
    {NO_QUOTIENT, "y", VERDICT_DIVERGE, NULL, 1, {1}},
    /* A pole of which only real powers have a side, and a place without a limit. */
    {POLE, "y", VERDICT_AGREE, NULL, 1, {INFINITY}},
    {POLE, "y", VERDICT_AGREE, NULL, 1, {NAN}},
    {POLE, "y", VERDICT_DIVERGE, NULL, 1, {2.6}},
    {GAMMA_OF_0_0, "y", VERDICT_AGREE, NULL, 1, {0}},
    {GAMMA_OF_0_0, "y", VERDICT_AGREE, NULL, 1, {NAN}},
    {GAMMA_OF_0_0, "y", VERDICT_DIVERGE, NULL, 1, {0.5}},
    {GAMMA_TO_0, "y", VERDICT_AGREE, NULL, 1, {0}},
    {GAMMA_TO_0, "y", VERDICT_AGREE, NULL, 1, {NAN}},
    {GAMMA_TO_0, "y", VERDICT_DIVERGE, NULL, 1, {1}},
    {GAMMA_TO_1, "y", VERDICT_DIVERGE, NULL, 1, {0}},
    /* Factors whose products leave the range in some order. */
    {FAR_FACTORS, "dx", VERDICT_VACUOUS, NULL, 4, {NAN, NAN, NAN, NAN}},
    {"prod_backward/1 dtype=f32 shape=2 axes=1 | dy=ones x=list,values:2;3",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     2,
     {NAN, 2}},
    /* 287 / 7 is 41; times the rounded reciprocal of 7 it is the number above. */
    {MEAN_OF_SEVEN,
     "dx",
     VERDICT_AGREE,
     NULL,
     7,
     {41, 0x1.480002p+5, 41, 0x1.480002p+5, 41, 41, 0x1.480002p+5}},
    {MEAN_OF_SEVEN, "dx", VERDICT_DIVERGE, NULL, 7, {41, 0x1.480006p+5, 41, 41, 41, 41, 41}},
    {MEAN_OF_THREE, "dx", VERDICT_DIVERGE, NULL, 3, {0x1.555556p-2, 0x1.555556p-2, 0x1.555556p-2}},
    /* 0 times infinity, between 0 and 1 by comparisons that NaN fails, or not. */
    {NO_SLOPE_AT_INFINITY, "y", VERDICT_UNDECIDED, NULL, 1, {1}},
    {NO_SLOPE_AT_INFINITY, "y", VERDICT_UNDECIDED, NULL, 1, {0}},
    {NO_SLOPE_AT_INFINITY, "y", VERDICT_AGREE, NULL, 1, {NAN}},
    {NO_SLOPE_AT_INFINITY, "y", VERDICT_DIVERGE, NULL, 1, {2}},
    /* A mask times NaN. */
    {NAN_UPSTREAM, "db", VERDICT_AGREE, NULL, 1, {NAN}},
    {NAN_UPSTREAM, "db", VERDICT_AGREE, NULL, 1, {0}},
    {NAN_UPSTREAM, "db", VERDICT_DIVERGE, NULL, 1, {1}},
    {NAN_UPSTREAM, "da", VERDICT_DIVERGE, NULL, 1, {0}},
    {"maximum_backward/2 dtype=f32 shape=1 | dy=ones a=ones b=zeros",
     "db",
     VERDICT_DIVERGE,
     NULL,
     1,
     {NAN}},
    /* The first row does not see the second column, whose weight of 0 is multiplied. */
    {HEADS "dy=ones,special:nan", "dk", VERDICT_AGREE, NULL, 2, {NAN, NAN}},
    {HEADS "dy=ones,special:nan", "dk", VERDICT_AGREE, NULL, 2, {NAN, 0}},
    {HEADS "dy=ones,special:nan", "dv", VERDICT_AGREE, NULL, 2, {NAN, 0.5}},
    {HEADS "dy=ones,special:nan", "dv", VERDICT_AGREE, NULL, 2, {NAN, NAN}},
    {HEADS "dy=ones,special:nan", "dv", VERDICT_DIVERGE, NULL, 2, {1.5, 0.5}},
    {HEADS "dy=ones k=ones,special:nan,place:last", "dk", VERDICT_AGREE, NULL, 2, {NAN, NAN}},
    {HEADS "dy=ones", "dk", VERDICT_DIVERGE, NULL, 2, {0, NAN}},
    {HEADS "dy=ones", "dk", VERDICT_AGREE, NULL, 2, {0, 0}},
    /* The sign of NaN may be NaN, or what comparisons make of it. */
    {"abs_backward/1 dtype=f32 shape=1 | dy=ones x=ones,special:nan",
     "dx",
     VERDICT_AGREE,
     NULL,
     1,
     {NAN}},
    {"abs_backward/1 dtype=f32 shape=1 | dy=ones x=ones,special:nan",
     "dx",
     VERDICT_AGREE,
     NULL,
     1,
     {0}},
    {"abs_backward/1 dtype=f32 shape=1 | dy=ones x=ones,special:nan",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     1,
     {2}},
    {"abs_backward/1 dtype=f32 shape=1 | dy=ones x=ones", "dx", VERDICT_DIVERGE, NULL, 1, {NAN}},
    {"relu_backward/1 dtype=f32 shape=1 | dy=ones x=ones,special:nan",
     "dx",
     VERDICT_AGREE,
     NULL,
     1,
     {NAN}},
    /* The root of -0 is a zero of either sign. */
    {"sqrt_backward/1 dtype=f32 shape=1 | dy=ones x=ones,special:-0",
     "dx",
     VERDICT_VACUOUS,
     NULL,
     1,
     {INFINITY}},
    {"sqrt_backward/1 dtype=f32 shape=1 | dy=ones x=zeros",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     1,
     {-INFINITY}},
    /* 2 dy x from the left, and from the right. */
    {"square_backward/1 dtype=f32 shape=1 | dy=ones,special:max x=zeros",
     "dx",
     VERDICT_VACUOUS,
     NULL,
     1,
     {NAN}},
    {"square_backward/1 dtype=f32 shape=1 | dy=ones x=zeros",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     1,
     {NAN}},
    {"sum_squares_backward/1 dtype=f32 shape=1 axes=1 | dy=ones,special:max x=list,values:0x1p-1",
     "dx",
     VERDICT_VACUOUS,
     NULL,
     1,
     {INFINITY}},
    {"mse_loss_backward/2 dtype=f32 shape=1 | dy=ones,special:max x=list,values:0x1p-1 "
     "target=zeros",
     "dx",
     VERDICT_VACUOUS,
     NULL,
     1,
     {INFINITY}},
    {"mse_loss_backward/2 dtype=f32 shape=1 | dy=ones x=list,values:0x1p-1 target=zeros",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     1,
     {INFINITY}},
    {"norm_backward/2 dtype=f32 shape=1 axes=1 ord=0x1p+1 | dy=ones,special:nan x=zeros",
     "dx",
     VERDICT_AGREE,
     NULL,
     1,
     {NAN}},
    {"norm_backward/2 dtype=f32 shape=1 axes=1 ord=0x1p+1 | dy=ones,special:nan x=zeros",
     "dx",
     VERDICT_AGREE,
     NULL,
     1,
     {0}},
    {"norm_backward/2 dtype=f32 shape=1 axes=1 ord=0x1p+1 | dy=ones,special:nan x=ones",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     1,
     {0}},
    {"norm_backward/2 dtype=f32 shape=1 axes=1 ord=0x1p+1 | dy=ones x=zeros",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     1,
     {1}},
    /* NaN goes through rows that are normalised, through sums of exponentials and what is made of
     * them. */
    {"layer_norm/1 dtype=f32 shape=2 axis=0 | x=ones,special:nan",
     "y",
     VERDICT_DIVERGE,
     NULL,
     2,
     {0, 0}},
    {"layer_norm/1 dtype=f32 shape=2 axis=0 | x=ones,special:nan",
     "y",
     VERDICT_AGREE,
     NULL,
     2,
     {NAN, NAN}},
    {"rms_norm/1 dtype=f32 shape=2 axis=0 | x=ones,special:nan",
     "y",
     VERDICT_DIVERGE,
     NULL,
     2,
     {NAN, 1}},
    {"softmax_backward/1 dtype=f32 shape=2 axis=0 | dy=ones,special:nan y=ones",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     2,
     {NAN, 0}},
    {"softmax/1 dtype=f32 shape=2 axis=0 | x=ones,special:-inf,place:all",
     "y",
     VERDICT_DIVERGE,
     NULL,
     2,
     {0, 0}},
    {"log_softmax/1 dtype=f32 shape=2 axis=0 | x=ones,special:inf",
     "y",
     VERDICT_AGREE,
     NULL,
     2,
     {NAN, -INFINITY}},
    {"log_softmax/1 dtype=f32 shape=2 axis=0 | x=ones,special:inf",
     "y",
     VERDICT_AGREE,
     NULL,
     2,
     {NAN, NAN}},
    {"log_softmax/1 dtype=f32 shape=2 axis=0 | x=ones,special:inf",
     "y",
     VERDICT_DIVERGE,
     NULL,
     2,
     {0, NAN}},
    {"attention/2 dtype=f32 q_sequence_length=1 kv_sequence_length=1 head_size=1 v_head_size=1 | "
     "q=ones,special:nan k=ones v=ones",
     "y",
     VERDICT_DIVERGE,
     NULL,
     1,
     {0}},
    {"attention/2 dtype=f32 q_sequence_length=1 kv_sequence_length=1 head_size=1 v_head_size=1 | "
     "q=ones,special:-inf k=ones v=ones",
     "y",
     VERDICT_AGREE,
     NULL,
     1,
     {0}},
    {"std_backward/1 dtype=f32 shape=2 axes=1 | dy=ones,special:nan x=list,values:1;2",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     2,
     {0, 0}},
    {"interpolate1d/2 dtype=f32 input_size=2 output_size=2 mode=linear | x=ones,special:nan",
     "y",
     VERDICT_DIVERGE,
     NULL,
     2,
     {1, 1}},
    {"grid_sample/2 dtype=f32 input_size=1x1 output_size=1x1 mode=linear padding_mode=zeros | "
     "x=ones,special:nan grid=zeros",
     "y",
     VERDICT_DIVERGE,
     NULL,
     1,
     {1}},
    /* The scale times the reciprocal of the root underflows before 2^121 multiplies it. */
    {SMALL_SCALE, "dx", VERDICT_AGREE, NULL, 2, {0, 0}},
    {SMALL_SCALE, "dx", VERDICT_AGREE, NULL, 2, {-0x1p-31, 0x1p-31}},
    {SMALL_SCALE, "dx", VERDICT_DIVERGE, NULL, 2, {1, 0x1p-31}},
    {INFINITE_VARIANCE("ones,special:max"), "dscale", VERDICT_VACUOUS, NULL, 1, {NAN}},
    {INFINITE_VARIANCE("ones"), "dscale", VERDICT_DIVERGE, NULL, 1, {NAN}},
    {"batch_norm/2 dtype=f32 input_size=1 | x=ones scale=ones bias=ones,special:nan mean=ones "
     "variance=ones",
     "y",
     VERDICT_DIVERGE,
     NULL,
     1,
     {1}},
    {"lstm/2 dtype=f32 seq_length=1 input_size=1 hidden_size=1 | x=ones,special:nan w=ones r=ones",
     "y",
     VERDICT_DIVERGE,
     NULL,
     1,
     {0}},
    {"bce_with_logits/2 dtype=f32 shape=1 | x=ones,special:nan target=ones",
     "y",
     VERDICT_DIVERGE,
     NULL,
     1,
     {0}},
    /* An infinite logit: by the definition, or by the form that does not overflow. */
    {INFINITE_LOGIT, "y", VERDICT_AGREE, NULL, 1, {INFINITY}},
    {INFINITE_LOGIT, "y", VERDICT_AGREE, NULL, 1, {NAN}},
    {INFINITE_LOGIT, "y", VERDICT_DIVERGE, NULL, 1, {0}},
    /* A slope of 0 is chosen, or multiplied by. */
    {EQUAL_TO_TARGET, "dx", VERDICT_AGREE, NULL, 1, {0}},
    {EQUAL_TO_TARGET, "dx", VERDICT_AGREE, NULL, 1, {NAN}},
    {EQUAL_TO_TARGET, "dx", VERDICT_DIVERGE, NULL, 1, {INFINITY}},
    {POWER_OF_ZERO, "da", VERDICT_AGREE, NULL, 1, {0}},
    {POWER_OF_ZERO, "da", VERDICT_AGREE, NULL, 1, {NAN}},
    {POWER_OF_ZERO, "da", VERDICT_DIVERGE, NULL, 1, {1}},
    /* 1 - s of 30 is 0 in binary32, of 1 it is not. */
    {STEEP_TIMES_INFINITY "30", "dx", VERDICT_AGREE, NULL, 1, {NAN}},
    {STEEP_TIMES_INFINITY "30", "dx", VERDICT_AGREE, NULL, 1, {INFINITY}},
    {STEEP_TIMES_INFINITY "30", "dx", VERDICT_DIVERGE, NULL, 1, {0}},
    {STEEP_TIMES_INFINITY "1", "dx", VERDICT_DIVERGE, NULL, 1, {NAN}},
    {NAN_ON_NO_PIECE, "dx", VERDICT_AGREE, NULL, 1, {0}},
    {NAN_ON_NO_PIECE, "dx", VERDICT_AGREE, NULL, 1, {1}},
    {NAN_ON_NO_PIECE, "dx", VERDICT_AGREE, NULL, 1, {NAN}},
    {NAN_ON_NO_PIECE, "dx", VERDICT_DIVERGE, NULL, 1, {2}},
    {OUTSIDE_THE_GRID, "dgrid", VERDICT_AGREE, NULL, 2, {0, 0}},
    {OUTSIDE_THE_GRID, "dgrid", VERDICT_AGREE, NULL, 2, {NAN, NAN}},
    {OUTSIDE_THE_GRID, "dgrid", VERDICT_DIVERGE, NULL, 2, {1, 0}},
    /* With alpha = 1 scal may return at once, or multiply by an imaginary part of 0; it never loses
     * the NaN, nor touches a finite element. */
    {BEYOND_THE_RANGE, "c", VERDICT_AGREE, NULL, 2, {NAN, INFINITY}},
    {BEYOND_THE_RANGE, "c", VERDICT_DIVERGE, NULL, 2, {-1, INFINITY}},
    {ONE_TIMES_NAN, "x", VERDICT_AGREE, NULL, 4, {NAN, 0, 1, 0}},
    {ONE_TIMES_NAN, "x", VERDICT_AGREE, NULL, 4, {NAN, NAN, 1, 0}},
    {ONE_TIMES_NAN, "x", VERDICT_DIVERGE, NULL, 4, {1, NAN, 1, 0}},
    {ONE_TIMES_NAN, "x", VERDICT_DIVERGE, NULL, 4, {NAN, 1, 1, 0}},
    {ONE_TIMES_NAN, "x", VERDICT_DIVERGE, NULL, 4, {NAN, 0, 1, NAN}},
    /* The first running product is the first factor, exactly. */
    {"cumprod/2 dtype=f64 shape=2 axis=0 | x=list,values:3;0x1.8p+0",
     "y",
     VERDICT_AGREE,
     NULL,
     2,
     {3, 4.5}},
    {"cumprod/2 dtype=f64 shape=2 axis=0 | x=list,values:3;0x1.8p+0",
     "y",
     VERDICT_DIVERGE,
     NULL,
     2,
     {0x1.8000000000001p+1, 4.5}},
    /* Places of NaN: the first, that of the greatest number, or what a running comparison finds. */
    {"argmax/1 dtype=f32 shape=3 axes=1 | x=list,values:1;2;1,special:nan,place:first",
     "y",
     VERDICT_AGREE,
     NULL,
     1,
     {0}},
    {"argmax/1 dtype=f32 shape=3 axes=1 | x=list,values:1;2;1,special:nan,place:first",
     "y",
     VERDICT_AGREE,
     NULL,
     1,
     {1}},
    {"argmax/1 dtype=f32 shape=3 axes=1 | x=list,values:1;2;1,special:nan,place:first",
     "y",
     VERDICT_DIVERGE,
     NULL,
     1,
     {2}},
    {"sort/2 dtype=f32 shape=3 axis=0 descending=no | x=list,values:3;2;1,special:nan,place:middle",
     "values",
     VERDICT_AGREE,
     NULL,
     3,
     {1, 3, NAN}},
    {"sort/2 dtype=f32 shape=3 axis=0 descending=no | x=list,values:3;2;1,special:nan,place:middle",
     "values",
     VERDICT_AGREE,
     NULL,
     3,
     {NAN, 1, 3}},
    {"sort/2 dtype=f32 shape=3 axis=0 descending=no | x=list,values:3;2;1,special:nan,place:middle",
     "values",
     VERDICT_DIVERGE,
     NULL,
     3,
     {3, NAN, 1}},
    /* An infinity is that, or NaN where equal formulas let infinities meet. */
    {"mul_backward/2 dtype=f32 shape=1 | dy=ones,special:inf a=ones b=ones",
     "da",
     VERDICT_DIVERGE,
     NULL,
     1,
     {1}},
    {"prod/1 dtype=f32 shape=2 axes=1 | x=list,values:-1,special:inf",
     "y",
     VERDICT_DIVERGE,
     NULL,
     1,
     {INFINITY}},
    {"prod/1 dtype=f32 shape=2 axes=1 | x=list,values:-1,special:inf",
     "y",
     VERDICT_AGREE,
     NULL,
     1,
     {-INFINITY}},
    /* A product that some order takes out of the range at one end is infinite or right, with a 0
     * it is that or NaN, and at the other end it loses a part that the later factors enlarge. */
    {RISING_PRODUCT, "y", VERDICT_AGREE, NULL, 1, {0x1p+100}},
    {RISING_PRODUCT, "y", VERDICT_AGREE, NULL, 1, {INFINITY}},
    {RISING_PRODUCT, "y", VERDICT_DIVERGE, NULL, 1, {-INFINITY}},
    {RISING_PRODUCT, "y", VERDICT_DIVERGE, NULL, 1, {NAN}},
    {RISING_PRODUCT, "y", VERDICT_DIVERGE, NULL, 1, {0x1p+101}},
    {RISING_ZERO, "y", VERDICT_AGREE, NULL, 1, {0}},
    {RISING_ZERO, "y", VERDICT_AGREE, NULL, 1, {NAN}},
    {RISING_ZERO, "y", VERDICT_DIVERGE, NULL, 1, {INFINITY}},
    {RISING_ZERO, "y", VERDICT_DIVERGE, NULL, 1, {1}},
    {FALLING_PRODUCT, "y", VERDICT_AGREE, NULL, 1, {0x1.8p-100}},
    {FALLING_PRODUCT, "y", VERDICT_AGREE, NULL, 1, {0}},
    {FALLING_PRODUCT, "y", VERDICT_DIVERGE, NULL, 1, {0x1p-40}},
    {FALLING_PRODUCT, "y", VERDICT_DIVERGE, NULL, 1, {NAN}},
    {FALLING_PRODUCT, "y", VERDICT_DIVERGE, NULL, 1, {INFINITY}},
    /* Integers beyond their range wrap or saturate; conversions between integers only wrap. */
    {"add/2 dtype=i8 shape=1 | a=list,values:100 b=list,values:100",
     "y",
     VERDICT_AGREE,
     NULL,
     1,
     {-56}},
    {"add/2 dtype=i8 shape=1 | a=list,values:100 b=list,values:100",
     "y",
     VERDICT_AGREE,
     NULL,
     1,
     {127}},
    {"add/2 dtype=i8 shape=1 | a=list,values:100 b=list,values:100",
     "y",
     VERDICT_DIVERGE,
     NULL,
     1,
     {0}},
    {"abs/1 dtype=i8 shape=1 | x=list,values:-128", "y", VERDICT_AGREE, NULL, 1, {-128}},
    {"abs/1 dtype=i8 shape=1 | x=list,values:-128", "y", VERDICT_DIVERGE, NULL, 1, {0}},
    {"mul/2 dtype=u8 shape=1 | a=list,values:16 b=list,values:17",
     "y",
     VERDICT_AGREE,
     NULL,
     1,
     {16}},
    {"mul/2 dtype=u8 shape=1 | a=list,values:16 b=list,values:17",
     "y",
     VERDICT_DIVERGE,
     NULL,
     1,
     {17}},
    {"cast/1 dtype=i32 shape=1 to=u8 | x=list,values:300", "y", VERDICT_AGREE, NULL, 1, {44}},
    {"cast/1 dtype=i32 shape=1 to=u8 | x=list,values:300", "y", VERDICT_DIVERGE, NULL, 1, {255}},
    {"cumsum/2 dtype=i32 shape=2 axis=0 | x=list,values:2147483647",
     "y",
     VERDICT_AGREE,
     NULL,
     2,
     {2147483647, -2}},
    {"cumsum/2 dtype=i32 shape=2 axis=0 | x=list,values:2147483647",
     "y",
     VERDICT_DIVERGE,
     NULL,
     2,
     {2147483647, 0}},
    /* beta y, or the empty sum and beta y. */
    {"gemv/1 dtype=f32 m=1 n=1 alpha=0x0p+0 beta=0x1p+0 | y=ones,special:-0",
     "y",
     VERDICT_AGREE,
     NULL,
     1,
     {0.0}},
    {"gemv/1 dtype=f32 m=1 n=1 alpha=0x0p+0 beta=0x1p+0 | y=ones,special:-0",
     "y",
     VERDICT_AGREE,
     NULL,
     1,
     {-0.0}},
    {"copy/1 dtype=f32 n=1 | x=ones,special:-0", "y", VERDICT_DIVERGE, NULL, 1, {0.0}},
    /* dy may be divided by the sum of weights first. */
    {"cross_entropy_backward/2 dtype=f32 batch=1 num_classes=1 weights=yes | dy=ones x=ones "
     "target=ones weight=ones,special:subnormal",
     "dx",
     VERDICT_VACUOUS,
     NULL,
     1,
     {NAN}},
    {"cross_entropy_backward/2 dtype=f32 batch=1 num_classes=1 weights=yes | dy=ones x=ones "
     "target=ones weight=ones",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     1,
     {NAN}},
    /* A root within 1 ulp, inside of a formula: 3 and 4 ulp off, of which 2 are due. */
    {ROOT, "dx", VERDICT_AGREE, NULL, 1, {-0x1.279a76p+0}},
    {ROOT, "dx", VERDICT_POLICY, "faithful-rounding", 1, {-0x1.279a7ap+0}},
    {ROOT, "dx", VERDICT_DIVERGE, NULL, 1, {-0x1.279a8p+0}},
    /* A reciprocal within 1 ulp, times dy. */
    {FIFTH, "dx", VERDICT_AGREE, NULL, 1, {0x1.99999cp-3}},
    {FIFTH, "dx", VERDICT_POLICY, "faithful-rounding", 1, {0x1.99999ep-3}},
    {FIFTH, "dx", VERDICT_DIVERGE, NULL, 1, {0x1.9999ap-3}},
    /* 0 times the infinite slope of the root. */
    {SLOPE, "dx", VERDICT_AGREE, NULL, 1, {0}},
    {SLOPE, "dx", VERDICT_AGREE, NULL, 1, {NAN}},
    {SLOPE, "dx", VERDICT_DIVERGE, NULL, 1, {1}},
    {NO_ROOT, "dx", VERDICT_AGREE, NULL, 1, {0}},
    {NO_ROOT, "dx", VERDICT_AGREE, NULL, 1, {NAN}},
    {NO_ROOT, "dx", VERDICT_DIVERGE, NULL, 1, {1}},
    {"sqrt_backward/1 dtype=f32 shape=1 | dy=ones x=list,values:-1",
     "dx",
     VERDICT_DIVERGE,
     NULL,
     1,
     {0}},
    /* The greatest number times 2 / sqrt(pi) overflows before exp(-x^2) makes it small. */
    {BELL "dy=ones,special:max", "dx", VERDICT_VACUOUS, NULL, 1, {INFINITY}},
    {BELL "dy=list,values:0x1p+127", "dx", VERDICT_DIVERGE, NULL, 1, {INFINITY}},
    /* A NaN beside the padding, which the activation loses: two departures. */
    {PADDED_NAN, "y", VERDICT_AGREE, NULL, 2, {1, 1}},
    {PADDED_NAN, "y", VERDICT_POLICY, "zero-fill", 2, {1, NAN}},
    {PADDED_NAN, "y", VERDICT_POLICY, "nan-by-comparison", 2, {1, 0}},
    {PADDED_NAN, "y", VERDICT_DIVERGE, NULL, 2, {2, 0}},
};

/* Any reading that is known is admitted. */
static bool admits_all(const void *context, const char *reading)
{
    (void)context;
    return reading != NULL;
}

static const Admission admit_all = {admits_all, NULL};

/* Puts the verdict on a way, with the promise of no more than IEEE arithmetic. */
static Judgement judge(const Way *way, Workspace *workspace)
{
    static const Promise promise = {.models = models_ieee, .readings = models_readings};
    Case c;
    Text error = {0};
    Operands o;
    Ref refs[OP_TENSORS_MAX] = {0};
    double got[COUNT_MAX] = {0};
    int output = 0;
    CHECK(case_parse(&c, way->line, &error));
    text_release(&error);
    case_normalise(&c, NULL);
    operands_build(&o, workspace, &c);
    while (strcmp(c.op->tensors[output], way->output) != 0)
        output++;
    operands_reference(&o, refs, &workspace->arena);
    CHECK(refs[output].count == way->count);
    memcpy(got, way->values, sizeof way->values);
    return judge_output(&refs[output], &promise, &admit_all, NULL, got, NULL, &workspace->arena);
}

static void test_ways(Workspace *workspace)
{
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        const Way *way = &ways[i];
        Judgement j = judge(way, workspace);
        bool right =
            j.kind == way->verdict && (!way->model || (j.model && !strcmp(j.model, way->model)));
        if (!right)
            (void)fprintf(stderr, "%s: %a is %s %s\n", way->line, way->values[0],
                          verdict_name(j.kind), j.model);
        CHECK(right);
    }
}

/* The variance of a row whose mean is rounded, differentiated as it is computed: through the mean
 * as well. */
static void test_through_the_mean(Workspace *workspace)
{
    static const Promise promise = {.models = models_ieee, .readings = models_readings};
    Case c;
    Text error = {0};
    Operands o;
    Ref refs[OP_TENSORS_MAX] = {0};
    CHECK(case_parse(&c, "var_backward/1 dtype=f32 shape=19 axes=1 | dy=ones x=normal:5", &error));
    text_release(&error);
    operands_build(&o, workspace, &c);
    operands_reference(&o, refs, &workspace->arena);
    size_t count = refs[2].count;
    const float *x = (const float *)(const void *)o.view[1].origin;
    float mean = 0, rest = 0, gradient[COUNT_MAX];
    double got[COUNT_MAX];
    for (size_t i = 0; i < count; i++)
        mean += x[i];
    mean /= (float)count;
    for (size_t i = 0; i < count; i++) {
        gradient[i] = 2 * (x[i] - mean) / (float)count;
        rest += gradient[i];
    }
    for (size_t i = 0; i < count; i++)
        got[i] = gradient[i] - rest / (float)count;
    CHECK(judge_output(&refs[2], &promise, &admit_all, NULL, got, NULL, &workspace->arena).kind ==
          VERDICT_AGREE);
    for (size_t i = 0; i < count; i++)
        got[i] = gradient[i] * 1.00001;
    CHECK(judge_output(&refs[2], &promise, &admit_all, NULL, got, NULL, &workspace->arena).kind ==
          VERDICT_DIVERGE);
}

/* Libraries document targets between 0 and 1, whatever the recipe says. */
static void test_targets(Workspace *workspace)
{
    static const char *const fills[] = {
        "wide", "exponents", "ones,special:inf", "ones,special:-inf", "ones,special:max", "bits"};
    for (size_t k = 0; k < COUNT_OF(fills); k++) {
        Text line = {0}, error = {0};
        Case c;
        Operands o;
        text_printf(&line, "bce_with_logits/2 dtype=f64 shape=40 | x=wide target=%s", fills[k]);
        CHECK(case_parse(&c, text_string(&line), &error));
        operands_build(&o, workspace, &c);
        bool beyond = false;
        for (int64_t i = 0; i < 40; i++) {
            double target = tensor_value(&o.view[1], i);
            CHECK(isnan(target) || (target >= 0 && target <= 1));
            beyond = beyond || fabs(tensor_value(&o.view[0], i)) > 1;
        }
        CHECK(beyond);
        text_release(&line);
        text_release(&error);
    }
}

int main(void)
{
    Workspace workspace;
    if (!workspace_init(&workspace))
        return 1;
    test_ways(&workspace);
    test_through_the_mean(&workspace);
    test_targets(&workspace);
    workspace_release(&workspace);
    return check_end("right ways");
}
