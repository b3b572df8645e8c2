/* Faults of LAPACK's routines as rows: what real kernels have got wrong, each for the calls of one
 * condition. */
#include "planted.h"

const PlantedRow planted_lapack_rows[] = {
    {"trtri-blocked", "trtri", "extent", "n=33..", "coarse last of a"},
    {"trtri-unit-diagonal", "trtri", "parameter", "diag=stored,n=3..", "set diag=unit"},
    {"trtri-tail", "trtri", "lane", "n%4=3,n=7..", "coarse tail4 of a"},
    {"trtri-upper-complex", "trtri", "dtype", "dtype=c128,uplo=upper,n=2..", "coarse last of a"},
    {"trtri-singular-unseen", "trtri", "special", "has.a=zero,n=2..", "zero all of info"},
    {"potri-padded", "potri", "leading", "lda=1..,n=2..", "coarse last of a"},
    {"potri-lower-half", "potri", "parameter", "uplo=lower,n=9..", "coarse half of a"},
    {"getri-long", "getri", "extent", "n=20..", "coarse last of a"},
    {"getri-least-workspace", "getri", "parameter", "lwork=least,n=5..", "spoil last of a"},
    {"getri-info-lost", "getri", "special", "has.a=zero,n=2..", "zero all of info"},
    {"lange-rows-for-columns", "lange", "parameter", "norm=one,m=2..,n=2..", "set norm=infinity"},
    {"lange-nan-lost", "lange", "special", "has.a=nan", "lose-nan all of result"},
    {"lange-long", "lange", "extent", "m=40..", "coarse all of result"},
    {"lansy-tail", "lansy", "lane", "n%4=1,n=5..", "coarse all of result"},
    {"lansy-lower-frobenius", "lansy", "parameter", "uplo=lower,norm=frobenius,n=2..",
     "spoil all of result"},
    {"lantr-unit-diagonal", "lantr", "parameter", "diag=stored,m=2..,n=2..", "set diag=unit"},
    {"geqrf-blocked", "geqrf", "extent", "m=33..,n=33..", "coarse last of a"},
    {"geqrf-tau-tail", "geqrf", "lane", "n%4=3,m=9..,n=7..", "coarse last of tau"},
    {"geqrf-least-workspace", "geqrf", "parameter", "lwork=least,m=9..,n=9..", "spoil last of a"},
    {"gelqf-complex", "gelqf", "dtype", "dtype=c64,m=2..,n=2..", "negate first of a"},
    {"geqlf-tall", "geqlf", "extent", "m=20..,n=3..", "zero last of tau"},
    {"gerqf-padded", "gerqf", "leading", "lda=1..,m=3..,n=3..", "copy last of a"},
    {NULL, NULL, NULL, NULL, NULL},
};
