#include "app/picture/pane_picture.h"

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

RenderRequest request_for(const AppState& state, int pane, Extent output, bool antialias) {
    RenderRequest request;
    request.spec = state.scene.panes[size_t(pane)].spec;
    request.view = pane_view(state, pane);
    request.outside = state.scene.outside;
    request.width = output.width;
    request.height = output.height;
    request.antialias = antialias;
    request.warp = acting_warp(state, pane);
    if (const auto image = image_of(state, pane); image && image->one_dimensional()) place_signal(request, *image);
    return request;
}

// The other document under the view of the pane, so that both show the same field.
View view_over(const Image& other, const Image& image, const View& view) {
    return with_offset(view, {0, 0, double(other.width()) / image.width(), 0});
}

bool marks_nonfinite(const AppState& state, int pane) {
    const auto image = image_of(state, pane);
    return state.scene.display.mark_nonfinite && image &&
           (image->type() == SampleType::f32 || image->type() == SampleType::f16);
}

}  // namespace

RenderRequest pane_request(const AppState& state, int pane) {
    return request_for(state, pane, output_extent(state, pane), antialiases(state, pane) && !state.draft.active);
}

Rendition pane_rendition(const AppState& state, int pane) {
    return {image_of(state, pane), state.scene.light, pane_request(state, pane)};
}

std::optional<Rendition> reference_rendition(const AppState& state, int pane) {
    Rendition rendition = pane_rendition(state, pane);
    rendition.request.spec = reference_spec(state, pane);
    rendition.float64 = true;
    if (state.scene.reference.kind == Reference::Kind::image) {
        const Document* document = document_named(state, state.scene.reference.source);
        if (!document || !document->image) return {};
        rendition.request.view = view_over(*document->image, *rendition.image, rendition.request.view);
        rendition.image = document->image;
        if (rendition.image->one_dimensional()) place_signal(rendition.request, *rendition.image);
    }
    return rendition;
}

Rendition shown_rendition(const AppState& state, int pane) {
    if (shows_reference(state, pane))
        if (auto reference = reference_rendition(state, pane)) return *reference;
    return pane_rendition(state, pane);
}

namespace {

// The reference of a pane's difference; empty if its image is missing.
std::optional<Rendition> counterpart(const AppState& state, int pane, Extent output) {
    const int other = state.scene.panes[size_t(pane)].against;
    if (other < 0 || size_t(other) >= state.scene.panes.size() || other == pane)
        return reference_rendition(state, pane);
    // The other pane may be out of view and have no position.
    const bool antialias = antialiases(state, other) && !state.draft.active;
    Rendition rendition{image_of(state, other), state.scene.light, request_for(state, other, output, antialias)};
    if (!rendition.image) return {};
    return rendition;
}

}  // namespace

PanePicture pane_picture(const AppState& state, int pane) {
    PanePicture picture;
    picture.shown = shown_rendition(state, pane);
    picture.display = state.scene.display;
    picture.display.mark_nonfinite = marks_nonfinite(state, pane);
    if (shows_reference(state, pane) || !state.scene.panes[size_t(pane)].difference) return picture;
    picture.difference = state.scene.difference;
    picture.against = counterpart(state, pane, {picture.shown.request.width, picture.shown.request.height});
    if (picture.against && !why_not_comparable(picture.shown, *picture.against).empty()) picture.against.reset();
    return picture;
}

std::string why_no_difference(const AppState& state, int pane) {
    if (!state.scene.panes[size_t(pane)].difference || shows_reference(state, pane)) return {};
    const Rendition shown = pane_rendition(state, pane);
    const auto against = counterpart(state, pane, {shown.request.width, shown.request.height});
    return against ? why_not_comparable(shown, *against) : "the image to compare with is missing";
}

std::optional<MeasureJob::Selection> measured_selection(const AppState& state, int pane) {
    const auto& region = state.scene.selection;
    if (!region) return {};
    return MeasureJob::Selection{current_affine(state, pane), region->x0, region->y0, region->x1, region->y1,
                                 shows_signal(state, pane)};
}

}  // namespace texelscope
