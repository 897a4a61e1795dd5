#include "app/studies/restoring/restoring.h"

#include <algorithm>
#include <cmath>

#include "app/picture/source_cache.h"
#include "app/picture/widening.h"
#include "app/studies/restoring/band_limited.h"
#include "app/studies/restoring/spot.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/quantile.h"
#include "gpu/core/stop_watch.h"
#include "gpu/method/output.h"

namespace texelscope {
namespace {

// Of one rendering that is timed: at least five unless they take long, more if they are short.
constexpr size_t least_runs = 5, most_runs = 51;
constexpr double wanted_ms = 40, patience_ms = 300;

double median(std::vector<double> times) {
    if (times.empty()) return 0;
    std::sort(times.begin(), times.end());
    return quantile(times, 0.5);
}

// The image's values in memory of the backend.
std::shared_ptr<void> uploaded(Backend& backend, const Image& values) {
    const std::shared_ptr<void> memory = backend.allocate(values.size_bytes());
    backend.write(memory.get(), values.data(), values.size_bytes());
    return memory;
}

// Not finite, and so not compared, outside the interior.
Image only_inside(Image image, const Interior& interior) {
    const size_t channels = size_t(image.channels());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (!interior.contains(x, y, {image.width(), image.height()}))
                std::fill_n(image.row_as<float>(y) + size_t(x) * channels, channels, std::nanf(""));
    return image;
}

Image rendered(SourceImage& source, const RenderRequest& request, bool one_dimensional) {
    Image image = source.render_to_image(request);
    image.set_one_dimensional(one_dimensional);
    return image;
}

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

// f32, premultiplied if there is alpha.
Image truth_of(const RestoringPlan& plan) {
    const Image& image = *plan.image;
    const bool linear = plan.light == Light::linear, reduces = plan.restoration.kind == Restoration::Kind::reduce;
    Image truth = converted(premultiplied(reduces && linear ? linear_light(image) : image), SampleType::f32);
    truth.set_alpha(image.alpha() == Alpha::none ? Alpha::none : Alpha::premultiplied);
    if (reduces) truth = band_limited(truth, compared_size(plan.restoration, image));
    if (reduces && linear) truth = srgb_coded(std::move(truth));
    truth.set_one_dimensional(image.one_dimensional());
    return truth;
}

// Restores by one method after the other.
class Restorer {
public:
    Restorer(const RestoringPlan& plan, std::shared_ptr<Backend> backend, const RestoringProgress& progress)
        : plan_(plan),
          backend_(std::move(backend)),
          progress_(progress),
          interior_(interior_of(plan.restoration, *plan.image)),
          truth_(truth_of(plan)),
          peak_(peak_of(*plan.image)) {
        all_ = uploaded(*backend_, truth_);
        inside_ = uploaded(*backend_, only_inside(truth_, interior_));
        restored_ = backend_->allocate(truth_.size_bytes());
        if (has_colours(truth_)) colours_.emplace(truth_);
        switch (plan.restoration.kind) {
            case Restoration::Kind::shrink:
                source_.emplace(backend_, shrunk_picture(plan, backend_), plan.light);
                break;
            case Restoration::Kind::reduce: source_.emplace(backend_, plan.image, plan.light); break;
            case Restoration::Kind::rotate:
            case Restoration::Kind::shift: steps_ = steps_of(plan.restoration, truth_.one_dimensional()); break;
        }
    }

    const Interior& interior() const { return interior_; }

    RestoredMethod restored(const MethodSpec& spec) {
        RestoredMethod result{.spec = spec};
        result.fetches = fetches_of(spec);
        result.milliseconds = source_ ? resize(spec) : turn_and_shift(spec);
        report();
        result.inside.metrics = against(inside_.get());
        result.all.metrics = against(all_.get());
        if (!colours_) return result;
        const ColourComparison::Figures figures = colours_->figures(restored_rows(colours_->rows()), interior_);
        result.inside.colours = figures.inside;
        result.all.colours = figures.all;
        return result;
    }

    WorstSpot worst_spot(const RestoredMethod& best) const {
        return spot_around(truth_, plan_.restoration, best.inside.metrics.worst_x, best.inside.metrics.worst_y);
    }

    Image pane(const MethodSpec& spec, const WorstSpot& spot) {
        if (!source_) {
            std::vector<double> times;
            return shown(cut_out(repeated(spec, times), spot), truth_);
        }
        report();
        RenderRequest request = resizing(spec);
        Affine& positions = *request.positions;
        positions.x0 += positions.xx * spot.x;
        positions.y0 += positions.yy * spot.y;
        request.width = spot.size.width;
        request.height = spot.size.height;
        return shown(source_->render_to_image(request), truth_);
    }

private:
    void report() {
        const size_t steps = std::max<size_t>(steps_.size(), 1);
        progress_(done_++, plan_.specs.size() * (steps + 1) + std::min(plan_.panes, plan_.specs.size()) * steps);
    }

    RenderRequest resizing(const MethodSpec& spec) const {
        return resize_request(source_->samples(), spec, truth_.width(), truth_.height());
    }

    double fetches_of(const MethodSpec& spec) const {
        const bool signal = truth_.one_dimensional();
        if (source_) {
            const Resampling resampling = source_->plan(resizing(spec)).resampling;
            if (!resampling.plain()) return widened_taps(*spec.method, resampling.reading, signal);
        }
        return fetches(*spec.method, spec.path, signal);
    }

    double last_ms() const { return backend_->last_render_ms().value_or(0); }

    // Fill restored_ and return the time of one rendering.
    double resize(const MethodSpec& spec) {
        report();
        const PlannedRequest request = source_->plan(resizing(spec));
        const RenderTarget target{restored_.get(), truth_.row_bytes(), RenderTarget::Format::floats};
        const auto render = [&] {
            source_->render(request, target);
            backend_->synchronize();
            return last_ms();
        };
        render();  // prefilters and warms up
        std::vector<double> times;
        const StopWatch watch;
        do times.push_back(render());
        while (times.size() < most_runs && watch.ms() < (times.size() < least_runs ? patience_ms : wanted_ms));
        return median(times);
    }
    double turn_and_shift(const MethodSpec& spec) {
        std::vector<double> times;
        const Image picture = repeated(spec, times);
        backend_->write(restored_.get(), picture.data(), picture.size_bytes());
        return median(times);
    }

    // `times`: of each step.
    Image repeated(const MethodSpec& spec, std::vector<double>& times) {
        RenderRequest request;
        request.spec = spec;
        request.width = truth_.width();
        request.height = truth_.height();
        Image picture = truth_;
        const auto step = [&](const View& view) {
            request.view = view;
            SourceImage source(backend_, std::move(picture), plan_.light);
            picture = rendered(source, request, truth_.one_dimensional());
        };
        for (const View& view : steps_) {
            report();
            step(view);
            times.push_back(last_ms());
        }
        if (plan_.restoration.kind == Restoration::Kind::shift) {  // a whole number of samples: nearest only copies
            request.spec.method = &parse_method("nearest");
            const double total = plan_.restoration.times * plan_.restoration.step + last_step(plan_.restoration);
            step(shifted_by(-std::round(total), truth_.one_dimensional()));
        }
        return picture;
    }

    Image restored_rows(const std::vector<int>& rows) const {
        Image picture(truth_.width(), int(rows.size()), truth_.channels(), SampleType::f32);
        const auto* restored = static_cast<const std::byte*>(restored_.get());
        if (int(rows.size()) == truth_.height()) backend_->read_back(picture.data(), restored, picture.size_bytes());
        else
            for (size_t k = 0; k < rows.size(); ++k)
                backend_->read_back(picture.row(int(k)), restored + size_t(rows[k]) * truth_.row_bytes(),
                                    picture.row_bytes());
        return picture;
    }

    // Of what was restored last.
    Metrics against(const void* reference) const {
        MeasureJob job;
        job.values = {restored_.get()};
        job.reference = {reference};
        job.width = truth_.width();
        job.height = truth_.height();
        job.channels = truth_.channels();
        job.peak = peak_;
        return backend_->measure(job);
    }

    const RestoringPlan& plan_;
    std::shared_ptr<Backend> backend_;
    const RestoringProgress& progress_;
    Interior interior_;
    Image truth_;  // f32, premultiplied if there is alpha
    double peak_;
    // In memory of the backend: the truth's values, only those of its interior, those of the latest method.
    std::shared_ptr<void> all_, inside_, restored_;
    std::optional<ColourComparison> colours_;
    std::optional<SourceImage> source_;  // what is resized to the truth's size
    std::vector<View> steps_;            // otherwise
    size_t done_ = 0;
};

void sort_best_first(std::vector<RestoredMethod>& methods) {
    std::stable_sort(methods.begin(), methods.end(), [](const RestoredMethod& a, const RestoredMethod& b) {
        const double psnr_a = a.inside.metrics.psnr, psnr_b = b.inside.metrics.psnr;
        return psnr_a > psnr_b || (std::isnan(psnr_b) && !std::isnan(psnr_a));
    });
}

}  // namespace

RestoringResult restore_by_each(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend,
                                const RestoringProgress& progress) {
    const StopWatch watch;
    Restorer restorer(plan, backend, progress);
    RestoringResult result{plan, restorer.interior(), backend->info(), {}, {}, 0};
    for (const MethodSpec& spec : plan.specs) result.methods.push_back(restorer.restored(spec));
    sort_best_first(result.methods);
    const size_t panes = std::min(plan.panes, result.methods.size());
    if (panes > 0) result.spot = restorer.worst_spot(result.methods.front());
    for (size_t k = 0; k < panes; ++k) {
        RestoredMethod& method = result.methods[k];
        method.pane = restorer.pane(method.spec, *result.spot);
    }
    result.seconds = watch.ms() / 1000;
    return result;
}

Image shrunk_picture(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend) {
    SourceImage source(backend, plan.image, plan.light);
    const Extent size = shrunk_size(plan.restoration, *plan.image);
    const RenderRequest request = resize_request(source.samples(), plan.restoration.filter, size.width, size.height);
    return rendered(source, request, plan.image->one_dimensional());
}

std::vector<bool> on_the_front(const std::vector<RestoredMethod>& methods) {
    const auto beats = [](const RestoredMethod& a, const RestoredMethod& b) {
        const double psnr_a = a.inside.metrics.psnr, psnr_b = b.inside.metrics.psnr;
        return psnr_a >= psnr_b && a.milliseconds <= b.milliseconds &&
               (psnr_a > psnr_b || a.milliseconds < b.milliseconds);
    };
    std::vector<bool> front;
    for (const RestoredMethod& method : methods)
        front.push_back(!std::isnan(method.inside.metrics.psnr) &&
                        std::none_of(methods.begin(), methods.end(),
                                     [&](const RestoredMethod& other) { return beats(other, method); }));
    return front;
}

}  // namespace texelscope
