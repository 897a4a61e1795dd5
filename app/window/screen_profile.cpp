#include "app/window/screen_profile.h"

#include <memory>

#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace texelscope {

std::vector<std::byte> screen_profile() {
    struct Closer {
        void operator()(Display* display) const { XCloseDisplay(display); }
    };
    const std::unique_ptr<Display, Closer> display(XOpenDisplay(nullptr));
    if (!display) return {};
    const Atom name = XInternAtom(display.get(), "_ICC_PROFILE", True);
    if (name == 0) return {};
    constexpr long most_words = 4 << 20;  // of 4 bytes
    Atom type = 0;
    int bits = 0;
    unsigned long count = 0, rest = 0;
    unsigned char* data = nullptr;
    const int status = XGetWindowProperty(display.get(), DefaultRootWindow(display.get()), name, 0, most_words, False,
                                          XA_CARDINAL, &type, &bits, &count, &rest, &data);
    std::vector<std::byte> profile;
    if (status == Success && data && type == XA_CARDINAL && bits == 8 && rest == 0) {
        const auto* bytes = reinterpret_cast<const std::byte*>(data);
        profile.assign(bytes, bytes + count);
    }
    if (data) XFree(data);
    return profile;
}

}  // namespace texelscope
