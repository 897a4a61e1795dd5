// The CPU backend: time of one 1280×720 picture by method, path and view; by set of vector instructions and format, and
// by the simple code; and of the prefilter.

#include <benchmark/benchmark.h>

#include <string>

#include "app/files/test_images/test_images.h"
#include "gpu/backend/cpu_backend.h"
#include "gpu/backend/source_image.h"

namespace texelscope {
namespace {

using simd::Instructions;

// One picture.
struct Work {
    std::string spec;
    double scale = 0.8, rotate = 0;
    bool antialias = false, simple = false, floats = false;
    SampleType type = SampleType::u8;
    bool one_channel = false;
};

Image source_image(const Work& work) {
    return converted(make_test_image(work.one_channel ? "@parabola:1024" : "@dead-leaves:1024"), work.type);
}

void render(benchmark::State& state, const Work& work, Instructions instructions) {
    SourceImage source(make_cpu_backend(instructions), source_image(work));
    RenderRequest request;
    request.spec = parse_spec(work.spec);
    request.view = {.scale = work.scale, .rotate = work.rotate};
    request.width = 1280;
    request.height = 720;
    request.antialias = work.antialias;
    request.simple = work.simple;
    const size_t pixel = work.floats ? size_t(source.samples().channels()) * sizeof(float) : 4;
    const auto memory = source.backend().allocate(size_t(request.width) * size_t(request.height) * pixel);
    const RenderTarget target{memory.get(), size_t(request.width) * pixel,
                              work.floats ? RenderTarget::Format::floats : RenderTarget::Format::rgba8};
    source.prepare(request);
    for (auto _ : state) source.render(request, target);
    state.SetItemsProcessed(state.iterations() * request.width * request.height);  // pixels
}

void prefilter(benchmark::State& state, const std::string& spec, Instructions instructions) {
    const auto backend = make_cpu_backend(instructions);
    const auto samples = backend->upload(make_test_image("@parabola:2048"));
    const MethodSpec parsed = parse_spec(spec);
    for (auto _ : state) benchmark::DoNotOptimize(backend->prefilter(*samples, parsed));
    state.SetItemsProcessed(state.iterations() * samples->width() * samples->height());
}

void add(const std::string& name, const Work& work, Instructions instructions) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { render(state, work, instructions); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

void register_methods() {
    for (const MethodInfo* method : all_methods())
        for (const FetchPath path : {FetchPath::global, FetchPath::hardware})
            for (const double rotate : {0.0, 10.0}) {
                const std::string spec = std::string(method->id) + ":path=" + std::string(name_of(path));
                add("render/" + spec + (rotate == 0 ? "/straight" : "/rotated"), {.spec = spec, .rotate = rotate},
                    simd::best_instructions());
            }
}

void register_instructions(Instructions instructions) {
    const std::string level = std::string("instructions/") + simd::kernels(instructions).name;
    for (const char* method : {"bilinear", "catmull-rom", "bspline", "lanczos3"}) {
        const std::string name = level + "/" + method;
        for (const bool rotated : {false, true}) {
            const std::string view = rotated ? "/rotated" : "/straight";
            const double rotate = rotated ? 10 : 0;
            add(name + "/rgb8" + view, {.spec = method, .rotate = rotate}, instructions);
            add(name + "/r32f" + view,
                {.spec = method, .rotate = rotate, .floats = true, .type = SampleType::f32, .one_channel = true},
                instructions);
            add(name + "/rgb8/shrunk" + view, {.spec = method, .scale = 3.3, .rotate = rotate, .antialias = true},
                instructions);
        }
    }
    for (const char* spec : {"bspline:prefilter=iir", "bspline:prefilter=fir15", "quintic:prefilter=iir"})
        benchmark::RegisterBenchmark((level + "/prefilter/" + spec).c_str(),
                                     [=](benchmark::State& state) { prefilter(state, spec, instructions); })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
}

void register_all() {
    register_methods();
    for (const char* method : {"bilinear", "bspline"})
        for (const double rotate : {0.0, 10.0})
            add(std::string("simple/") + method + (rotate == 0 ? "/straight" : "/rotated"),
                {.spec = method, .rotate = rotate, .simple = true}, simd::best_instructions());
    for (const Instructions instructions : {Instructions::baseline, Instructions::avx2, Instructions::avx512})
        if (instructions <= simd::best_instructions()) register_instructions(instructions);
}

}  // namespace
}  // namespace texelscope

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    texelscope::register_all();
    benchmark::RunSpecifiedBenchmarks();
}
