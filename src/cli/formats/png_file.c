/* SPDX-License-Identifier: MIT */
#include "cli/formats/png_file.h"

#include "cli/formats/array.h"
#include "cli/formats/output.h"
#include "cli/progress.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <errno.h>
#include <inttypes.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* Deflate packs at most 1032 bytes into one: a file that claims more is cut short, or a bomb. */
enum { DEFLATE_RATIO = 1032, SIGNATURE_BYTES = 8 };

/* One reading or writing. All state of the steps under guarded() lies here, safe from longjmp. */
struct codec {
    png_structp png; /* owned */
    png_infop info;  /* owned */
    FILE *file;      /* borrowed; being read */
    const char *path;
    uint64_t file_bytes;
    struct array *array;       /* borrowed; being filled */
    const struct array *image; /* borrowed; being written */
    struct output *output;     /* borrowed; likewise */
    struct problem *problem;
};

static const struct dtype dtype_uint8 = {
    .descr = "'|u1'", .length = 5, .order = '|', .kind = 'u', .bytes = 1};
static const struct dtype dtype_uint16 = {
    .descr = "'<u2'", .length = 5, .order = '<', .kind = 'u', .bytes = 2};

static const int color_types[] = {
    [1] = PNG_COLOR_TYPE_GRAY,
    [2] = PNG_COLOR_TYPE_GRAY_ALPHA,
    [3] = PNG_COLOR_TYPE_RGB,
    [4] = PNG_COLOR_TYPE_RGB_ALPHA,
};

/* libpng's error handler: must not return. */
static _Noreturn void on_error(png_structp png, png_const_charp message)
{
    const struct codec *codec = png_get_error_ptr(png);

    problem_set(codec->problem,
                codec->image ? "cannot write %s: %s" : "%s: damaged PNG: %s; save or copy it again",
                codec->path, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_read(png_structp png, png_bytep data, size_t length)
{
    if (fread(data, 1, length, png_get_io_ptr(png)) != length)
        png_error(png, ferror((FILE *)png_get_io_ptr(png)) ? strerror(errno) : "it is truncated");
}

static void on_write(png_structp png, png_bytep data, size_t length)
{
    const struct codec *codec = png_get_io_ptr(png);

    if (!output_write(codec->output, data, length, codec->problem))
        png_longjmp(png, 1);
}

static void on_flush(png_structp png)
{
    (void)png;
}

/* Runs a step that libpng may leave by longjmp; false if it has. */
static bool guarded(struct codec *codec, void (*step)(struct codec *codec))
{
    if (setjmp(png_jmpbuf(codec->png)))
        return false;
    step(codec);
    return true;
}

/* Height, width and what a sample is, after all that expands them. */
static void read_header(struct codec *codec)
{
    png_structp png = codec->png;

    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_read_fn(png, codec->file, on_read);
    png_set_sig_bytes(png, SIGNATURE_BYTES); /* which have been read */
    png_read_info(png, codec->info);
    if ((uint64_t)png_get_rowbytes(png, codec->info) * png_get_image_height(png, codec->info) /
            DEFLATE_RATIO >
        codec->file_bytes)
        png_error(png, "the file is too short for the size in its header");
    png_set_expand(png);
    png_set_swap(png); /* arrays are little-endian, whatever the machine */
    png_set_interlace_handling(png);
    png_read_update_info(png, codec->info);
}

static void read_rows(struct codec *codec)
{
    size_t row_bytes = png_get_rowbytes(codec->png, codec->info);
    png_uint_32 height = png_get_image_height(codec->png, codec->info);
    int passes = png_get_interlace_type(codec->png, codec->info) == PNG_INTERLACE_ADAM7 ? 7 : 1;

    for (int pass = 0; pass < passes; ++pass)
        for (png_uint_32 y = 0; y < height; ++y)
            png_read_row(codec->png, (png_bytep)codec->array->allocation + y * row_bytes, NULL);
    png_read_end(codec->png, NULL);
}

static bool allocate(struct codec *codec)
{
    struct array *array = codec->array;
    bool wide = png_get_bit_depth(codec->png, codec->info) == 16;

    array->dtype = wide ? dtype_uint16 : dtype_uint8;
    array->rank = 3;
    array->size[0] = png_get_image_height(codec->png, codec->info);
    array->size[1] = png_get_image_width(codec->png, codec->info);
    array->size[2] = png_get_channels(codec->png, codec->info);
    if (!array_layout(array, codec->path, codec->problem))
        return false;
    array->allocation = malloc(size_for(array->bytes));
    array->data = array->allocation;
    return array->data || problem_set(codec->problem, "%s: out of memory for its %" PRIu64 " bytes",
                                      codec->path, array->bytes);
}

bool png_file_read(FILE *file, uint64_t bytes, const char *path, struct array *array,
                   struct problem *problem)
{
    struct codec codec = {
        .file = file, .file_bytes = bytes, .path = path, .array = array, .problem = problem};
    unsigned char signature[SIGNATURE_BYTES];
    bool done = false;

    if (fread(signature, 1, sizeof signature, file) != sizeof signature ||
        png_sig_cmp(signature, 0, sizeof signature) != 0)
        return problem_set(problem, "%s: is not a PNG file: it does not begin with PNG's signature",
                           path);
    codec.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &codec, on_error, on_warning);
    codec.info = codec.png ? png_create_info_struct(codec.png) : NULL;
    if (codec.info)
        done = guarded(&codec, read_header) && allocate(&codec) && guarded(&codec, read_rows);
    else
        problem_set(problem, "%s: out of memory", path);
    png_destroy_read_struct(&codec.png, &codec.info, NULL);
    return done;
}

bool png_file_accepts(const struct array *array, const char *path, struct problem *problem)
{
    char shape[ARRAY_SHAPE_TEXT_SIZE];
    char dtype[DTYPE_TEXT_SIZE];
    const uint64_t *size = array->size;
    bool image = array->rank == 2 || (array->rank == 3 && size[2] >= 1 && size[2] <= 4);

    array_shape_text(array->rank, size, shape);
    dtype_text(&array->dtype, dtype);
    if (array->dtype.kind == 'b')
        return problem_set(problem,
                           "cannot write %s: a PNG cannot hold bool (%s); write a .npy, or convert "
                           "the input with x.astype('|u1') * 255",
                           path, dtype);
    if (array->dtype.kind != 'u' || array->dtype.bytes > 2)
        return problem_set(problem,
                           "cannot write %s: a PNG can hold uint8 or uint16, not dtype %s; write a "
                           ".npy, or convert the input with x.astype('|u1')",
                           path, dtype);
    if (!image)
        return problem_set(problem,
                           "cannot write %s: a PNG is height x width or height x width x 1 to 4 "
                           "channels, not shape %s; write a .npy, or change KEY",
                           path, shape);
    if (size[0] == 0 || size[1] == 0)
        return problem_set(problem,
                           "cannot write %s: shape %s is empty, and a PNG has at least one pixel; "
                           "write a .npy, or change KEY",
                           path, shape);
    if (size[0] > PNG_UINT_31_MAX || size[1] > PNG_UINT_31_MAX)
        return problem_set(problem,
                           "cannot write %s: shape %s exceeds a PNG's limit of 2147483647 pixels a "
                           "side; write a .npy",
                           path, shape);
    return true;
}

static void write_image(struct codec *codec)
{
    const struct array *image = codec->image;
    png_uint_32 height = (png_uint_32)image->size[0];
    png_uint_32 width = (png_uint_32)image->size[1];
    uint64_t channels = image->rank == 3 ? image->size[2] : 1;
    size_t row_bytes = (size_t)(width * channels * image->element_size);

    png_set_user_limits(codec->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_write_fn(codec->png, codec, on_write, on_flush);
    png_set_IHDR(codec->png, codec->info, width, height, (int)image->element_size * 8,
                 color_types[channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(codec->png, codec->info);
    if (image->element_size == 2 && image->dtype.order != '>')
        png_set_swap(codec->png);
    progress_begin("compressing", image->bytes);
    for (png_uint_32 y = 0; y < height; ++y) {
        png_write_row(codec->png, (png_const_bytep)image->data + y * row_bytes);
        progress_tell((y + 1) * row_bytes);
    }
    png_write_end(codec->png, NULL);
}

bool png_file_write(struct output *output, const struct array *array, struct problem *problem)
{
    struct codec codec = {
        .path = output->path, .image = array, .output = output, .problem = problem};
    bool done = false;

    if (!png_file_accepts(array, output->path, problem))
        return false;
    codec.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &codec, on_error, on_warning);
    codec.info = codec.png ? png_create_info_struct(codec.png) : NULL;
    if (codec.info)
        done = guarded(&codec, write_image);
    else
        problem_set(problem, "cannot write %s: out of memory", output->path);
    png_destroy_write_struct(&codec.png, &codec.info);
    return done;
}
