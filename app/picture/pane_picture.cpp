#include "app/picture/pane_picture.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/picture/pane_figures.h"
#include "app/picture/same_field.h"
#include "app/state/framed_view.h"
#include "app/state/pane_display.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/state/references.h"

namespace texelscope {
namespace {

// A signal is read along its row, however high the picture is. By the view, even if the request has the positions of
// another signal.
void place_signal(RenderRequest& request, const Image& image) {
    Affine a = sampling_affine(request.view, image.width(), image.height(), request.width, request.height);
    a.yx = a.yy = a.y0 = 0;
    request.positions = a;
}

// Not antialiased in a draft; but what is read by regions would have to read more for one.
Rendition rendition_of(const AppState& state, int pane, const std::shared_ptr<const Image>& image, Extent output) {
    const View view = pane_view(state, pane);
    const bool signal = image && image->one_dimensional();
    RenderRequest request;
    request.spec = state.scene.panes[size_t(pane)].spec;
    request.view = image ? about_samples(view, *image) : view;
    request.outside = state.scene.outside;
    request.width = output.width;
    request.height = output.height;
    request.antialias = antialiases(state, pane) && (!state.draft.active || (image && !image->in_memory()));
    if (signal) place_signal(request, *image);
    else request.warp = state.scene.warp;
    return {image, state.scene.light, request};
}

}  // namespace

Rendition pane_rendition(const AppState& state, int pane) {
    const PanePlace place = place_of(state, pane);
    return rendition_of(state, pane, place.image, place.output());
}

RenderRequest pane_request(const AppState& state, int pane) { return pane_rendition(state, pane).request; }

bool has_formula(const AppState& state, int pane) {
    const Document* document = document_of(state, state.scene.panes[size_t(pane)]);
    return document && formula_of(document->source);
}

std::optional<Rendition> reference_rendition(const AppState& state, int pane) {
    const PanePlace place = place_of(state, pane);
    // At the size of this pane, even if the other one is out of view and has no position itself.
    if (const int other = compared_with(state, pane); other != Pane::reference_pane) {
        if (const auto image = image_of(state, other)) return rendition_of(state, other, image, place.output());
        return {};
    }
    Rendition rendition = rendition_of(state, pane, place.image, place.output());
    rendition.request.spec = reference_spec(state, pane);
    rendition.float64 = true;
    if (state.scene.reference.kind == Reference::Kind::truth) {
        rendition.formula = formula_of(document_of(state, state.scene.panes[size_t(pane)])->source);
        rendition.masked = true;
        if (!rendition.formula) return {};
    }
    if (state.scene.reference.kind == Reference::Kind::image) {
        const Document* document = document_named(state, state.scene.reference.source);
        if (!document || !document->image || !same_shape(*rendition.image, *document->image)) return {};
        return over_same_field(rendition, document->image);
    }
    return rendition;
}

std::string why_no_reference(const AppState& state, int pane) {
    const Reference& reference = state.scene.reference;
    const Document* shown = document_of(state, state.scene.panes[size_t(pane)]);
    if (!shown || !shown->image) return {};
    if (compared_with(state, pane) != Pane::reference_pane) {
        const auto other = reference_rendition(state, pane);
        return other ? why_not_comparable(pane_rendition(state, pane), *other) : "the image to compare with is missing";
    }
    if (reference.kind == Reference::Kind::truth && !formula_of(shown->source))
        return fmt::format("{} is not made by a formula: between its samples, nobody knows the truth", shown->title());
    if (reference.kind != Reference::Kind::image) return {};
    const Document* other = document_named(state, reference.source);
    if (!other || !other->image) return "the image to compare with is missing";
    return why_not_same_field(*shown->image, shown->title(), *other->image, other->title());
}

bool shows_difference(const AppState& state, int pane) {
    if (shows_reference(state, pane) || !state.scene.panes[size_t(pane)].difference) return false;
    const std::vector<int> in_view = panes_in_view(state);
    if (in_view.size() < 2) return true;
    const int other = compared_with(state, pane);
    if (other == Pane::reference_pane && against_of(state, pane).tells == Against::Tells::nothing) return false;
    return std::none_of(in_view.begin(), in_view.end(), [&](int each) {
        return each != pane && state.scene.panes[size_t(each)].difference && compared_with(state, each) == pane &&
               (other == Pane::reference_pane || (other == each && pane < each));
    });
}

PanePicture pane_picture(const AppState& state, const PaneLayout& layout, int pane) {
    PanePicture picture;
    picture.shown = rendition_of(state, pane, layout[pane].image, layout[pane].output());
    picture.display = display_of(state, pane);
    if (shows_reference(state, pane))
        if (auto reference = reference_rendition(state, pane)) {
            picture.shown = std::move(*reference);
            picture.shown.masked = false;
        }
    if (!shows_difference(state, pane)) return picture;
    picture.difference = state.scene.difference;
    picture.against = reference_rendition(state, pane);
    if (picture.against) leave_out_beyond(*picture.against, picture.shown);
    if (picture.against && !why_not_comparable(picture.shown, *picture.against).empty()) picture.against.reset();
    return picture;
}

std::string why_no_difference(const AppState& state, int pane) {
    if (!shows_difference(state, pane)) return {};
    if (const auto against = reference_rendition(state, pane))
        return why_not_comparable(pane_rendition(state, pane), *against);
    const std::string why = why_no_reference(state, pane);
    return why.empty() ? "the image to compare with is missing" : why;
}

std::optional<MeasureJob::Selection> measured_selection(const AppState& state, int pane) {
    const auto& region = state.scene.selection;
    if (!region) return {};
    return MeasureJob::Selection{current_affine(state, pane), region->x0, region->y0, region->x1, region->y1,
                                 shows_signal(state, pane)};
}

}  // namespace texelscope
