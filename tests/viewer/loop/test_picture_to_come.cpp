// What the window will show of a file that is still being read is what it shows once that is open.

#include <memory>

#include <gtest/gtest.h>

#include "app/picture/pane_picture.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/picture_to_come.h"

namespace texelscope::test {
namespace {

class PictureToCome : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{.spec = parse_spec("bilinear")}};
        state_.report.frame.picture = {300, 20, 800, 600};
        open_document(state_, "@zone-plate:64", accept_);
        update_views(state_);
    }

    AppState state_;
    AcceptImage accept_ = [](const std::shared_ptr<const Image>&) {};
    std::string source_ = "@dead-leaves:500x300";
};

TEST_F(PictureToCome, IsThatOfTheOpenedDocument) {
    for (const bool antialias : {false, true})
        for (const char* spec : {"lanczos3", "bspline"}) {
            SetUp();
            state_.scene.panes.front().spec = parse_spec(spec);
            state_.scene.antialias = antialias;
            const auto before = state_.scene;
            AppState then = state_;
            open_document(then, source_, accept_);
            update_views(then);
            const auto picture = picture_to_come(state_, source_, then.scene.document()->image);
            ASSERT_TRUE(picture);
            EXPECT_EQ(*picture, pane_picture(then, 0)) << spec;
            EXPECT_EQ(state_.scene, before) << "nothing is opened yet";
        }
}

TEST_F(PictureToCome, IsKnownForASinglePaneWithAPlace) {
    const auto image = state_.scene.document()->image;
    AppState grid = state_;
    grid.scene.panes.push_back(grid.scene.panes.front());
    grid.scene.arrangement = Arrangement::columns;
    EXPECT_FALSE(picture_to_come(grid, source_, image));
    state_.report.frame.picture = {};
    EXPECT_FALSE(picture_to_come(state_, source_, image)) << "no frame has been laid out";
}

}  // namespace
}  // namespace texelscope::test
