#include "app/viewer/editing/method_edits.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "app/files/bytes/embedded_files.h"
#include "app/files/bytes/file_io.h"
#include "app/files/desktop/folders.h"
#include "app/state/messages.h"
#include "app/state/panes.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "gpu/core/errors.h"
#include "gpu/kernels/kernel_code.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {

void choose_method(Scene& scene, const MethodInfo& method) {
    MethodSpec& spec = scene.spec();
    if (spec.method == &method) return;
    if (method.recipe) {  // it brings its edges along
        spec = parse_spec(method.id);
        return;
    }
    spec.method = &method;
    spec.parameters = method.standard_parameters();
}

void cycle_path(AppState& state) {
    FetchPath& path = state.scene.spec().path;
    do path = next_in(all_fetch_paths, path);
    while (!why_no_path(state, path).empty());
}

void cycle_prefilter(Scene& scene) {
    MethodSpec& spec = scene.spec();
    if (!spec.method->has_prefilter()) return;
    constexpr std::array kinds = {Prefilter::Kind::none, Prefilter::Kind::fir, Prefilter::Kind::iir};
    spec.prefilter.kind = next_in(kinds, spec.prefilter.kind);
}

void choose_address(Scene& scene, const AddressPair& address) {
    if (scene.address_for_all)
        for (Pane& pane : scene.panes) pane.spec.address = address;
    scene.spec().address = address;
    scene.outside = Outside::extend;
}

void cycle_address(Scene& scene) {
    const AddressMode mode = next_in(all_address_modes, scene.spec().address.x);
    choose_address(scene, with_modes(scene.spec().address, {mode, mode}));
}

std::string border_text(const BorderValue& border, double factor) {
    std::string text;
    for (int c = 0; c < border.count; ++c)
        text += fmt::format("{}{:.7g}", c > 0 ? " " : "", double(border.value[c]) * factor);
    return text;
}

bool type_border(Scene& scene, Messages& messages, std::string_view text, double factor) {
    const auto image = image_of(scene, scene.active);
    const int channels = image ? image->channels() : 1;
    const auto refuse = [&](std::string_view why) {
        post(messages, Message::Level::warning,
             fmt::format("“{}” is no border value{}; type one number for all channels{}.", text, why,
                         channels > 1 ? fmt::format(", or {} with spaces between", channels) : ""));
        return false;
    };
    constexpr std::string_view separators = " :;,";
    BorderValue border;
    border.count = 0;
    for (size_t at = 0; (at = text.find_first_not_of(separators, at)) != text.npos;) {
        const size_t end = std::min(text.find_first_of(separators, at), text.size());
        const auto number = number_in(text.substr(at, end - at));
        if (!number || !std::isfinite(float(*number / factor))) return refuse("");
        if (border.count == BorderValue::most)
            return refuse(fmt::format(", since it has more than {} numbers", BorderValue::most));
        border.value[border.count++] = float(*number / factor);
        at = end;
    }
    if (border.count == 0) return refuse("");
    if (border.count != 1 && border.count != channels)
        return refuse(fmt::format(", since the picture has {} channel{}", channels, channels == 1 ? "" : "s"));
    AddressPair address = scene.spec().address;
    address.border = border;
    choose_address(scene, address);
    return true;
}

std::string why_no_path(const AppState& state, FetchPath path) {
    const DeviceLimits& limits = state.machine.limits;
    const bool texture = path == FetchPath::lookup || path == FetchPath::hardware;
    if (state.scene.spec().method->recipe && path != FetchPath::automatic)
        return "A recipe says itself how samples are read.";
    if (texture && is_polar(*state.scene.spec().method))
        return fmt::format("{} weighs by the distance in the plane and reads linear memory on every path.",
                           state.scene.spec().method->name);
    if (path == FetchPath::hardware && state.scene.spec().method->hardware_fetches < 1)
        return fmt::format("{} has no form for linear-filtering hardware.", state.scene.spec().method->name);
    const auto shown = image_of(state.scene, state.scene.active);
    if (shown && !shown->in_memory()) return {};  // textures hold regions of it
    const Extent image = image_extent(state, state.scene.active);
    if (shows_signal(state, state.scene.active)) {
        const int most = path == FetchPath::hardware ? limits.texture_1d : limits.texture_1d_linear;
        if (texture && most && image.width > most)
            return fmt::format("The signal has {} samples; a texture of this path holds at most {}.", image.width,
                               most);
        return {};
    }
    const int width = limits.texture_width, height = limits.texture_height;
    if (texture && ((width && image.width > width) || (height && image.height > height)))
        return fmt::format("The image is {}×{}; a texture of this device holds at most {}×{}.", image.width,
                           image.height, width, height);
    return {};
}

MethodParameters kept_parameters(const MethodSpec& before, const MethodInfo& now) {
    MethodParameters result = now.standard_parameters();
    for (size_t i = 0; i < now.parameters.size(); ++i)
        for (size_t j = 0; j < before.method->parameters.size(); ++j) {
            const ParameterInfo& parameter = now.parameters[i];
            const double value = before.parameters.value[j];
            if (before.method->parameters[j].id == parameter.id && value >= parameter.minimum &&
                value <= parameter.maximum)
                result.value[i] = value;
        }
    return result;
}

const char* const antialias_tip =
    "When the view zooms out, a pixel covers many samples. On: the weight function widens with the scale, so that all "
    "of them count. From scale 8 on, the view reads a smaller image of a pyramid, within 3 % of what resize and the export "
    "compute from all samples.\n\nOff: a pixel reads the few samples at its centre. Detail finer than the pixels then "
    "reappears as a coarser pattern that is not in the image: moiré. Zoom out on the zone plate to see false rings.";

const char* const linear_light_tip =
    "sRGB values are decoded to linear light, interpolated, and encoded again.\n\nHalf black and half white gives half "
    "the light, which sRGB encodes as 188, not 128. With stored values, which are usual in the literature, fine "
    "black-and-white patterns become too dark when they are blurred or zoomed out. Leave it off for images that hold "
    "data rather than sRGB colours.\n\nA file that is linear light by its own statement (OpenEXR, Radiance HDR, PNG with "
    "gAMA 1) is interpolated as it is stored: nothing changes.";

void toggle_antialias(Scene& scene) { scene.antialias = !scene.antialias; }

void toggle_linear_light(Scene& scene) {
    scene.light = scene.light_of(scene.active) == Light::linear ? Light::stored : Light::linear;
    for (Pane& pane : scene.panes) pane.light.reset();
}

void choose_warp(Scene& scene, Warp::Kind kind) {
    if (scene.warp.kind != kind) scene.warp = {.kind = kind, .strength = info_of(kind).standard};
}

void cycle_warp(Scene& scene) {
    Warp::Kind next = next_in(all_warps, scene.warp.kind);
    if (next == Warp::Kind::homography) next = next_in(all_warps, next);  // it does nothing until its numbers are typed
    choose_warp(scene, next);
}

namespace {

const KernelMethod* active_kernel(const Scene& scene) { return kernel_of(*scene.spec().method); }

void show(KernelUi& ui, const KernelMethod& kernel) {
    ui = {};
    ui.text = kernel.text();
    ui.made = &kernel.info();
}

// In the dock, one of the panels, beside the picture: the side panel would hide that in a small window.
void show_editor(UiState& ui, Dock editor) {
    ui.panels = true;
    ui.dock = editor;
    ui.panel_over = false;
    ui.dock_takes_keyboard = true;
}

}  // namespace

void edit_kernel(AppState& state) {
    show_editor(state.ui, Dock::kernel);
    if (const KernelMethod* kernel = active_kernel(state.scene); kernel && state.kernel.made != &kernel->info())
        show(state.kernel, *kernel);
    else if (state.kernel.text.empty())
        type_kernel(state.kernel, state.now, std::string(find_file(embedded_kernels(), "bilinear.cu")->text));
}

void type_kernel(KernelUi& ui, double now, const std::string& text) {
    ui.text = text;
    ui.said.clear();
    ui.at_once = false;
    ui.typed_at = now;
    ui.problems = parse_kernel(text).problems;
    ui.waits = ui.problems.empty();
}

void compile_now(KernelUi& ui) {
    if (!ui.problems.empty()) return;
    ui.waits = ui.at_once = true;
}

bool kernel_is_due(const KernelUi& ui, double now) {
    return ui.waits && (ui.at_once || now - ui.typed_at >= kernel_rest_seconds);
}

void use_kernel(AppState& state, const std::string& text, const MethodInfo& method, std::string said) {
    KernelUi& ui = state.kernel;
    if (ui.text != text) return;
    ui.said = std::move(said);
    ui.made = &method;
    MethodSpec& spec = state.scene.spec();
    const MethodParameters parameters = kept_parameters(spec, method);
    spec.method = &method;
    spec.parameters = parameters;
}

void refuse_kernel(KernelUi& ui, const std::string& text, std::vector<WeightProblem> problems) {
    if (ui.text == text) ui.problems = std::move(problems);
}

void follow_kernel(const Scene& scene, KernelUi& ui) {
    const KernelMethod* kernel = active_kernel(scene);
    if (!kernel || ui.made == &kernel->info() || ui.waits || ui.compiling) return;
    if (!ui.problems.empty() && ui.made) return;  // what is being typed is still wrong
    show(ui, *kernel);
}

namespace {

// What the active pane shows becomes the other pane's, unless that was put in view: curves show both, Space flips.
void keep_beside_copy(Scene& scene) {
    if (scene.arrangement != Arrangement::single || scene.panes.size() > 2) return;
    if (scene.panes.size() == 1) scene.panes.push_back(scene.pane());
    else scene.panes[size_t(1 - scene.active)].spec = scene.spec();
}

}  // namespace

bool has_formula_text(const MethodInfo& method) { return !is_polar(method) && !kernel_of(method); }

void edit_weights(AppState& state) {
    const MethodInfo& method = *state.scene.spec().method;
    if (is_polar(method))
        return post(
            state.messages, Message::Level::info,
            fmt::format("{} weighs by the distance in the plane; a formula is for the distances along the axes. Start "
                        "from another method.",
                        method.name));
    show_editor(state.ui, Dock::formula);
    const bool unfinished = state.weights.made == &method && !state.weights.problems.empty();
    if (unfinished) return;
    const std::string text = weights_text(state.scene.spec());
    if (!method.custom) keep_beside_copy(state.scene);
    state.weights.made = &method;
    type_weights(state.scene, state.weights, text);
    look_closer(state, false, least_telling_fit);  // the editor is about to take its place beside the picture
}

void type_weights(Scene& scene, WeightsUi& ui, const std::string& text) {
    ui.text = text;
    ui.problems = problems_of_text(text);
    if (!ui.problems.empty()) return;
    MethodSpec& spec = scene.spec();
    try {
        const MethodInfo& method = custom_method(text);
        MethodParameters parameters = kept_parameters(spec, method);
        method.custom->weights(parameters);
        spec.method = ui.made = &method;
        spec.parameters = parameters;
    } catch (const WeightError& error) {
        ui.problems = {error.problem};
    } catch (const Error& error) {
        ui.problems = {{1, 1, error.what()}};
    }
}

void follow_weights(const Scene& scene, WeightsUi& ui) {
    const MethodSpec& spec = scene.spec();
    if (ui.made == spec.method) return;
    ui.made = spec.method;
    ui.problems.clear();
    ui.text = has_formula_text(*spec.method) ? weights_text(spec) : "";
}

bool has_own_text(const AppState& state) {
    const MethodInfo& method = *state.scene.spec().method;
    return state.ui.dock == Dock::kernel || kernel_of(method) || has_formula_text(method);
}

std::string own_method_text(const AppState& state) {
    if (!has_own_text(state)) return "";
    const MethodInfo& method = *state.scene.spec().method;
    if (state.ui.dock == Dock::kernel) return state.kernel.text;
    if (const KernelMethod* kernel = kernel_of(method)) return kernel->text();
    return state.weights.made == &method && !state.weights.text.empty() ? state.weights.text
                                                                        : weights_text(state.scene.spec());
}

namespace {

// "keys-a-0-5" of "Keys, a = 0.5".
std::string file_name_of(std::string_view name) {
    std::string file;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c))) file += char(std::tolower(static_cast<unsigned char>(c)));
        else if (!file.empty() && file.back() != '-') file += '-';
    }
    while (file.ends_with('-')) file.pop_back();
    return file.empty() ? "method" : file;
}

}  // namespace

std::string method_path(const Scene& scene) {
    const MethodInfo& method = *scene.spec().method;
    const std::filesystem::path beside = path_beside(scene.document(), "");
    const FileKind kind = kernel_of(method) ? FileKind::kernel : FileKind::weights;
    return (beside.parent_path() / file_name_of(method.name)).concat(ending_of(kind)).string();
}

namespace {

std::string_view method_ending(const AppState& state) {
    return ending_of(is_kernel_text(own_method_text(state)) ? FileKind::kernel : FileKind::weights);
}

}  // namespace

std::string method_file(const AppState& state, const std::string& path) {
    const FileKind kind = kind_of_file(path);
    const bool named = kind == FileKind::weights || kind == FileKind::kernel;
    return named ? path : path + std::string(method_ending(state));
}

void save_method(AppState& state) {
    UiState& ui = state.ui;
    ui.dialogs.open(Dialog::save);
    ui.saving = UiState::Saving::method;
    ui.save_path = method_path(state.scene);
    ui.save_path = std::filesystem::path(ui.save_path).replace_extension(method_ending(state)).string();
}

void open_method(AppState& state, const std::string& path) {
    constexpr size_t most = 65536;
    const Bytes bytes = read_file(path);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.size() > most || text.find('\0') != text.npos)
        throw FileError(path, "is no weight function or CUDA kernel: those are texts of at most 64 KiB");
    if (is_kernel_text(text)) {
        edit_kernel(state);
        type_kernel(state.kernel, state.now, text);
        compile_now(state.kernel);
        return;
    }
    const MethodInfo& before = *state.scene.spec().method;
    state.ui.dock = Dock::formula;
    state.ui.panel_over = false;
    state.weights.made = &before;
    type_weights(state.scene, state.weights, text);
    if (state.weights.problems.empty() || has_formula_text(before)) return;
    const WeightProblem problem = state.weights.problems.front();
    throw FileError(path, fmt::format("line {}: {}", problem.line, problem.sentence));
}

void check_parameters(Scene& scene, Messages& messages, const MethodParameters& before) {
    MethodSpec& spec = scene.spec();
    if (!spec.method->custom || spec.parameters == before) return;
    try {
        spec.method->custom->weights(spec.parameters);
    } catch (const Error& error) {
        spec.parameters = before;
        post(messages, Message::Level::warning, error.what());
    }
}

const MethodInfo* method_without_pane(const Scene& scene) {
    const auto has_pane = [&](const MethodInfo* method) {
        return std::ranges::any_of(scene.panes, [&](const Pane& pane) { return pane.spec.method == method; });
    };
    for (const std::string_view id : four_methods)
        if (const MethodInfo* method = find_method(id); method && !has_pane(method)) return method;
    for (const MethodInfo* method : all_methods())
        if (!has_pane(method)) return method;
    return nullptr;
}

}  // namespace texelscope
