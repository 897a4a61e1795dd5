#include "app/picture/inspect/read_level.h"

#include <algorithm>
#include <cmath>

#include "gpu/backend/job.h"
#include "gpu/method/widened.h"

namespace texelscope {
namespace {

// Halvings along an axis whose positions step by (a, b), until the remaining stretch is below max_stretch.
int halvings(double a, double b, int& n) {
    const int whole = n;
    const double stretch = std::max(1.0, std::hypot(a, b));
    int level = 0;
    for (; stretch * n / whole >= max_stretch && n > 1; ++level) n = (n + 1) / 2;
    return level;
}

}  // namespace

ReadLevel read_level(SourceImage& source, const RenderRequest& request, const Resampling& resampling) {
    const ResidentImage& samples = source.samples();
    ReadLevel level;
    TexelArray& a = level.texels;
    a.width = samples.width();
    a.height = samples.height();
    a.channels = samples.channels();
    a.one_dimensional = samples.one_dimensional();
    a.address = request.spec.address;
    level.coefficients = request.spec.effective_prefilter().kind != Prefilter::Kind::none && !resampling.takes_samples;
    if (request.antialias) {
        const Affine p =
            request.positions.value_or(sampling_affine(request.view, a.width, a.height, request.width, request.height));
        level.halved_x = halvings(p.xx, p.xy, a.width);
        if (!a.one_dimensional) level.halved_y = halvings(p.yx, p.yy, a.height);
    }
    if (level.coefficients) a = coefficient_array(a, request.spec);
    a.normalised = needs_normalised_coordinates(a);
    return level;
}

}  // namespace texelscope
