#include "tests/gui/cover.h"

#include <X11/Xlib.h>

namespace texelscope::test {

struct Cover::Shown {
    Display* display = nullptr;
    ::Window window = 0;
};

Cover::Cover(const std::string& display, int x, int y, int width, int height) : shown_(new Shown) {
    shown_->display = XOpenDisplay(display.c_str());
    if (!shown_->display) return;
    XSetWindowAttributes attributes{};
    attributes.override_redirect = True;
    attributes.background_pixel = 0;
    shown_->window =
        XCreateWindow(shown_->display, DefaultRootWindow(shown_->display), x, y, unsigned(width), unsigned(height), 0,
                      CopyFromParent, InputOutput, CopyFromParent, CWOverrideRedirect | CWBackPixel, &attributes);
    XMapRaised(shown_->display, shown_->window);
    XSync(shown_->display, False);
}

Cover::~Cover() {
    if (!shown_->display) return;
    XDestroyWindow(shown_->display, shown_->window);
    XCloseDisplay(shown_->display);
}

}  // namespace texelscope::test
