// The main kernels for scripts/gpu_model.py: one case of texelscope bench for each.
//
//     kernel_counters          times them by CUDA events and prints JSON, a case a line
//     kernel_counters --once   runs each one once between cudaProfilerStart and cudaProfilerStop, for
//                              ncu --profile-from-start off, and prints their names in that order

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <exception>

#include "app/studies/bench/bench.h"

namespace {

using namespace texelscope;

struct ChosenCase {
    const char* name;
    int source = 4096;  // width and height, samples
};

constexpr ChosenCase chosen[] = {
    {"render/rotate/u8x4/nearest"},
    {"render/rotate/u8x4/bilinear:path=hardware"},
    {"render/rotate/u8x4/bilinear"},
    {"render/rotate/u8x4/bspline:prefilter=iir"},
    {"render/rotate/u8x4/bspline:path=hardware,prefilter=iir"},
    {"render/rotate/u8x4/bspline:prefilter=iir/simple"},
    {"render/rotate/u8x4/lanczos3"},
    {"render/rotate/f32x1/bilinear"},
    {"render/rotate/f32x1/bspline:prefilter=iir"},
    {"render/zoom8/u8x4/bilinear"},
    {"render/zoom8/u8x4/bspline:prefilter=iir"},
    {"render/zoom8/f32x1/bspline:prefilter=iir"},
    {"render/shrink4/u8x4/bilinear", 15360},
    {"render/shrink4/u8x4/catmull-rom", 15360},
    {"render/shrink4/u8x4/lanczos3", 15360},
    {"prefilter/8192/f32x1/bspline:prefilter=iir", 8192},
    {"prefilter/8192/u8x4/bspline:prefilter=iir", 8192},
};

BenchCase case_of(const ChosenCase& wanted, const BackendInfo& info) {
    BenchPlan plan;
    plan.pattern = wanted.name;
    plan.source = wanted.source;
    for (const BenchCase& one : bench_cases(plan, info))
        if (one.name() == wanted.name) return one;
    throw Error(std::string("texelscope bench has no case ") + wanted.name);
}

void check(cudaError_t error) {
    if (error != cudaSuccess) throw Error(cudaGetErrorString(error));
}

template <class Run> void profiled(Backend& backend, Run run) {
    backend.synchronize();
    check(cudaProfilerStart());
    run();
    backend.synchronize();
    check(cudaProfilerStop());
}

void run_once(const std::shared_ptr<Backend>& backend, const BenchCase& of) {
    BenchSources sources(backend, of.format, of.source_width, of.source_height, 1);
    if (of.work == BenchCase::Work::prefilter)
        return profiled(*backend, [&] { backend->prefilter(sources.at(0).samples(), of.spec); });
    RenderRequest request = of.request;
    request.spec = of.spec;
    request.simple = of.simple;
    request.width = of.width;
    request.height = of.height;
    const size_t row_bytes = size_t(of.width) * of.output_pixel_bytes();
    BenchOutputs outputs(backend);
    outputs.make(row_bytes * size_t(of.height), 1);
    sources.at(0).prepare(request);
    profiled(*backend, [&] { sources.at(0).render(request, {outputs.at(0), row_bytes, of.output(), no_timer}); });
}

void print_times(const std::shared_ptr<Backend>& backend) {
    CaseMeasurer measurer(backend);
    std::printf("{\"device\": \"%s\", \"copy_gigabytes_per_second\": %.1f, \"cases\": [\n",
                backend->info().device.c_str(),
                measurer.copies().large_bytes() / measurer.copies().large().median_us / 1000);
    const char* separator = "";
    for (const ChosenCase& wanted : chosen) {
        const BenchCase one = case_of(wanted, backend->info());
        const BenchResult result = measurer.measure(one, 300);
        std::printf("%s{\"name\": \"%s\", \"pixels\": %.0f, \"bytes\": %.0f, \"microseconds\": %.2f}", separator,
                    wanted.name, one.pixels(), result.bytes, result.time->median_us);
        separator = ",\n";
        measurer.forget();
    }
    std::printf("\n]}\n");
}

}  // namespace

int main(int count, char** words) try {
    const bool once = count == 2 && std::strcmp(words[1], "--once") == 0;
    if (count > 1 && !once) throw Error("the only option is --once");
    const auto backend = make_backend(BackendChoice::cuda);
    if (!once) return print_times(backend), 0;
    for (const ChosenCase& wanted : chosen) {
        run_once(backend, case_of(wanted, backend->info()));
        std::printf("%s\n", wanted.name);
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_counters: %s\n", error.what());
    return 1;
}
