#pragma once
// The running viewer: window, interface and frame pipeline around one AppState; its start by the command line.

#include <array>
#include <functional>
#include <future>
#include <optional>
#include <string>

#include "app/picture/frame/cursor_readouts.h"
#include "app/picture/frame/frame_renderer.h"
#include "app/picture/frame/measurer.h"
#include "app/picture/inspect/inspector.h"
#include "app/picture/inspect/spectrum.h"
#include "app/picture/inspect/statistics.h"
#include "app/state/app_state.h"
#include "app/viewer/editing/picture_input.h"
#include "app/viewer/loop/background_runner.h"
#include "app/viewer/loop/frame_times.h"
#include "app/viewer/loop/picture_reader.h"
#include "app/viewer/loop/settings.h"
#include "app/viewer/loop/task_queue.h"
#include "app/viewer/loop/thumbnails.h"
#include "app/viewer/recording/recording.h"
#include "app/viewer/widgets/gui.h"
#include "app/viewer/widgets/layout.h"
#include "app/window/window.h"
#include "gpu/core/timing.h"

namespace texelscope {

// The step of a lesson whose text panels show.
struct LessonPlace {
    explicit LessonPlace(const AppState& state) : lesson(state.lesson.lesson), step(state.lesson.step) {}
    std::shared_ptr<const Lesson> lesson;
    int step;
    bool operator==(const LessonPlace&) const = default;
};

class ViewerWindow {
public:
    // The state has its scene; images are opened here. Throws Unavailable or Error.
    // `reader`: may have begun with the first picture.
    ViewerWindow(AppState& state, const ViewerOptions& options, Window::Options window,
                 PictureReader reader = PictureReader(Window::wake));

    // The options' session, test images and whatever else is at hand; the first of their files is read in the background
    // once that runs, or, for a screenshot, here. Failures become messages.
    void open_images(const ViewerOptions& options);

    // Runs until the user quits: begins, takes turns until it ends, and hides the window.
    void run();
    void begin();
    bool ends();
    // Waits until there is something to do, at most `longest` seconds unless that is negative, and does it.
    void take_turn(double longest = -1);
    WakeUp wake_up();   // when it draws or looks without input
    double patience();  // seconds until then; below 0: for ever
    // Nothing will be drawn before something happens, no picture is on its way, and no GPU is being started.
    bool rests() const { return !draws() && tasks_.has_pictures() && !awaits_device_; }

    // One frame of the window's size, drawn off screen without interference from a window manager. Throws Error.
    Image screenshot();

    const Window& window() const { return window_; }
    gui::Gui& gui() { return gui_; }
    Extent windowed_size() const { return window_.windowed_size(); }
    void hide() { window_.hide(); }  // what ends then may take a moment

private:
    void handle_input();
    void lay_out();
    void build_panels();
    // The step of the lesson that the panels show, and how long they took.
    struct BuiltPanels {
        LessonPlace lesson;
        double ms;
    };
    BuiltPanels build_interface();
    FramePlan prepare_frame();  // panels, tasks, rendering, report
    void fill_report();
    void note_preparing();
    bool note_stopped_kernel();
    void show_frame(const FramePlan& plan, const StopWatch& whole);
    void draw(const FramePlan& plan);
    bool would_look_the_same(const FramePlan& plan);
    void finish_report(const StopWatch& frame);
    void time_again(const FramePlan& plan);
    void answer_input();  // after the frame was handed over
    std::array<Worker*, 12> workers();
    bool look();  // at what happens without input; true if there is something new to draw
    bool draws() const { return frames_due_ > 0 && !out_of_sight(); }  // in the next turn
    bool out_of_sight() const { return window_.minimised() || window_.framebuffer().empty(); }
    void draw_soon() { frames_due_ = frames_per_event; }
    void count_frame();
    void trace();
    void trace_rest(bool resting);
    void work_out_of_sight();
    void trace_slow_turn(double ms, double computed_ms);
    void say(std::string line);

    // If the device is lost, or has no memory for the first picture: makes a presenter on the same device or a lower
    // rung, and a message that says so. Otherwise false.
    bool recover();
    void leave_device(std::string why, bool lost);
    void return_memory();
    // The GPU, once it is started, takes over from the CPU between two frames. True if it did.
    bool take_started_device();
    void take_presenter(const std::function<Presenter()>& make);
    void know_presenter();
    void accept(const std::shared_ptr<const Image>& image);  // into the backend's memory; recovers if necessary
    void render_again(const FramePlan& plan, std::optional<std::string> problem);
    void wait_for_picture();
    void await_first_picture();
    void await_facts();  // of the shown file
    // Something that takes long, and says so first: then the frame leaves the picture as it is.
    bool announces(const FramePlan& plan);

    AppState& state_;
    BackendChoice backend_choice_;
    PresenterOptions presenter_options_;
    bool awaits_device_;                  // the CPU draws until it has been started
    std::future<void> device_;            // being started, and
    std::future<gui::DrawnFonts> fonts_;  // drawn while OpenGL starts
    Window window_;
    FrameRenderer renderer_;
    gui::Gui gui_;
    PictureInput input_;
    Recording recording_;
    TaskQueue tasks_;
    ReportFiller filler_;
    Inspector inspector_;
    StatisticsWorker statistics_;
    SpectrumWorker spectrum_;
    SpectrumPictures spectrum_pictures_;
    KernelCompiler kernel_compiler_{Window::wake};
    ReadAhead read_ahead_;
    FileFacts facts_;
    Thumbnails thumbnails_{Window::wake};
    Measurer measurer_;
    Recovery recovery_;
    FirstUse first_use_;
    std::string compiling_;  // the message that says so
    LongWork long_work_;
    int frames_before_work_ = 0;
    FrameClock frames_;
    RepeatedTimes times_;
    gui::Layout layout_;
    int frames_without_device_;  // at least, if it is not started at the beginning
    bool watches_, trace_;
    std::string traced_;
    bool resting_ = false;  // as traced
    StageTimings host_;     // plan, submit, gui and total of the current frame, or of the last that rendered something
    bool awaits_step_ = false;  // of a lesson: text and picture on the screen belong to different ones; not recorded
    bool key_acted_ = false;    // the last one, as a shortcut
    std::optional<double> input_since_;         // seconds; the oldest input that no frame has answered
    static constexpr int frames_per_event = 2;  // see count_frame
    int frames_due_ = frames_per_event;
    std::optional<double> returns_memory_at_;  // seconds
    int64_t uploads_drawn_ = -1;               // of textures, as of the last frame that was drawn
    bool report_changed_ = false;              // by the last frame, whose panels were built before
};

// The window's title: "photo.png – Bilinear – 400 % (4:1)": method and zoom of the active pane, which keys act on; preceded by the file of a
// recording while there is one.
std::string window_title(const AppState& state);

// The state as one line of JSON, for tests that compare the window with `texelscope render`.
// "picture": rectangle in framebuffer pixels; "view", "spec", "outside": as shown; "settled": no animation is running;
// "latency_ms": see Latency, of the last frame and the median.
std::string state_as_json(const AppState& state, const gui::ControlLog& controls);

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
