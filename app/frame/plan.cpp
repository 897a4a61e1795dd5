#include "app/frame/plan.h"

#include <cmath>

namespace texelscope {
namespace {

constexpr float loupe_units = 96;  // radius

RenderRequest request_for(const AppState& state, const MethodSpec& spec) {
    RenderRequest request;
    request.spec = spec;
    request.view = shown_view(state);
    request.outside = state.scene.outside;
    request.width = state.report.picture.width;
    request.height = state.report.picture.height;
    request.antialias = state.scene.antialias && !state.draft.active;
    request.warp = acting_warp(state);
    if (shows_signal(state)) request.positions = read_affine(state);
    return request;
}

void add(FramePlan& plan, const AppState& state, const RenderRequest& request) {
    plan.renders.push_back({state.scene.document()->image, state.scene.light, request, plan.bytes()});
}

}  // namespace

bool operator==(const PlannedRender& a, const PlannedRender& b) {
    return a.image == b.image && a.light == b.light && a.offset == b.offset && a.request == b.request;
}

RenderRequest shown_request(const AppState& state) { return request_for(state, shown_spec(state)); }

RenderRequest saved_request(const AppState& state) {
    RenderRequest request = shown_request(state);
    request.antialias = state.scene.antialias;
    return request;
}

FramePlan plan_frame(const AppState& state, float pixel_scale) {
    FramePlan plan;
    plan.picture = state.report.picture;
    const Document* document = state.scene.document();
    if (plan.picture.empty() || !document || !document->image) return plan;

    const Scene& scene = state.scene;
    plan.difference = scene.show == Show::difference && scene.panes.size() > 1 && !state.pointer.reference;
    if (plan.difference) {
        add(plan, state, request_for(state, scene.panes[0].spec));
        add(plan, state, request_for(state, scene.panes[1].spec));
        plan.gain = scene.difference_gain;
    } else {
        add(plan, state, shown_request(state));
    }
    if (state.ui.loupe && state.pointer.inside) {
        plan.loupe_x = state.pointer.x;
        plan.loupe_y = state.pointer.y;
        plan.loupe_radius = int(std::lround(loupe_units * pixel_scale));
        plan.loupe_magnification = state.ui.loupe_magnification;
    }
    return plan;
}

}  // namespace texelscope
