// The lessons included with the program: each is read, and each of its states can be reached and rendered.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/files/image_source.h"
#include "app/picture/kept_pictures.h"
#include "app/picture/pane_picture.h"
#include "app/picture/source_cache.h"
#include "app/state/pane_places.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson_player.h"

namespace texelscope::test {
namespace {

TEST(AllLessons, CanBeRead) {
    for (const std::string& problem : lesson_problems()) ADD_FAILURE() << problem;
    EXPECT_GE(all_lessons().size(), 2u);
    std::set<std::string> names;
    for (const Lesson& lesson : all_lessons()) {
        EXPECT_TRUE(names.insert(lesson.name).second) << lesson.name;
        EXPECT_FALSE(lesson.summary.empty()) << lesson.name;
        EXPECT_TRUE(lesson.steps[0].state) << lesson.name << ": its first step must set what is shown";
        EXPECT_EQ(find_lesson(lesson.name)->title, lesson.title);
    }
    EXPECT_THROW(find_lesson("no-such-lesson"), UsageError);
}

// Every pane that the step shows, as the program renders it.
void expect_pictures(AppState& state, SourceCache& sources) {
    update_views(state);
    const std::vector<int> panes = panes_in_view(state);
    sources.hold(panes.size() + 1);
    for (const int pane : panes) {
        EXPECT_EQ(why_no_difference(state, pane), "") << "pane " << pane;
        const Image picture = saved_view(state, pane, {160, 120}, sources);
        EXPECT_EQ(picture.width(), 160) << "pane " << pane;
    }
}

// Beside "an RMS error of 20 grey levels", a pane must not say 142 dB: figures are shown only against a reference that the
// step names, and arithmetic errors only if the step shows them as differences.
TEST(AllLessons, FiguresAreAgainstWhatTheStepSpeaksOf) {
    int with_truth = 0;
    for (const Lesson& lesson : all_lessons())
        for (size_t i = 0; i < lesson.steps.size(); ++i) {
            if (!lesson.steps[i].state) continue;
            const Session& session = *lesson.steps[i].state;
            const auto& panes = session.scene.panes;
            with_truth += session.scene.reference.kind == Reference::Kind::truth;
            const bool differences = std::any_of(panes.begin(), panes.end(), [](const Pane& pane) {
                return pane.difference && pane.against == Pane::reference_pane;
            });
            EXPECT_EQ(session.appearance.figures, differences) << lesson.name << "#" << i + 1;
        }
    EXPECT_GE(with_truth, 5);
}

TEST(AllLessons, EveryStateIsReachedAndRendered) {
    SourceCache sources(make_cpu_backend());
    for (const Lesson& lesson : all_lessons())
        for (size_t i = 0; i < lesson.steps.size(); ++i) {
            SCOPED_TRACE(lesson.name + "#" + std::to_string(i + 1));
            AppState state;
            state.scene.panes = {{parse_spec("nearest")}};
            state.report.frame.picture = {0, 0, 800, 600};
            begin_lesson(state, std::make_shared<const Lesson>(lesson));
            ASSERT_TRUE(enter_step(state, int(i)));
            if (state.scene.documents.empty()) continue;  // the default picture
            for (Document& document : state.scene.documents) {
                EXPECT_FALSE(document.is_file()) << document.source;
                document.image = std::make_shared<const Image>(load_image(document.source));
            }
            note_shown(state, {});
            EXPECT_FALSE(has_left_step(state));
            expect_pictures(state, sources);
        }
}

}  // namespace
}  // namespace texelscope::test
