// Numbers in the palette and in the status bar.

#include "app/state/pane_views.h"
#include "app/viewer/editing/typed_commands.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

TEST(TypedCommands, SayWhatTheyDoAndDoIt) {
    AppState state = with_panes(2);
    struct Case {
        const char *text, *title;
        double zoom, rotate;
    };
    for (const Case& each : {Case{"zoom 400", "Zoom to 400 % (4:1)", 4, 0},
                             {"ZOOM 50 %", "Zoom to 50 % (1:2)", 0.5, 0},
                             {"zoom 4x", "Zoom to 400 % (4:1)", 4, 0},
                             {"zoom x2.5", "Zoom to 250 % (2.5:1)", 2.5, 0},
                             {"zoom ×8", "Zoom to 800 % (8:1)", 8, 0},
                             {"zoom 1:2", "Zoom to 50 % (1:2)", 0.5, 0},
                             {"z 51200", "Zoom to 51200 % (512:1)", 512, 0},
                             {"rotate 15", "Rotate to 15°", 512, 15},
                             {"rot -7.5°", "Rotate to −7.5°", 512, -7.5},
                             {"rotate −9", "Rotate to −9°", 512, -9},
                             {" rotate  +360 ", "Rotate to 360°", 512, 0}}) {
        const auto command = typed_command(state, each.text);
        ASSERT_TRUE(command) << each.text;
        EXPECT_EQ(command->title, each.title);
        EXPECT_EQ(command->problem, "") << each.text;
        ASSERT_TRUE(command->run) << each.text;
        command->run(state);
        EXPECT_NEAR(pane_view(state, 0).zoom(), each.zoom, 1e-9) << each.text;
        EXPECT_NEAR(pane_view(state, 0).rotate, each.rotate, 1e-9) << each.text;
    }
}

TEST(TypedCommands, OneSentenceForWhatCannotBe) {
    const AppState state = with_panes(1);
    for (const auto& [text, problem] : std::map<std::string, std::string>{
             {"zoom 0", "The zoom can be from 1 % to 51200 %."},
             {"zoom -4", "The zoom can be from 1 % to 51200 %."},
             {"zoom 99999999", "The zoom can be from 1 % to 51200 %."},
             {"zoom 600x", "The zoom can be from 1 % to 51200 %."},
             {"zoom 4:0", "“4:0” is no zoom; type a percentage such as 400, or a factor such as 4x."},
             {"zoom 4 4", "“4 4” is no zoom; type a percentage such as 400, or a factor such as 4x."},
             {"rotate 361", "The rotation can be from −360° to 360°."},
             {"rotate 1e999", "“1e999” is no angle; type degrees, such as 15 or −7.5."}}) {
        const auto command = typed_command(state, text);
        ASSERT_TRUE(command) << text;
        EXPECT_EQ(command->problem, problem);
        EXPECT_FALSE(command->run) << text;
    }
}

TEST(TypedCommands, LeaveOtherTextToTheOtherCommands) {
    AppState state = with_panes(1);
    for (const char* text : {"", "zoom", "zoom in", "4", "lanczos 3", "zoomer 3", "100 %", "rotate"})
        EXPECT_FALSE(typed_command(state, text)) << text;
    state.scene.current = -1;
    EXPECT_FALSE(typed_command(state, "zoom 400")) << "without an image";
}

// They wait for the picture, as other commands do.
TEST(TypedCommands, AreKnownBeforeTheFirstPictureIsThere) {
    AppState state = with_panes(1);
    state.scene.documents[0].image.reset();
    const auto command = typed_command(state, "zoom 400");
    ASSERT_TRUE(command);
    EXPECT_EQ(command->title, "Zoom to 400 % (4:1)");
    state.scene.documents[0].unreadable = true;
    EXPECT_FALSE(typed_command(state, "zoom 400")) << "it never comes";
}

TEST(TypedCommands, ActOnTheActivePane) {
    AppState state = with_panes(2);
    state.scene.arrangement = Arrangement::columns;
    for (Pane& pane : state.scene.panes) pane.own_view = View{};
    state.scene.active = 1;
    state.pointer.inside = true;
    zoom_command("400").run(state);
    typed_command(state, "rotate 15")->run(state);
    EXPECT_EQ(pane_view(state, 0), View{});
    EXPECT_EQ(pane_view(state, 1), (View{0, 0, 0.25, 15}));
}

}  // namespace
}  // namespace texelscope::test
