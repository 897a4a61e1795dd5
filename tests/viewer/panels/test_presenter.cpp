// Presenter mode: what a step of a lesson needs below the picture.

#include <map>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/viewer/lessons/lesson_player.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::test {
namespace {

// Fonts and sizes as in a window, without one.
class PresenterText : public testing::Test {
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

// Each step in the type size that is chosen for it, also with its answer.
TEST_F(PresenterText, OfEveryBuiltInStepFitsBelowThePicture) {
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
                for (const bool answer : {false, true}) {
                    state.lesson.answer = answer;
                    EXPECT_LE(panels::caption_height(state, width), gui::most_caption * height)
                        << step.lesson->name << "#" << step.step + 1 << " at " << size << " of " << width;
                }
            }
        }
    }
}

}  // namespace
}  // namespace texelscope::test
