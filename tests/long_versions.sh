# Older versions of libraries: none is absent for want of a name that a later one has, what the adapter asks of one and it
# has not is declined with a reason, and never filed as a finding.  Each row of the matrix is a version that make versions
# fetches; families of operators that it must run are named, the rest of them may.
. tests/lib.sh
older=${OPCONFORM_DEPS:-$PWD/.deps}/older
[ -d "$older" ] || skip_all "there are no older versions: make versions"
families='activation=relu,sigmoid,tanh,gelu,leaky_relu arithmetic=add,mul,div,pow,maximum functions=exp,log,sqrt,sin,erf
reductions=sum,mean,amax,argmax,prod,cumsum norms=batch_norm,layer_norm,group_norm pools=max_pool2d,avg_pool2d
convolutions=conv1d,conv2d products=matmul,linear,einsum moves=transpose,flip,concat,pad,tile indices=gather,topk,where
softmax=softmax,log_softmax losses=mse_loss,cross_entropy,huber_loss integers=bitwise_and,floor_divide'

# Words of exceptions that say of an adapter that it assumed what a version has not.
assumed='AttributeError|ImportError|ModuleNotFound|NameError|unexpected keyword|has no attribute|invalid model|Failed to load model'

matrix() { # NAME BACKEND: a handful of cases of each operator of the families
    local name=$1 backend=$2 db=$scratch/$1.db operators family
    operators=$(tr ' ' '\n' <<<"$families" | cut -d= -f2 | paste -sd,)
    "$opconform" fuzz --backend "$backend" --op "$operators" --engine random --seed 7 --cases "${VERSION_CASES:-1500}" --time 300s \
        --deadline 20s --db "$db" --quiet >"$scratch/out" 2>"$scratch/err"
    check "$name: no campaign: $(head -n 2 "$scratch/err")" [ -s "$db" ]
    while read -r line; do
        fail "$name: an adapter's error is a finding: $line"
    done < <(sql "$db" "SELECT op || ' ' || detail FROM finding WHERE symptom = 'refused'" | grep -E "$assumed")
    check "$name: a decline without a reason" [ "$(sql "$db" "SELECT count(*) FROM decline WHERE length(trim(reason)) < 5")" = 0 ]
    check "$name: a lack is told without the version" [ "$(sql "$db" "SELECT count(*) FROM decline WHERE reason LIKE 'the library has%' OR
        reason LIKE 'its version %' OR reason LIKE 'Could not find an implementation%'")" = 0 ]
    for family in $families; do
        local list
        list=$(sed "s/.*=//; s/,/','/g" <<<"$family")
        check "$name runs nothing of ${family%%=*}" \
            [ "$(sql "$db" "SELECT coalesce(sum(executions), 0) FROM coverage WHERE op IN ('$list')")" -gt 0 ]
    done
    echo "$name: $(sql "$db" "SELECT sum(executions) || ' runs, ' || sum(declined) || ' declined' FROM coverage")," \
        "$(sql "$db" "SELECT count(*) FROM finding") findings"
}

for folder in "$older"/*-[0-9]*; do
    name=$(basename "$folder")
    case $name in
        onnxruntime-*) matrix "$name" "ort@$folder/libonnxruntime.so.1" ;;
        *) matrix "$name" "${name%%-*}@$folder/.venv" ;;
    esac
done
finish
