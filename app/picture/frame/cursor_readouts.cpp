#include "app/picture/frame/cursor_readouts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/picture/inspect/profile.h"
#include "app/picture/pane_picture.h"
#include "app/picture/reference_values.h"
#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "gpu/backend/source_image.h"
#include "gpu/backend/source_state.h"
#include "gpu/core/colour.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/live_regions.h"

namespace texelscope {
namespace {

// The nearest sample; outside the image, supplied by the address modes. Below 0: none, beyond a border.
struct SampleIndex {
    int x = -1, y = -1;
    bool exists() const { return x >= 0 && y >= 0; }
};
SampleIndex nearest_sample(const Image& image, const AddressPair& address, Point p) {
    const auto index = [](AddressMode mode, double x, int n) {
        const double limited = std::clamp(std::floor(x + 0.5), -1e9, 1e9);
        return addressed(mode, int(limited), n);
    };
    return {index(address.x, p.x, image.width()), index(address.y, p.y, image.height())};
}

std::array<float, 4> stored_at(const Image& image, const SampleIndex& at) {
    std::array<float, 4> value{};
    for (int c = 0; at.exists() && c < image.channels(); ++c) value[size_t(c)] = image.value(at.x, at.y, c);
    return value;
}

// The sample's numbers as in the file. Empty if they are multiplied by alpha, or can only be read with a whole tile.
std::vector<StoredNumber> numbers_at(const Image& image, const SampleIndex& at) {
    if (!at.exists() || image.alpha() == Alpha::premultiplied) return {};
    Image sample(1, 1, image.channels(), image.type());
    if (image.in_memory()) {
        const size_t pixel = sample.row_bytes();
        std::memcpy(sample.data(), image.row(at.y) + size_t(at.x) * pixel, pixel);
    } else {
        if (!image.tiles()->reads_any_region()) return {};
        image.tiles()->read(0, {at.x, at.y, 1, 1}, sample.data(), sample.row_bytes());
    }
    std::vector<StoredNumber> numbers;
    for (int c = 0; c < image.channels(); ++c) numbers.push_back(sample.number(0, 0, c));
    return numbers;
}

// The stored value at p in an image that is not in memory, as its regions have it; none if it has still to come.
std::optional<std::array<float, 4>> stored_by_regions(FrameRenderer& renderer,
                                                      const std::shared_ptr<const Image>& image, Light light,
                                                      const AddressPair& address, Point p) {
    PixelProbe nearest;
    nearest.request.spec = default_spec(parse_method("nearest"));
    nearest.request.spec.address = address;
    nearest.request.positions = Affine{1, 0, p.x, 0, 1, p.y};
    Scratch memory;
    auto value = rendered(renderer.sources().at(image, light), nearest, memory);
    if (value && image->alpha() == Alpha::straight) make_straight(value->data(), image->channels());
    return value;
}

// Position and stored value at the cursor, which is `in_pixel` from the middle of its pixel; none if that has still to come.
std::optional<Readout> readout_at_cursor(const AppState& state, int pane, FrameRenderer& renderer,
                                         const Rendition& shown, Point in_pixel) {
    const Image& image = *shown.image;
    const AddressPair& address = shown.request.spec.address;
    Readout readout;
    readout.position = shown_point(state, state.pointer.x + in_pixel.x, state.pointer.y + in_pixel.y, pane);
    const Point& p = readout.position;
    readout.on_image = p.x >= -0.5 && p.y >= -0.5 && p.x < image.width() - 0.5 && p.y < image.height() - 0.5;
    readout.channels = image.channels();
    const SampleIndex at = nearest_sample(image, address, p);
    readout.numbers = numbers_at(image, at);
    const auto stored =
        image.in_memory() ? stored_at(image, at) : stored_by_regions(renderer, shown.image, shown.light, address, p);
    if (!stored) return {};
    readout.stored = *stored;
    if (image.alpha() == Alpha::premultiplied) make_straight(readout.stored.data(), image.channels());
    return readout;
}

// Where a probe's pixel is among its values.
size_t first_value(const PixelProbe& probe, size_t channels) {
    return (size_t(probe.y) * size_t(probe.request.width) + size_t(probe.x)) * channels;
}

// The nearest pixel's value in those of a whole picture; none if they are not there.
std::optional<std::array<double, 4>> value_in(const ReferenceValues::Values& values, const Rendition& rendition, int x,
                                              int y) {
    if (!values) return {};
    const int width = rendition.request.width, channels = rendition.image->channels();
    const size_t pixel =
        size_t(std::clamp(y, 0, rendition.request.height - 1)) * size_t(width) + size_t(std::clamp(x, 0, width - 1));
    std::array<double, 4> value{};
    std::copy_n(values->begin() + std::ptrdiff_t(pixel * size_t(channels)), channels, value.begin());
    return value;
}

// A picture's values in float64 where those are computed in the background, null if they are not there; none where they are
// not.
std::optional<ReferenceValues::Values> kept_values(FrameRenderer& renderer, const Rendition& rendition) {
    if (!rendition.float64) return {};
    SourceCache& sources = renderer.sources();
    if (LiveRegions* const regions = sources.regions_of(rendition.image, rendition.light);
        regions && !rendition.formula)
        return regions->find_reference(sources.at(rendition.image, rendition.light).plan(rendition.request));
    const ReferenceValues* const references = renderer.prepared().references();
    return references ? std::optional(references->find(rendition)) : std::nullopt;
}

// The function's value at a pixel, premultiplied: known without the backend.
std::array<double, 4> formula_value(Rendition rendition, const PixelProbe& probe) {
    rendition.request = probe.request;
    const size_t channels = size_t(rendition.image->channels());
    const std::vector<double> values = formula_values(rendition);
    std::array<double, 4> value{};
    std::copy_n(values.begin() + std::ptrdiff_t(first_value(probe, channels)), channels, value.begin());
    return value;
}

std::array<float, 4> straight(const std::array<double, 4>& value, const Image& image) {
    std::array<float, 4> result{};
    std::copy(value.begin(), value.end(), result.begin());
    if (image.alpha() != Alpha::none) make_straight(result.data(), image.channels());
    return result;
}

// Space for the values of one pane's probe, in floats, those of its reference after them in float64, then that of its map of
// errors; and of all panes, in bytes: so little that it is never freed.
constexpr size_t value_floats = 16, map_float = 3 * value_floats, probe_floats = map_float + 2,
                 probe_bytes = max_panes * probe_floats * sizeof(float);
static_assert(probe_bytes < Scratch::kept_bytes);

// A box around the samples that a pane shows.
SampleRegion samples_seen(const AppState& state, int pane, const Image& image) {
    const Affine affine = shown_affine(state, pane);
    const Extent output = output_extent(state, pane);
    Point low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    for (const double i : {-0.5, output.width - 0.5})
        for (const double j : {-0.5, output.height - 0.5}) {
            const Point p = apply(affine, i, j);
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
    const auto first = [](double v, int n) { return int(std::clamp(std::floor(v + 0.5), 0.0, double(n))); };
    const auto last = [](double v, int n) { return int(std::clamp(std::ceil(v - 0.5), -1.0, n - 1.0)); };
    const int x = first(low.x, image.width()), y = first(low.y, image.height());
    return {x, y, last(high.x, image.width()) - x + 1, last(high.y, image.height()) - y + 1};
}

Image exact_samples(const TileSource& tiles, const SampleRegion& region) {
    Image samples(region.width, region.height, tiles.info().channels, tiles.info().type);
    tiles.read(0, region, samples.data(), samples.row_bytes());
    return samples;
}

PaneCost cost_of(const AppState& state, int pane) {
    const ReadPlan reading = shown_reading(state, pane);
    const bool signal = shows_signal(state, pane);
    const MethodSpec& spec = state.scene.panes[size_t(pane)].spec;
    const double count = !reading.widened()      ? fetches(*spec.method, spec.path, signal)
                         : reading.local_stretch ? 0
                                                 : widened_taps(*spec.method, reading, signal);
    return {count, reading.widened() || spec.path == FetchPath::automatic, reading.widened()};
}

}  // namespace

bool ReportFiller::fill(AppState& state, FrameRenderer& renderer) {
    const size_t before = arrivals_;
    const PaneLayout layout = lay_out_panes(state);
    std::vector<PaneReport>& panes = state.report.findings.panes;
    panes.resize(state.scene.panes.size());
    take_values(state);
    if (!state.pointer.inside) {
        asked_ = {};
        for (PaneReport& pane : panes) {
            pane.readout.reset();
            pane.no_readout.clear();
        }
    } else {
        read_panes(state, layout, renderer);
    }
    for (int pane = 0; pane < int(panes.size()); ++pane)
        panes[size_t(pane)].cost = layout[pane].image ? cost_of(state, pane) : PaneCost{};
    read_samples(state, layout, renderer);
    report_focused_readout(state);
    return arrivals_ != before;
}

// Reads what the numbers in the samples need of images that are not in memory. What is still to come is left out.
void ReportFiller::read_samples(AppState& state, const PaneLayout& layout, FrameRenderer& renderer) {
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) {
        SamplesInView& samples = state.report.findings.panes[size_t(pane)].samples;
        const std::shared_ptr<const Image>& image = layout[pane].image;
        if (!state.ui.pixel_values || !layout[pane].has_picture() || image->in_memory() ||
            acting_warp(state, pane).kind != Warp::Kind::none) {
            samples = {};
            continue;
        }
        const SampleRegion region = samples_seen(state, pane, *image);
        if (region.width < 1 || region.height < 1 ||
            int64_t(region.width) * region.height * image->channels() > SamplesInView::most_values) {
            samples = {};
            continue;
        }
        if (samples.of == image && samples.x == region.x && samples.y == region.y &&
            samples.values->width() == region.width && samples.values->height() == region.height)
            continue;
        try {
            std::optional<Image> stored =
                fits_float(image->type()) || !image->tiles()->reads_any_region()
                    ? stored_samples(renderer.sources().at(image, state.scene.light_of(pane)), {}, region)
                    : exact_samples(*image->tiles(), region);
            if (!stored && samples.of != image) samples = {};
            if (!stored) continue;
            const auto values = std::make_shared<Image>(std::move(*stored));
            if (image->alpha() == Alpha::straight && values->type() == SampleType::f32)
                for (int y = 0; y < region.height; ++y)
                    for (int x = 0; x < region.width; ++x)
                        make_straight(values->row_as<float>(y) + size_t(x) * size_t(values->channels()),
                                      values->channels());
            samples = {image, int(region.x), int(region.y), values};
            ++arrivals_;
        } catch (const std::exception&) {
            if (samples.of != image) samples = {};
        }
    }
}

void ReportFiller::read_panes(AppState& state, const PaneLayout& layout, FrameRenderer& renderer) {
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) {
        if (layout[pane].has_picture()) continue;
        state.report.findings.panes[size_t(pane)].readout.reset();
        state.report.findings.panes[size_t(pane)].no_readout.clear();
        asked_[size_t(pane)].reset();
    }
    if (under_way_) return;  // requested once that has arrived: all panes in one copy
    batch_.clear();
    for (const int pane : layout.in_view)
        if (layout[pane].has_picture()) ask(state, layout, renderer, pane);
    if (batch_.empty()) return;
    try {
        if (!copy_) copy_ = make_copy_(renderer.sources().backend());
        copy_->start(memory_.at_least(renderer.backend(), probe_bytes).get(),
                     batch_.size() * probe_floats * sizeof(float));
        under_way_ = true;
    } catch (const std::exception& error) {
        for (const Asked& asked : batch_) fail(state, asked.pane, error.what());
    }
    take_values(state);  // a CPU has them immediately
}

// Computes the pixels around the cursor if they are not known, stored after those of the previous panes.
void ReportFiller::ask(AppState& state, const PaneLayout& layout, FrameRenderer& renderer, int pane) {
    std::optional<Readout>& readout = state.report.findings.panes[size_t(pane)].readout;
    std::optional<Question>& asked = asked_[size_t(pane)];
    PanePicture picture = pane_picture(state, layout, pane);
    // What is computed for whole pictures is known at the middles of pixels only.
    const bool middles = picture.shows_map() || (picture.against && kept_values(renderer, *picture.against));
    const Point in_pixel =
        middles ? Point{} : cursor_in_pixel(state, state.pointer.pane, state.pointer.x, state.pointer.y);
    move_pixels(picture, in_pixel);
    const Rendition& rendition = picture.shown;
    const Image& image = *rendition.image;
    const PixelProbe probe =
        probe_at({image.width(), image.height()}, rendition.request, state.pointer.x, state.pointer.y);
    Question now{rendition.image, rendition.light, rendition.formula.has_value(), probe.request};
    std::optional<Reference> reference;
    if (renderer.panes().shown_map(picture, pane)) {
        const auto inside = [](int at, int n) { return size_t(std::clamp(at, 0, n - 1)); };
        const RenderRequest& whole = rendition.request;
        now.map_pixel =
            inside(state.pointer.y, whole.height) * size_t(whole.width) + inside(state.pointer.x, whole.width);
        now.map = mapped(picture);
    }
    if (std::optional<Rendition>& against = picture.against;
        against && !picture.shows_map() && (against->formula || renderer.prepared().ready(*against, false))) {
        const Image& other = *against->image;
        reference = {probe_at({other.width(), other.height()}, against->request, state.pointer.x, state.pointer.y)};
        // One pixel in float64 would need the coefficients of the whole image, again for every pixel.
        if (const auto kept = kept_values(renderer, *against)) {
            reference->known = value_in(*kept, *against, state.pointer.x, state.pointer.y);
            if (!reference->known) reference.reset();
        }
        if (reference) {
            against->request = reference->probe.request;
            now.against = std::move(against);
        }
    }
    if (asked && *asked == now) return;
    if (asked && asked->image != now.image) readout.reset();
    if (!renderer.prepared().ready({now.image, now.light, now.request}, false)) {  // as its pane: asked then
        asked.reset();
        readout.reset();
        state.report.findings.panes[size_t(pane)].no_readout = "the picture is still being prepared";
        return;
    }
    asked = now;
    try {
        auto at_cursor = readout_at_cursor(state, pane, renderer, rendition, in_pixel);
        if (at_cursor && rendition.formula) {
            readout = std::move(at_cursor);
            readout->interpolated = straight(formula_value(rendition, probe), image);
            state.report.findings.panes[size_t(pane)].no_readout.clear();
            ++arrivals_;
            return;
        }
        if (at_cursor) {
            Asked one{pane, std::move(now), std::move(*at_cursor)};
            if (request(one, renderer, probe, reference ? &*reference : nullptr)) {
                batch_.push_back(std::move(one));
                return;
            }
        }
        asked.reset();  // again with the next frame
        fail(state, pane, samples_to_come);
    } catch (const std::exception& error) {
        fail(state, pane, error.what());
    }
}

// Enqueues the renderings; what is a formula is known at once. False if samples have still to come.
bool ReportFiller::request(Asked& asked, FrameRenderer& renderer, const PixelProbe& probe, const Reference* against) {
    const std::shared_ptr<void> memory = memory_.at_least(renderer.backend(), probe_bytes);
    auto* floats = static_cast<float*>(memory.get());
    const size_t channels = size_t(asked.question.image->channels());
    const auto enqueue = [&](SourceImage& source, const RenderRequest& request, size_t first) {
        const size_t row = size_t(request.width) * channels * sizeof(float);
        return source.render(request, {floats + first, row, RenderTarget::Format::floats, no_timer});
    };
    const size_t first = batch_.size() * probe_floats, second = first + value_floats;
    if (!enqueue(renderer.sources().at(asked.question.image, asked.question.light), probe.request, first)) return false;
    asked.value = first + first_value(probe, channels);
    if (asked.question.map) {
        if (const auto map = renderer.panes().shown_map(*asked.question.map, asked.pane)) {
            asked.map = first + map_float;
            renderer.backend().copy(floats + *asked.map, map.get() + asked.question.map_pixel, sizeof(float));
        }
    }
    if (!against) return true;
    const Rendition& reference = *asked.question.against;
    asked.readout.compared = Readout::Compared{};
    if (against->known || reference.formula) {
        asked.readout.compared->reference = against->known ? *against->known : formula_value(reference, against->probe);
        return true;
    }
    SourceImage& source = renderer.sources().at(reference.image, reference.light);
    asked.reference = second + first_value(against->probe, channels) * (reference.float64 ? 2 : 1);
    return reference.float64 ? source.render_reference(reference.request, reinterpret_cast<double*>(floats + second))
                             : enqueue(source, reference.request, second);
}

void ReportFiller::fail(AppState& state, int pane, const std::string& why) {
    if (size_t(pane) >= state.report.findings.panes.size()) return;
    state.report.findings.panes[size_t(pane)].readout.reset();
    state.report.findings.panes[size_t(pane)].no_readout = why;
}

void ReportFiller::take_values(AppState& state) {
    if (!has_news()) return;
    under_way_ = false;
    ++arrivals_;
    try {
        if (!copy_->ready()) return;
    } catch (const std::exception& error) {
        for (const Asked& asked : batch_) fail(state, asked.pane, error.what());
        return;
    }
    const auto* values = static_cast<const float*>(copy_->data());
    for (Asked& asked : batch_) {
        if (size_t(asked.pane) >= state.report.findings.panes.size() || asked_[size_t(asked.pane)] != asked.question)
            continue;
        const Image& image = *asked.question.image;
        std::copy_n(values + asked.value, image.channels(), asked.readout.interpolated.begin());
        if (asked.map) asked.readout.map = values[*asked.map];
        if (asked.readout.compared) {
            const Rendition& reference = *asked.question.against;
            auto& [value, against] = *asked.readout.compared;
            std::copy_n(values + asked.value, image.channels(), value.begin());
            if (asked.reference && reference.float64)
                std::memcpy(against.data(), values + *asked.reference, size_t(image.channels()) * sizeof(double));
            else if (asked.reference) std::copy_n(values + *asked.reference, image.channels(), against.begin());
        }
        if (image.alpha() != Alpha::none) make_straight(asked.readout.interpolated.data(), image.channels());
        state.report.findings.panes[size_t(asked.pane)].readout = asked.readout;
        state.report.findings.panes[size_t(asked.pane)].no_readout.clear();
    }
}

}  // namespace texelscope
