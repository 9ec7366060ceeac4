/* SPDX-License-Identifier: MIT */
#include "support/fake_cl/fault_shapes.h"

#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "conformance/reference.h"
#include "support/suite.h"

static const struct slice_case shapes[] = {
    [SHAPE_ROWS] = CASE("rows", UINT16, IN(2, 67, 50), FROM(0, 3, 3), WINDOW(2, 60, 40),
                        BY(1, 1, 1), OUT(2, 60, 40), OUT_STRIDES(2400, 40, 1)),
    [SHAPE_STRIDED] = CASE("strided", UINT16, IN(2, 37, 50), FROM(0, 3, 4), WINDOW(2, 30, 40),
                           BY(1, -2, -1), OUT(2, 15, 40), OUT_STRIDES(600, 40, 1)),
    /* several rectangles to read back: no pitch of a row divides that of a slice */
    [SHAPE_GAPS] =
        CASE("gaps", UINT16, WHOLE(3, 4, 5), BY(-1, 1, 1), OUT(3, 4, 5), OUT_STRIDES(53, 10, 1)),
    /* the same where one does */
    [SHAPE_PLANES] =
        CASE("planes", UINT16, WHOLE(3, 4, 5), BY(-1, 1, 1), OUT(3, 4, 5), OUT_STRIDES(60, 10, 1)),
    /* no two elements side by side */
    [SHAPE_ELEMENTS] = CASE("elements", UINT16, WHOLE(3, 4, 5), BY(1, -1, 1), OUT(3, 4, 5),
                            OUT_STRIDES(100, 20, 3)),
    /* 1.2 MiB on both sides */
    [SHAPE_BIG] = CASE("big", FLOAT32, WHOLE(1, 1024, 300), BY(1, 1, -1), OUT(1, 1024, 300),
                       OUT_STRIDES(307200, 300, 1)),
    /* a transpose of pairs: of wider elements where everything is aligned, else rows of two */
    [SHAPE_PAIRS] = CASE("pairs", UINT16, WHOLE(160, 128, 2), BY(1, 1, 1), OUT(160, 128, 2),
                         OUT_STRIDES(2, 320, 1)),
};

void shape_sizes(enum step_shape which, size_t *in, size_t *out)
{
    uint64_t in_bytes, out_bytes;
    ck_assert(case_in_bytes(&shapes[which], &in_bytes));
    ck_assert(case_out_bytes(&shapes[which], &out_bytes));
    *in = (size_t)in_bytes;
    *out = (size_t)out_bytes;
}

const DML_OPERATOR_DESC *shape_desc(enum step_shape which)
{
    static struct case_desc descs[COUNT_OF(shapes)];
    case_desc_init(&descs[which], &shapes[which]);
    return &descs[which].op;
}

void shape_slice(enum step_shape which, const unsigned char *in, unsigned char *out)
{
    reference_slice(&shapes[which], in, out, NULL);
}
