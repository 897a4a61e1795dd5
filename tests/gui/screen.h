#pragma once
// The test's own display, and pictures of it.

#include <memory>
#include <string>

#include "gpu/core/image.h"
#include "tests/support/process.h"

namespace texelscope::test {

// A virtual X server on a free display number; or the display that TEXELSCOPE_TEST_DISPLAY names, on which a GPU draws.
class Screen {
public:
    static constexpr int width = 1600, height = 1000;

    Screen();
    const std::string& display() const { return display_; }  // ":7"; empty if there is none

    // Runs xdotool with these arguments. False if it failed.
    bool xdotool(const std::vector<std::string>& arguments) const;

    // The whole screen as u8×3; empty if that failed.
    Image picture() const;

private:
    std::unique_ptr<Process> server_;
    std::string display_;
};

}  // namespace texelscope::test
