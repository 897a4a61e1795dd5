#include "app/picture/inspect/curves.h"

#include <cmath>

#include "app/picture/inspect/method_curves.h"
#include "gpu/backend/source_image.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {
namespace {

// The effect of the nearest edge is below float32's precision there: |z|^32 < 1e-8 for every pole.
constexpr int centre = 32;

// Columns from `first` to `last` are 1, all others 0.
Image columns(int first, int last) {
    Image image(2 * centre + 1, 2 * centre + 1, 1, SampleType::f32);
    for (int y = 0; y < image.height(); ++y)
        for (int x = first; x <= last; ++x) image.row_as<float>(y)[x] = 1;
    return image;
}

std::vector<double> spaced(double from, double to, int points) {
    std::vector<double> x;
    for (int k = 0; k < points; ++k) x.push_back(std::lerp(from, to, points > 1 ? double(k) / (points - 1) : 0));
    return x;
}

CurvesReport::Curve measured(SourceImage& source, const MethodSpec& spec, std::vector<double> x) {
    std::vector<double> pairs;
    for (const double distance : x) {
        pairs.push_back(centre + distance);
        pairs.push_back(centre);
    }
    const std::vector<float> values = source.sample_to_host({.spec = spec}, PointsView::pairs(pairs.data(), x.size()));
    return {std::move(x), {values.begin(), values.end()}};
}

}  // namespace

CurvesReport::Curve weight_curve(const MethodSpec& spec, double from, double to, int points) {
    if (kernel_of(*spec.method)) return {};  // it has no weight function
    const MethodCurves curves(spec);
    const bool jumps = spec.method->smoothness < 0;
    CurvesReport::Curve curve;
    const auto add = [&](double x, double y) {
        curve.x.push_back(x);
        curve.y.push_back(y);
    };
    double before = from;
    for (const double x : spaced(from, to, points)) {
        for (const double edge : {-curves.radius(), curves.radius()})
            if (jumps && edge > before && edge <= x) {
                add(edge, curves.weight(edge - 1e-9));
                add(edge, curves.weight(edge + 1e-9));
            }
        if (!jumps || std::abs(x) != curves.radius()) add(x, curves.weight(x));
        before = x;
    }
    return curve;
}

CurvesReport::Curve spectrum_curve(const MethodSpec& spec, double from, double to, int points) {
    if (kernel_of(*spec.method)) return {};
    const MethodCurves curves(spec);
    CurvesReport::Curve curve{spaced(from, to, points), {}};
    for (const double frequency : curve.x) curve.y.push_back(decibels(curves.cardinal_spectrum(frequency)));
    return curve;
}

MeasuredCurves::MeasuredCurves(const std::shared_ptr<Backend>& backend)
    : impulse_(backend, columns(centre, centre)), step_(backend, columns(centre, 2 * centre)) {}

CurvesReport::Curve MeasuredCurves::impulse(const MethodSpec& spec, double from, double to, int points) {
    return measured(impulse_, spec, spaced(from, to, points));
}

CurvesReport::Curve MeasuredCurves::step(const MethodSpec& spec, double from, double to, int points) {
    return measured(step_, spec, spaced(from, to, points));
}

}  // namespace texelscope
