#include "app/viewer/loop/settings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/json_text.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/state/session/fields.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/loop/viewer_window.h"
#include "gpu/core/colour.h"
#include "gpu/core/machine.h"
#include "gpu/interop/present_target.h"

namespace texelscope {
namespace {

using nlohmann::json;

constexpr std::tuple window_size = {fields::Field{"window_width", &Settings::window_width, 64.0, 16384.0},
                                    fields::Field{"window_height", &Settings::window_height, 64.0, 16384.0}};
constexpr std::tuple all_fields = std::tuple_cat(window_size, fields::preferences, fields::overlays);

// A number outside its range becomes the nearest in it; a value of another type is ignored.
template <class Of, class Value>
void take(const json& from, Settings& settings, const fields::Field<Of, Value>& field) {
    const auto at = from.find(field.key);
    if (at == from.end()) return;
    Value& value = settings.*field.member;
    if constexpr (std::is_same_v<Value, bool>) {
        if (at->is_boolean()) value = at->template get<bool>();
    } else if (at->is_number()) {
        value = Value(std::clamp(at->template get<double>(), field.low, field.high));
    }
}

template <class Of, class Choice>
void take(const json& from, Settings& settings, const fields::ChoiceField<Of, Choice>& field) {
    const auto at = from.find(field.key);
    if (at == from.end() || !at->is_string()) return;
    for (const Choice choice : field.choices)
        if (at->template get<std::string>() == name_of(choice)) settings.*field.member = choice;
}

template <class Value> json value_of(Value value) { return value; }
template <HasNames Choice> json value_of(Choice choice) { return name_of(choice); }

}  // namespace

std::filesystem::path settings_path() { return path_in(config_home, "texelscope/settings.json"); }

std::filesystem::path lessons_folder() {
    const std::filesystem::path settings = settings_path();
    return settings.empty() ? settings : settings.parent_path() / "lessons";
}

Settings load_settings(const std::filesystem::path& path, std::string* problem) {
    Settings settings;
    std::error_code none;
    if (path.empty() || !std::filesystem::exists(path, none)) return settings;
    std::ifstream file(path);
    const json root = try_parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
    if (!root.is_object()) {
        if (problem) *problem = fmt::format("{}: cannot be read as settings; the defaults are used", path.string());
        return settings;
    }
    fields::for_each(all_fields, [&](const auto& field) { take(root, settings, field); });
    if (const auto recent = root.find("recent"); recent != root.end() && recent->is_array())
        for (const json& entry : *recent)
            if (entry.is_string() && settings.recent.size() < max_recent)
                settings.recent.push_back(entry.get<std::string>());
    if (const auto commands = root.find("allowed_commands"); commands != root.end() && commands->is_array())
        for (const json& entry : *commands)
            if (entry.is_string() && settings.allowed_commands.size() < max_allowed_commands)
                settings.allowed_commands.push_back(entry.get<std::string>());
    if (const auto answered = root.find("answered"); answered != root.end() && answered->is_object())
        for (const auto& [key, replies] : answered->items())
            if (replies.is_number_integer() && settings.answered.size() < max_answered)
                settings.answered[key] = std::clamp(replies.get<int>(), -max_replies, max_replies);
    return settings;
}

bool save_settings(const Settings& settings, const std::filesystem::path& path) {
    if (path.empty()) return false;
    json root = {
        {"recent", settings.recent}, {"allowed_commands", settings.allowed_commands}, {"answered", settings.answered}};
    fields::for_each(all_fields, [&](const auto& field) { root[field.key] = value_of(settings.*field.member); });
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::filesystem::path fresh = path;
    fresh += ".new";
    {
        std::ofstream file(fresh);
        // File names need not be UTF-8: better to lose the odd bytes of a name than all settings.
        file << json_text(root, 2) << '\n';
        file.flush();
        if (!file) return false;
    }
    std::filesystem::rename(fresh, path, error);
    return !error;
}

void remember_recent(std::vector<std::string>& recent, const std::string& path) {
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > max_recent) recent.resize(max_recent);
}

namespace {

constexpr double part_width = 80, part_height = 64;  // samples: enlarged 8 to 16 times in most windows

// Where an image has edges, curves and fine lines, as a fraction of its size.
struct Spot {
    std::string_view id;
    double x, y;
};
constexpr std::array spots = {Spot{"basilica", 0.5, 0.302}, Spot{"zone-plate", 0.68, 0.68}};
constexpr std::array smooth = {std::string_view("parabola"), std::string_view("alpha")};

}  // namespace

Scene first_scene(const ViewerOptions& options) {
    const MethodInfo* usual = find_method("bspline");
    const MethodSpec a = options.spec.value_or(default_spec(usual ? *usual : *all_methods().front()));
    Scene scene;
    scene.panes = {{a}, {contrasting_spec(a)}};
    scene.reference = default_reference();
    scene.outside = options.outside.value_or(Outside::background);
    scene.antialias = options.antialias.value_or(true);
    scene.light = options.linear_light ? Light::linear : Light::stored;
    scene.warp = options.warp.value_or(Warp{});
    return scene;
}

std::optional<Region> first_region(const Document& document) {
    if (document.is_file() || pushed_name(document.source) || !document.image) return {};
    const Image& image = *document.image;
    if (image.width() <= 2 * part_width && image.height() <= 2 * part_height) return {};
    const std::string_view id = std::string_view(document.source).substr(1, document.source.find(':') - 1);
    if (std::find(smooth.begin(), smooth.end(), id) != smooth.end()) return {};
    const auto found = std::find_if(spots.begin(), spots.end(), [&](const Spot& spot) { return spot.id == id; });
    const Spot spot = found == spots.end() ? Spot{id, 0.5, 0.5} : *found;
    const double width = std::min<double>(part_width, image.width()),
                 height = std::min<double>(part_height, image.height());
    const auto low = [](double at, int size, double part) {
        return std::clamp(at * size - part / 2, 0.0, size - part) - 0.5;
    };
    const double x = low(spot.x, image.width(), width), y = low(spot.y, image.height(), height);
    return Region{x, y, x + width, y + height};
}

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

bool starts_on_cpu(const ViewerOptions& options) {
    return options.backend == BackendChoice::automatic && options.screenshot.empty() &&
           options.lose_device_after.empty();
}

Presenter first_presenter(BackendChoice choice, const PresenterOptions& options, bool on_cpu) {
    if (!on_cpu) return make_presenter(choice, options);
    Presenter presenter = make_presenter(BackendChoice::cpu, options);
    presenter.reason = "the GPU is being started";
    return presenter;
}

// What the viewer's window does about devices that are started, lost or full.

// The GPU is started after the first frame, which would wait for the driver otherwise.
bool ViewerWindow::take_started_device() {
    if (!awaits_device_ || state_.report.frame.frames_drawn < frames_without_device_) return false;
    if (!device_.valid()) device_ = start_device(backend_choice_);
    if (device_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    awaits_device_ = false;
    Presenter presenter = make_presenter(backend_choice_, presenter_options_);
    if (presenter.target->rung() == Rung::cpu) state_.machine = machine_of(presenter);  // which says why
    else take_presenter([&] { return std::move(presenter); });
    return true;
}

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
    if (state_.ui.dock == Dock::kernel) state_.kernel.problems = {{0, 0, why}};
    post(state_.messages, Message::Level::error, why);
    renderer_.forget();
    return true;
}

// Memory that a frame no longer needs stays in the GPU's pool for the next frame; other programs get it once nothing has
// been rendered for a while.
void ViewerWindow::return_memory() {
    constexpr double after = 2;  // seconds
    if (state_.machine.on_gpu && renderer_.rendered()) returns_memory_at_ = state_.now + after;
    if (!returns_memory_at_ || state_.now < *returns_memory_at_) return;
    returns_memory_at_.reset();
    renderer_.backend().memory().reclaim();
}

bool ViewerWindow::recover() {
    const bool lost = renderer_.lost().has_value();
    const BackendInfo& info = renderer_.backend().info();
    const bool room_below = info.kind == BackendKind::cuda && backend_choice_ == BackendChoice::automatic;
    if (!lost && !(renderer_.no_room() && room_below)) return false;
    leave_device(lost ? *renderer_.lost() : *renderer_.no_room(), lost);
    return true;
}

void ViewerWindow::leave_device(std::string why, bool lost) {
    const BackendInfo before = renderer_.backend().info();
    const bool on_cuda = before.kind == BackendKind::cuda;
    if (lost) tasks_.give_up_device(state_, fmt::format("the GPU stopped answering ({})", last_words(why)));
    take_presenter([&] {
        if (!on_cuda) return make_presenter(backend_choice_, presenter_options_);
        if (!lost) recovery_.avoid(before.device_index, why);
        else if (recovery_.may_try_again(before.device_index, state_.now, why)) reset_cuda_device(before.device_index);
        presenter_options_.avoid = recovery_.avoided();
        return make_presenter(BackendChoice::automatic, presenter_options_);
    });
    const BackendInfo& now = renderer_.backend().info();
    post(state_.messages, Message::Level::warning, lost ? lost_message(why, before, now) : no_room_message(why, now));
}

// Only the state determines what is shown and how, so it stays.
void ViewerWindow::take_presenter(const std::function<Presenter()>& make) {
    for (Worker* each : workers()) each->leave_device();
    renderer_.change_presenter(make);
    know_presenter();
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
