#pragma once
// A black window of the test's own, above all others.

#include <memory>
#include <string>

namespace texelscope::test {

class Cover {
public:
    // Over this part of the screen, without a window manager's doing, until it is destroyed.
    Cover(const std::string& display, int x, int y, int width, int height);
    ~Cover();

private:
    struct Shown;
    std::unique_ptr<Shown> shown_;
};

}  // namespace texelscope::test
