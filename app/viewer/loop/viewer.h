#pragma once
// The viewer, started by the command line.

#include <optional>

#include "app/viewer/loop/settings.h"
#include "app/viewer/loop/viewer_window.h"

namespace texelscope {

// The viewer in its window, from the user's settings to its first images.
class Viewer {
public:
    explicit Viewer(const ViewerOptions& options);
    AppState& state() { return state_; }
    ViewerWindow& window() { return *window_; }
    void keep_settings();  // once it has ended

private:
    ViewerOptions options_;
    Settings settings_;
    AppState state_;
    std::optional<ViewerWindow> window_;
};

// Runs until the user quits; returns the exit status. Throws Unavailable if there is no display, Error for a screenshot
// that cannot be made.
int run_viewer(const ViewerOptions& options);

}  // namespace texelscope
