// The fastest frame of 1280×720 pixels, natively and as WebAssembly alike: docs/browser.md.
//
//   engine_frames [1|all [METHOD]]    by one thread or all of them; of one method or the main ones

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/core/parallel.h"
#include "gpu/method/spec.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#endif

namespace {

using namespace texelscope;

// Milliseconds that all threads of this process have computed. Emscripten's clock() is a clock on the wall.
double computed_ms() {
#if defined(__EMSCRIPTEN__)
    return EM_ASM_DOUBLE({
        const used = process.cpuUsage();
        return (used.user + used.system) / 1000;
    });
#else
    return 1000.0 * double(std::clock()) / CLOCKS_PER_SEC;
#endif
}

double wall_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Milliseconds of a frame. Others that compute meanwhile slow most of them down, hardly the fastest one.
struct Frame {
    double wall = 1e9, computed = 1e9;
};

Frame fastest(SourceImage& source, const RenderRequest& request) {
    constexpr double all = 1000;  // ms
    constexpr int least = 40;     // frames
    for (int n = 0; n < 8; ++n) source.render_to_image(request);
    Frame frame;
    const double end = wall_ms() + all;
    for (int n = 0; n < least || wall_ms() < end; ++n) {
        const double wall = wall_ms(), computed = computed_ms();
        source.render_to_image(request);
        frame = {std::min(frame.wall, wall_ms() - wall), std::min(frame.computed, computed_ms() - computed)};
    }
    return frame;
}

Image made_up(SampleType type, int channels) {
    Image image(1024, 768, channels, type);
    for (int y = 0; y < image.height(); ++y)
        for (int i = 0; i < channels * image.width(); ++i) {
            const auto level = uint8_t((i * i + 7 * y * y) >> 5);
            if (type == SampleType::u8) image.row_as<uint8_t>(y)[i] = level;
            else image.row_as<float>(y)[i] = float(level) / 255;
        }
    return image;
}

}  // namespace

int main(int count, char** words) {
    std::optional<LoopsAlone> alone;
    if (count > 1 && std::string_view(words[1]) == "1") alone.emplace();
    std::vector<const char*> methods = {"nearest", "bilinear", "catmull-rom", "bspline", "lanczos3"};
    if (count > 2) methods = {words[2]};
    for (const auto& [name, type, channels] :
         {std::tuple{"u8 x 4", SampleType::u8, 4}, {"f32 x 1", SampleType::f32, 1}}) {
        SourceImage source(make_backend(BackendChoice::cpu), made_up(type, channels));
        std::printf("%s, threads: %d\n%-12s %17s %17s\n%-12s %8s %8s %8s %8s\n", source.backend().info().device.c_str(),
                    alone ? 1 : thread_count(), name, "zoom 4", "rotated", "ms", "wall", "computed", "wall",
                    "computed");
        for (const char* method : methods) {
            RenderRequest request;
            request.spec = parse_spec(method);
            request.view.scale = 0.25;
            request.width = 1280;
            request.height = 720;
            const Frame zoomed = fastest(source, request);
            request.view.rotate = 30;
            const Frame rotated = fastest(source, request);
            std::printf("%-12s %8.2f %8.2f %8.2f %8.2f\n", method, zoomed.wall, zoomed.computed, rotated.wall,
                        rotated.computed);
        }
    }
}
