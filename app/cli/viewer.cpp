// texelscope [IMAGE…] or SESSION.json: the viewer.

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/files/bytes/file_io.h"
#include "app/files/desktop/folders.h"
#include "app/files/reading/image_files.h"
#include "app/state/scene.h"
#include "app/state/session/session.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/settings.h"
#include "app/viewer/pushing/pushing.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

struct ViewerCommand {
    ViewerOptions viewer;
    bool reuses = false;
    HomographyOption homography;
    std::optional<std::string> window, ui_scale, animate, warp, lesson;
    ViewOptions view;
    SamplingOptions sampling;
    MethodOptions method;
    PictureOptions picture;

    // Options that set what is shown of an image, and how.
    bool has_settings() const {
        return view.given() || method.given() || sampling.outside() || sampling.antialias() || warp ||
               homography.given() || sampling.light() == Light::linear;
    }

    // A session is complete; options that would contradict it are refused.
    void take_session() {
        auto& images = viewer.images;
        const auto at = std::ranges::find(images, FileKind::session, kind_of_file);
        if (at == images.end()) return;
        if (images.size() > 1) throw UsageError(*at + " is a session and already names its images; open it on its own");
        if (has_settings())
            throw UsageError(*at + " is a session and already sets view, method and sampling; leave out these options");
        read_session(*at);  // reports errors before a window opens
        viewer.session = *at;
        images.clear();
    }

    // A lesson, such as "half-texel#3", is complete too.
    void take_lesson() {
        if (!lesson) return;
        std::error_code none;
        const size_t hash = std::filesystem::exists(*lesson, none) ? lesson->npos : lesson->rfind('#');
        viewer.lesson = lesson->substr(0, hash);
        const auto found = find_lesson(viewer.lesson);  // reports errors before a window opens
        if (hash != lesson->npos) {
            const std::string typed = lesson->substr(hash + 1);
            const size_t steps = found->steps.size();
            size_t step = 0;
            const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), step);
            if (error != std::errc() || end != typed.data() + typed.size() || step < 1 || step > steps)
                throw UsageError(fmt::format("--lesson {}: '{}' is not a step of this lesson, which has steps 1 to {}",
                                             *lesson, typed, steps));
            viewer.lesson_step = int(step) - 1;
        }
        if (!viewer.images.empty() || has_settings())
            throw UsageError("--lesson " + *lesson +
                             " shows its own images, views and methods; leave out these options");
    }

    // Folders have no parts; what is opened later in the window is turned as well.
    void take_choice() {
        if (!picture.given()) return;
        viewer.upright = picture.upright();
        std::error_code none;
        for (std::string& source : viewer.images)
            source = std::filesystem::is_directory(source, none) ? source : picture.source_of(source);
    }

    // Standard input is read before there is a window: what is wrong with it is said at once.
    void take_standard_input() {
        for (std::string& source : viewer.images) {
            if (file_of(source) != "-") continue;
            if (!viewer.standard_input) viewer.standard_input = std::make_shared<const Image>(load_image(source));
            source = pushed_source(standard_input_name);
        }
    }

    // The window says so as well, but may show something else by then. Wrong names stand beside right ones.
    void tell_missing() const {
        for (const std::string& source : viewer.images) {
            const std::string file = file_of(source);
            const bool named = !file.empty() && file[0] != '@' && file != "-";
            if (const std::string why = named ? why_missing(file) : ""; !why.empty())
                fmt::print(stderr, "texelscope: {}: {}{}\n", file, why, did_you_mean_file(file));
        }
    }

    // Whether a window is open, which now shows the files.
    bool reuse() const {
        if (has_settings() || picture.given() || lesson || !viewer.screenshot.empty())
            throw UsageError(
                "--reuse only opens files in the running window, which keeps its view and methods; leave "
                "out options for these, --lesson and --screenshot");
        auto running = PushClient::connect(push_place().folder);
        if (!running) return false;
        if (viewer.standard_input) running->show(std::string(standard_input_name), *viewer.standard_input);
        std::vector<std::string> files;
        if (!viewer.session.empty()) files.push_back(absolute_source(viewer.session));
        for (const std::string& source : viewer.images) files.push_back(absolute_source(source));
        running->open(files);
        return true;
    }

    int run(const RunViewer& run_viewer) {
        take_lesson();
        take_session();
        take_choice();
        take_standard_input();
        if (viewer.screenshot.empty()) tell_missing();  // a screenshot tells all that went wrong
        if (reuses && reuse()) return 0;
        if (view.given()) viewer.view = view.view();
        if (method.given()) viewer.spec = method.spec();
        viewer.outside = sampling.outside();
        if (!viewer.outside && method.address_given()) viewer.outside = Outside::extend;
        viewer.antialias = sampling.antialias();
        viewer.linear_light = sampling.light() == Light::linear;
        if (warp) viewer.warp = parse_warp("--warp", *warp);
        if (homography.given()) viewer.warp = homography.warp();
        viewer.backend = method.backend();
        if (!viewer.screenshot.empty()) check_output_name(viewer.screenshot);
        if (window) {
            const Extent size = parse_size("--window", *window);
            viewer.width = size.width;
            viewer.height = size.height;
        }
        if (ui_scale) {
            viewer.ui_scale = float(parse_real("--ui-scale", *ui_scale));
            if (!(viewer.ui_scale >= 0.5f && viewer.ui_scale <= 4))
                throw UsageError("--ui-scale must be a number from 0.5 to 4, not '" + *ui_scale + "'");
        }
        if (animate) viewer.animate = parse_on_off("--animate", *animate);
        return run_viewer(viewer);
    }
};

}  // namespace

void add_viewer(Command app, int& status, RunViewer run) {
    auto options = std::make_shared<ViewerCommand>();
    ViewerOptions& viewer = options->viewer;
    app.add_option(
        "IMAGE", viewer.images,
        "Image files, a folder of images, - for one image from standard input, or built-in test images such as "
        "@zone-plate:512; default @basilica. Or a session file (.json) saved by the viewer");
    app.add_flag("--reuse", options->reuses,
                 "Open the files in the window that is open already; if there is none, in a new one");
    app.add_option("--screenshot", viewer.screenshot, "Save one frame of the window to this file and exit")
        .type_name("OUT.png");
    app.add_option("--lesson", options->lesson,
                   "Open a lesson at its first step or the given one: a built-in lesson by name, or a Markdown file, "
                   "which is reloaded when it changes")
        .type_name("NAME|FILE[#STEP]");
    app.add_flag("--presenter", viewer.presenter, "Start in presenter mode: large type, no panels, keys shown");
    app.add_option("--window", options->window, "Size of the window, in screen units").type_name("WxH");
    app.add_option("--ui-scale", options->ui_scale, "Size of text and controls, 0.5 to 4; default: the display's")
        .type_name("S");
    app.add_flag("--allow-commands", viewer.allow_commands,
                 "Run commands of other programs that a session or a lesson holds without asking: for scripts");
    app.add_option("--animate", options->animate, "Animate zooming (150 ms): on or off; default: the last setting")
        .type_name("on|off");
    app.add_flag("--no-interop", viewer.no_interop,
                 "Copy pictures through host memory instead of mapping OpenGL buffers");
    app.add_flag("--debug-gl", viewer.debug_gl, "Print OpenGL debug messages");
    app.add_flag("--trace-state", viewer.trace_state,
                 "Print each change of state as a line of JSON to stderr, and when the window begins and ends to rest");
    // Not in the help.
    app.add_option("--debug-lose-device", viewer.lose_device_after, "Break the GPU after N rendered frames, …")
        .type_name("N[,N…]")
        .group("");
    app.add_flag("--debug-pretend", viewer.pretend_losses, "Lose the GPU without breaking it").group("");
    app.add_flag("--debug-late-device", viewer.late_device, "Use no GPU for the first frames").group("");
    app.add_flag("--debug-commands", viewer.debug_commands, "Commands for debugging in the palette").group("");
    options->view.add_to(app);
    options->picture.add_to(app);
    options->homography.add_to(app);
    app.add_option("--warp", options->warp, "Warp the picture: " + warp_help())
        .type_name("NAME[:STRENGTH]")
        .group("View");
    options->sampling.add_outside(app, Outside::background);
    options->sampling.add_antialias(app, "on");
    options->sampling.add_linear_light(app);
    options->method.add_to(app);
    app.final_callback([options, app, &status, run = std::move(run)] {
        if (!app.subcommand_given()) status = options->run(run);
    });
}

// texelscope push IN: shows an image in the running window; push --close NAME closes it.

namespace {

struct PushCommand {
    InputOptions input;
    std::optional<std::string> name, closed;

    std::string shown_name() const {
        if (name) return *name;
        if (file_of(input.name()) == "-") return std::string(standard_input_name);
        return input.name().starts_with('@') ? input.name().substr(1)
                                             : std::filesystem::path(input.name()).filename().string();
    }

    static void check_name(const char* option, const std::string& name) try {
        parse_push_request(to_line(PushedClose{name}));
    } catch (const Error&) {
        throw UsageError(
            fmt::format("{} must be a text of 1 to {} bytes without control characters", option, most_push_name_bytes));
    }

    static PushClient window() {
        const PushPlace place = push_place();
        if (!place.problem.empty()) throw Error("windows cannot be found: " + place.problem);
        auto found = PushClient::connect(place.folder);
        if (!found) throw Error("no texelscope window is open to push into; start texelscope first");
        return std::move(*found);
    }

    void run() const {
        if (closed) return close();
        if (input.name().empty()) throw UsageError("IN is required, or --close NAME");
        input.check(Light::stored);
        check_name("--name", shown_name());
        PushClient to = window();
        const Input in = input.load();
        to.show(shown_name(), in.image);
    }

    void close() const {
        if (name || !input.name().empty())
            throw UsageError("--close stands alone, with the name of the image that it closes");
        check_name("--close", *closed);
        window().close(*closed);
    }
};

}  // namespace

void add_push(Command app) {
    Command command = app.add_subcommand("push", "Show an image in the running window, or replace or close one there");
    auto options = std::make_shared<PushCommand>();
    options->input.add_to(command, false);
    command
        .add_option("--name", options->name,
                    "Name of the image in the window: an open one of this name is replaced under the same view; "
                    "default: the file's name")
        .type_name("NAME");
    command
        .add_option("--close", options->closed,
                    "Instead of pushing: close the pushed image of this name in the window, without IN")
        .type_name("NAME");
    command.footer(
        "Examples:\n"
        "  texelscope push frame.npy --name simulation\n"
        "  texelscope push --close simulation\n"
        "  convert photo.png -blur 0x2 png:- | texelscope push - --name blurred");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
