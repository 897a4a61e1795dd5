#include "app/window/window.h"

#include <memory>

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <fmt/format.h>
#include <glad/gl.h>

#include "gpu/interop/present_target.h"

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

Presentation probe_presentation() {
    Presentation result;
    try {
        Window::Options options;
        options.visible = false;
        options.width = options.height = 64;
        const Window window(options);
        const auto text = [](GLenum name) { return reinterpret_cast<const char*>(glGetString(name)); };
        result.opengl = fmt::format("{} on {}", text(GL_VERSION), text(GL_RENDERER));
        Presenter presenter = make_presenter(BackendChoice::automatic);
        result.rung = name_of(presenter.target->rung());
        result.reason = presenter.reason;
        const BackendInfo& info = presenter.backend->info();
        result.device = info.kind == BackendKind::cpu
                            ? info.device
                            : fmt::format("{} (CUDA device {})", info.device, info.device_index);
        presenter.target.reset();  // while the context is current
    } catch (const Error& error) {
        if (result.opengl.empty()) result.opengl = fmt::format("none: {}", error.what());
        result.rung = "nothing";
        result.reason = error.what();
    }
    return result;
}

}  // namespace texelscope
