/* texelscope as a C library: the engine of texelscope.h behind flat functions. C11 and C++; no OpenGL, windows, image files.
 *
 *     ts_backend *backend;
 *     ts_method *method;
 *     ts_image *image;
 *     if (ts_backend_create(NULL, &backend) || ts_method_parse("bspline:address=mirror", &method)) fail(ts_last_error());
 *     ts_array in = {.size = sizeof in, .data = samples, .type = TS_U8, .device = TS_HOST,
 *                    .count = 1, .height = 480, .width = 640, .channels = 3};   // strides 0: packed
 *     ts_array out = in;
 *     out.data = smaller, out.height = 240, out.width = 320;
 *     ts_request request = {.size = sizeof request, .method = method, .antialias = 1};
 *     if (ts_image_create(backend, &in, NULL, &image) || ts_render(image, &request, &out)) fail(ts_last_error());
 *     ts_image_free(image), ts_method_free(method), ts_backend_free(backend);
 *
 * Status. Functions that can fail return a ts_status, TS_OK being 0; ts_last_error() is then one sentence for the user, of the
 * calling thread. Invalid arguments are refused before anything is computed, and nothing is written to results. No C++
 * exception leaves the library.
 *
 * Structs begin with their size, which the caller sets to sizeof: a library that knows more fields takes them for zero. Zero is
 * the default of every field. Null instead of options means all defaults.
 *
 * Coordinates are those of sample space: sample i of a row sits at i, x to the right, y down. Lengths are samples, angles
 * degrees.
 *
 * Ownership. Handles are freed by the function of their name; null is allowed there. An image keeps its backend alive. An image
 * reads the caller's samples in place wherever it can, unless `copy` is set: they must stay, and not change, until it is freed.
 * Methods are copied into what uses them. Strings that are returned live as long as the handle they are of; names of methods
 * and recipes until the program ends, other strings until the thread's next call.
 *
 * Threads. A backend, with all that was made on it, computes one thing at a time: other threads that use it wait. Different
 * backends compute at the same time. Methods may be used by several threads once they are no longer changed. Callbacks run while
 * their backend computes and must not use it.
 *
 * Streams. A CUDA backend enqueues all work on its stream. What other streams write or read must be ordered with it by the
 * caller. Results in device memory are there once the stream was waited for; functions with results in host memory wait. */
#ifndef TEXELSCOPE_C_H
#define TEXELSCOPE_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif
#define TS_API __attribute__((visibility("default")))

typedef enum ts_status {
    TS_OK = 0,
    TS_INVALID = 1,       /* an argument, word or number is not valid */
    TS_OUT_OF_MEMORY = 2, /* the host or the device has not so much; the backend remains usable */
    TS_DEVICE_LOST = 3,   /* the GPU has stopped: every further call on this backend fails, make another one */
    TS_CANCELLED = 4,     /* the progress callback, or that of rows, asked for it */
    TS_UNAVAILABLE = 5,   /* no such backend, device or feature here */
    TS_FILE_ERROR = 6,    /* a file cannot be read */
    TS_INTERNAL = 7       /* a mistake of the library */
} ts_status;

TS_API const char* ts_version(void); /* "0.1.0"; libraries of one major and minor version have the same interface */
TS_API const char* ts_last_error(void);
TS_API void ts_set_error(
    const char* sentence); /* for callbacks that fail: why; becomes ts_last_error() of the caller */

/* Backends */

typedef struct ts_backend ts_backend;

enum { TS_AUTOMATIC = 0, TS_CPU = 1, TS_CUDA = 2 }; /* automatic: the first CUDA device that computes, else the CPU */

typedef struct ts_backend_options {
    size_t size;
    int32_t kind;
    int32_t use_device;   /* 1: `device` counts; 0: any, or that of the stream */
    int32_t device;       /* CUDA ordinal */
    void* stream;         /* cudaStream_t of the caller; null: one of its own. The legacy default stream is (void *)1 */
    uint64_t kept_memory; /* bytes that may be kept because they may be needed again; 0: a share of what there is */
} ts_backend_options;

typedef struct ts_backend_info {
    size_t size; /* set by the caller */
    int32_t kind, device;
    const char *name, *detail; /* "NVIDIA H200"; its driver, or the vector instructions in use */
    void* stream;
    uint64_t memory_taken, most_memory_taken; /* bytes, for images, coefficients and results on the way */
} ts_backend_info;

TS_API int ts_backend_create(const ts_backend_options* options, ts_backend** backend);
TS_API void ts_backend_free(ts_backend* backend);
TS_API int ts_backend_get_info(ts_backend* backend, ts_backend_info* info);
TS_API int ts_backend_synchronize(ts_backend* backend); /* waits for all enqueued work */
TS_API const char* ts_why_no_cuda(void);                /* one sentence; empty if a CUDA device computes */

/* Methods: a weight function, or another library's recipe, with all settings */

typedef struct ts_method ts_method;

typedef struct ts_method_info {
    size_t size;                                 /* set by the caller */
    const char *id, *name, *summary, *paper;     /* "catmull-rom", "Catmull–Rom", … */
    const char* spec;                            /* all settings; ts_method_parse() reads it back, but of functions */
    int32_t taps;                                /* along each axis */
    int32_t order, order_unfiltered, smoothness; /* approximation order; continuous derivatives, −1: it jumps */
    int32_t interpolating;                       /* passes through the samples */
    int32_t has_prefilter, is_recipe, is_kernel; /* a recipe of another library, a kernel of one's own */
    double radius;                               /* the weight is zero beyond; samples */
    const double* poles;                         /* of the prefilter */
    int32_t pole_count, parameter_count;
} ts_method_info;

typedef struct ts_parameter_info {
    size_t size; /* set by the caller */
    const char *id, *name, *unit, *summary;
    double minimum, maximum, standard, value;
} ts_parameter_info;

/* Weight at distance x (samples) from the sample. Called while the method is made only, in the calling thread. */
typedef double (*ts_weight_function)(void* context, double x);

typedef struct ts_function_options {
    size_t size;
    double radius;        /* 0.25 … 8 samples: zero outside −radius ≤ x < radius */
    const char* name;     /* null: "Custom" */
    int32_t normalise;    /* weights are divided by their sum at each phase */
    int32_t no_prefilter; /* takes samples even if a prefilter can be derived that makes it interpolate */
} ts_function_options;

/* "bspline:prefilter=fir15,address=mirror/wrap", "bc:b=0.2", "like:pillow/bicubic": docs/command-line.md */
TS_API int ts_method_parse(const char* spec, ts_method** method);
/* A weight function (docs/weights.md) or a kernel in CUDA C++, interpreted on the CPU (docs/kernels.md), by what the text holds */
TS_API int ts_method_from_text(const char* text, ts_method** method);
TS_API int ts_method_from_function(ts_weight_function weight, void* context, const ts_function_options* options,
                                   ts_method** method);
TS_API int ts_method_copy(const ts_method* method, ts_method** copy);
TS_API int ts_method_set(ts_method* method, const char* key, const char* value); /* one setting, as in a spec */
TS_API void ts_method_free(ts_method* method);
TS_API int ts_method_get_info(ts_method* method, ts_method_info* info);
TS_API int ts_method_get_parameter(ts_method* method, int32_t index, ts_parameter_info* info);
/* Weights at `count` distances; and the factors by which waves of so many cycles per sample pass, prefilter included. */
TS_API int ts_method_weights(const ts_method* method, const double* x, double* weights, size_t count);
TS_API int ts_method_gains(const ts_method* method, const double* frequencies, double* gains, size_t count);

TS_API const char* ts_method_id(int32_t index);   /* of the built-in methods, by rank from 0; null beyond the last */
TS_API const char* ts_recipe_name(int32_t index); /* "like:pillow/bicubic"; null beyond the last */

/* Arrays: numbers in memory of the caller */

enum { TS_U8, TS_U16, TS_F16, TS_F32, TS_I8, TS_I16, TS_I32, TS_U32, TS_I64, TS_U64, TS_F64 };
enum { TS_HOST = -1 };

/* `count` images of the same size. Complex numbers are two channels. Any number of channels. */
typedef struct ts_array {
    size_t size;
    void* data; /* of element [0, 0, 0, 0] */
    int32_t type;
    int32_t device; /* TS_HOST, or the CUDA ordinal; managed memory may be called either */
    int64_t count, height, width, channels;
    int64_t stride_count, stride_y, stride_x, stride_channel; /* bytes, of any sign; all zero: packed in this order.
                                                                 On a GPU multiples of the element's size */
} ts_array;

/* Images: arrays on a backend, with the coefficients and smaller images made of them, which are kept */

typedef struct ts_image ts_image;

enum { TS_NO_ALPHA = 0, TS_STRAIGHT_ALPHA = 1, TS_PREMULTIPLIED_ALPHA = 2 };

typedef struct ts_image_options {
    size_t size;
    int32_t copy;         /* 1: the array is not needed after the call */
    int32_t alpha;        /* of 2 or 4 channels the last; straight alpha needs host memory */
    int32_t linear_light; /* 1: sRGB-coded; interpolated as light. Needs host memory */
    int32_t signal;       /* 1: height 1, interpolated along x only */
} ts_image_options;

TS_API int ts_image_create(ts_backend* backend, const ts_array* samples, const ts_image_options* options,
                           ts_image** image);
TS_API void ts_image_free(ts_image* image);
TS_API int ts_image_is_in_place(const ts_image* image); /* 1: no copy of the samples was made */

/* Which sample-space point pixel (i, j) of the output reads */
enum {
    TS_CENTERS = 0, /* by the sizes: the outer edges of image and output agree */
    TS_CORNERS = 1, /* the outermost samples agree */
    TS_ORIGIN = 2,  /* x = i·a − ½, a = image size / output size */
    TS_VIEW = 3,    /* c_src + translate + scale · R(rotate) · ((i, j) − c_out): docs/command-line.md */
    TS_AFFINE = 4   /* x = affine[0]·i + affine[1]·j + affine[2], y = affine[3]·i + affine[4]·j + affine[5] */
};

/* The value at positions outside the samples */
enum {
    TS_EXTEND = 0,     /* as the address modes extend the image */
    TS_BACKGROUND = 1, /* outside [−½, n − ½): zero; renderings only */
    TS_NAN = 2,        /* outside [0, n − 1]: NaN, in integers 0 */
    TS_VALUE = 3       /* outside [0, n − 1], and wherever the result is NaN: outside_value */
};

enum {
    TS_NUMBERS = 0, /* results are numbers as the samples are stored: of u8 samples 0 … 255 */
    TS_UNIT = 1     /* u8 and u16 samples, and results stored as such, stand for [0, 1] */
};

enum { TS_NO_WARP = 0, TS_SWIRL = 1, TS_BARREL = 2, TS_RIPPLE = 3, TS_PLANE = 4 };

/* Called about twenty times a second in the thread that asked, with the part that is done, or −1 where that is not known. Other
 * than 0: the work ends with TS_CANCELLED. */
typedef int (*ts_progress)(void* context, double part);

typedef struct ts_request {
    size_t size;
    const ts_method* method; /* null: bilinear */
    int32_t mapping;
    int32_t antialias;     /* widens the weight function where the output has fewer pixels than there are samples */
    int32_t pyramid;       /* 1: from a factor of 8 on smaller images may be read for that */
    int32_t least_squares; /* 1: shrinks to the picture that the method enlarges to the nearest one, instead */
    int32_t outside;
    int32_t values;
    int32_t derivative; /* 1: along x, 2: along y; per sample */
    int32_t float64;    /* 1: weights, prefilter and sums in float64, slowly; samples are float32 */
    int32_t warp;       /* of the image under the view */
    double warp_strength;
    double outside_value;                           /* a number as in `values` */
    double translate_x, translate_y, scale, rotate; /* of TS_VIEW; scale in samples per pixel, 0 means 1 */
    double affine[6];
    ts_progress progress; /* null: none. With it the work runs in a thread of the backend's */
    void* progress_context;
} ts_request;

/* `out` has the image's count and channels, and any type: integers are rounded and clamped. Its height and width are the
 * output's. Written in place if it is f32 with channels side by side; must not overlap the samples. */
TS_API int ts_render(ts_image* image, const ts_request* request, const ts_array* out);

/* As ts_image_create(), ts_render() and ts_image_free(), in one call: for an array that is used once. */
TS_API int ts_render_array(ts_backend* backend, const ts_array* samples, const ts_image_options* options,
                           const ts_request* request, const ts_array* out);

/* Values at points: an array of one image of f32 or f64, channel 0 x and channel 1 y; a signal's have x only. `out` has its
 * height and width. `antialias`: the points are a map of coordinates, whose neighbours say how far to widen; host memory.
 * Mapping and warp have no effect. */
TS_API int ts_sample(ts_image* image, const ts_request* request, const ts_array* points, const ts_array* out);

/* Coefficients of the method's prefilter, or the samples if it has none: of the image's size, in the numbers of `values`. Of the
 * request these two and progress count. */
TS_API int ts_prefilter(ts_image* image, const ts_request* request, const ts_array* out);

/* Pictures as a screen shows them, by steps in this order: black and white level, exposure, tone curve, gamma, inverting, colour
 * map. docs/display.md has what each does. */

enum { TS_NO_CURVE = 0, TS_REINHARD = 1, TS_ACES = 2 };
enum { TS_ALL_CHANNELS, TS_FIRST_CHANNEL, TS_SECOND_CHANNEL, TS_THIRD_CHANNEL, TS_ALPHA_CHANNEL, TS_LUMA };
enum { TS_POLAR, TS_PARTS, TS_MAGNITUDE, TS_PHASE, TS_DOMAIN };
enum { TS_NO_MAP, TS_GREY, TS_EMBER, TS_LAGOON, TS_BALANCE };
enum { TS_ABSOLUTE, TS_SIGNED, TS_SQUARED, TS_RELATIVE, TS_DELTA_E, TS_SSIM, TS_FLIP, TS_GRADIENT };

typedef struct ts_display_options {
    size_t size;
    float exposure;     /* stops, −16 … 16 */
    float gamma;        /* 0.1 … 10; 0: 1 */
    float black, white; /* numbers as stored that become black and white; both 0: 0 and 1, of u8 255, of u16 65535 */
    int32_t curve, channel;
    int32_t complex_view;  /* how two channels that are not alpha are shown */
    int32_t map;           /* of a single channel, or of a difference */
    int32_t grey_backdrop; /* behind what is not opaque; 0: a checkerboard */
    int32_t invert;
    int32_t unmarked;   /* 1: NaN is not magenta, +∞ not yellow, −∞ not cyan */
    int32_t difference; /* with an image to compare with; TS_ABSOLUTE to TS_RELATIVE */
    float gain;         /* 1 … 2²⁴: a difference of 1/gain is the end of the map; 0: 8 */
} ts_display_options;

/* What the request renders of an image of up to four channels side by side; or, unless `against` is null, how it differs from what
 * that renders of another one. `out`: one image of u8 with 4 channels, opaque, its pixels packed. */
TS_API int ts_display(ts_image* image, const ts_request* request, ts_image* against, const ts_display_options* options,
                      const ts_array* out);

enum { TS_BY_RANGE = 0, TS_ON_SCREEN = 1, TS_HIGH_RANGE = 2 };

typedef struct ts_difference_options {
    size_t size;
    int32_t kind;
    int32_t linear;           /* 1: floats are linear light, not sRGB-coded; for ΔE2000 and FLIP */
    int32_t exposures;        /* of FLIP. By range: over exposures if the reference has floats above 1, or is linear */
    double pixels_per_degree; /* of FLIP, 5 … 400: pixels of the picture in a degree of sight; 0: 67.02 */
    double peak;              /* of SSIM and gradients, a number as stored; 0: the largest of a u8 or u16, else 1 */
} ts_difference_options;

enum { TS_HISTOGRAM = 32 };

typedef struct ts_map_figures {
    size_t size;                     /* set by the caller */
    double mean, deviation;          /* of 1 − GMS the deviation is GMSD */
    double weighted_median;          /* half of the sum of all errors is in smaller ones */
    double percentile_95, largest;   /* the median and this one are rounded to 1/65536, of ΔE2000 to 1/512 */
    int64_t pixels;                  /* compared */
    int64_t worst_x, worst_y;        /* of the largest; −1: none */
    int64_t histogram[TS_HISTOGRAM]; /* pixels in equal columns from 0 to the largest */
} ts_map_figures;

/* How what the request renders of both images differs, pixel by pixel. Differences of values are a − r, |a − r|, (a − r)² or
 * |a − r| / max(|r|, 1/255) of each channel, in the numbers of `values`; relative ones are of the unit range. The others are maps
 * of errors as people see them: `out` then has one channel, and may be null if only their figures are wanted. All are 0 where the
 * pictures agree, and NaN where a pixel is not finite in either.
 *
 * TS_DELTA_E  ΔE2000 of each pixel, at least 0: about 1 is just noticeable (Sharma, Wu & Dalal 2005)
 * TS_SSIM     1 − SSIM, 0 … 2, the mean of the channels; NaN within 5 pixels of the edge (Wang et al. 2004)
 * TS_FLIP     0 … 1 (Andersson et al. 2020); over exposures the largest counts (Andersson et al. 2021)
 * TS_GRADIENT 1 − GMS, 0 … 1, the same in each 2×2 pixels; NaN in the outermost 2 pixels (Xue et al. 2014)
 *
 * Colours are the first three channels, sRGB-coded unless `linear` is set, or grey: one channel, or two of which one is alpha;
 * alpha is premultiplied, over black. `figures`, of maps only, may be null. */
TS_API int ts_difference(ts_image* image, const ts_request* request, ts_image* against,
                         const ts_difference_options* options, const ts_array* out, ts_map_figures* figures);

typedef struct ts_metrics {
    size_t size;              /* set by the caller */
    double rmse, max_abs;     /* as the numbers are stored */
    double psnr, ssim;        /* dB; both by the peak */
    int64_t pixels, left_out; /* compared; not finite on either side */
    int64_t worst_x, worst_y; /* of max_abs; −1: none */
} ts_metrics;

/* Two arrays of one image of the same size and 1 to 4 channels. peak: 0 means the largest of a u8 or u16, else 1. */
TS_API int ts_compare(ts_backend* backend, const ts_array* values, const ts_array* reference, double peak,
                      ts_metrics* metrics);

/* Images that are not in memory, read by regions and rendered in bounded memory */

typedef struct ts_tiled ts_tiled;

typedef struct ts_tile_source {
    size_t size;
    int64_t width, height;
    int32_t channels; /* 1 … 4 */
    int32_t type, alpha;
    int32_t tile; /* side of the squares that are read most cheaply; 0: 512 */
    /* Writes height rows of width samples from (x, y) on, channels interleaved, row k at to + k · row_bytes; always inside the
     * image. Called from several threads at a time. Other than 0: it failed, see ts_set_error(). */
    int (*read)(void* context, int64_t x, int64_t y, int32_t width, int32_t height, void* to, size_t row_bytes);
    void (*release)(void* context); /* when it is not needed any more, also if making the image failed; may be null */
    void* context;
    uint64_t memory; /* bytes that all of it may take; 0: 1 GiB */
} ts_tile_source;

/* Takes finished rows from the top: f32 in host memory, which ends with the call; u8 and u16 samples stand for [0, 1]. Other than 0: TS_CANCELLED. */
typedef int (*ts_rows)(void* context, const ts_array* rows, int64_t first_row);

TS_API int ts_tiled_create(ts_backend* backend, const ts_tile_source* source, ts_tiled** image);
TS_API void ts_tiled_free(ts_tiled* image);
TS_API int ts_tiled_render(ts_tiled* image, const ts_request* request, int64_t width, int64_t height, ts_rows take,
                           void* context);

#if defined(__cplusplus)
}
#endif
#endif
