#include "app/studies/restoring/restoring.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/studies/restoring/error_maps.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/core/timing.h"
#include "gpu/method/output.h"

namespace texelscope {
namespace {

// The runs of one rendering that is timed: five unless they take long, more if they are short, or if the machine is busy.
constexpr size_t least_runs = 5, most_runs = 25, most_runs_if_busy = 100;
constexpr double wanted_timed_ms = 10, most_timed_ms = 300;

View shifted_by(double samples, bool signal) { return {.translate_x = samples, .translate_y = signal ? 0 : samples}; }

// The views of the picture's changes one after the other, each rendered from the result of the one before.
std::vector<View> steps_of(const Restoration& restoration, bool signal) {
    const bool rotates = restoration.kind == Restoration::Kind::rotate;
    const auto view = [&](double step) { return rotates ? View{.rotate = step} : shifted_by(step, signal); };
    std::vector<View> steps(size_t(restoration.times), view(restoration.step));
    if (const double last = last_step(restoration); last != 0) steps.push_back(view(last));
    return steps;
}

// Linear light to sRGB.
Image srgb_coded(Image image) {
    const int channels = image.channels();
    for (int y = 0; y < image.height(); ++y) {
        float* v = image.row_as<float>(y);
        for (int x = 0; x < image.width(); ++x, v += channels) {
            Pixel<4> pixel{};
            std::copy_n(v, channels, pixel.v);
            std::copy_n(encoded(pixel, channels, image.alpha() != Alpha::none).v, channels, v);
        }
    }
    return image;
}

// Whether samples are decoded before and coded after.
bool decodes(const RestoringPlan& plan) {
    return plan.light == Light::linear && !is_linear(plan.image->profile().get());
}

// The ideal reduction: f32, premultiplied if there is alpha.
Image ideal_of(const RestoringPlan& plan) {
    const Image& image = *plan.image;
    const bool linear = decodes(plan);
    Image values = converted(premultiplied(linear ? linear_light(image) : image), SampleType::f32);
    values.set_alpha(image.alpha() == Alpha::none ? Alpha::none : Alpha::premultiplied);
    Image ideal = band_limited(values, compared_size(plan.restoration, image));
    return linear ? srgb_coded(std::move(ideal)) : ideal;
}

// Restores by one method after the other.
class Restorer {
public:
    Restorer(const RestoringPlan& plan, const Holes& holes, std::shared_ptr<Backend> backend,
             const RestoringProgress& progress)
        : plan_(plan),
          backend_(std::move(backend)),
          progress_(progress),
          interior_(interior_of(plan.restoration, *plan.image)),
          size_(compared_size(plan.restoration, *plan.image)),
          channels_(plan.image->channels()),
          turns_(plan.restoration.kind == Restoration::Kind::rotate ||
                 plan.restoration.kind == Restoration::Kind::shift),
          pixel_values_(turns_ && channels_ == 3 ? 4 : channels_),
          peak_(peak_of(*plan.image)) {
        if (const std::string why = why_no_judge(plan.judges.front(), *plan.image); !why.empty()) throw Error(why);
        truth_ = values();
        restored_ = values();
        switch (plan.restoration.kind) {
            case Restoration::Kind::shrink:
                given_ = std::make_shared<const Image>(shrunk_picture(plan, backend_));
                source_.emplace(backend_, given_, plan.light);
                break;
            case Restoration::Kind::reduce: source_.emplace(backend_, plan.image, plan.light); break;
            case Restoration::Kind::rotate:
            case Restoration::Kind::shift: start(); break;
        }
        if (plan.restoration.kind == Restoration::Kind::reduce) {
            const Image ideal = ideal_of(plan);
            backend_->write(truth_.get(), ideal.data(), ideal.size_bytes());
        } else if (!turns_) {
            render_original();
        }
        compared_with_ = truth_;
        if (holes.samples > 0) {
            Image without(size_.width, size_.height, pixel_values_, SampleType::f32, alpha());
            backend_->read_back(without.data(), truth_.get(), without.size_bytes());
            leave_out(holes, without);
            compared_with_ = values();
            backend_->write(compared_with_.get(), without.data(), without.size_bytes());
        }
        if (wants(Judge::delta_e) || wants(Judge::flip) || wants(Judge::gmsd))
            maps_.emplace(*backend_, size_, compared_rows(size_));
        if (wants(Judge::flip)) exposures_ = exposures_of(*plan.image);
    }

    const Interior& interior() const { return interior_; }

    RestoredMethod restored(const MethodSpec& spec) {
        RestoredMethod result{.spec = spec};
        if (const OutsideMethod* outside = outside_of(spec)) {
            result.fetches = std::numeric_limits<double>::quiet_NaN();
            result.milliseconds = take(*outside, &result.displacement);
        } else {
            result.fetches = fetches_of(spec);
            const TimedRuns runs = source_ ? resize(spec) : turn_and_shift(spec);
            result.milliseconds = runs.milliseconds;
            result.slowed = runs.slowed;
        }
        report();
        result.all.metrics = compared(result.inside.metrics);
        add_map(result, Judge::delta_e, DifferenceKind::delta_e, &RestoredFigures::colours);
        add_map(result, Judge::flip, DifferenceKind::flip, &RestoredFigures::flip);
        add_map(result, Judge::gmsd, DifferenceKind::gradient, &RestoredFigures::gradient);
        return result;
    }

    WorstSpot worst_spot(const RestoredMethod& best) const {
        WorstSpot spot =
            spot_around(size_, plan_.restoration, best.inside.metrics.worst_x, best.inside.metrics.worst_y);
        spot.original = seen(truth_.get(), spot);
        return spot;
    }

    Image pane(const MethodSpec& spec, const WorstSpot& spot) {
        if (const OutsideMethod* outside = outside_of(spec)) {
            take(*outside);
            return seen(restored_.get(), spot);
        }
        if (!source_) {
            turn_and_shift(spec);
            return seen(restored_.get(), spot);
        }
        report();
        RenderRequest request = resizing(spec);
        Affine& positions = *request.positions;
        positions.x0 += positions.xx * spot.x;
        positions.y0 += positions.yy * spot.y;
        request.width = spot.size.width;
        request.height = spot.size.height;
        return shown(source_->render_to_image(request), *plan_.image);
    }

private:
    void report() {
        check();
        ++done_;
    }
    void check() const {
        const size_t steps = std::max<size_t>(steps_.size(), 1);
        const size_t methods = plan_.specs.size() + plan_.outside.size();
        progress_(done_, methods * (steps + 1) + std::min(plan_.panes, methods) * steps);
    }

    // ΔE2000 of every picture that has colours, what else is asked for.
    bool wants(Judge judge) const {
        const auto& judges = plan_.judges;
        const bool asked = std::find(judges.begin(), judges.end(), judge) != judges.end();
        return (asked || judge == Judge::delta_e) && why_no_judge(judge, *plan_.image).empty();
    }

    void add_map(RestoredMethod& result, Judge judge, DifferenceKind kind,
                 std::optional<MapFigures> RestoredFigures::*figures) {
        if (wants(judge))
            result.all.*figures = maps_->figures(map_job(kind), interior_, (result.inside.*figures).emplace());
    }

    const OutsideMethod* outside_of(const MethodSpec& spec) const {
        for (const OutsideMethod& one : plan_.outside)
            if (one.spec == spec) return &one;
        return nullptr;
    }

    // Fills restored_ with what was made elsewhere and returns its time.
    double take(const OutsideMethod& outside, std::optional<Displacement>* displacement = nullptr) {
        report();
        const OutsideResult made = outside.make(given_ ? *given_ : *plan_.image, size_, [&] { check(); });
        const Image values = outside_values(made.image, *plan_.image, size_, std::string(outside.spec.method->name));
        write(values, restored_.get());
        if (displacement && plan_.restoration.kind == Restoration::Kind::shrink && !signal())
            *displacement = displacement_of(values, *plan_.image, plan_.restoration.factor);
        return made.milliseconds;
    }

    RenderRequest resizing(const MethodSpec& spec) const {
        return resize_request(source_->samples(), spec, size_.width, size_.height);
    }

    double fetches_of(const MethodSpec& spec) const {
        if (source_) {
            const Resampling resampling = source_->plan(resizing(spec));
            if (!resampling.plain()) return widened_taps(*spec.method, resampling.reading, signal());
        }
        return fetches(*spec.method, spec.path, signal());
    }

    bool signal() const { return plan_.image->one_dimensional(); }
    size_t row_bytes() const { return size_t(size_.width) * size_t(pixel_values_) * sizeof(float); }
    std::shared_ptr<void> values() const { return backend_->allocate(row_bytes() * size_t(size_.height)); }
    Alpha alpha() const { return plan_.image->alpha() == Alpha::none ? Alpha::none : Alpha::premultiplied; }

    // The part of a picture, as the screen shows it.
    Image seen(const void* picture, const WorstSpot& spot) const {
        Image part(spot.size.width, spot.size.height, pixel_values_, SampleType::f32, alpha());
        const auto* from = static_cast<const std::byte*>(picture) + size_t(spot.y) * row_bytes() +
                           size_t(spot.x) * size_t(pixel_values_) * sizeof(float);
        for (int y = 0; y < spot.size.height; ++y, from += row_bytes())
            backend_->read_back(part.row(y), from, part.row_bytes());
        return shown(part, *plan_.image);
    }

    // What is turned or shifted stays on the backend from the first step to the last: as the truth, and in two pictures
    // that take turns. Three channels are padded to four, since pictures of three cannot be read in place.
    void start() {
        steps_ = steps_of(plan_.restoration, signal());
        next_ = values();
        const Image original = converted(premultiplied(*plan_.image), SampleType::f32);
        write(original, truth_.get());
        if (!decodes(plan_)) return;
        start_ = values();
        write(converted(premultiplied(linear_light(*plan_.image)), SampleType::f32), start_.get());
    }
    void write(const Image& image, void* to) {
        if (pixel_values_ == channels_) return backend_->write(to, image.data(), image.size_bytes());
        std::vector<float> padded(size_t(size_.width) * size_t(size_.height) * size_t(pixel_values_));
        float* at = padded.data();
        for (int y = 0; y < size_.height; ++y)
            for (int x = 0; x < size_.width; ++x, at += pixel_values_)
                std::copy_n(image.row_as<float>(y) + size_t(x) * size_t(channels_), channels_, at);
        backend_->write(to, padded.data(), padded.size() * sizeof(float));
    }

    // Nearest at 100 % only copies.
    void render_original() {
        RenderRequest request;
        request.spec = default_spec(parse_method("nearest"));
        request.width = size_.width;
        request.height = size_.height;
        SourceImage source(backend_, plan_.image);
        source.render(request, {truth_.get(), row_bytes(), RenderTarget::Format::floats});
    }

    double last_ms() const { return backend_->last_render_ms().value_or(0); }

    // Fill restored_ and return the time of one rendering.
    TimedRuns resize(const MethodSpec& spec) {
        report();
        const PlannedRequest request = source_->plan(resizing(spec));
        const RenderTarget target{restored_.get(), row_bytes(), RenderTarget::Format::floats};
        const auto render = [&] {
            source_->render(request, target);
            backend_->synchronize();
            return last_ms();
        };
        render();  // prefilters and warms up
        std::vector<double> times;
        const StopWatch watch;
        const auto go_on = [&] {
            if (times.size() < least_runs) return watch.ms() < most_timed_ms;
            if (!is_confirmed(times)) return times.size() < most_runs_if_busy && watch.ms() < most_timed_ms;
            return times.size() < most_runs && watch.ms() < wanted_timed_ms;
        };
        do times.push_back(render());
        while (go_on());
        return timed(times);
    }
    TimedRuns turn_and_shift(const MethodSpec& spec) {
        RenderRequest request;
        request.spec = spec;
        request.width = size_.width;
        request.height = size_.height;
        std::vector<double> times;
        const void* picture = start_ ? start_.get() : truth_.get();
        const auto step = [&](const View& view) {
            request.view = view;
            SourceImage source(backend_, ImageView{.samples = picture,
                                                   .width = size_.width,
                                                   .height = size_.height,
                                                   .channels = pixel_values_,
                                                   .alpha = alpha(),
                                                   .one_dimensional = signal()});
            source.prepare(request);
            source.render(request, {next_.get(), row_bytes(), RenderTarget::Format::floats});
            backend_->synchronize();
            std::swap(next_, restored_);
            picture = restored_.get();
        };
        for (const View& view : steps_) {
            report();
            step(view);
            times.push_back(last_ms());
        }
        if (plan_.restoration.kind == Restoration::Kind::shift) {  // a whole number of samples: nearest only copies
            request.spec.method = &parse_method("nearest");
            const double total = plan_.restoration.times * plan_.restoration.step + last_step(plan_.restoration);
            step(shifted_by(-std::round(total), signal()));
        }
        if (start_) {  // what is compared is sRGB-coded
            Image linear(size_.width, size_.height, pixel_values_, SampleType::f32, alpha());
            backend_->read_back(linear.data(), restored_.get(), linear.size_bytes());
            linear = srgb_coded(std::move(linear));
            backend_->write(restored_.get(), linear.data(), linear.size_bytes());
        }
        return {timed(times).milliseconds};  // each view takes its own time
    }

    // What was restored last, and what is right.
    PicturePair pair() const {
        return {.values = {restored_.get()},
                .reference = {compared_with_.get()},
                .width = size_.width,
                .height = size_.height,
                .channels = channels_,
                .pixel_values = pixel_values_,
                .peak = peak_};
    }

    // The metrics of what was restored last.
    Metrics compared(Metrics& inside) const {
        MeasureJob job{pair()};
        job.inside = interior_;
        return backend_->measure(job, &inside);
    }

    ErrorMapJob map_job(DifferenceKind kind) const {
        ErrorMapJob job{pair()};
        job.kind = kind;
        job.colours = channels_ >= 3 ? 3 : 1;
        job.linear = is_linear(plan_.image->profile().get()) && is_float(plan_.image->type());
        job.pixels_per_degree = double(plan_.pixels_per_degree);
        job.exposures = exposures_;
        return job;
    }

    const RestoringPlan& plan_;
    std::shared_ptr<Backend> backend_;
    const RestoringProgress& progress_;
    Interior interior_;
    Extent size_;  // of what is compared
    int channels_;
    bool turns_;        // or shifts
    int pixel_values_;  // from one pixel to the next
    double peak_;
    // Memory of the backend: the values that are right, and those of the latest method; floats, premultiplied if there is
    // alpha.
    std::shared_ptr<void> truth_, restored_;
    std::shared_ptr<void> compared_with_;  // the truth, less what is left out
    // Where the next step goes, and where the first one starts if not at the truth: linear light.
    std::shared_ptr<void> next_, start_;
    std::optional<ErrorMaps> maps_;
    FlipExposures exposures_;
    std::shared_ptr<const Image> given_;  // shrunk; null: what methods get is the picture
    std::optional<SourceImage> source_;   // what is resized to the truth's size
    std::vector<View> steps_;             // otherwise
    size_t done_ = 0;
};

}  // namespace

RestoringResult restore_by_each(const RestoringPlan& asked, const std::shared_ptr<Backend>& backend,
                                const RestoringProgress& progress, const RestoringSoFar& so_far) {
    const StopWatch watch;
    RestoringPlan plan = asked;
    Holes holes = holes_of(plan, interior_of(plan.restoration, *plan.image));
    if (holes.filled) plan.image = std::move(holes.filled);
    Restorer restorer(plan, holes, backend, progress);
    RestoringResult result{asked, restorer.interior(), std::move(holes), backend->info(), {}, {}, 0};
    std::vector<MethodSpec> specs = plan.specs;
    for (const OutsideMethod& outside : plan.outside) specs.push_back(outside.spec);
    for (const MethodSpec& spec : specs) {
        result.methods.push_back(restorer.restored(spec));
        if (!so_far) continue;
        RestoringResult now = result;
        sort_best_first(now.methods, plan.judges.front());
        so_far(now);
    }
    sort_best_first(result.methods, plan.judges.front());
    const size_t panes = std::min(plan.panes, result.methods.size());
    if (panes > 0) result.spot = restorer.worst_spot(result.methods.front());
    for (size_t k = 0; k < panes; ++k) {
        RestoredMethod& method = result.methods[k];
        method.pane = restorer.pane(method.spec, *result.spot);
    }
    result.seconds = watch.ms() / 1000;
    return result;
}

}  // namespace texelscope
