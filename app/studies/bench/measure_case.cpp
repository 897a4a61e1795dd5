#include "app/studies/bench/bench.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/core/timing.h"
#include "gpu/core/view.h"
#include "gpu/prefilter/prefilter.h"

namespace texelscope {
namespace {

constexpr size_t page = 4096;

size_t rounded_up(double bytes) { return std::max<size_t>(1, size_t(std::ceil(bytes / page))) * page; }

}  // namespace

CopyFloor::CopyFloor(BenchClock& clock, const Effort& effort)
    : clock_(clock),
      effort_(effort),
      pool_bytes_(bytes_in_turn(clock.backend().info().kind)),
      large_half_(pool_bytes_ / 2),
      pool_(noise_memory(clock.backend(), SampleType::u8, pool_bytes_)) {
    const StopWatch watch;
    do large_ = measured(large_half_);  // repeated until an idle machine has raised its clocks
    while (watch.ms() < 300);
}

double CopyFloor::us(double bytes) {
    const size_t half = rounded_up(bytes / 2);
    if (const auto found = known_.find(half); found != known_.end()) return found->second;
    const double reckoned = bytes / large_bytes() * large_.median_us;
    try {
        return known_[half] = half == large_half_ ? large_.median_us : measured(half).median_us;
    } catch (const OutOfMemory&) {
        return known_[half] = reckoned;
    }
}

Timing CopyFloor::measured(size_t half) {
    std::shared_ptr<void> memory = pool_;
    if (2 * half > pool_bytes_) memory = noise_memory(clock_.backend(), SampleType::u8, 2 * half);
    auto* begin = static_cast<std::byte*>(memory.get());
    const size_t pairs = std::max<size_t>(1, pool_bytes_ / (2 * half));
    const auto copy = [&](int k) {
        std::byte* from = begin + 2 * half * (size_t(k) % pairs);
        clock_.backend().copy(from + half, from, half);
    };
    return clock_.time(copy, int(std::min<size_t>(pairs, 8)), effort_);
}

namespace {

// The minimum number of texels that a rendering has to read.

using Polygon = std::vector<Point>;

double cross(Point o, Point a, Point b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

// Andrew's monotone chain.
Polygon convex_hull(Polygon points) {
    std::sort(points.begin(), points.end(), [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    Polygon hull;
    const auto add_chain = [&](auto first, auto last) {
        const size_t begin = hull.size();
        for (; first != last; ++first) {
            while (hull.size() >= begin + 2 && cross(hull[hull.size() - 2], hull.back(), *first) <= 0) hull.pop_back();
            hull.push_back(*first);
        }
        hull.pop_back();  // the other chain begins with it
    };
    add_chain(points.begin(), points.end());
    add_chain(points.rbegin(), points.rend());
    return hull;
}

// The part in which inside() is not negative (Sutherland & Hodgman 1974).
Polygon clipped(const Polygon& polygon, const std::function<double(Point)>& inside) {
    Polygon result;
    for (size_t i = 0; i < polygon.size(); ++i) {
        const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        const double at_a = inside(a), at_b = inside(b);
        if (at_a >= 0) result.push_back(a);
        if ((at_a >= 0) == (at_b >= 0)) continue;
        const double t = at_a / (at_a - at_b);
        result.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    }
    return result;
}

double area(const Polygon& polygon) {
    double twice = 0;
    for (size_t i = 1; i + 1 < polygon.size(); ++i) twice += cross(polygon[0], polygon[i], polygon[i + 1]);
    return std::abs(twice) / 2;
}

// Area, in texels, that the output's pixels read: the parallelogram of their positions, widened by the support of the
// weight function (samples along x and y: the taps times the stretch), within the image's extent.
double footprint(const Affine& positions, int output_width, int output_height, double support_x, double support_y,
                 int image_width, int image_height) {
    Polygon corners;
    for (const double i : {0.0, double(output_width - 1)})
        for (const double j : {0.0, double(output_height - 1)})
            for (const double dx : {-support_x / 2, support_x / 2})
                for (const double dy : {-support_y / 2, support_y / 2}) {
                    const Point p = apply(positions, i, j);
                    corners.push_back({p.x + dx, p.y + dy});
                }
    Polygon polygon = convex_hull(corners);
    polygon = clipped(polygon, [](Point p) { return p.x + 0.5; });
    polygon = clipped(polygon, [](Point p) { return p.y + 0.5; });
    polygon = clipped(polygon, [=](Point p) { return image_width - 0.5 - p.x; });
    polygon = clipped(polygon, [=](Point p) { return image_height - 0.5 - p.y; });
    return area(polygon);
}

// Back and forth between −reach and reach.
double triangle(int k, int step, int reach) {
    const int at = k * step % (4 * reach);
    return at < 2 * reach ? at - reach : 3 * reach - at;
}

// A pan stays on an image that is larger than the output by these reaches.
View moved(View view, int k, const BenchCase& of) {
    const int slack_x = std::max(2, (of.source_width - of.width) / 2),
              slack_y = std::max(2, (of.source_height - of.height) / 2);
    view.translate_x += triangle(k, 5, std::min(100, slack_x)) + 0.25;
    view.translate_y += triangle(k, 7, std::min(400, slack_y)) + 0.25;
    return view;
}

double coefficient_bytes(const BenchCase& of) {
    return (of.spec.prefilter.half_float ? 2.0 : 4.0) * of.format.channels;
}

// Bytes of a texel as read: of coefficients, or of samples.
double read_bytes(const BenchCase& of, const Resampling& resampling) {
    return resampling.filtered() ? coefficient_bytes(of) : double(of.format.texel_bytes());
}

double rendered_bytes(const BenchCase& of, const Resampling& resampling) {
    const double taps = of.spec.method->taps;
    const ReadPlan& reading = resampling.reading;
    const double texels = footprint(reading.positions, of.width, of.height, taps * reading.stretch_x,
                                    taps * reading.stretch_y, of.source_width, of.source_height);
    return texels * read_bytes(of, resampling) + of.pixels() * double(of.output_pixel_bytes());
}

// Samples read once, coefficients with their margins written once.
double prefiltered_bytes(const BenchCase& of) {
    const double x = of.source_width + 2.0 * margin_for(of.spec.address.x, of.spec.inverse_filter());
    const double y = of.source_height + 2.0 * margin_for(of.spec.address.y, of.spec.inverse_filter());
    return of.pixels() * double(of.format.texel_bytes()) + x * y * coefficient_bytes(of);
}

Effort effort_for(const Backend& backend, double limit_ms) {
    Effort effort;
    effort.limit_ms = limit_ms;
    if (backend.info().kind == BackendKind::cpu) effort.batch_ms = 5, effort.most_batches = 15;
    return effort;
}

}  // namespace

CaseMeasurer::CaseMeasurer(const std::shared_ptr<Backend>& backend)
    : backend_(backend), clock_(backend), copies_(clock_, effort_for(*backend, 50)), outputs_(backend) {}

BenchResult CaseMeasurer::measure(const BenchCase& of, double limit_ms, int most_sources) {
    most_sources_ = most_sources;
    BenchResult result = result_of(of);
    const Effort effort = effort_for(*backend_, limit_ms);
    switch (of.work) {
        case BenchCase::Work::render: measure_render(of, effort, result); break;
        case BenchCase::Work::prefilter: measure_prefilter(of, effort, result); break;
        case BenchCase::Work::whole_call: measure_whole_call(of, effort, result); break;
    }
    if (result.bytes > 0) result.copy_us = copies_.us(result.bytes);
    return result;
}

// A processor's last-level cache holds any number of them, and each of them has to be filtered.
BenchSources& CaseMeasurer::sources_of(const BenchCase& of, double bytes_of_each) {
    const BackendKind kind = backend_->info().kind;
    const int most = of.moves ? 1 : std::min(most_sources_, kind == BackendKind::cpu ? 2 : most_in_turn);
    const Key key{of.format, of.source_width, of.source_height,
                  std::min(copies_in_turn(kind, size_t(bytes_of_each)), most)};
    if (!sources_ || key != key_) {
        forget();
        sources_ = std::make_unique<BenchSources>(backend_, of.format, of.source_width, of.source_height, key.copies);
        key_ = key;
    }
    return *sources_;
}

void CaseMeasurer::measure_render(const BenchCase& of, const Effort& effort, BenchResult& result) {
    const size_t output_bytes = size_t(of.pixels()) * of.output_pixel_bytes();
    const double source_bytes = double(of.source_width) * of.source_height * double(of.format.texel_bytes());
    // The number of sources does not depend on the view, which may read little of them, so that they can stay.
    BenchSources& sources = sources_of(of, double(output_bytes) + source_bytes / 2);
    RenderRequest request = of.request;
    request.spec = of.spec;
    request.simple = of.simple;
    request.width = of.width;
    request.height = of.height;
    result.bytes = rendered_bytes(of, sources.at(0).plan(request));
    outputs_.make(output_bytes, copies_in_turn(backend_->info().kind, size_t(result.bytes)));
    result.bytes_in_turn = result.bytes * outputs_.count();
    const auto render = [&](int k) {
        if (of.moves) request.view = moved(of.request.view, k, of);
        const size_t row_bytes = size_t(of.width) * of.output_pixel_bytes();
        sources.at(k).render(request, {outputs_.at(k), row_bytes, of.output(), no_timer});
    };
    result.time = clock_.time(render, sources.count(), effort);
}

void CaseMeasurer::measure_prefilter(const BenchCase& of, const Effort& effort, BenchResult& result) {
    result.bytes = prefiltered_bytes(of);
    BenchSources& sources = sources_of(of, result.bytes);
    std::vector<std::shared_ptr<const ResidentImage>> kept(size_t(sources.count()));  // so that outputs take turns, too
    const auto prefilter = [&](int k) {
        auto& coefficients = kept[size_t(k) % kept.size()];
        coefficients.reset();
        coefficients = backend_->prefilter(sources.at(k).samples(), of.spec);
    };
    // Between its events, only a GPU's prefilter runs; within a batch there are no events, but the work around it
    // counts. Both give at least its time.
    Timing batched = clock_.time(prefilter, sources.count(), effort);
    if (backend_->stream()) {
        const Timing reported = clock_.time_reported(
            [&](int k) {
                prefilter(k);
                backend_->synchronize();
                return backend_->last_prefilter_ms().value_or(0);
            },
            1, effort);
        if (reported.median_us < batched.median_us) batched = reported;
    }
    result.time = batched;
    result.bytes_in_turn = result.bytes * sources.count();
}

void CaseMeasurer::measure_whole_call(const BenchCase& of, const Effort& effort, BenchResult& result) {
    Image image(of.source_width, of.source_height, of.format.channels, of.format.type);
    for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = std::byte(i * 2654435761u >> 24);
    RenderRequest request = of.request;
    request.spec = of.spec;
    request.width = of.width;
    request.height = of.height;
    result.time = clock_.time_reported(
        [&](int) {
            const StopWatch watch;
            SourceImage source(backend_, image);
            source.render_to_rgba8(request);
            return watch.ms();
        },
        2, effort);
}

}  // namespace texelscope
