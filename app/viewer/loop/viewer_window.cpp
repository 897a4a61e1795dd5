#include "app/viewer/loop/viewer_window.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/picture/rendition.h"
#include "app/state/history.h"
#include "app/state/panes.h"
#include "app/viewer/editing/picture_input.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/frame_times.h"
#include "app/viewer/loop/thumbnails.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"
#include "app/window/gl/gl_objects.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"
#include "gpu/method/kernel_method.h"

#include <GLFW/glfw3.h>

namespace texelscope {
namespace {

constexpr double look_every = 1;  // seconds, at the file on disk
constexpr double look_for_device = 0.01;

bool shows_kernel(const Scene& scene) {
    const auto& panes = scene.panes;
    return std::any_of(panes.begin(), panes.end(),
                       [](const Pane& pane) { return kernel_of(*pane.spec.method) != nullptr; });
}

// The window's options, with which it draws the fonts in a thread of their own once the display's scale is known.
Window::Options drawing_fonts(Window::Options window, float ui_scale, std::future<gui::DrawnFonts>& fonts) {
    window.connected = [ui_scale, &fonts](float display_scale) {
        const auto when = thread_count() > 1 ? std::launch::async : std::launch::deferred;
        fonts = std::async(when, gui::draw_fonts, ui_scale > 0 ? ui_scale : display_scale);
    };
    return window;
}

}  // namespace

ViewerWindow::ViewerWindow(AppState& state, const ViewerOptions& options, Window::Options window, PictureReader reader)
    : state_(state),
      backend_choice_(options.backend),
      presenter_options_{.interop = !options.no_interop},
      awaits_device_(starts_on_cpu(options)),
      device_(awaits_device_ ? std::future<void>() : start_device(backend_choice_)),
      window_(drawing_fonts(window, options.ui_scale, fonts_)),
      renderer_(first_presenter(backend_choice_, presenter_options_, awaits_device_)),
      gui_(window_, options.ui_scale, fonts_.get()),
      input_({[this](double x, double y) { return gui_.covers(x, y); }, [this] { return gui_.wants_keyboard(); },
              [this] {
                  const bool open = gui_.has_popup();
                  if (open) gui_.close_popups();
                  return open;
              },
              [this] { return gui_.look().scale * gui_.look().pixel_ratio; },
              [this] { return gui_.look().memory.on_tab_stop; }}),
      tasks_(state_, window_, renderer_, recording_, std::move(reader)),
      frames_without_device_(options.late_device ? 12 : 1),
      watches_(options.watches),
      trace_(options.trace_state) {
    if (window.debug && !gl::print_debug_output() && options.debug_gl)
        fmt::print(stderr, "texelscope: this OpenGL context offers no debug output\n");
    know_presenter();
    if (options.trace_state) gui_.log_controls();
    renderer_.lose_after(options.lose_device_after);
    renderer_.pretend_losses(options.pretend_losses);
}

void ViewerWindow::handle_input() {
    const std::optional<double> when = window_.take_input_time();
    if (!input_since_) input_since_ = when;
    for (const InputEvent& event : window_.take_events()) {
        if (state_.presenter.on) note_input(state_.presenter, state_.now, event);
        const auto* stroke = std::get_if<KeyStroke>(&event);
        if (!stroke) {
            std::visit([&](const auto& each) { input_.handle(state_, each); }, event);
            continue;
        }
        const auto owner = state_.ui.dialogs.keyboard_owner();
        const bool acted = input_.handle(state_, *stroke);
        gui_.hide_tooltip();
        if (!stroke->typed) key_acted_ = acted;
        if (!acted && !key_acted_) gui_.take(*stroke, owner);  // the character of a key that acted is not text
    }
    input_.hold_reference(state_, window_.shift_down() && !window_.ctrl_down());
}

ViewerWindow::BuiltPanels ViewerWindow::build_interface() {
    state_.now = glfwGetTime();
    const Extent size = window_.size();
    gui_.make_dense(panels::is_dense(state_, float(size.height), gui_.display_scale()));
    if (panels::shows_lesson_panel(state_.lesson) || state_.presenter.on) gui_.need_reading_fonts();
    gui_.magnify(panels::presenter_magnification(state_, float(size.width), float(size.height), gui_.display_scale()));
    gui_.begin_frame(state_.ui.dialogs.keyboard_owner(), state_.ui.dialogs.topmost());
    lay_out();
    input_.follow(state_);
    tasks_.follow_background(state_);
    const LessonPlace lesson(state_);
    const StopWatch building;
    const ProfilerRange range(work::panels);
    const auto owner = state_.ui.dialogs.topmost();
    build_panels();
    if (state_.ui.dialogs.topmost() != owner) gui_.release_keyboard();
    gui_.end_frame();
    return {lesson, building.ms()};
}

FramePlan ViewerWindow::prepare_frame() {
    const StopWatch all;
    const BuiltPanels built = build_interface();
    if (tasks_.run(state_)) {
        lay_out();
        draw_soon();
    }
    const bool of_one_step = built.lesson == LessonPlace(state_);
    awaits_step_ = awaits_step_ || !of_one_step;
    if (tasks_.work(state_)) draw_soon();
    ask_for_documents(state_);
    if (!state_.tasks.empty()) draw_soon();
    record_history(state_);
    update_draft(state_);
    const FramePlan plan = plan_frame(state_, gui_.look().scale * gui_.look().pixel_ratio);
    const double plan_ms = all.ms() - built.ms;
    if (announces(plan)) return plan;
    const StopWatch rendering;
    const auto problem = renderer_.update(plan);
    if (renderer_.rendered()) long_work_.took(plan, rendering.ms());
    withdraw(state_.messages, std::exchange(compiling_, {}));
    if (std::exchange(state_.report.frame.computing, false)) draw_soon();
    if (renderer_.lost() || renderer_.no_room()) {
        render_again(plan, problem);
    } else if (problem) {
        post(state_.messages, Message::Level::error, *problem);
        draw_soon();
    }
    if (of_one_step && renderer_.waiting().empty()) awaits_step_ = false;
    const StopWatch filling;
    fill_report();
    if (renderer_.rendered()) {
        host_.plan = plan_ms + filling.ms();
        host_.gui = built.ms;
    }
    return plan;
}

// Kernels that are still to be compiled and other long work are announced by the frames before.
bool ViewerWindow::announces(const FramePlan& plan) {
    constexpr int until_seen = 2;  // its panels were built earlier; those of the next frame say so
    if (std::string words = first_use_.announce(plan); !words.empty()) {
        compiling_ = words;
        post(state_.messages, Message::Level::info, std::move(words));
        frames_before_work_ = until_seen;
    }
    if (frames_before_work_ == 0 && !state_.report.frame.computing && long_work_.expects(plan)) {
        state_.report.frame.computing = true;
        frames_before_work_ = until_seen;
    }
    if (frames_before_work_ == 0) return false;
    --frames_before_work_;
    draw_soon();
    return true;
}

// Fills the report for what this frame shows: its panels were built before, those of the next one show the report.
void ViewerWindow::fill_report() {
    const bool values = filler_.fill(state_, renderer_),
               plots = inspector_.fill(state_, renderer_.sources(), &renderer_.prepared()),
               statistics = statistics_.fill(state_),
               spectrum = spectrum_.fill(state_, renderer_.sources(), &renderer_.prepared()),
               pictures = spectrum_pictures_.fill(state_);
    report_changed_ = values || plots || statistics || spectrum || pictures;
    measurer_.ask(state_);
    if (renderer_.has_sharper()) draw_soon();
    renderer_.prepared().begin();
    note_preparing();
}

void ViewerWindow::note_preparing() {
    Preparing& preparing = state_.report.frame.preparing;
    if (preparing.empty()) preparing.since = state_.now;
    preparing.panes = renderer_.waiting();
    preparing.to_come = renderer_.sharpening();
    preparing.part_done = renderer_.sources().part_done();
    preparing.of_file = preparing.to_come > 0 && renderer_.sources().shows_levels_of_file();
    if (const auto problem = renderer_.sources().take_problem())
        post(state_.messages, Message::Level::warning, *problem);
    if (state_.report.frame.not_computed != renderer_.not_computed()) {
        state_.report.frame.not_computed = renderer_.not_computed();
        report_changed_ = true;
    }
}

// Every input is followed by two frames, of which the second seldom differs: where a CPU draws, each costs as much as
// decoding some megapixels.
bool ViewerWindow::would_look_the_same(const FramePlan& plan) {
    const bool exposed = window_.take_exposed(),
               textures = std::exchange(uploads_drawn_, upload_count()) != upload_count();
    return !exposed && !textures && !recording_.active() && renderer_.draws_the_same(plan) && gui_.draws_the_same();
}

void ViewerWindow::show_frame(const FramePlan& plan, const StopWatch& whole) {
    const bool drawn = !would_look_the_same(plan);
    if (drawn) draw(plan);
    finish_report(whole);
    time_again(plan);
    window_.set_title(window_title(state_));
    if (drawn) ++state_.report.frame.frames_drawn;
    count_frame();
    if (!awaits_step_) recording_.take_frame(state_, window_.framebuffer());
    if (drawn) {
        gui_.draw_unrecorded();
        window_.swap();
    }
    answer_input();
    trace();
    // After the picture is on the screen: measuring may take longer than rendering did.
    if (measurer_.update(state_, renderer_)) frames_due_ = std::max(frames_due_, 1);
}

void ViewerWindow::draw(const FramePlan& plan) {
    renderer_.draw(plan, state_.places.framebuffer_height);
    const StopWatch panels;
    const ProfilerRange range(work::panels);
    glViewport(0, 0, state_.places.framebuffer_width, state_.places.framebuffer_height);
    gui_.draw();
    if (renderer_.rendered()) host_.gui += panels.ms();
}

void ViewerWindow::finish_report(const StopWatch& frame) {
    StageTimings timings = renderer_.timings();
    if (renderer_.rendered()) {
        host_.total = frame.ms();
        host_.submit = timings.submit;
    }
    timings.submit = host_.submit;
    timings.plan = host_.plan;
    timings.gui = host_.gui;
    timings.total = host_.total;
    if (renderer_.rendered()) {
        state_.report.frame.history.add(timings);
        if (any_widened(state_) && renderer_.waiting().empty()) state_.report.frame.antialiased_ms = timings.render;
        frames_.rendered(state_.now);
    }
    state_.report.frame.drawn_from = name_of(renderer_.route());
    state_.report.frame.timings = timings;
    const PaneLayout layout = lay_out_panes(state_);
    for (int pane = 0; pane < int(state_.report.findings.panes.size()); ++pane) {
        PaneReport& report = state_.report.findings.panes[size_t(pane)];
        report.render_ms = renderer_.pane_ms(pane);
        report.kernel = renderer_.pane_kernel(pane);
        report.pixels = double(layout[pane].rect.width) * layout[pane].rect.height;
    }
    state_.report.frame.frames_per_second = frames_.per_second(state_.now);
}

// A lesson that tells times has its step rendered again until there are enough of them.
void ViewerWindow::time_again(const FramePlan& plan) {
    const bool rendered = renderer_.rendered() && renderer_.waiting().empty();
    if (times_.wants_more(state_, plan, rendered)) renderer_.render_again();
}

// A zoom animation shows with the second frame.
void ViewerWindow::answer_input() {
    if (state_.transition && !renderer_.rendered()) return;
    const std::optional<double> since = std::exchange(input_since_, {});
    if (!since || !renderer_.rendered()) return;
    state_.report.frame.history.latest().latency = (glfwGetTime() - *since) * 1000;
    state_.report.frame.latency = latency_of(state_.report.frame.history);
}

// In the order in which they are polled. Prepared sources change with the presenter.
std::array<Worker*, 12> ViewerWindow::workers() {
    return {&renderer_.prepared(), &tasks_,  &facts_,    &thumbnails_, &kernel_compiler_, &recording_,
            &read_ahead_,          &filler_, &measurer_, &inspector_,  &statistics_,      &spectrum_};
}

WakeUp ViewerWindow::wake_up() {
    WakeUp wake_up(state_.now);
    if (out_of_sight()) {
        if (watches_ || !tasks_.has_pictures()) wake_up.look_in(look_every);
        return wake_up;
    }
    const Document* document = state_.scene.document();
    const bool from_file = document && document->is_file();
    if (watches_ && (from_file || (state_.lesson.lesson && !state_.lesson.lesson->path.empty())))
        wake_up.look_in(look_every);
    if (state_.report.frame.frames_per_second > 0) wake_up.draw_in(0.3);  // to say so once nothing moves
    if (const double left = key_hint_left(state_.presenter, state_.now); left >= 0) wake_up.draw_in(left);
    if (const double left = gui::tooltip_wait(); left >= 0) wake_up.draw_in(left);
    wake_for_draft(state_, wake_up);
    wake_for_history(state_, wake_up);
    panels::wake_for_messages(state_.messages, state_.now, wake_up);
    for (const Worker* each : workers()) each->wake(state_, wake_up);
    if (shows_kernel(state_.scene)) wake_up.look_in(look_every);  // whether it was stopped
    if (awaits_device_) wake_up.look_in(look_for_device);
    if (returns_memory_at_) wake_up.look_in(*returns_memory_at_ - state_.now);
    panels::wake_for_preparing(state_, wake_up);
    return wake_up;
}

bool ViewerWindow::look() {
    bool news = renderer_.lost().has_value();  // a GPU may report it long after the frame in which it happened
    for (Worker* each : workers()) news = each->poll(state_) || news;
    news = take_started_device() || news;
    return_memory();
    return note_stopped_kernel() || news;
}

// Whatever changes is on the screen only with the second frame: panels are built before the picture is rendered and
// the report is filled, and Dear ImGui draws a new window once its contents have been measured. After that, frames follow
// as long as they differ.
void ViewerWindow::count_frame() {
    frames_due_ = std::max(frames_due_ - 1, 0);
    const bool moving = renderer_.rendered() || gui_.changing() || report_changed_;
    if (moving || state_.transition) frames_due_ = std::max(frames_due_, 1);
}

void ViewerWindow::work_out_of_sight() {
    if (tasks_.closing()) tasks_.follow_background(state_);  // what it waits for
    tasks_.run(state_);
    input_since_.reset();
}

// Out of sight there is nothing to say: what is being saved is written by the destructors.
bool ViewerWindow::ends() {
    const bool asked = window_.take_close(), closing = tasks_.closing();
    if (tasks_.ends(state_, asked, !out_of_sight())) return true;
    if (asked || tasks_.closing() != closing) draw_soon();  // to say so
    return tasks_.closing() && out_of_sight() && !tasks_.exports();
}

void ViewerWindow::begin() {
    tasks_.listen();
    renderer_.prepare_beside(Window::wake);
    long_work_ = LongWork(renderer_.prepared().references() != nullptr);
    measurer_.set_wake(Window::wake);
    await_first_picture();
}

double ViewerWindow::patience() { return draws() ? 0 : wake_up().patience(glfwGetTime()); }

void ViewerWindow::take_turn(double longest) {
    const WakeUp wake = wake_up();
    if (rests()) trace_rest(true);
    double patience = draws() ? 0 : wake.patience(glfwGetTime());
    if (longest >= 0 && (patience < 0 || patience > longest)) patience = longest;
    const bool input = window_.wait(patience);
    const StopWatch watch;
    const double computed = trace_ ? thread_ms() : 0;
    state_.now = glfwGetTime();
    const bool news = look();
    if (input || news || wake.draws_by(state_.now)) draw_soon();
    if (draws()) trace_rest(false);
    window_.measure();
    handle_input();
    if (out_of_sight()) {
        work_out_of_sight();
    } else if (frames_due_ > 0) {
        const StopWatch frame;
        show_frame(prepare_frame(), frame);
    }
    trace_slow_turn(watch.ms(), trace_ ? thread_ms() - computed : 0);
}

void ViewerWindow::run() {
    begin();
    while (!ends()) take_turn();
    hide();
}

}  // namespace texelscope
