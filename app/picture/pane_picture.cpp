#include "app/picture/pane_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/picture/comparison.h"
#include "app/state/panes.h"
#include "app/state/view_math.h"

namespace texelscope {
namespace {

// A signal is read along its row, however high the picture is. By the view, even if the request has the positions of
// another signal.
void place_signal(RenderRequest& request, const Image& image) {
    Affine a = sampling_affine(request.view, image.width(), image.height(), request.width, request.height);
    a.yx = a.yy = a.y0 = 0;
    request.positions = a;
}

}  // namespace

// Not antialiased in a draft; but what is read by regions would have to read more for one.
Rendition pane_rendition(const AppState& state, const PanePlace& place, int pane) {
    const Pane& which = state.scene.panes[size_t(pane)];
    const std::shared_ptr<const Image>& image = place.image;
    RenderRequest request;
    request.spec = which.spec;
    request.view = image ? about_samples(place.view, *image) : place.view;
    request.outside = state.scene.outside;
    request.width = place.rect.width;
    request.height = place.rect.height;
    request.antialias =
        which.antialias.value_or(state.scene.antialias) && (!state.draft.active || (image && !image->in_memory()));
    if (place.signal()) place_signal(request, *image);
    else request.warp = state.scene.warp;
    return {image, state.scene.light_of(pane), request};
}

bool has_formula(const Scene& scene, int pane) {
    const Document* document = document_of(scene, scene.panes[size_t(pane)]);
    return document && formula_of(document->source);
}

std::optional<Rendition> reference_rendition(const AppState& state, int pane) {
    const PanePlace place = place_of(state, pane);
    // At the size of this pane, even if the other one is out of view and has no position itself.
    if (const int other = compared_with(state.scene, pane); other != Pane::reference_pane) {
        PanePlace there = place_of(state, other);
        if (!there.image) return {};
        there.rect = place.rect;
        return pane_rendition(state, there, other);
    }
    Rendition rendition = pane_rendition(state, place, pane);
    rendition.request.spec = reference_spec(state.scene, pane);
    rendition.float64 = true;
    if (state.scene.reference.kind == Reference::Kind::truth) {
        rendition.formula = formula_of(place.document->source);
        rendition.masked = true;
        if (!rendition.formula) return {};
    }
    if (state.scene.reference.kind == Reference::Kind::image) {
        const Document* document = document_named(state.scene, state.scene.reference.source);
        if (!document || !document->image || !rendition.image) return {};  // one is still to be read
        if (!same_shape(*rendition.image, *document->image)) return {};
        return over_same_field(rendition, document->image);
    }
    return rendition;
}

std::string why_no_reference(const AppState& state, int pane) {
    const Reference& reference = state.scene.reference;
    const Document* shown = document_of(state.scene, state.scene.panes[size_t(pane)]);
    if (!shown || !shown->image) return {};
    if (compared_with(state.scene, pane) != Pane::reference_pane) {
        const auto other = reference_rendition(state, pane);
        return other ? why_not_comparable(pane_rendition(state, pane), *other) : "the image to compare with is missing";
    }
    if (reference.kind == Reference::Kind::truth && !formula_of(shown->source))
        return fmt::format("{} is not made by a formula: between its samples, nobody knows the truth", shown->title());
    if (reference.kind != Reference::Kind::image) return {};
    const Document* other = document_named(state.scene, reference.source);
    if (!other || !other->image) return "the image to compare with is missing";
    return why_not_same_field(*shown->image, shown->title(), *other->image, other->title());
}

bool shows_difference(const AppState& state, int pane) {
    if (!state.scene.panes[size_t(pane)].difference || shows_reference(state, pane)) return false;
    const std::vector<int> in_view = panes_in_view(state.scene);
    if (in_view.size() < 2) return true;
    const int other = compared_with(state.scene, pane);
    if (other == Pane::reference_pane && against_of(state, pane).tells == Against::Tells::nothing) return false;
    return std::none_of(in_view.begin(), in_view.end(), [&](int each) {
        return each != pane && state.scene.panes[size_t(each)].difference && compared_with(state.scene, each) == pane &&
               (other == Pane::reference_pane || (other == each && pane < each));
    });
}

PanePicture pane_picture(const AppState& state, const PaneLayout& layout, int pane) {
    PanePicture picture;
    picture.shown = pane_rendition(state, layout[pane], pane);
    picture.display = display_of(state.scene, layout[pane].document);
    if (shows_reference(state, pane))
        if (auto reference = reference_rendition(state, pane)) {
            picture.shown = std::move(*reference);
            picture.shown.masked = false;
        }
    if (!shows_difference(state, pane)) return picture;
    picture.difference = state.scene.difference;
    picture.against = reference_rendition(state, pane);
    if (picture.against) leave_out_beyond(*picture.against, picture.shown);
    if (picture.against && is_map(picture.difference.kind)) leave_out_outside(picture);
    if (picture.against && !why_no_difference(state, pane).empty()) picture.against.reset();
    return picture;
}

std::string why_no_difference(const AppState& state, int pane) {
    if (!shows_difference(state, pane)) return {};
    if (const auto against = reference_rendition(state, pane)) {
        const std::string why = why_not_comparable(pane_rendition(state, pane), *against);
        return why.empty() ? why_no_map(state.scene.difference.kind, *against->image) : why;
    }
    const std::string why = why_no_reference(state, pane);
    return why.empty() ? "the image to compare with is missing" : why;
}

std::optional<MeasureJob::Selection> measured_selection(const AppState& state, int pane) {
    const auto& region = state.scene.selection;
    if (!region) return {};
    return MeasureJob::Selection{current_affine(state, pane), region->x0, region->y0, region->x1, region->y1,
                                 shows_signal(state, pane)};
}

namespace {

constexpr float longest = 168, shortest = 64, margin = 12;  // units
constexpr double most_of_pane = 0.4;

// All four corners of the image are on the pane.
bool all_in_view(const PanePlace& place, const Affine& affine) {
    const Extent image = place.samples(), output = place.output();
    const double right = image.width - 0.5, bottom = image.height - 0.5;
    for (const Point corner : {Point{-0.5, -0.5}, {right, -0.5}, {-0.5, bottom}, {right, bottom}}) {
        const Point p = apply_inverse(affine, corner);
        constexpr double slack = 1;  // rounding may move a fitted image slightly over the edge
        if (p.x < -0.5 - slack || p.y < -0.5 - slack || p.x > output.width - 0.5 + slack ||
            p.y > output.height - 0.5 + slack)
            return false;
    }
    return true;
}

}  // namespace

std::optional<Minimap> minimap_of(const AppState& state, const PaneLayout& layout, float pixel_scale) {
    Minimap minimap;
    const bool active = std::ranges::count(layout.in_view, state.scene.active) > 0;
    minimap.pane = active ? state.scene.active : layout.in_view.front();
    const PanePlace& place = layout[minimap.pane];
    const Extent image = place.samples();
    if (!state.ui.minimap || !state.ui.panels || !place.has_picture() || place.signal() ||
        state.scene.warp.kind != Warp::Kind::none || all_in_view(place, place.affine()))
        return {};
    const PixelRect& pane = place.rect;
    const double side = std::min(longest * double(pixel_scale), most_of_pane * std::min(pane.width, pane.height));
    if (side < shortest * double(pixel_scale)) return {};
    const double scale = side / std::max(image.width, image.height);
    const int width = std::max(int(std::lround(image.width * scale)), 1),
              height = std::max(int(std::lround(image.height * scale)), 1);
    const int away = int(std::lround(margin * pixel_scale));
    minimap.place = {pane.x + pane.width - away - width, pane.y + pane.height - away - height, width, height};
    for (const PixelRect& other : {state.places.messages, state.places.work})  // this above those
        if (minimap.place.overlaps(other)) minimap.place.y = other.y - away - height;
    if (minimap.place.y < pane.y) return {};

    RenderRequest& request = minimap.request;
    request.spec = state.scene.panes[size_t(minimap.pane)].spec;
    request.width = width;
    request.height = height;
    request.antialias = true;
    request.positions = aligned_affine(Align::centers, image.width, image.height, width, height);
    return minimap;
}

Point image_point(const Minimap& minimap, Extent image, double x, double y) {
    return {(x - minimap.place.x) * image.width / minimap.place.width - 0.5,
            (y - minimap.place.y) * image.height / minimap.place.height - 0.5};
}

Point map_point(const Minimap& minimap, Extent image, Point p) {
    return {minimap.place.x + (p.x + 0.5) * minimap.place.width / image.width,
            minimap.place.y + (p.y + 0.5) * minimap.place.height / image.height};
}

namespace {

// One coordinate of the corners, grown about their middle to `least`, and moved until so much of them lies within.
void hold_on_map(std::array<Point, 4>& corners, double Point::*axis, double low, double high, double least) {
    double first = INFINITY, last = -INFINITY;
    for (const Point& corner : corners) {
        first = std::min(first, corner.*axis);
        last = std::max(last, corner.*axis);
    }
    const double middle = (first + last) / 2, length = std::max(last - first, 1e-9), grown = std::max(length, least),
                 nearest = std::clamp(middle, low + least - grown / 2, high - least + grown / 2);
    for (Point& corner : corners) corner.*axis = nearest + (corner.*axis - middle) * (grown / length);
}

}  // namespace

std::array<Point, 4> seen_on_minimap(const AppState& state, const Minimap& minimap, double least) {
    const Extent image = image_extent(state, minimap.pane), output = output_extent(state, minimap.pane);
    const Affine affine = shown_affine(state, minimap.pane);
    const double right = output.width - 0.5, bottom = output.height - 0.5;
    std::array<Point, 4> corners = {{{-0.5, -0.5}, {right, -0.5}, {right, bottom}, {-0.5, bottom}}};
    for (Point& corner : corners) corner = map_point(minimap, image, apply(affine, corner.x, corner.y));
    const PixelRect& map = minimap.place;
    hold_on_map(corners, &Point::x, map.x, map.x + map.width, std::min(least, double(map.width)));
    hold_on_map(corners, &Point::y, map.y, map.y + map.height, std::min(least, double(map.height)));
    return corners;
}

bool FramePlan::same_pixels(const FramePlan& other) const {
    return std::equal(pictures.begin(), pictures.end(), other.pictures.begin(), other.pictures.end(),
                      [](const PlacedPicture& a, const PlacedPicture& b) { return a.same_pixels(b); });
}

FramePlan plan_frame(const AppState& state, float pixel_scale) {
    FramePlan plan;
    plan.draft = state.draft.active;
    const PaneLayout layout = lay_out_panes(state);
    for (const int pane : layout.in_view)
        if (const PanePlace& place = layout[pane]; place.has_picture())
            plan.pictures.push_back({pane_picture(state, layout, pane), plan.bytes(), pane, place.rect, place.clip});
    if (plan.pictures.empty()) return plan;
    if (const auto minimap = minimap_of(state, layout, pixel_scale)) {
        const PanePlace& of = layout[minimap->pane];
        const PanePicture picture{{of.image, state.scene.light_of(minimap->pane), minimap->request},
                                  {},
                                  display_of(state.scene, of.document),
                                  {}};
        plan.pictures.push_back({picture, plan.bytes(), PlacedPicture::minimap, minimap->place, minimap->place});
    }
    if (state.ui.loupe && state.pointer.inside)
        plan.loupe = {state.pointer.x, state.pointer.y, int(std::lround(UiState::loupe_radius * pixel_scale)),
                      state.ui.loupe_magnification};
    return plan;
}

Point cursor_in_pixel(const AppState& state, int pane, int i, int j) {
    if (!state.ui.cursor || acting_warp(state, pane).kind != Warp::Kind::none) return {};
    const Point pixel = apply_inverse(current_affine(state, pane), *state.ui.cursor), by{pixel.x - i, pixel.y - j};
    return std::hypot(by.x, by.y) <= 1 ? by : Point{};
}

void move_pixels(PanePicture& picture, Point by) {
    if (by == Point{}) return;
    const auto move = [by](Rendition& rendition) {
        Affine a = positions_of(rendition.request, rendition.image->width(), rendition.image->height());
        a.x0 += a.xx * by.x + a.xy * by.y;
        a.y0 += a.yx * by.x + a.yy * by.y;
        rendition.request.positions = a;
    };
    move(picture.shown);
    if (picture.against) move(*picture.against);
}

}  // namespace texelscope
