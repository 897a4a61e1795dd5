// The program as a page: main() opens the window on the canvas and leaves its turns to the browser.

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include <GLFW/glfw3.h>
#include <emscripten.h>

#include "app/state/app_state.h"
#include "app/viewer/loop/viewer_window.h"
#include "gpu/core/errors.h"

namespace {

using namespace texelscope;

std::unique_ptr<Viewer> viewer;

void say(const char* sentence) {
    EM_ASM({ Module.say(UTF8ToString($0)); }, sentence);
}

// Whatever it is, the page says it, and stops.
template <class Work> void guarded(Work work) {
    try {
        work();
    } catch (const std::exception& error) {
        emscripten_cancel_main_loop();
        say(error.what());
    }
}

// A page knows no folders: instead of ours, the browser's dialog opens.
void turn() {
    guarded([] {
        viewer->window().take_turn(0);
        Dialogs& dialogs = viewer->state().ui.dialogs;
        if (!dialogs.has(Dialog::browser)) return;
        dialogs.close(Dialog::browser);
        EM_ASM({ Module.chooseFile(); });
    });
}

// "half-texel/3": the lesson and its step, from 1.
void take_lesson(ViewerOptions& options, const std::string& text) {
    const size_t slash = text.find('/');
    options.lesson = text.substr(0, slash);
    if (slash != text.npos) options.lesson_step = std::max(std::atoi(text.c_str() + slash + 1) - 1, 0);
}

}  // namespace

extern "C" {

// A file that the page has put into the file system.
EMSCRIPTEN_KEEPALIVE void texelscope_open(const char* path) {
    if (viewer) viewer->state().tasks.push_back(task::Open{path});
}

EMSCRIPTEN_KEEPALIVE void texelscope_open_lesson(const char* text) {
    if (!viewer) return;
    ViewerOptions options;
    take_lesson(options, text);
    viewer->state().tasks.push_back(task::OpenLesson{options.lesson, options.lesson_step});
}

// Before the page is left.
EMSCRIPTEN_KEEPALIVE void texelscope_keep_settings() {
    if (viewer) guarded([] { viewer->keep_settings(); });
}
}

int main(int argc, char** argv) {
    guarded([&] {
        ViewerOptions options;
        options.backend = BackendChoice::cpu;
        options.width = EM_ASM_INT({ return Module.canvas.width; });
        options.height = EM_ASM_INT({ return Module.canvas.height; });
        for (int i = 1; i + 1 < argc; i += 2)
            if (std::string(argv[i]) == "--lesson") take_lesson(options, argv[i + 1]);
            else options.images.push_back(argv[i + 1]);
        viewer = std::make_unique<Viewer>(options);
        viewer->window().begin();
        emscripten_set_main_loop(turn, 0, false);
        EM_ASM({ Module.ready(); });
    });
}
