#include "app/window/screen_route.h"

#include <glad/gl.h>

#include <fmt/format.h>

#include "app/window/window.h"
#include "gpu/interop/present_target.h"

namespace texelscope {

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
