/* The C interface: an image resized, read at points, and how an error is found. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <texelscope_c.h>

/* Ends the program with the library's sentence. */
static void need(int status) {
    if (status == TS_OK) return;
    fprintf(stderr, "%s\n", ts_last_error());
    exit(1);
}

static ts_array array_of(void *data, int32_t type, int64_t height, int64_t width, int64_t channels) {
    ts_array array = {0};
    array.size = sizeof array;
    array.data = data;
    array.type = type;
    array.device = TS_HOST;
    array.count = 1;
    array.height = height;
    array.width = width;
    array.channels = channels;
    return array; /* strides of zero: packed */
}

static double tent(void *context, double x) {
    (void)context;
    return 1 - fabs(x);
}

int main(void) {
    enum { width = 64, height = 48, small_width = 16, small_height = 12 };
    static uint8_t picture[height][width][3], small[small_height][small_width][3];
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < 3; ++c) picture[y][x][c] = (uint8_t)lround(128 + 64 * sin(0.2 * x + c) + 48 * cos(0.15 * y));

    ts_backend *backend;
    need(ts_backend_create(NULL, &backend));
    ts_backend_info info = {0};
    info.size = sizeof info;
    need(ts_backend_get_info(backend, &info));
    printf("texelscope %s on %s\n", ts_version(), info.name);

    /* The picture is read where it is, 3 channels of it side by side. */
    const ts_array samples = array_of(picture, TS_U8, height, width, 3);
    ts_image *image;
    need(ts_image_create(backend, &samples, NULL, &image));

    ts_method *lanczos;
    need(ts_method_parse("lanczos3:address=mirror", &lanczos));
    ts_request request = {0};
    request.size = sizeof request;
    request.method = lanczos;
    request.antialias = 1;
    const ts_array result = array_of(small, TS_U8, small_height, small_width, 3);
    need(ts_render(image, &request, &result));
    printf("at a quarter of the size, pixel (5, 7) is %d %d %d\n", small[7][5][0], small[7][5][1], small[7][5][2]);

    /* Values at points, by a weight function of one's own: between two samples, their mean. */
    ts_function_options options = {0};
    options.size = sizeof options;
    options.radius = 1;
    options.name = "Tent";
    ts_method *own;
    need(ts_method_from_function(tent, NULL, &options, &own));
    double points[2][2] = {{10, 20}, {10.5, 20}};
    float values[2][3];
    const ts_array at = array_of(points, TS_F64, 1, 2, 2), out = array_of(values, TS_F32, 1, 2, 3);
    ts_request reading = {0};
    reading.size = sizeof reading;
    reading.method = own;
    need(ts_sample(image, &reading, &at, &out));
    printf("sample %d %d, between it and %d: %.2f\n", picture[20][10][0], (int)lroundf(values[0][0]), picture[20][11][0], values[1][0]);

    ts_method *wrong;
    if (ts_method_parse("lanczos5", &wrong) == TS_INVALID) printf("an error: %.60s\n", ts_last_error());

    ts_method_free(own);
    ts_method_free(lanczos);
    ts_image_free(image);
    ts_backend_free(backend);
    return 0;
}
