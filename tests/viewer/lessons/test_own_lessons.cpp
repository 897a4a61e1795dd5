// The user's own lessons: their folder, and what is copied for them.

#include <fstream>

#include <gtest/gtest.h>

#include "app/viewer/editing/actions.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/lessons/own_lessons.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class OwnLessonFiles : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) / "texelscope-own-lessons";
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const char* name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

    fs::path folder_;
};

TEST_F(OwnLessonFiles, AreListedByFileNameAndTheBrokenOnesNamed) {
    EXPECT_TRUE(read_own_lessons(folder_ / "none").lessons.empty());
    EXPECT_TRUE(read_own_lessons(folder_ / "none").problems.empty());
    write("2-second.md", "# Second\n\nLast *of all*.\n\n## Step\n\nText.\n");
    write("1-first.md", "# First\n\nA summary.\n\n## Step\n\nText.\n");
    write("3-broken.md", "# Broken\n\nNo step.\n");
    write("notes.txt", "# No lesson\n");
    const OwnLessons own = read_own_lessons(folder_);
    EXPECT_EQ(own.folder, folder_.string());
    ASSERT_EQ(own.lessons.size(), 2u);
    EXPECT_EQ(own.lessons[0].title, "First");
    EXPECT_EQ(own.lessons[1].summary, "Last of all.");
    ASSERT_EQ(own.problems.size(), 1u);
    EXPECT_TRUE(own.problems[0].starts_with("3-broken.md:")) << own.problems[0];
    // As the list opens it.
    EXPECT_EQ(find_lesson(own.lessons[0].source)->title, "First");
}

AppState showing(const fs::path& image) {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bilinear"))}};
    Document& document = state.scene.documents.emplace_back();
    document.source = image.string();
    document.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    state.scene.current = 0;
    return state;
}

task::CopyText copied_step(AppState state) {
    find_action("learn.copy-step")->run(state);
    return std::get<task::CopyText>(state.tasks.at(0));
}

TEST_F(OwnLessonFiles, ACopiedStepNamesImagesRelativeToTheLessonOrTheWorkingFolder) {
    AppState state = showing(folder_ / "pictures" / "photo.png");
    EXPECT_NE(copied_step(state).text.find('"' + (folder_ / "pictures" / "photo.png").string() + '"'),
              std::string::npos)
        << "neither below the lesson nor below the working folder";
    write("mine.md", "# Mine\n\nSummary.\n\n## Step\n\nText.\n");
    state.lesson.lesson = std::make_shared<const Lesson>(read_lesson(folder_ / "mine.md"));
    const task::CopyText copied = copied_step(state);
    EXPECT_NE(copied.text.find("\"pictures/photo.png\""), std::string::npos) << copied.text;
    EXPECT_TRUE(copied.text.starts_with("```state\n"));
    EXPECT_EQ(copied.what.find('{'), std::string::npos) << "the message has no JSON: " << copied.what;
    EXPECT_NE(copied.what.find(folder_.string()), std::string::npos);
    const std::string below = copied_step(showing(fs::current_path() / "photo.png")).text;
    EXPECT_NE(below.find("\"photo.png\""), std::string::npos) << below;
}

}  // namespace
}  // namespace texelscope::test
