// The CPU backend: time of one 1280×720 picture by method, path and view, and of the prefilter.

#include <benchmark/benchmark.h>

#include <string>

#include "app/test_images/test_images.h"
#include "gpu/backend/backend.h"

namespace texelscope {
namespace {

void render(benchmark::State& state, const std::string& spec, double rotate) {
    SourceImage source(make_cpu_backend(), make_test_image("@dead-leaves:1024"));
    RenderRequest request;
    request.spec = parse_spec(spec);
    request.view = {.scale = 0.8, .rotate = rotate};
    request.width = 1280;
    request.height = 720;
    const auto memory = source.backend().allocate(size_t(request.width) * size_t(request.height) * 4);
    source.prepared_for(request.spec);
    for (auto _ : state) source.render(request, {memory.get(), size_t(request.width) * 4});
    state.SetItemsProcessed(state.iterations() * request.width * request.height);  // pixels
}

void prefilter(benchmark::State& state, const std::string& spec) {
    const auto backend = make_cpu_backend();
    const auto samples = backend->upload(make_test_image("@parabola:2048"));
    const MethodSpec parsed = parse_spec(spec);
    for (auto _ : state) benchmark::DoNotOptimize(backend->prefilter(*samples, parsed));
    state.SetItemsProcessed(state.iterations() * samples->width() * samples->height());
}

void register_all() {
    for (const MethodInfo* method : all_methods())
        for (const FetchPath path : {FetchPath::global, FetchPath::hardware})
            for (const double rotate : {0.0, 10.0}) {
                const std::string spec = std::string(method->id) + ":path=" + std::string(name_of(path));
                const std::string name = "render/" + spec + (rotate == 0 ? "/straight" : "/rotated");
                benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { render(state, spec, rotate); })
                    ->Unit(benchmark::kMillisecond)->UseRealTime();
            }
    for (const char* spec : {"bspline:prefilter=iir", "bspline:prefilter=fir15"})
        benchmark::RegisterBenchmark((std::string("prefilter/") + spec).c_str(), [=](benchmark::State& state) { prefilter(state, spec); })
            ->Unit(benchmark::kMillisecond)->UseRealTime();
}

}  // namespace
}  // namespace texelscope

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    texelscope::register_all();
    benchmark::RunSpecifiedBenchmarks();
}
