#include "app/picture/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/picture/reference_values.h"
#include "app/picture/rendition.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/parallel.h"
#include "gpu/core/quantile.h"
#include "gpu/core/timing.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {
namespace {

// A median of at least this many renderings, more if they are short.
constexpr size_t least_runs = 5, most_runs = 101;
constexpr double wanted_ms = 300, patience_ms = 2000;
constexpr int own_timer = 31;  // the panes of a window keep theirs

}  // namespace

double Comparison::median_ms(const Rendition& rendition) {
    SourceImage& source = sources_.at(rendition.image, rendition.light);
    Backend& backend = source.backend();
    const size_t row_bytes = size_t(rendition.request.width) * 4;
    const auto memory = backend.allocate(row_bytes * size_t(rendition.request.height));
    const auto render = [&] {
        source.render(rendition.request, {memory.get(), row_bytes, RenderTarget::Format::rgba8, own_timer});
        backend.synchronize();
        return backend.last_render_ms(own_timer).value_or(0);
    };
    source.prepare(rendition.request);
    render();  // warms up
    std::vector<double> times;
    const StopWatch watch;
    do times.push_back(render());
    while (times.size() < most_runs && watch.ms() < (times.size() < least_runs ? patience_ms : wanted_ms));
    std::sort(times.begin(), times.end());
    return quantile(times, 0.5);
}

PaneCost cost_of(const Resampling& resampling, bool signal) {
    const MethodSpec& spec = resampling.spec;
    if (resampling.plain())
        return {double(fetches(*spec.method, spec.path, signal)), spec.path == FetchPath::automatic, false};
    if (resampling.reading.local_stretch) return {0, true, true};
    return {widened_taps(*spec.method, resampling.reading, signal), true, true};
}

PaneCost Comparison::cost(const Rendition& rendition) {
    const SourceImage& source = sources_.at(rendition.image, rendition.light);
    return cost_of(source.plan(rendition.request), rendition.image->one_dimensional());
}

PaneFigures Comparison::figures_untimed(const ComparedPane& pane) {
    PaneFigures figures;
    const RenderRequest& request = pane.picture.shown.request;
    figures.pixels = double(request.width) * request.height;
    figures.cost = cost(pane.picture.shown);
    if (!pane.reference) return figures;
    WantedMap map{pane.picture.difference, keeps_maps_};
    const bool has_map = pane.picture.against && is_map(map.settings.kind);
    figures.metrics = panes_.measure(pane.picture.shown, *pane.reference, pane.selection, {}, has_map ? &map : nullptr);
    if (has_map) figures.map = map.figures, figures.numbers = std::move(map.numbers);
    return figures;
}

PaneFigures Comparison::figures(const ComparedPane& pane) {
    PaneFigures figures = figures_untimed(pane);
    figures.milliseconds = median_ms(pane.picture.shown);
    return figures;
}

SheetPane Comparison::sheet_pane(const ComparedPane& pane, const PaneFigures& figures) {
    SheetPane sheet;
    sheet.picture = panes_.render_to_rgba8(pane.picture);
    sheet.index = pane.index;
    sheet.badge = pane_name(pane.index);
    sheet.label = pane.label;
    sheet.metrics = figures.metrics;
    sheet.map = figures.map;
    sheet.against = pane.against;
    sheet.scale = pane.scale;
    sheet.milliseconds = figures.milliseconds;
    sheet.fetches = figures.cost.fetches;
    sheet.taps = figures.cost.taps;
    if (pane.picture.against) sheet.difference = pane.picture.difference;
    return sheet;
}

namespace {

constexpr int enough_rows = 64;  // below, neighbouring bands read much of the image twice

// Pixels outside the image are NaN, which is not measured.
RenderRequest measured(RenderRequest request) {
    if (request.outside == Outside::background) request.outside = Outside::nan;
    return request;
}

const Rendition& reference_of(const ComparedPane& pane) {
    if (!pane.reference) throw Error("a pane without a reference has no figures: give it one");
    return *pane.reference;
}

// The index of each pane's reference among those that differ.
std::vector<size_t> different_references(std::span<const ComparedPane> panes) {
    std::vector<size_t> firsts, indices;
    for (size_t i = 0; i < panes.size(); ++i) {
        const auto same = std::find_if(firsts.begin(), firsts.end(), [&](size_t first) {
            return reference_of(panes[first]) == reference_of(panes[i]);
        });
        indices.push_back(size_t(same - firsts.begin()));
        if (same == firsts.end()) firsts.push_back(i);
    }
    return indices;
}

size_t count_of(const std::vector<size_t>& indices) { return *std::max_element(indices.begin(), indices.end()) + 1; }

// What SSIM on a CPU needs for each of its threads (gpu/compare/metrics.cpp).
constexpr double strip_bytes = 1 << 19, strip_rows = 32;

}  // namespace

// Rows of several panes from the top, band after band.
class StreamedComparison::Pass {
public:
    Pass(TiledImage& image, std::span<const ComparedPane> panes, double peak)
        : image_(image), reference_(image), backend_(image.backend()), peak_(peak) {
        const std::vector<size_t> references = different_references(panes);
        references_.resize(count_of(references));
        for (size_t i = 0; i < panes.size(); ++i) {
            const PlannedRequest shown = image.plan(measured(panes[i].picture.shown.request));
            shown_.push_back({&panes[i], shown, references[i], {}, {}});
            SharedReference& reference = references_[references[i]];
            if (reference.rendition) continue;
            reference.rendition = &*panes[i].reference;
            if (!reference.rendition->formula) reference.planned = image.plan(measured(reference.rendition->request));
        }
        sums_ = backend_.allocate(sizeof(ComparisonSums));
    }

    // The next rows of all panes; `done` is called after each pane.
    void add(int first, int rows, const std::stop_token& stop, const std::function<void()>& done) {
        const int seen = std::min(first, rows_seen_twice);
        for (SharedReference& reference : references_) fill(reference, first, rows, seen, stop);
        for (Shown& shown : shown_) {
            compare(shown, first, rows, seen, stop);
            done();
        }
    }

    PaneFigures figures(size_t index) const {
        const Shown& shown = shown_[index];
        const RenderRequest& request = shown.pane->picture.shown.request;
        PaneFigures figures;
        figures.pixels = double(request.width) * request.height;
        figures.cost = cost_of(shown.planned, false);
        figures.metrics = metrics_of(job_of(shown), shown.sums);
        return figures;
    }

private:
    struct Shown {
        const ComparedPane* pane;
        PlannedRequest planned;
        size_t reference;
        std::vector<float> seen;  // the last rows, which complete windows of SSIM in the next band
        ComparisonSums sums;
    };
    struct SharedReference {
        const Rendition* rendition = nullptr;
        std::optional<PlannedRequest> planned = {};  // unless it is a formula
        std::vector<double> values = {};             // rows that were seen before, and new ones
        Scratch scratch = {};
        std::shared_ptr<void> plane = {};  // the same in memory of the backend
    };

    size_t row_of(const Shown& shown) const { return size_t(shown.planned.width) * size_t(image_.info().channels); }

    void fill(SharedReference& reference, int first, int rows, int seen, const std::stop_token& stop) {
        const RenderRequest request = measured(reference.rendition->request);
        const size_t row = size_t(request.width) * size_t(image_.info().channels);
        std::vector<double>& values = reference.values;
        values.reserve(size_t(rows + rows_seen_twice) * row);  // no later band is larger
        if (seen > 0) std::copy(values.end() - ptrdiff_t(size_t(seen) * row), values.end(), values.begin());
        values.resize(size_t(seen + rows) * row);
        double* const to = values.data() + size_t(seen) * row;
        if (const auto& formula = reference.rendition->formula)
            formula_rows(request, image_.info(), *formula, reference.rendition->masked, first, rows, to);
        else reference_.rows(*reference.planned, first, rows, to, stop);
        reference.plane = reference.scratch.at_least(backend_, values.capacity() * sizeof(double));
        backend_.write(reference.plane.get(), values.data(), values.size() * sizeof(double));
    }

    void compare(Shown& shown, int first, int rows, int seen, const std::stop_token& stop) {
        std::vector<float>& last = shown.seen;
        const size_t row = row_of(shown), before = size_t(seen) * row;
        values_.reserve(size_t(rows + rows_seen_twice) * row);
        values_.resize(before + size_t(rows) * row);
        std::copy_n(last.end() - ptrdiff_t(before), before, values_.begin());
        const Image band = image_.rows(shown.planned, RenderTarget::Format::floats, first, rows, {{}, stop});
        std::memcpy(values_.data() + before, band.data(), band.size_bytes());
        const auto plane = scratch_.at_least(backend_, values_.capacity() * sizeof(float));
        backend_.write(plane.get(), values_.data(), values_.size() * sizeof(float));
        MeasureJob job = job_of(shown);
        job.values = {plane.get(), false};
        job.reference = {references_[shown.reference].plane.get(), true};
        job.height = seen + rows;
        job.first_row = first - seen;
        job.seen_rows = seen;
        backend_.compare(job, static_cast<ComparisonSums*>(sums_.get()));
        ComparisonSums sums;
        backend_.read_back(&sums, sums_.get(), sizeof sums);
        shown.sums.join(sums);
        last.assign(values_.end() - ptrdiff_t(size_t(std::min(seen + rows, rows_seen_twice)) * row), values_.end());
    }

    MeasureJob job_of(const Shown& shown) const {
        MeasureJob job;
        job.width = shown.planned.width;
        job.height = shown.planned.height;
        job.channels = image_.info().channels;
        job.peak = peak_;
        job.selection = shown.pane->selection;
        return job;
    }

    TiledImage& image_;
    TiledReference reference_;
    Backend& backend_;
    double peak_;
    std::vector<Shown> shown_;
    std::vector<SharedReference> references_;
    std::vector<float> values_;
    Scratch scratch_;
    std::shared_ptr<void> sums_;
};

StreamedComparison::StreamedComparison(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> source,
                                       const StreamedOptions& options)
    : source_(std::move(source)),
      options_(options),
      image_(std::move(backend), source_, {options.memory / 2, options.light, options.levels}) {}

// Bytes of the host and the backend: rows of all panes that were seen, of all references, and of the pane at work.
double StreamedComparison::bytes_of(std::span<const ComparedPane> panes, int rows) const {
    const RenderRequest& request = panes.front().picture.shown.request;
    const double row = double(request.width) * source_->info().channels, all = rows + double(rows_seen_twice);
    const double references = double(count_of(different_references(panes)));
    const double strips = std::min(std::ceil(all / strip_rows), double(thread_count()));
    const double masks_and_sums = request.width * all + row * all / 8;
    return row * (double(panes.size()) * rows_seen_twice * sizeof(float) + references * all * 2 * sizeof(double) +
                  (2 * all + rows) * sizeof(float)) +
           masks_and_sums + strips * (strip_bytes + strip_rows * request.width);
}

int StreamedComparison::rows_that_fit(std::span<const ComparedPane> panes) const {
    int rows = std::min(options_.most_rows, panes.front().picture.shown.request.height);
    while (rows > 0 && bytes_of(panes, rows) > double(options_.memory) / 2) rows /= 2;
    return rows;
}

std::vector<PaneFigures> StreamedComparison::figures(std::span<const ComparedPane> panes, const Following& following) {
    std::vector<PaneFigures> result;
    if (panes.empty()) return result;
    const RenderRequest& request = panes.front().picture.shown.request;
    if (rows_that_fit(panes.first(1)) == 0)
        throw Error(fmt::format(
            "a comparison of pictures {} pixels wide needs {:.0f} MiB of memory, not {}: give it more, or choose a smaller size",
            request.width, std::ceil(2 * bytes_of(panes.first(1), 1) / 0x1p20), options_.memory >> 20));
    const double peak = peak_of(*source_, options_.memory / 2), all = double(request.height) * double(panes.size());
    double done = 0;
    while (!panes.empty()) {
        size_t together = panes.size();
        const int enough = std::min({enough_rows, request.height, options_.most_rows});
        while (together > 1 && rows_that_fit(panes.first(together)) < enough) --together;
        const int rows = rows_that_fit(panes.first(together));
        Pass pass(image_, panes.first(together), peak);
        for (int row = 0; row < request.height; row += rows) {
            const int count = std::min(rows, request.height - row);
            pass.add(row, count, following.stop, [&] {
                done += count;
                if (following.progress) following.progress(done / all);
            });
        }
        for (size_t i = 0; i < together; ++i) result.push_back(pass.figures(i));
        panes = panes.subspan(together);
    }
    return result;
}

}  // namespace texelscope
