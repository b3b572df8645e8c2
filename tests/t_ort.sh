# The numbers of the functions that we call of ONNX Runtime, on every version that is here.
. tests/lib.sh
for folder in "${OPCONFORM_DEPS:-.deps}"/ort-*; do
    [ -f "$folder/libonnxruntime.so.1" ] || continue
    expect 0 "$BUILD/tests/ort_slots" "$folder/libonnxruntime.so.1" "${folder##*/ort-}"
done
[ "$checks" -gt 0 ] || skip_all "there is no ONNX Runtime (make backends)"
finish
