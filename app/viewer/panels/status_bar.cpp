// The line at the bottom: position and values under the cursor; zoom, image, backend, times.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/pane_picture.h"
#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// A field of at least `characters`, so that nothing jumps while numbers change.
struct Field {
    std::string text;
    int characters;
    std::string tip;
    gui::Colour colour = gui::colour::text;
    void (*click)(AppState&) = nullptr;
    std::string_view id = {};  // of one that can be clicked; of others, what precedes their words
    int rank = 9;              // those with the lowest go first if space lacks
    bool recorded = true;      // whether a recording of the window shows it
};

float width_of(const Field& field, float character) {
    const float text = ImGui::CalcTextSize(field.text.c_str()).x;
    return std::max(text, character * float(field.characters));
}

// "12.25, 8.50", preceded by the warp if there is one.
Field position_field(const AppState& state) {
    const Warp warp = acting_warp(state);
    const std::string name = warp.kind == Warp::Kind::none ? "" : std::string(name_of(warp.kind)) + " ";
    const int wide = 16 + int(name.size());
    const std::string what = "in samples: sample i is at i. Click to type one and to go there.";
    const auto with = [](const std::string& text, int characters, std::string tip) {
        return Field{text, characters, std::move(tip), gui::colour::text, type_position, status_position};
    };
    if (!state.report.findings.readout)
        return with(name + (shows_signal(state) ? "–" : "–, –"), wide,
                    fmt::format("Position under the cursor, {}", what));
    std::string tip = fmt::format("Position under the cursor, {}", what);
    if (!name.empty()) {
        const Point p = apply(shown_affine(state), state.pointer.x, state.pointer.y);
        tip = fmt::format("Position that the warp ({}) reads for the pixel under the cursor, {}\nWithout the warp: {}",
                          words(warp), what, position_text(p, false));
    }
    return with(name + position_text(state.report.findings.readout->position, shows_signal(state)), wide, tip);
}

// A note on the precision that computed values of a sample type lose.
std::string precision_words(SampleType type) {
    if (fits_float(type)) return "";
    return fmt::format("\nComputed as 32-bit floats{}. Stored values and nearest are exact.",
                       is_integer(type) ? ", which hold integers up to 16777216 exactly" : "");
}

std::vector<Field> values(const AppState& state) {
    const auto& readout = state.report.findings.readout;
    const auto image = image_of(state.scene, focused_pane(state));
    if (!image) return {};
    const ValueScale scale = value_scale(state, focused_pane(state));
    const int channels = image->channels(), wide = 2 + (1 + scale.characters()) * channels;
    const PaneReport* report = report_of(state.report, focused_pane(state));
    if (!readout && report && !report->no_readout.empty())
        return {position_field(state), {"no values", wide, report->no_readout, gui::colour::warning}};
    if (!readout) return {position_field(state), {"", wide, ""}, {"", wide + 7, ""}};
    std::vector<Field> fields = {position_field(state)};
    if (!readout->on_image && state.scene.outside == Outside::background) {
        fields.push_back({"outside", 2 * wide + 2, "No samples here. Choosing an address mode extends the image.",
                          gui::colour::secondary});
        return fields;
    }
    const std::string difference = difference_text(state.scene, *readout, scale);
    if (!difference.empty())
        fields.push_back({difference, 10 + 6 * channels, difference_meaning(state, focused_pane(state))});
    const bool mean = report && report->cost.widened;
    const std::string what = fmt::format("{}{}", difference.empty() ? "" : "picture ", mean ? "mean " : "");
    fields.push_back({what + interpolated_text(*readout, scale, image->alpha()), wide + int(what.size()),
                      fmt::format("Value of the picture here: {}.{}\n\n{}", shown_words(state),
                                  mean ? " " + mean_words(report->cost) : "", row_of(state.ui.value_unit).meaning)});
    if (mean) fields.back().id = "status:";
    const std::string integers = integers_text(*readout);
    fields.push_back({"stored " + stored_text(*readout, scale, image->alpha()),
                      9 + (1 + int(scale.stored(1.0).size())) * channels,
                      fmt::format("Nearest stored sample{}{}; in hexadecimal: {}.{}\n\n{}",
                                  integers.empty() ? "" : ": ", integers, hex_text(*readout, image->type()),
                                  precision_words(image->type()), row_of(state.ui.value_unit).meaning),
                      gui::colour::secondary});
    return fields;
}

Field recording_field(const RecordingReport& recording) {
    const bool stopped = recording.stopped;
    Field field{fmt::format("{} {}:{:02} {:.1f} MB", stopped ? "writing…" : "● REC", int(recording.seconds) / 60,
                            int(recording.seconds) % 60, double(recording.bytes) / 1e6),
                0,
                stopped ? fmt::format("The recording has stopped and is still being written: {}.", recording.path)
                        : fmt::format("The window is being recorded: {}. Press Ctrl+Shift+R to stop.", recording.path),
                stopped ? gui::colour::progress : gui::colour::error};
    field.recorded = false;
    return field;
}

// What runs while its window is closed.
Field background_field(const BackgroundReport& background) {
    return {fmt::format("{} {:.0f} %", background.name, 100.0 * background.done / std::max(background.total, 1)),
            0,
            fmt::format("{} is running. Click to open its window.", background.title),
            gui::colour::accent,
            [](AppState& state) {
                if (const auto dialog = state.report.background.dialog) state.ui.dialogs.open(*dialog);
            },
            "status:background"};
}

Field zoom_field(const AppState& state) {
    return {zoom_text(pane_view(state, state.scene.active).zoom()),
            11,
            "Zoom of the active pane, and the ratio of screen pixels to samples. Click to type a percentage, 400, or a "
            "factor, 4x.",
            gui::colour::text,
            [](AppState& s) {
                const double percent = 100 * pane_view(s, s.scene.active).zoom();
                s.ui.typed_zoom = TypedField{fmt::format("{:.4g}", percent)};
            },
            status_zoom};
}

Field folder_field(const FolderView& folder, const UiState& ui) {
    return {
        fmt::format("{}/{}", folder.position + 1, folder.count()),
        0,
        fmt::format("Picture {} of {} in {}, by {}{}. PgUp and PgDn show its neighbours, Home and End the first and "
                    "the last one; File ▸ Folder sorts them.",
                    folder.position + 1, folder.count(), folder.folder, name_of(ui.folder_order),
                    ui.folder_descending ? ", descending" : ""),
        gui::colour::text,
        nullptr,
        {},
        4};
}

Field part_field(const AppState& state) {
    return {
        fmt::format("part {} of {}", shown_part(state) + 1, part_count(state)),
        0,
        "Of the file: pages, frames, layers, subimages or channels. , and . step through them; Image ▸ Part lists them.",
        gui::colour::text,
        nullptr,
        "status:",
        5};
}

Field levels_field(const std::string& words) {
    return {
        words,
        0,
        "The samples are no values from 0 to 1, so black and white are where nearly all of them lie. A click, or the key X, "
        "shows 0 to 1 as black to white, and once more these levels; the section Image and display has others.",
        gui::colour::accent,
        toggle_levels,
        "status:levels",
        6};
}

// What the display makes brighter, darker or steeper than it is stored.
Field tones_field(const std::string& words) {
    return {words,
            0,
            "The picture is not shown as it opened: the Display section changes it. Click to undo that.",
            gui::colour::accent,
            [](AppState& state) { reset_tones(state.scene); },
            "status:tones",
            6};
}

// The name of the image's colour profile; in the colour of warnings if it cannot be used.
std::optional<Field> profile_field(const Scene& scene, const Image& image) {
    const auto conversion = profile_conversion(image);
    if (!conversion || (conversion->name.empty() && conversion->problem.empty())) return {};
    const bool usable = conversion->problem.empty(), on = scene.display.by_profile;
    const std::string what = !usable ? conversion->problem
                             : on ? "Colours are converted to those of the screen, for display only: interpolation and "
                                    "figures use the stored values. Click to show them as stored."
                                  : "Colours are shown as stored. Click to convert them to those of the screen.";
    return Field{conversion->name.empty() ? "profile" : conversion->name,
                 0,
                 "Colour profile of the file. " + what,
                 usable ? on ? gui::colour::text : gui::colour::secondary : gui::colour::warning,
                 [](AppState& s) { s.scene.display.by_profile = !s.scene.display.by_profile; },
                 "status:profile",
                 3};
}

Field pace_field(const AppState& state) {
    const FrameStatus& frame = state.report.frame;
    if (frame.computing)
        return {"computing …", 9, "The next picture takes a moment; what you do meanwhile is done after it.",
                gui::colour::warning};
    return {frame.frames_per_second > 0 ? fmt::format("{:.0f} fps", frame.frames_per_second) : resting_word(state),
            9,
            "Pictures rendered in the last second; while nothing changes, none are, and this says what else is done.",
            gui::colour::secondary,
            nullptr,
            "status:",
            0};
}

// Only while the picture is turned.
std::optional<Field> rotation_field(const AppState& state) {
    const double degrees = pane_view(state, state.scene.active).rotate;
    if (std::abs(degrees) < 0.0005) return {};
    const std::string angle = fmt::format("{:.1f}", degrees);
    return Field{with_minus(angle.ends_with(".0") ? angle.substr(0, angle.size() - 2) : angle) + "°",
                 0,
                 "Rotation of the active pane's view: the picture is turned anticlockwise by this angle. Click, or \\, "
                 "resets it; [ and ] turn by 10°.",
                 gui::colour::accent,
                 [](AppState& s) { rotate_to(s, 0); },
                 "status:rotation",
                 8};
}

std::vector<Field> facts(const AppState& state) {
    const Report& report = state.report;
    const Document* document = state.scene.document();
    std::vector<Field> fields;
    if (const auto& r = state.scene.selection) {
        const bool warped = acting_warp(state).kind != Warp::Kind::none;
        fields.push_back(
            {shows_signal(state) ? fmt::format("{:.1f} … {:.1f}", r->x0, r->x1)
                                 : fmt::format("{:.1f}, {:.1f}  {:.1f}×{:.1f}", r->x0, r->y0, r->width(), r->height()),
             0,
             fmt::format("Position and size of the selected region, in samples{}. Enter zooms to it, Esc clears it.",
                         warped ? ", without the warp" : ""),
             gui::colour::accent});
    }
    if (state.draft.active)
        fields.push_back({"draft", 0, "Not antialiased while moving: antialiasing is too slow on this machine.",
                          gui::colour::warning});
    if (state.folder.is_placed()) fields.push_back(folder_field(state.folder, state.ui));
    if (part_count(state) > 1) fields.push_back(part_field(state));
    if (const std::string levels = levels_words(state); !levels.empty()) fields.push_back(levels_field(levels));
    if (const std::string tones = tone_words(state); !tones.empty()) fields.push_back(tones_field(tones));
    if (document)
        if (const auto rotation = rotation_field(state)) fields.push_back(*rotation);
    if (document) fields.push_back(zoom_field(state));
    if (const auto image = image_of(state.scene, state.scene.active)) {
        fields.push_back({describe(*image) + (fits_float(image->type()) ? "" : ", as f32"),
                          0,
                          "Size of the image, type of its samples × channels." + precision_words(image->type()),
                          gui::colour::secondary,
                          nullptr,
                          {},
                          3});
        if (const auto profile = profile_field(state.scene, *image)) fields.push_back(*profile);
    }
    const std::string why = state.machine.rung_reason.empty()
                                ? ""
                                : fmt::format("\nNo faster mode available: {}", state.machine.rung_reason);
    fields.push_back({state.machine.rung,
                      0,
                      fmt::format("Device: {}, {}.{}", state.machine.device, state.machine.device_detail, why),
                      state.machine.rung_refused ? gui::colour::warning : gui::colour::text,
                      nullptr,
                      {},
                      2});
    fields.push_back({fmt::format("{:.2f} ms", report.frame.timings.render),
                      8,
                      fmt::format("{} time of the last picture.\n{}", state.machine.on_gpu ? "GPU" : "CPU",
                                  latency_words(report.frame.latency)),
                      gui::colour::text,
                      nullptr,
                      {},
                      1});
    fields.push_back(pace_field(state));
    if (const auto dialog = report.background.dialog; dialog && !state.ui.dialogs.has(*dialog))
        fields.push_back(background_field(report.background));
    if (report.recording.active) fields.push_back(recording_field(report.recording));
    return fields;
}

// Without those of the lowest rank, until the others have space; at least the most important stays.
std::vector<Field> fitting_facts(std::vector<Field> fields, float room, float character, float gap) {
    const auto needed = [&] {
        float sum = 0;
        for (const Field& field : fields) sum += width_of(field, character) + gap;
        return sum;
    };
    while (fields.size() > 1 && needed() > room)
        fields.erase(std::min_element(fields.begin(), fields.end(),
                                      [](const Field& a, const Field& b) { return a.rank < b.rank; }));
    return fields;
}

// Without the room that it might take later, or with … at its end and the whole in the tooltip. Its width; 0: too narrow.
float cut_to(Field& field, float room) {
    const float whole = ImGui::CalcTextSize(field.text.c_str()).x;
    if (whole <= room) return whole;
    const std::string text = gui::shortened(field.text, room);
    if (text.empty() || room < gui::px(60)) return 0;
    field.tip = fmt::format("{}\n{}", field.text, field.tip);
    field.text = text;
    return ImGui::CalcTextSize(text.c_str()).x;
}

// `width`: of what can be clicked and has the tooltip.
void place(AppState& state, const Field& field, float x, float y, float width) {
    ImGui::SetCursorPos({x, y});
    if (field.recorded) gui::number(field.text, field.colour);
    else {
        gui::theme().unrecorded->AddText(gui::theme().mono, ImGui::GetFontSize(), ImGui::GetCursorScreenPos(),
                                         gui::packed(field.colour), field.text.c_str());
        ImGui::Dummy({width, ImGui::GetTextLineHeight()});
    }
    if (field.click) {
        ImGui::SetCursorPos({x, y});
        ImGui::Dummy({width, ImGui::GetTextLineHeight()});
        if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (ImGui::IsItemClicked()) field.click(state);
        gui::note(field.id);
    } else if (!field.id.empty()) {
        gui::note(fmt::format("{}{}", field.id, field.text));
    }
    gui::tooltip(field.tip);
}

// Why an existing GPU is not used, in the remaining space: the reason begins with the device's name, which matters less
// than the rest.
void why_lower(const Machine& machine, float left, float right, float y) {
    const float least = gui::px(100);
    if (right - left < least) return;
    constexpr std::string_view after_name = "): ";
    const size_t name_end = machine.rung_reason.find(after_name);
    const std::string why =
        machine.rung_reason.substr(name_end == std::string::npos ? 0 : name_end + after_name.size());
    const std::string shown = gui::shortened(why, right - left);
    ImGui::SetCursorPos({right - ImGui::CalcTextSize(shown.c_str()).x, y});
    gui::number(shown, gui::colour::warning);
    gui::tooltip(fmt::format("A GPU is not used: {}", machine.rung_reason));
}

}  // namespace

void status_bar(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    const gui::BoxWindow window("##status", box,
                                {.any_size = true,
                                 .flags = ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                                          ImGuiWindowFlags_NoScrollbar});
    ImGui::GetWindowDrawList()->PushClipRectFullScreen();
    ImGui::GetWindowDrawList()->AddLine({box.x, box.y}, {box.x + box.width, box.y}, gui::packed(gui::rgb(0x18191b)));
    ImGui::GetWindowDrawList()->PopClipRect();
    ImGui::PushFont(gui::theme().mono);
    const float character = ImGui::CalcTextSize("0").x, gap = 2 * character, margin = gui::px(16);
    const float y = (box.height - ImGui::GetFontSize()) / 2;

    const std::vector<Field> to_the_left = values(state);
    float right = box.width - margin, left = margin, needed = margin;
    constexpr size_t essential = 2;  // position and value of the picture
    for (size_t i = 0; i < std::min(essential, to_the_left.size()); ++i)
        needed += width_of(to_the_left[i], character) + gap;
    const std::vector<Field> to_the_right = fitting_facts(facts(state), right - needed, character, gap);
    for (auto field = to_the_right.rbegin(); field != to_the_right.rend(); ++field) {
        const float width = width_of(*field, character);
        if (right - width < margin) break;
        const float text = field->characters ? ImGui::CalcTextSize(field->text.c_str()).x : width;
        if (!typed_figure(state, field->id, right - width, width, box)) place(state, *field, right - text, y, text);
        right -= width + gap;
    }
    bool room = true;
    for (size_t i = 0; i < to_the_left.size() && room; ++i) {
        Field field = to_the_left[i];
        float width = width_of(field, character);
        room = left + width <= right;
        if (!room && (i >= essential || (width = cut_to(field, right - left)) <= 0)) break;
        // As wide as it may become: the numbers go when the mouse leaves the picture to click them.
        if (!typed_figure(state, field.id, left, width, box)) place(state, field, left, y, width);
        left += width + gap;
    }
    if (room && state.machine.rung_refused) why_lower(state.machine, left, right, y);
    ImGui::PopFont();
}

}  // namespace texelscope::panels
