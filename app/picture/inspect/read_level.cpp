#include "app/picture/inspect/read_level.h"

#include "gpu/backend/job.h"

namespace texelscope {

ReadLevel read_level(const ResidentImage& samples, const Resampling& resampling) {
    const ReadPlan& plan = resampling.reading;
    const MethodSpec& spec = resampling.spec;
    ReadLevel read;
    read.level = plan.level;
    read.coefficients = plan.prefiltered && spec.effective_prefilter().kind != Prefilter::Kind::none;
    TexelArray& a = read.texels;
    a.width = halved(samples.width(), plan.level.x);
    a.height = halved(samples.height(), plan.level.y);
    a.channels = samples.channels();
    a.one_dimensional = samples.one_dimensional();
    MethodSpec on_level = spec;
    a.address = on_level.address = resampling.address();
    a.beyond_x = plan.level_x.beyond();
    a.beyond_y = plan.level_y.beyond();
    if (read.coefficients) a = coefficient_array(a, on_level);
    a.normalised = needs_normalised_coordinates(a);
    return read;
}

}  // namespace texelscope
