// Whether the text of each step of the lessons has the space that it needs.

#include <imgui.h>
#include <imgui_internal.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/viewer/editing/actions.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/layout.h"
#include "app/viewer/widgets/rich_text.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::test {
namespace {

// Fonts and sizes as in a window, without one.
class LessonText : public testing::Test {
protected:
    void SetUp() override { ImGui::CreateContext(); }
    void TearDown() override { ImGui::DestroyContext(); }

    void load(float scale) {
        ImGui::GetIO().UserData = &theme_;
        theme_.scale = scale;
        gui::load_fonts(theme_);
        gui::set_style(theme_);
        ImGui::GetIO().Fonts->Build();
    }

    gui::Theme theme_;
};

// How far the text can be scrolled, in a window of this size: in the panel, or below the picture.
float scrolled_away(AppState& state, float width, float height) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {width, height};
    io.IniFilename = nullptr;
    const gui::Layout layout = gui::lay_out(panels::layout_request(state, width, height));
    for (int frame = 0; frame < 3; ++frame) {  // ImGui knows the height of what it drew a frame later
        ImGui::NewFrame();
        if (state.presenter.on) panels::caption(state, layout.caption);
        else panels::lesson_panel(state, layout.panel);
        ImGui::EndFrame();
    }
    const std::string_view part = state.presenter.on ? "##caption/##caption-text" : "##lesson/##text";
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (std::string_view(window->Name).starts_with(part))
            return window->Flags & ImGuiWindowFlags_NoScrollbar ? 0 : window->ScrollMax.y;
    return -1;
}

// Each step in the type size that is chosen for it, also with its answer.
TEST_F(LessonText, OfEveryBuiltInStepFitsBelowThePictureInPresenterMode) {
    struct Step {
        const Lesson* lesson;
        int step;
    };
    for (const auto& [width, height, display, usual] :
         {std::tuple{1280.0f, 720.0f, 1.0f, 1.3f}, {1920.0f, 1080.0f, 1.0f, 1.5f}, {1280.0f, 800.0f, 2.0f, 1.3f}}) {
        std::map<float, std::vector<Step>> by_size;
        AppState state;
        state.presenter.on = true;
        state.scene.panes = {{parse_spec("nearest")}};
        load(usual * display);
        for (const Lesson& lesson : all_lessons()) {
            begin_lesson(state, std::make_shared<const Lesson>(lesson));
            for (int step = 0; step < int(lesson.steps.size()); ++step) {
                state.lesson.step = step;
                by_size[panels::presenter_magnification(state, width, height, display)].push_back({&lesson, step});
            }
        }
        if (display == 1) {
            EXPECT_EQ(by_size.rbegin()->first, usual) << "short texts are as large as ever";
        }
        for (const auto& [size, steps] : by_size) {
            EXPECT_GE(size * display, 1) << "still larger than outside presenter mode at scale 1";
            load(size * display);
            for (const Step& step : steps) {
                begin_lesson(state, std::make_shared<const Lesson>(*step.lesson));
                state.lesson.step = step.step;
                state.presenter.fit = {state.lesson.lesson, step.step, width, height, display, size};
                float settled = size;
                while (panels::presenter_magnification(state, width, height, display) < settled)
                    load((settled = state.presenter.fit.magnification) * display);
                for (const bool answer : {false, true}) {
                    state.lesson.answer = answer;
                    EXPECT_EQ(scrolled_away(state, width, height), 0)
                        << step.lesson->name << "#" << step.step + 1 << " at " << settled << " of " << width;
                }
                if (settled < size) load(size * display);
            }
        }
    }
}

// Rows below each other, cells beside each other: a narrow page makes rows higher, and no text gets lost beyond an edge.
TEST_F(LessonText, ATableIsAsWideAsItsPage) {
    load(1);
    const Lesson lesson = parse_lesson(
        "# T\n\n## S\n\n| library | what it reads |\n| --- | --- |\n| ours | (i + ½) / F − ½, the position of the centre of "
        "the pixel |\n| theirs | i / F |\n",
        "x.md", {});
    ImGui::GetIO().DisplaySize = {800, 600};
    ImGui::GetIO().IniFilename = nullptr;
    const float line = std::round(gui::theme().reading->FontSize * 1.28f);
    float higher = 0;
    for (const float width : {600.0f, 300.0f, 200.0f}) {
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({800, 600});
        ImGui::Begin("page", nullptr, ImGuiWindowFlags_NoDecoration);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        const int before = draw.VtxBuffer.Size;
        gui::rich_text(lesson.steps[0].text, width);
        float right = 0, bottom = 0;
        for (int i = before; i < draw.VtxBuffer.Size; ++i) {
            right = std::max(right, draw.VtxBuffer[i].pos.x - at.x);
            bottom = std::max(bottom, draw.VtxBuffer[i].pos.y - at.y);
        }
        const float height = gui::rich_text_height(lesson.steps[0].text, width);
        ImGui::End();
        ImGui::EndFrame();
        EXPECT_LE(right, width + 1) << width;
        EXPECT_LE(bottom, height + 1) << width;
        EXPECT_GE(height, 3 * line) << width;
        EXPECT_GT(height, higher) << "fewer words fit into a row of " << width;
        higher = height;
    }
}

// "Choose *Controls*, or press V", says a step: where it is presented, too.
TEST_F(LessonText, GivesWayToTheControlsWhilePresenting) {
    load(1);
    AppState state;
    state.presenter.on = true;
    state.scene.panes = {{parse_spec("nearest")}};
    state.places.picture = {0, 0, 640, 480};
    begin_lesson(state, find_lesson("what-the-clock-says"));
    ASSERT_TRUE(enter_step(state, 4));
    gui::Layout layout = gui::lay_out(panels::layout_request(state, 1280, 720));
    EXPECT_TRUE(layout.panel.empty());
    EXPECT_FALSE(layout.caption.empty());
    find_action("learn.controls")->perform(state);
    layout = gui::lay_out(panels::layout_request(state, 1280, 720));
    EXPECT_FALSE(layout.panel.empty());
    EXPECT_TRUE(layout.caption.empty());
    ASSERT_TRUE(enter_step(state, 3));
    EXPECT_FALSE(gui::lay_out(panels::layout_request(state, 1280, 720)).caption.empty())
        << "a step begins with its text";
}

TEST_F(LessonText, OfEveryBuiltInStepFitsIntoThePanelOfALowWindow) {
    constexpr float width = 1280, height = 720;
    AppState outside;
    theme_.dense = panels::is_dense(outside, height, 1);
    EXPECT_TRUE(theme_.dense);
    load(1);
    for (const Lesson& lesson : all_lessons())
        for (int step = 0; step < int(lesson.steps.size()); ++step) {
            AppState state;
            state.scene.panes = {{parse_spec("nearest")}};
            state.places.picture = {0, 0, 640, 480};
            begin_lesson(state, std::make_shared<const Lesson>(lesson));
            ASSERT_TRUE(enter_step(state, step));
            EXPECT_EQ(scrolled_away(state, width, height), 0) << lesson.name << "#" << step + 1;
            if (state.lesson.sliders.empty()) continue;
            note_shown(state, {});  // from now on there is a way back, below the text
            state.lesson.sliders[0] += 1e-3;
            EXPECT_TRUE(has_left_step(state));
            EXPECT_EQ(scrolled_away(state, width, height), 0) << lesson.name << "#" << step + 1 << ", slider moved";
        }
}

}  // namespace
}  // namespace texelscope::test
