// The choices of the export dialog.

#include "app/viewer/editing/export_choice.h"

#include <gmock/gmock.h>

#include "gpu/core/errors.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

TEST(ExportChoice, AFactorThatMakesNoPictureIsRefused) {
    AppState state = with_panes(1);
    for (const double factor : {-3.0, 0.0, 0.0009, 1001.0, double(NAN), double(INFINITY)}) {
        state.ui.exporting.factor = factor;
        try {
            exported_picture(state);
            ADD_FAILURE() << factor;
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(), HasSubstr("choose one from 0.001 to 1000"));
        }
        EXPECT_NO_THROW({
            state.ui.exporting.by_size = true;
            exported_picture(state);
        }) << "it is not in use";
        state.ui.exporting.by_size = false;
    }
    for (const double factor : {0.001, 2.5, 1000.0}) {
        state.ui.exporting.factor = factor;
        EXPECT_EQ(exported_picture(state).factor.x, factor);
    }
}

TEST(ExportChoice, KnowsWhetherTheFileHasMetadata) {
    AppState state = with_panes(1);
    state.report.file.source = state.scene.documents[0].source;
    state.report.file.facts.metadata = {{"File", "Name", "a.jpg"}, {"JPEG", "Coding", "progressive"}};
    EXPECT_FALSE(has_metadata(state));
    state.report.file.facts.metadata.push_back({"EXIF", "Exposure time", "1/250 s"});
    EXPECT_TRUE(has_metadata(state));
    state.report.file.source = "another";
    EXPECT_FALSE(has_metadata(state));
}

}  // namespace
}  // namespace texelscope::test
