#include "app/window/window.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

// Last: its macros (None, Bool) are names elsewhere.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace texelscope {
namespace {

// Xlib cannot go on without its connection, and ends the program if this returns. Other threads still run, so nothing is
// destroyed.
int end_without_display(Display* display) {
    std::fputs(fmt::format("texelscope: the display {} has gone; its server has ended or dropped the connection\n",
                           DisplayString(display))
                   .c_str(),
               stderr);
    std::_Exit(EXIT_FAILURE);
}

}  // namespace

void name_lost_display() {
    XSetIOErrorHandler(end_without_display);
    struct sigaction pipe {};
    ::sigaction(SIGPIPE, nullptr, &pipe);
    if ((pipe.sa_flags & SA_SIGINFO) != 0 || pipe.sa_handler != SIG_DFL) return;
    // Unlike one that is ignored, a signal with a handler has its usual effect in the programs that this one starts.
    pipe.sa_handler = [](int) {};
    pipe.sa_flags = SA_RESTART;
    ::sigaction(SIGPIPE, &pipe, nullptr);
}

ScreenProfile screen_profile() {
    name_lost_display();
    const std::shared_ptr<Display> display(XOpenDisplay(nullptr), [](Display* open) {
        if (open) XCloseDisplay(open);
    });
    if (!display) return {};
    ScreenProfile profile{display, {}};
    const Atom name = XInternAtom(display.get(), "_ICC_PROFILE", True);
    if (name == 0) return profile;
    constexpr long most_words = 4 << 20;  // of 4 bytes
    Atom type = 0;
    int bits = 0;
    unsigned long count = 0, rest = 0;
    unsigned char* data = nullptr;
    const int status = XGetWindowProperty(display.get(), DefaultRootWindow(display.get()), name, 0, most_words, False,
                                          XA_CARDINAL, &type, &bits, &count, &rest, &data);
    if (status == Success && data && type == XA_CARDINAL && bits == 8 && rest == 0) {
        const auto* bytes = reinterpret_cast<const std::byte*>(data);
        profile.icc.assign(bytes, bytes + count);
    }
    if (data) XFree(data);
    return profile;
}

}  // namespace texelscope
