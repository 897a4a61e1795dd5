// What rotated views cost on the GPU beyond the plain picture: NaN outside, linear light, antialiased shrinking, half
// coefficients for the texture unit. 3840×2160 pixels from 4096² samples, and 2048² from 2048², rotated by 10°. Prints
// microseconds: the median of nine batches, each of several renderings; pictures take turns, beyond any L2.
//
//     view_costs [CASE]         only cases whose name contains this text

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gpu/backend/source_image.h"

namespace texelscope {
namespace {

struct Case {
    std::string spec;
    int channels = 4;
    SampleType type = SampleType::u8;
    bool floats = false;  // the output, else RGBA8
    Outside outside = Outside::extend;
    Light light = Light::stored;
    bool simple = false;
    double scale = 1;  // above 1: antialiased
    int side = 4096, width = 3840, height = 2160;
    double rotate = 10;
};

std::string name_of(const Case& of) {
    const char* const types[] = {"u8", "u16", "f16", "f32"};
    std::string name = types[int(of.type)] + std::string("x") + std::to_string(of.channels) + " " + of.spec;
    if (of.rotate == 0) name += ", straight";
    else if (of.rotate != 10) name += fmt::format(", by {}°", of.rotate);
    if (of.side != 4096) name += ", " + std::to_string(of.side);
    if (of.floats) name += ", floats";
    if (of.outside == Outside::nan) name += ", NaN outside";
    if (of.outside == Outside::background) name += ", background outside";
    if (of.light == Light::linear) name += ", linear light";
    if (of.scale > 1) name += fmt::format(", shrunk {}", of.scale);
    if (of.simple) name += ", simple";
    return name;
}

Image noise(int side, int channels, SampleType type) {
    Image image(side, side, channels, SampleType::u8);
    uint32_t state = 1;
    for (size_t i = 0; i < image.size_bytes(); ++i)
        image.data()[i] = std::byte((state = state * 1664525u + 1013904223u) >> 24);
    return converted(image, type);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double microseconds(const std::shared_ptr<Backend>& backend, const Case& of, const Image& image) {
    constexpr int turns = 3, batches = 9;
    std::vector<SourceImage> sources;
    for (int k = 0; k < turns; ++k) sources.emplace_back(backend, image, of.light);
    RenderRequest request;
    request.spec = parse_spec(of.spec);
    request.view = {.scale = of.scale, .rotate = of.rotate};
    request.antialias = of.scale > 1;
    request.outside = of.outside;
    request.simple = of.simple;
    request.width = of.width;
    request.height = of.height;
    const size_t row = size_t(of.width) * (of.floats ? size_t(of.channels) * sizeof(float) : 4);
    std::vector<std::shared_ptr<void>> outputs;
    for (int k = 0; k < turns; ++k) outputs.push_back(backend->allocate(row * size_t(of.height)));
    const auto render = [&](int k) {
        sources[size_t(k % turns)].render(
            request, {outputs[size_t(k % turns)].get(), row,
                      of.floats ? RenderTarget::Format::floats : RenderTarget::Format::rgba8, no_timer});
    };
    for (int k = 0; k < turns; ++k) render(k);
    backend->synchronize();
    const double once = backend->time_ms([&] { render(0); });
    const int renderings = std::clamp(int(2 / once), 3, 30);
    std::vector<double> times;
    for (int batch = 0; batch < batches; ++batch)
        times.push_back(1000 / double(renderings) * backend->time_ms([&] {
            for (int k = 0; k < renderings; ++k) render(k);
        }));
    return median(times);
}

double copy_microseconds(const std::shared_ptr<Backend>& backend, size_t bytes) {
    constexpr int turns = 6, copies = 20;
    std::vector<std::shared_ptr<void>> memory;
    for (int k = 0; k < turns; ++k) memory.push_back(backend->allocate(bytes));
    std::vector<double> times;
    for (int batch = 0; batch < 9; ++batch)
        times.push_back(1000.0 / copies * backend->time_ms([&] {
            for (int k = 0; k < copies; ++k)
                backend->copy(memory[size_t(k % turns)].get(), memory[size_t((k + 1) % turns)].get(), bytes);
        }));
    return median(times);
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const char* spec : {"nearest", "bilinear", "bilinear:path=hardware", "catmull-rom", "bspline",
                             "bspline:path=hardware", "bspline:path=hardware,coefficients=half"})
        for (const double rotate : {10.0, 0.0}) all.push_back({.spec = spec, .rotate = rotate});
    for (const bool floats : {false, true}) {
        all.push_back({.spec = "bspline", .floats = floats, .outside = Outside::background});
        all.push_back({.spec = "bspline", .floats = floats, .outside = Outside::nan});
        all.push_back({.spec = "bspline", .floats = floats, .light = Light::linear});
        all.push_back({.spec = "bspline", .floats = floats, .outside = Outside::nan, .simple = true});
        all.push_back({.spec = "bspline", .floats = floats});
    }
    for (const char* spec : {"bilinear", "bilinear:path=hardware", "bspline", "bspline:path=hardware", "catmull-rom"})
        for (const int side : {4096, 2048})
            all.push_back({.spec = spec,
                           .channels = 1,
                           .type = SampleType::f32,
                           .floats = true,
                           .side = side,
                           .width = side == 4096 ? 3840 : side,
                           .height = side == 4096 ? 2160 : side});
    for (const char* spec : {"bilinear", "catmull-rom", "lanczos3"}) {
        Case shrunk{.spec = spec, .scale = 4, .side = 8192, .width = 2048, .height = 2048, .rotate = 0};
        all.push_back(shrunk);
        for (shrunk.rotate = 10; shrunk.rotate <= 30; shrunk.rotate += 20)
            for (const int channels : {1, 4})
                for (const double scale : {1.5, 2.0, 4.0, 6.0})
                    for (const bool simple : {false, true}) {
                        shrunk.channels = channels;
                        shrunk.scale = scale;
                        shrunk.simple = simple;
                        all.push_back(shrunk);
                    }
    }
    for (const SampleType type : {SampleType::u16, SampleType::f32})
        for (const int channels : {1, 4})
            for (const char* spec : {"bilinear", "catmull-rom", "bspline", "lanczos3"})
                for (const double scale : {1.5, 2.0, 4.0, 6.0})
                    for (const bool simple : {false, true})
                        all.push_back({.spec = spec,
                                       .channels = channels,
                                       .type = type,
                                       .simple = simple,
                                       .scale = scale,
                                       .side = 8192,
                                       .width = 2048,
                                       .height = 2048});
    return all;
}

}  // namespace
}  // namespace texelscope

int main(int argc, char** argv) {
    using namespace texelscope;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a row as soon as it is measured
    const std::string only = argc > 1 ? argv[1] : "";
    const std::shared_ptr<Backend> backend = make_backend(BackendChoice::cuda);
    std::printf("%s\n", backend->info().device.c_str());
    std::printf("%9.2f  copy of the bytes of a bilinear RGBA8 picture\n",
                copy_microseconds(backend, size_t(3840) * 2160 * 4));
    Image image;  // of the case before: large ones take longer to make than to measure
    for (const Case& of : cases()) {
        if (name_of(of).find(only) == std::string::npos) continue;
        if (image.width() != of.side || image.channels() != of.channels || image.type() != of.type)
            image = noise(of.side, of.channels, of.type);
        std::printf("%9.2f  %s\n", microseconds(backend, of, image), name_of(of).c_str());
    }
}
