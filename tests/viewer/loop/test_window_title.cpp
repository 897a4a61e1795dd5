// The title names what keys act on.

#include <gtest/gtest.h>

#include "app/state/pane_places.h"
#include "app/viewer/loop/window_title.h"

namespace texelscope::test {
namespace {

TEST(WindowTitle, NamesTheActivePaneWhateverTheMouseIsOver) {
    AppState state;
    EXPECT_EQ(window_title(state), "texelscope");
    state.scene.panes = {{default_spec(*find_method("bilinear"))}, {default_spec(*find_method("nearest"))}};
    state.scene.panes[1].own_view = View{0, 0, 0.25, 0};
    Document& document = state.scene.documents.emplace_back();
    document.source = "/photos/photo.png";
    document.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.current = 0;
    state.scene.arrangement = Arrangement::columns;
    state.report.frame.picture = {0, 0, 200, 100};
    state.pointer.inside = true;
    state.pointer.pane = 1;
    ASSERT_EQ(focused_pane(state), 1);
    EXPECT_EQ(window_title(state), "photo.png – Bilinear – 100 % (1:1)");
    state.scene.active = 1;
    state.pointer.pane = 0;
    EXPECT_EQ(window_title(state), "photo.png – Nearest neighbour – 400 % (4:1)");
    state.report.recording.active = true;
    state.report.recording.path = "/videos/one.mp4";
    EXPECT_EQ(window_title(state), "● REC one.mp4 – photo.png – Nearest neighbour – 400 % (4:1)");
    state.report.recording = {};
    state.folder.folder = "/home/ann/alps";
    state.folder.files = std::make_shared<const std::vector<FolderEntry>>(31);
    state.folder.position = 1;
    EXPECT_EQ(window_title(state), "photo.png (2/31 in alps) – Nearest neighbour – 400 % (4:1)");
    Document& other = state.scene.documents.emplace_back();
    other.source = "/photos/other.png";
    other.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.panes[1].source = other.source;
    EXPECT_EQ(window_title(state), "other.png – Nearest neighbour – 400 % (4:1)") << "what the pane shows";
}

}  // namespace
}  // namespace texelscope::test
