// Processor time of one thread for a picture of 1280×720 pixels, natively and as WebAssembly alike: docs/browser.md.

#include <cstdio>
#include <ctime>

#include "gpu/backend/source_image.h"
#include "gpu/core/parallel.h"
#include "gpu/method/spec.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#endif

namespace {

using namespace texelscope;

// Milliseconds that this process has computed. Emscripten's clock() is a clock on the wall.
double computed_ms() {
#if defined(__EMSCRIPTEN__)
    return EM_ASM_DOUBLE({ return process.cpuUsage().user / 1000; });
#else
    return 1000.0 * double(std::clock()) / CLOCKS_PER_SEC;
#endif
}

double ms_of(SourceImage& source, const RenderRequest& request) {
    constexpr double least = 400;  // ms in all
    source.render_to_image(request);
    int frames = 0;
    const double begin = computed_ms();
    double now = begin;
    for (; now - begin < least; now = computed_ms(), ++frames) source.render_to_image(request);
    return (now - begin) / frames;
}

}  // namespace

int main() {
    Image image(1024, 768, 4, SampleType::u8);
    for (int y = 0; y < image.height(); ++y)
        for (int i = 0; i < 4 * image.width(); ++i) image.row_as<uint8_t>(y)[i] = uint8_t((i * i + 7 * y * y) >> 5);
    SourceImage source(make_backend(BackendChoice::cpu), std::move(image));
    const LoopsAlone alone;
    std::printf("%s\n%-12s %10s %10s\n", source.backend().info().device.c_str(), "ms", "zoom 4", "rotated");
    for (const char* method : {"nearest", "bilinear", "catmull-rom", "bspline", "lanczos3"}) {
        RenderRequest request;
        request.spec = parse_spec(method);
        request.view.scale = 0.25;
        request.width = 1280;
        request.height = 720;
        const double zoomed = ms_of(source, request);
        request.view.rotate = 30;
        std::printf("%-12s %10.2f %10.2f\n", method, zoomed, ms_of(source, request));
    }
}
