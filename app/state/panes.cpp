#include "app/state/panes.h"
#include "app/state/view_math.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/method/kernel_method.h"

namespace texelscope {

const Document* document_named(const Scene& scene, const std::string& source) {
    for (const Document& document : scene.documents)
        if (document.source == source) return &document;
    return nullptr;
}

const Document* document_of(const Scene& scene, const Pane& pane) {
    if (!pane.source.empty())
        if (const Document* own = document_named(scene, pane.source)) return own;
    return scene.document();
}

std::shared_ptr<const Image> image_of(const Scene& scene, int pane) {
    if (pane < 0 || size_t(pane) >= scene.panes.size()) return nullptr;
    const Document* document = document_of(scene, scene.panes[size_t(pane)]);
    return document ? document->image : nullptr;
}

Extent image_extent(const AppState& state, std::optional<int> pane) {
    const auto image = image_of(state.scene, pane.value_or(focused_pane(state)));
    return image ? Extent{image->width(), image->height()} : Extent{};
}

bool shows_signal(const AppState& state, std::optional<int> pane) {
    const auto image = image_of(state.scene, pane.value_or(focused_pane(state)));
    return image && image->one_dimensional();
}

std::vector<int> panes_in_view(const Scene& scene) {
    const int count = int(scene.panes.size());
    if (scene.arrangement == Arrangement::single) return {scene.active};
    if (scene.arrangement == Arrangement::wipe && count > 1) return {0, std::max(scene.active, 1)};
    std::vector<int> panes;
    for (int pane = 0; pane < count; ++pane) panes.push_back(pane);
    return panes;
}

int focused_pane(const AppState& state) {
    if (!state.pointer.inside) return state.scene.active;
    const std::vector<int> panes = panes_in_view(state.scene);
    const bool there = std::find(panes.begin(), panes.end(), state.pointer.pane) != panes.end();
    return there ? state.pointer.pane : state.scene.active;
}

PaneLayout lay_out_panes(const AppState& state, std::optional<int> only) {
    constexpr int gap = 2;  // framebuffer pixels between panes
    const Scene& scene = state.scene;
    const PixelRect& picture = state.places.picture;
    PaneLayout layout{panes_in_view(scene), std::vector<PanePlace>(scene.panes.size())};
    const Document* const current = scene.document();
    const View now = shown_view(state), target = current ? current->view : View{};
    const Extent frame = current && current->image ? frame_size(*current->image) : Extent{};
    using enum Arrangement;
    const bool alone = scene.arrangement == single || scene.arrangement == wipe;
    const int count = alone ? 1 : std::max(int(layout.in_view.size()), 1);
    const int across = scene.arrangement == rows   ? 1
                       : scene.arrangement == grid ? int(std::ceil(std::sqrt(double(count))))
                                                   : count;
    const int down = (count + across - 1) / across;
    const int pitch_x = (picture.width + gap) / across, pitch_y = (picture.height + gap) / down;
    for (int pane = 0; pane < int(layout.panes.size()); ++pane) {
        if (only && pane != *only) continue;
        const Pane& which = scene.panes[size_t(pane)];
        PanePlace& place = layout.panes[size_t(pane)];
        place.document = document_of(scene, which);
        if (place.document) place.image = place.document->image;
        place.offset = which.offset;
        if (!frame.empty() && place.image) place.offset.scale *= double(place.frame().width) / frame.width;
        place.view = which.own_view.value_or(with_offset(now, place.offset));
        place.target = which.own_view.value_or(with_offset(target, place.offset));
        const auto at = std::ranges::find(layout.in_view, pane);
        if (at == layout.in_view.end() || picture.empty()) continue;
        const int index = int(at - layout.in_view.begin());
        place.rect = picture;
        if (across * down > 1)
            place.rect = {picture.x + index % across * pitch_x, picture.y + index / across * pitch_y,
                          with_parity_of(std::max(pitch_x - gap, 0), frame.width),
                          with_parity_of(std::max(pitch_y - gap, 0), frame.height)};
        place.clip = place.rect;
        if (scene.arrangement != wipe || layout.panes.size() < 2) continue;
        const int divider = wipe_at(state);
        int& start = scene.wipe.horizontal ? place.clip.y : place.clip.x;
        int& length = scene.wipe.horizontal ? place.clip.height : place.clip.width;
        if (pane != 0) start += divider;
        length = pane == 0 ? divider : std::max(length - divider, 0);
    }
    return layout;
}

Extent PanePlace::samples() const { return image ? Extent{image->width(), image->height()} : Extent{}; }
Extent PanePlace::frame() const { return image ? frame_size(*image) : Extent{}; }

Affine PanePlace::affine() const {
    const Extent source = samples();
    return sampling_affine(image ? about_samples(view, *image) : view, source.width, source.height, rect.width,
                           rect.height);
}

const PanePlace& PaneLayout::operator[](int pane) const {
    static const PanePlace none;
    return pane >= 0 && size_t(pane) < panes.size() ? panes[size_t(pane)] : none;
}

std::optional<int> PaneLayout::pane_at(double x, double y) const {
    for (const int pane : in_view)
        if ((*this)[pane].clip.contains(x, y)) return pane;
    return {};
}

Extent output_extent(const AppState& state, std::optional<int> pane) {
    return place_of(state, pane.value_or(focused_pane(state))).output();
}

int wipe_at(const AppState& state) {
    const PixelRect& picture = state.places.picture;
    const int length = state.scene.wipe.horizontal ? picture.height : picture.width;
    return std::clamp(int(std::lround(state.scene.wipe.at * length)), 0, length);
}

View shown_view(const AppState& state) {
    const Document* document = state.scene.document();
    if (!document) return {};
    if (!state.transition) return document->view;
    const double t = (state.now - state.transition->start) / transition_seconds;
    return between(state.transition->from, document->view, ease_out(t));
}

View pane_view(const AppState& state, std::optional<int> pane) {
    return place_of(state, pane.value_or(focused_pane(state))).view;
}

Affine shown_affine(const AppState& state, std::optional<int> pane) {
    return place_of(state, pane.value_or(focused_pane(state))).affine();
}

Affine current_affine(const AppState& state, std::optional<int> pane) {
    const int index = pane.value_or(focused_pane(state));
    const auto& own = state.scene.panes[size_t(index)].own_view;
    const Document* document = state.scene.document();
    const PanePlace place = place_of(state, index);
    if (!document || !document->image || !place.image) return place.affine();
    const Extent output = place.output();
    const Image& current = *document->image;
    const View ratio{0, 0, double(place.frame().width) / frame_size(current).width, 0};
    const View view = own ? without_offset(*own, ratio) : shown_view(state);
    return sampling_affine(about_samples(view, current), current.width(), current.height(), output.width,
                           output.height);
}

Affine read_affine(const AppState& state, std::optional<int> pane) {
    Affine affine = shown_affine(state, pane);
    if (shows_signal(state, pane)) affine.yx = affine.yy = affine.y0 = 0;
    return affine;
}

Warp acting_warp(const AppState& state, std::optional<int> pane) {
    return shows_signal(state, pane) ? Warp{} : state.scene.warp;
}

Point shown_point(const AppState& state, double i, double j, std::optional<int> pane) {
    const Extent image = image_extent(state, pane);
    return warped(acting_warp(state, pane), apply(read_affine(state, pane), i, j), image.width, image.height);
}

namespace {

const Document* document_at(const Scene& scene, int pane) {
    const auto& panes = scene.panes;
    return pane >= 0 && size_t(pane) < panes.size() ? document_of(scene, panes[size_t(pane)]) : nullptr;
}

// Whether there may be samples to mark: those that are not in memory may have any value.
bool may_be_marked(const Document& document) {
    if (!document.look.finite()) return true;
    return document.image && !document.image->in_memory() && is_float(document.image->type());
}

}  // namespace

Levels levels_of(const Document& document) {
    if (document.levels) return *document.levels;
    return document.look.levels.value_or(Levels{});
}

Levels levels_of(const Scene& scene, int pane) {
    const Document* document = document_at(scene, pane);
    if (scene.levels_locked || !document) return {scene.display.black, scene.display.white};
    return levels_of(*document);
}

DisplaySettings display_of(const Scene& scene, int pane) { return display_of(scene, document_at(scene, pane)); }

DisplaySettings display_of(const Scene& scene, const Document* shown) {
    DisplaySettings display = scene.display;
    if (shown && !scene.levels_locked) {
        const Levels levels = levels_of(*shown);
        display.black = levels.black;
        display.white = levels.white;
    }
    display.mark_nonfinite = display.mark_nonfinite && shown && may_be_marked(*shown);
    return display;
}

bool shows_levels_of_data(const Scene& scene, int pane) {
    const Document* document = document_at(scene, pane);
    return document && !scene.levels_locked && !document->levels && document->look.levels;
}

bool shows_reference(const AppState& state, int pane) { return state.pointer.reference && pane == focused_pane(state); }

MethodSpec shown_spec(const AppState& state, std::optional<int> pane) {
    const int which = pane.value_or(focused_pane(state));
    return shows_reference(state, which) ? reference_spec(state.scene, which) : state.scene.panes[size_t(which)].spec;
}

int compared_with(const Scene& scene, int pane) {
    const int other = scene.panes[size_t(pane)].against;
    return other < 0 || size_t(other) >= scene.panes.size() || other == pane ? Pane::reference_pane : other;
}

MethodSpec reference_spec(const Scene& scene, int pane) {
    if (const int other = compared_with(scene, pane); other != Pane::reference_pane)
        return scene.panes[size_t(other)].spec;
    const MethodSpec& spec = scene.panes[size_t(pane)].spec;
    const Reference& reference = scene.reference;
    MethodSpec result = reference_of(spec);
    if (reference.kind == Reference::Kind::method && reference.spec.method) {
        result = reference_of(reference.spec);
        result.address = spec.address;  // the same picture beyond the edges
    }
    if (kernel_of(*result.method)) {  // none in float64
        result = default_reference().spec;
        result.address = spec.address;
    }
    return result;
}

MethodSpec reference_of(const MethodSpec& spec) {
    MethodSpec reference = spec;
    reference.path = FetchPath::global;
    reference.prefilter = {Prefilter::Kind::iir};
    return reference;
}

bool only_rounds(const MethodSpec& spec, bool widened) {
    const bool exact_samples =
        !spec.method->has_prefilter() || (spec.prefilter.kind == Prefilter::Kind::iir && !spec.prefilter.half_float);
    return exact_samples && (widened || spec.path != FetchPath::hardware);
}

bool is_reference(const MethodSpec& shown, const MethodSpec& reference, bool widened) {
    return reference_of(shown) == reference_of(reference) && only_rounds(shown, widened);
}

Reference default_reference() { return {Reference::Kind::method, default_spec(parse_method("quintic")), {}}; }

namespace {

struct Bounds {
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;

    void take(Point p) {
        x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
        y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    }
    bool meets(const Bounds& other) const { return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1; }
};

std::array<Point, 4> corners_of_bounds(const Bounds& b) {
    return {{{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}}};
}

}  // namespace

double WayToPicture::length() const { return std::hypot(x, y); }

// Both are rectangles, the one rotated against the other: they are apart if they are along an axis of either.
std::optional<WayToPicture> way_to_picture(const AppState& state, int pane) {
    const PanePlace place = place_of(state, pane);
    if (!place.has_picture() || place.clip.empty() || state.scene.outside == Outside::extend ||
        acting_warp(state, pane).kind != Warp::Kind::none)
        return {};
    const Affine affine = shown_affine(state, pane);
    const Extent image = place.samples();
    Bounds samples{-0.5, -0.5, image.width - 0.5, image.height - 0.5}, seen, on_pane;
    const Bounds window{place.clip.x - place.rect.x - 0.5, place.clip.y - place.rect.y - 0.5,
                        place.clip.x - place.rect.x + place.clip.width - 0.5,
                        place.clip.y - place.rect.y + place.clip.height - 0.5};
    for (const Point& corner : corners_of_bounds(window)) seen.take(apply(affine, corner.x, corner.y));
    if (place.signal()) samples.y0 = seen.y0 - 1, samples.y1 = seen.y1 + 1;  // it fills the pane's height
    for (const Point& corner : corners_of_bounds(samples)) on_pane.take(apply_inverse(affine, corner));
    if (samples.meets(seen) && (place.signal() || on_pane.meets(window))) return {};
    const Point middle{(window.x0 + window.x1) / 2, (window.y0 + window.y1) / 2};
    const Point from = apply(affine, middle.x, middle.y);
    const Point nearest =
        apply_inverse(affine, {std::clamp(from.x, samples.x0, samples.x1), std::clamp(from.y, samples.y0, samples.y1)});
    return WayToPicture{nearest.x - middle.x, nearest.y - middle.y};
}

DifferenceSettings usual_difference(DifferenceKind kind) {
    DifferenceSettings settings{.kind = kind};
    if (!is_map(kind)) return settings;
    settings.map = ColourMap::ember;
    if (kind != DifferenceKind::delta_e) settings.gain = 1;
    return settings;
}

}  // namespace texelscope
