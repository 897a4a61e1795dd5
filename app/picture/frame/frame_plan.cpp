#include "app/picture/frame/frame_plan.h"

#include <algorithm>
#include <cmath>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"

namespace texelscope {
namespace {

void add(FramePlan& plan, PlacedPicture picture) {
    picture.offset = plan.bytes();
    plan.pictures.push_back(std::move(picture));
}

}  // namespace

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
            add(plan, {pane_picture(state, layout, pane), 0, pane, place.rect, place.clip});
    if (plan.pictures.empty()) return plan;
    if (const auto minimap = minimap_of(state, layout, pixel_scale))
        add(plan, {{{layout[minimap->pane].image, state.scene.light, minimap->request},
                    {},
                    display_of(state.scene, minimap->pane),
                    {}},
                   0,
                   PlacedPicture::minimap,
                   minimap->place,
                   minimap->place});
    if (state.ui.loupe && state.pointer.inside)
        plan.loupe = {state.pointer.x, state.pointer.y, int(std::lround(UiState::loupe_radius * pixel_scale)),
                      state.ui.loupe_magnification};
    return plan;
}

}  // namespace texelscope
