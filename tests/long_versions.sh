# Older versions of libraries: none is absent for want of a name that a later one has, what the adapter asks of one and it
# has not is declined with a reason, and never filed as a finding.  Each row of the matrix is a version that make versions
# fetches; families of operators that it must run are named, the rest of them may.  The known bugs of older versions show.
. tests/lib.sh
. tests/known.sh
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

# Calls by names, numbers beside tensors, types without a kernel and operator sets are no findings of what lacks them.
lacking() { # BACKEND
    cat >"$scratch/lines" <<'L'
attention/2 dtype=f32 batch=1 kv_num_heads=1 group_size=1 q_sequence_length=1 kv_sequence_length=1 head_size=1 v_head_size=1 is_causal=no | q=ones k=ones v=ones | exec=form:named
median/1 dtype=f32 shape=1 axis=0 | x=ones | exec=form:named
lt/2 dtype=i32 shape=1 broadcast_a=0 broadcast_b=0 | a=ones b=ones | exec=form:number
pixel_unshuffle/1 dtype=c64 batch=1 channels=1 size=1x1 block_size=1 | x=ones
group_norm/2 dtype=f32 batch=1 channels_per_group=2 num_groups=2 input_size=1 epsilon=0x1.4f8b58p-17 | x=ones scale=ones bias=ones
grid_sample/2 dtype=f32 batch=1 channels=1 input_size=1x1x1 output_size=1x1x1 mode=nearest padding_mode=zeros align_corners=no | x=ones grid=zeros
L
    "$opconform" replay "$scratch/lines" --backend "$1" --deadline 20s --json >"$scratch/out" 2>"$scratch/err"
    check "$1: replay: $(head -n 1 "$scratch/err")" [ -s "$scratch/out" ]
    verdicts | paste -d ' ' - "$scratch/lines" | grep -vE '^[^ ]+ (AGREE|VACUOUS|DECLINED) ' >"$scratch/filed" &&
        fail "what is lacking is a finding: $(cat "$scratch/filed")"
}

for folder in "$older"/*-[0-9]*; do
    name=$(basename "$folder")
    case $name in
        onnxruntime-*) backend=ort@$folder/libonnxruntime.so.1 ;;
        *) backend=${name%%-*}@$folder/.venv ;;
    esac
    matrix "$name" "$backend"
    lacking "$backend"
done
for backend in $(described_backends | grep @); do show_cases "$backend"; done
finish
