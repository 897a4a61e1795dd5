#include "app/studies/bench/frame_results.h"

#include "app/studies/bench/frame_stages.h"

namespace texelscope {

void add_frame_results(const BenchPlan& plan, BackendKind kind, std::vector<BenchResult>& results) {
    BenchResult result;
    result.section = BenchSection::frame;
    result.work = "stage";
    result.backend = kind;
    const auto choice = kind == BackendKind::cuda ? BackendChoice::cuda : BackendChoice::cpu;
    try {
        const FrameBench bench =
            measure_frame_stages(choice, plan.width.value_or(3840), plan.height.value_or(2160), plan.quick ? 12 : 60);
        result.width = bench.width;
        result.height = bench.height;
        result.view = bench.rung + ", " + bench.renderer;
        for (const FrameStage& stage : bench.stages) {
            result.name = "frame/" + stage.name;
            result.time = Timing{stage.median_ms * 1000, stage.low_ms * 1000, stage.high_ms * 1000, 1, 1};
            result.note = stage.note;
            results.push_back(result);
        }
    } catch (const Unavailable& error) {
        result.name = "frame";
        result.skipped = error.what();
        results.push_back(result);
    }
}

}  // namespace texelscope
