// The viewer before anything was changed.

#include <gtest/gtest.h>

#include "app/state/references.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/loop/first_scene.h"

namespace texelscope::test {
namespace {

TEST(FirstScene, IsMeasuredAgainstTheDefaultReference) {
    EXPECT_EQ(first_scene({}).reference, default_reference());
    EXPECT_EQ(Scene{}.reference, Reference{}) << "sessions that name none open as before";
}

TEST(FirstScene, PanesDifferOnlyInTheirMethod) {
    ViewerOptions options;
    for (const char* spec : {"bspline", "nearest:address=mirror"}) {
        options.spec = parse_spec(spec);
        const Scene scene = first_scene(options);
        ASSERT_EQ(scene.panes.size(), 2u);
        MethodSpec b = scene.panes[1].spec;
        EXPECT_NE(b.method, options.spec->method);
        b.method = options.spec->method;
        EXPECT_EQ(b, *options.spec);
    }
}

// Nearest neighbour is chosen for A, which B already has.
TEST(FirstScene, SideBySideItNeverShowsOnePictureTwice) {
    for (const char* arrange : {"compare.arrange", "compare.wipe"}) {
        AppState state;
        state.scene = first_scene({});
        find_action("method.nearest")->run(state);
        ASSERT_EQ(state.scene.panes[0].spec, state.scene.panes[1].spec);
        find_action(arrange)->run(state);
        EXPECT_EQ(state.scene.panes[0].spec.method->id, "nearest");
        EXPECT_EQ(state.scene.panes[1].spec.method->id, "bspline");
        // What is chosen side by side stays, also in the next arrangement.
        state.scene.active = 1;
        find_action("method.nearest")->run(state);
        find_action("compare.rows")->run(state);
        EXPECT_EQ(state.scene.panes[1].spec.method->id, "nearest");
    }
}

}  // namespace
}  // namespace texelscope::test
