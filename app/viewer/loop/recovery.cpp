#include "app/viewer/loop/settings.h"

#include <fmt/format.h>

#include "app/viewer/loop/viewer_window.h"
#include "gpu/interop/present_target.h"

namespace texelscope {
namespace {

std::string name_of_computer(const BackendInfo& info) {
    return info.kind == BackendKind::cpu ? "the CPU"
                                         : fmt::format("{} (CUDA device {})", info.device, info.device_index);
}

}  // namespace

bool Recovery::may_try_again(int device, double now, std::string_view why) {
    Losses& losses = losses_[device];
    const bool soon = losses.count > 0 && now - losses.last < soon_lost_seconds;
    losses = {losses.count + 1, now};
    if (!soon && losses.count < most_losses) return true;
    avoid(device, fmt::format("it stopped answering{} ({})", losses.count > 1 ? " again" : "", last_words(why)));
    return false;
}

void Recovery::avoid(int device, std::string_view why) { avoided_.push_back({device, std::string(why)}); }

std::string last_words(std::string_view error) {
    const size_t colon = error.rfind(": ");
    return std::string(colon == error.npos ? error : error.substr(colon + 2));
}

std::string lost_message(std::string_view error, const BackendInfo& before, const BackendInfo& now) {
    const bool same =
        before.kind == now.kind && now.kind == BackendKind::cuda && before.device_index == now.device_index;
    return fmt::format("The GPU stopped answering ({}); {}.", last_words(error),
                       same ? "it was started again" : "the pictures are now computed by " + name_of_computer(now));
}

std::string no_room_message(std::string_view error, const BackendInfo& now) {
    return fmt::format("The GPU has too little memory for this picture ({}); it is computed by {}.", error,
                       name_of_computer(now));
}

// What the viewer's window does about devices that are lost or full.

// Until a presenter can show it, or there is no lower rung.
void ViewerWindow::render_again(const FramePlan& plan, std::optional<std::string> problem) {
    draw_soon();
    while (recover()) problem = renderer_.update(plan);
    if (problem) post(state_.messages, Message::Level::error, *problem);
}

// The GPU stops a kernel of one's own after the frame was handed over; then its pane is shown without it.
bool ViewerWindow::note_stopped_kernel() {
    const std::string why = renderer_.backend().take_kernel_stop();
    if (why.empty()) return false;
    if (state_.ui.dialogs.has(Dialog::kernel)) state_.kernel.problems = {{0, 0, why}};
    post(state_.messages, Message::Level::error, why);
    renderer_.forget();
    return true;
}

bool ViewerWindow::recover() {
    const bool lost = renderer_.lost().has_value();
    const BackendInfo& info = renderer_.backend().info();
    const bool room_below = info.kind == BackendKind::cuda && backend_choice_ == BackendChoice::automatic;
    if (!lost && !(renderer_.no_room() && room_below)) return false;
    take_presenter(lost ? *renderer_.lost() : *renderer_.no_room(), lost);
    return true;
}

// Only the state determines what is shown and how, so it stays.
void ViewerWindow::take_presenter(std::string why, bool lost) {
    const BackendInfo before = renderer_.backend().info();
    const bool on_cuda = before.kind == BackendKind::cuda;
    if (lost) tasks_.give_up_device(state_, fmt::format("the GPU stopped answering ({})", last_words(why)));
    for (Worker* each : workers()) each->leave_device();
    renderer_.change_presenter([&] {
        if (!on_cuda) return make_presenter(backend_choice_, presenter_options_);
        if (!lost) recovery_.avoid(before.device_index, why);
        else if (recovery_.may_try_again(before.device_index, state_.now, why)) reset_cuda_device(before.device_index);
        presenter_options_.avoid = recovery_.avoided();
        return make_presenter(BackendChoice::automatic, presenter_options_);
    });
    know_presenter();
    const BackendInfo& now = renderer_.backend().info();
    post(state_.messages, Message::Level::warning, lost ? lost_message(why, before, now) : no_room_message(why, now));
}

void ViewerWindow::know_presenter() {
    state_.machine = machine_of(renderer_.presenter());
    first_use_.begin(renderer_.backend().info().compiled_by_driver);
    long_work_ = LongWork(renderer_.prepared().references() != nullptr);
}

void ViewerWindow::accept(const std::shared_ptr<const Image>& image) {
    for (;;) {
        try {
            renderer_.sources().at(image, state_.scene.light);
            return;
        } catch (const DeviceLost& error) {
            renderer_.lose(error);
            recover();
        } catch (const OutOfMemory& error) {
            if (!renderer_.note_no_room(error) || !recover()) throw;
        }
    }
}

}  // namespace texelscope
