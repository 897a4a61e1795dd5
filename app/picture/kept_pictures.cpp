#include "app/picture/kept_pictures.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/picture/comparison.h"
#include "app/picture/pane_picture.h"
#include "app/picture/reference_values.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {

RenderRequest resized_request(const RenderRequest& request, Extent size) {
    if (size.empty() || size == Extent{request.width, request.height}) return request;
    RenderRequest resized = request;
    const double step = double(request.width) / size.width;  // old pixels per new one
    resized.width = size.width;
    resized.height = size.height;
    resized.view.scale = request.view.scale * step;
    if (request.positions) {
        const Affine& old = *request.positions;
        const Point first = apply(old, (request.width - 1) / 2.0 - (size.width - 1) / 2.0 * step,
                                  (request.height - 1) / 2.0 - (size.height - 1) / 2.0 * step);
        resized.positions = Affine{old.xx * step, old.xy * step, first.x, old.yx * step, old.yy * step, first.y};
    }
    return resized;
}

PanePicture resized_picture(PanePicture picture, Extent size) {
    picture.shown.request = resized_request(picture.shown.request, size);
    if (picture.against) picture.against->request = resized_request(picture.against->request, size);
    return picture;
}

namespace {

// The state for saving: no mouse, no draft, no animation.
AppState at_rest(const AppState& state) {
    AppState kept;
    kept.scene = state.scene;
    kept.places.picture = state.places.picture;
    // As side by side: also where they are saved one by one.
    std::vector<bool> differences;
    for (int pane = 0; pane < int(kept.scene.panes.size()); ++pane) differences.push_back(shows_difference(kept, pane));
    for (size_t pane = 0; pane < differences.size(); ++pane) kept.scene.panes[pane].difference = differences[pane];
    return kept;
}

// Brings the pane into view: each one separately if panes lie over each other.
void put_in_view(Scene& scene, int pane) {
    if (scene.arrangement == Arrangement::wipe) scene.arrangement = Arrangement::single;
    if (scene.arrangement == Arrangement::single) scene.active = pane;
}

std::string label_of(const AppState& state, int index) {
    const std::string label = pane_label(state, index);
    if (!shows_difference(state, index)) return label;
    return label + " − " + reference_name(state.scene, index);
}

std::optional<ComparedPane> compared(AppState& state, int index) {
    put_in_view(state.scene, index);
    if (!place_of(state, index).has_picture()) return {};
    ComparedPane pane{index,
                      label_of(state, index),
                      pane_picture(state, index),
                      reference_rendition(state, index),
                      against_of(state, index),
                      measured_selection(state, index),
                      value_scale(state, index)};
    return pane;
}

PanePicture saved_picture(const AppState& state, int pane, Extent size) {
    AppState kept = at_rest(state);
    put_in_view(kept.scene, pane);
    if (!place_of(kept, pane).has_picture()) throw Error("there is no picture to save: open an image first");
    return resized_picture(pane_picture(kept, pane), size);
}

// Whether a picture is read by regions, of which the window may not have all.
bool is_by_regions(const PanePicture& picture) {
    return !picture.shown.image->in_memory() || (picture.against && !picture.against->image->in_memory());
}

Image rendered(const PanePicture& picture, SourceCache& in_window) {
    SourceCache waiting(in_window.backend());
    SourceCache& sources = is_by_regions(picture) ? waiting : in_window;
    if (is_plain(picture))
        return sources.at(picture.shown.image, picture.shown.light).render_to_image(picture.shown.request);
    return opaque(PaneRenderer(sources).render_to_rgba8(picture));
}

SheetText text_of(const AppState& state) {
    SheetText text;
    if (const Document* document = state.scene.document())
        text.title = fmt::format("{} · {}", document->title(), zoom_text(document->view.zoom()));
    // A pane that is compared with another one names that itself.
    int pane = 0;
    while (pane + 1 < int(state.scene.panes.size()) && compared_with(state.scene, pane) != Pane::reference_pane) ++pane;
    text.reference =
        (against_of(state, pane).likeness ? "Likeness to " : "Figures against ") + reference_words(state, pane);
    if (state.scene.selection) text.reference += ", over the selected region";
    return text;
}

}  // namespace

Image opaque(const Image& rgba) {
    Image image(rgba.width(), rgba.height(), 3, SampleType::u8);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            std::copy_n(rgba.row_as<uint8_t>(y) + size_t(x) * 4, 3, image.row_as<uint8_t>(y) + size_t(x) * 3);
    return image;
}

Image saved_view(const AppState& state, int pane, Extent size, SourceCache& sources) {
    return rendered(saved_picture(state, pane, size), sources);
}

PictureBeside saved_view_beside(const AppState& state, int pane, Extent size, SourceCache& sources) {
    const PanePicture picture = saved_picture(state, pane, size);
    if (is_by_regions(picture))  // which takes as long as reading it
        return {sources.backend()->info(), [picture](const std::shared_ptr<Backend>& backend, const Parts&) {
                    SourceCache own(backend);
                    return std::make_shared<const Image>(rendered(picture, own));
                }};
    if (sources.backend()->info().kind != BackendKind::cpu)
        return made_already(std::make_shared<const Image>(rendered(picture, sources)));
    return {sources.backend()->info(), [picture, beside = sources_beside(picture, sources)](const auto&, const Parts&) {
                return std::make_shared<const Image>(rendered(picture, *beside));
            }};
}

PictureBeside made_already(std::shared_ptr<const Image> image) {
    return {make_cpu_backend()->info(), [image = std::move(image)](const auto&, const Parts&) { return image; }};
}

struct SheetMaker::State {
    std::vector<ComparedPane> panes;
    std::vector<double> known_ms;  // of their last rendering on the screen; 0: none
    std::vector<SheetPane> finished;
    SheetText text;
    bool by_regions = false;
};

SheetMaker::SheetMaker(const AppState& state) : state_(new State) {
    AppState kept = at_rest(state);
    const std::vector<int> in_view = panes_in_view(state.scene);
    for (int index = 0; index < int(kept.scene.panes.size()); ++index) {
        auto pane = compared(kept, index);
        if (!pane) throw Error(fmt::format("pane {} has no picture: its image is missing", pane_name(index)));
        state_->panes.push_back(std::move(*pane));
        const PaneReport* known =
            std::count(in_view.begin(), in_view.end(), index) ? report_of(state.report, index) : nullptr;
        state_->known_ms.push_back(known ? known->render_ms : 0);
    }
    state_->by_regions = std::ranges::any_of(state_->panes, [](const ComparedPane& pane) {
        return is_by_regions(pane.picture) || (pane.reference && !pane.reference->image->in_memory());
    });
    if (state_->panes.empty()) throw Error("there is no picture for a sheet: open an image first");
    state_->text = text_of(kept);
    state_->text.device = state.machine.device;
}

SheetMaker::~SheetMaker() = default;
SheetMaker::SheetMaker(SheetMaker&&) noexcept = default;

bool SheetMaker::by_regions() const { return state_->by_regions; }
int SheetMaker::total() const { return int(state_->panes.size()); }
int SheetMaker::done() const { return int(state_->finished.size()); }

// What is read by regions is not timed: that would be the time of the disk.
void SheetMaker::step(SourceCache& sources) {
    Comparison comparison(sources);
    const size_t next = state_->finished.size();
    const ComparedPane& pane = state_->panes[next];
    const double known = state_->known_ms[next];
    const bool timed = known == 0 && !by_regions();
    PaneFigures figures = timed ? comparison.figures(pane) : comparison.figures_untimed(pane);
    if (known > 0) figures.milliseconds = known;
    state_->finished.push_back(comparison.sheet_pane(pane, figures));
}

Image SheetMaker::sheet() const { return make_sheet(state_->finished, state_->text); }

PictureBeside sheet_beside(SheetMaker maker, const BackendInfo& device) {
    return {device, [maker = std::make_shared<SheetMaker>(std::move(maker))](const std::shared_ptr<Backend>& backend,
                                                                             const Parts& parts) {
                SourceCache own(backend);
                while (maker->done() < maker->total()) {
                    parts(maker->done(), maker->total());
                    maker->step(own);
                }
                return std::make_shared<const Image>(maker->sheet());
            }};
}

namespace {

// The time that a thread needs, estimated, in nanoseconds. Without rotation each sample under the view is read once along each
// axis; with it, each pixel reads all of its taps, four of which cost as much as one such sample. The time of a custom kernel
// is the one that was measured when it ran last.
double cost_of(const Rendition& rendition, SourceCache& sources) {
    const RenderRequest& request = rendition.request;
    if (const KernelMethod* const kernel = kernel_of(*request.spec.method))
        return sources.backend()->info().kind == BackendKind::cpu && kernel->why_not(0, request.spec.parameters).empty()
                   ? kernel->cpu_ns() * request.width * request.height
                   : 0;
    if (!rendition.image->in_memory() || rendition.float64 || rendition.formula || !rendition.request.antialias)
        return 0;
    const SourceImage& source = sources.at(rendition.image, rendition.light);
    const Resampling planned = source.plan(rendition.request);
    if (!planned.reading.widened()) return 0;
    const double pixels = double(planned.width) * planned.height, channels = rendition.image->channels();
    const bool axis_aligned = planned.reading.positions.axis_aligned() && !planned.reading.local_stretch;
    const double samples = double(rendition.image->width()) * rendition.image->height();
    const double scale = std::max(rendition.request.view.scale, 1.0);
    if (axis_aligned && rendition.request.warp.kind == Warp::Kind::none)
        return channels * std::min(samples, pixels * scale * scale);
    const double taps = rendition.request.spec.method->taps;
    return channels * pixels * taps * taps * planned.reading.stretch_x * planned.reading.stretch_y / 4;
}

}  // namespace

double SlowPictures::usually_affordable() { return 0.05e9 * thread_count(); }

double SlowPictures::map_cost(const PanePicture& picture) const {
    if (!picture.shows_map() || find(picture)) return 0;
    const RenderRequest& request = picture.shown.request;
    const Image& image = *picture.against->image;
    constexpr int usual_exposures = 6;
    return double(request.width) * request.height *
           pixel_cost(picture.difference.kind, image.channels(), double(picture.difference.pixels_per_degree),
                      is_float(image.type()) ? usual_exposures : 1);
}

double SlowPictures::cost(const PanePicture& picture, SourceCache& sources) const try {
    const bool in_float64 = picture.shown.float64 || (picture.against && picture.against->float64);
    if ((in_float64 && !picture.shows_map()) || find(picture)) return 0;
    return cost_of(picture.shown, sources) + (picture.against ? cost_of(*picture.against, sources) : 0);
} catch (const std::exception&) {  // said by whoever renders it
    return 0;
}

const SlowPictures::Rendered* SlowPictures::find(const PanePicture& picture) const {
    const auto* made = pictures_.find(key_of(picture));
    return made && made->value ? &*made->value : nullptr;
}

SlowPictures::Rendered SlowPictures::rendered(const Question& question, const std::stop_token& stop) {
    const StoppableLoops stoppable(stop);
    const StopWatch watch;
    PaneRenderer panes(*question.sources);
    if (question.picture.shows_map()) {
        ReferenceValues references;
        if (question.reference) references.put(*question.picture.against, question.reference);
        panes.use(&references);
        auto map = std::make_shared<const std::vector<float>>(panes.map_of(question.picture));
        return {nullptr, std::move(map), watch.ms(), question.sources->backend()->last_kernel()};
    }
    auto pixels = std::make_shared<const Image>(panes.render_to_rgba8(question.picture));
    return {std::move(pixels), nullptr, watch.ms(), question.sources->backend()->last_kernel()};
}

void SlowPictures::begin(SourceCache& sources, const ReferenceValues& references) {
    pictures_.end_frame([&](const PanePicture& next) {
        const auto reference = next.against ? references.find(*next.against) : nullptr;
        return [question = Question{next, sources_beside(next, sources), reference}](const std::stop_token& stop) {
            return rendered(question, stop);
        };
    });
}

void SlowPictures::render_early(const PanePicture& picture, const std::shared_ptr<SourceCache>& sources) try {
    early_.drop();
    if (picture.against || cost_of(picture.shown, *sources) == 0) return;
    const SourceImage& source = sources->at(picture.shown.image, picture.shown.light);
    if (source.unprepared(source.plan(picture.shown.request)) > 0) return;
    early_.ask({picture, sources}, [](const Question& question, const std::stop_token& stop) {
        const double before = thread_ms();
        Rendered early = rendered(question, stop);
        early.ms = thread_ms() - before;  // without the time that it waited for rows
        return early;
    });
} catch (const std::exception&) {}  // said by whoever renders it in the window

void SlowPictures::take_early(const std::shared_ptr<const Image>& image) {
    auto result = early_.take();
    early_.drop();
    if (!image || !result || !result->answer) return;
    PanePicture& picture = result->question.picture;
    if (picture.shown.image->data() != image->data()) return;
    picture.shown.image = image;
    pictures_.put({std::move(picture), std::move(result->answer)});
}

}  // namespace texelscope
