// Three uses of a picture: rotated, at half its size, and at a few points.

#include <cmath>
#include <cstdio>

#include <texelscope.h>

using namespace texelscope;

int main() {
    try {
        // A smooth test pattern, values in [0, 1].
        Image image(64, 48, 1, SampleType::f32);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                image.row_as<float>(y)[x] = float(0.5 + 0.25 * std::sin(0.3 * x) + 0.25 * std::cos(0.2 * y));

        SourceImage source(make_backend(BackendChoice::automatic), image);
        std::printf("computed by %s\n", source.backend().info().device.c_str());

        RenderRequest turned;
        turned.spec = parse_spec("bspline:address=mirror");
        turned.view.rotate = 30;
        turned.width = turned.height = 64;
        const Image picture = source.render_to_image(turned);
        std::printf("rotated by 30 degrees, pixel (10, 20) is %.4f\n", picture.value(10, 20, 0));

        const Image half = source.render_to_image(resize_request(source.samples(), parse_spec("lanczos3"), 32, 24));
        std::printf("at half the size, pixel (10, 20) is %.4f\n", half.value(10, 20, 0));

        const float x[] = {10, 10.25f, 31.5f}, y[] = {20, 20.5f, 0};
        SampleRequest request;
        request.spec = parse_spec("catmull-rom");
        const std::vector<float> values = source.sample_to_host(request, PointsView::arrays(x, y, 3));
        for (int k = 0; k < 3; ++k) {
            const double truth = 0.5 + 0.25 * std::sin(0.3 * x[k]) + 0.25 * std::cos(0.2 * y[k]);
            std::printf("at (%g, %g): %.4f, the function itself: %.4f\n", x[k], y[k], values[k], truth);
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
