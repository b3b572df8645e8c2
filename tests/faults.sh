# The planted faults of the BLAS, and the operator that shows each.
faults="drop-last-k tail-column ld-ignored beta-twice beta0-reads-c nan-dropped minus-zero-lost bf16-inputs
    tf32-inputs half-sum one-ulp past-row no-write input-modified input-restored second-call alpha-sign conjugate swap-rows
    saturate flush flush-mode overread hang leak segfault abort incx-sign empty-scaled other-triangle unit-diagonal
    triangle-written imaginary-diagonal coarse-unknown coarse-packed last-index norm-overflow alpha-bits
    illegal-accepted"

op_of() {
    case $1 in
    incx-sign | empty-scaled) echo gemv ;;
    other-triangle) echo symv ;;
    unit-diagonal) echo trmm ;;
    triangle-written) echo syrk ;;
    imaginary-diagonal) echo herk ;;
    coarse-unknown) echo trsm ;;
    coarse-packed) echo tpsv ;;
    last-index) echo iamax ;;
    norm-overflow) echo nrm2 ;;
    *) echo gemm ;;
    esac
}

# The first of the findings of a database that is no policy, else the first.
leading="FROM finding ORDER BY kind IN ('POLICY', 'INVARIANCE'), id LIMIT 1"
