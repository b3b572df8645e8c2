/* One template for each format. */
#include "decoders.h"

extern const char decode_bfloat_c_in[], decode_e4m3_c_in[], decode_e5m2_c_in[], decode_half_c_in[];

const char *decoder_name(DType dtype)
{
    static const char *const names[DT_COUNT] = {[DT_F16] = "from_half",
                                                [DT_BF16] = "from_bfloat",
                                                [DT_E4M3] = "from_e4m3",
                                                [DT_E5M2] = "from_e5m2"};
    return names[dtype] ? names[dtype] : "(double)";
}

void decoder_put(Text *source, DType dtype)
{
    if (dtype == DT_F16 || dtype == DT_E5M2)
        text_put(source, decode_half_c_in);
    if (dtype == DT_BF16)
        text_put(source, decode_bfloat_c_in);
    if (dtype == DT_E5M2)
        text_put(source, decode_e5m2_c_in);
    if (dtype == DT_E4M3)
        text_put(source, decode_e4m3_c_in);
}
