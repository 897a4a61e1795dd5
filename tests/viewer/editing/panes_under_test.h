#pragma once
// Scenes with a few panes, for tests of edits and input.

#include <gtest/gtest.h>

#include "app/viewer/editing/picture_input.h"

namespace texelscope::test {

inline Document document(const std::string& source, int width, int height) {
    Document d;
    d.source = source;
    d.image = std::make_shared<const Image>(width, height, 1, SampleType::u8);
    d.keep_fit = false;
    return d;
}

inline AppState with_panes(int count) {
    AppState state;
    for (int i = 0; i < count; ++i) state.scene.panes.push_back({default_spec(*all_methods()[size_t(i)])});
    state.scene.documents = {document("@constant", 64, 64), document("@step", 128, 128)};
    state.scene.current = 0;
    state.places.picture = {320, 28, 600, 400};
    state.ui.animate = false;
    return state;
}

// Two panes under the mouse, without panels.
class PaneInput : public testing::Test {
protected:
    void SetUp() override {
        state_ = with_panes(2);
        state_.scene.documents[0].view = {0, 0, 0.125, 0};
    }
    template <class Event> void send(const Event& event) { input_.handle(state_, event); }
    AppState state_;
    PictureInput input_{{[](double, double) { return false; }, [] { return false; }, [] { return false; }, {}}};
};

}  // namespace texelscope::test
