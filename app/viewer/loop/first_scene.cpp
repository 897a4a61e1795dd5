#include "app/viewer/loop/first_scene.h"

#include "app/state/references.h"
#include "app/viewer/editing/pane_edits.h"
#include "gpu/core/light.h"

namespace texelscope {

Scene first_scene(const ViewerOptions& options) {
    const MethodInfo* usual = find_method("bspline");
    const MethodSpec a = options.spec.value_or(default_spec(usual ? *usual : *all_methods().front()));
    Scene scene;
    scene.panes = {{a}, {contrasting_spec(a)}};
    scene.panes[0].against = 1;
    scene.panes[1].against = 0;
    scene.reference = default_reference();
    scene.outside = options.outside.value_or(Outside::background);
    scene.antialias = options.antialias.value_or(true);
    scene.light = options.linear_light ? Light::linear : Light::stored;
    scene.warp = options.warp.value_or(Warp{});
    return scene;
}

}  // namespace texelscope
