// Small windows: keys and mouse, about this machine.

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/layout.h"
#include "app/viewer/widgets/widgets.h"

#ifndef TEXELSCOPE_VERSION
#define TEXELSCOPE_VERSION "development"
#endif

namespace texelscope::panels {
namespace {

constexpr const char* work_window = "##work";

struct Help {
    std::string keys, does, more = {};  // a tooltip, which is searched too
};
const std::vector<Help>& mouse_help() {
    static const std::vector<Help> help = {
        {"Wheel", "Zoom about the cursor; Shift: four times as fast, Ctrl: a quarter"},
        {"Left or middle drag", "Pan"},
        {"Double click", "Fit the window; if it fits, 100 % at the cursor"},
        {"Right click", "What can be done with the pane: method, path, difference, reference, save, copy, close"},
        {"Right drag", "Select a region: figures are measured over it, Enter zooms to it, Esc clears it"},
        {"Ctrl + left drag", "Draw the line of the profile"},
        {"Click on the zoom", "In the status bar: type a percentage, 400, or a factor, 4x"},
        {"→ under a label", "The value of that pane's picture at the cursor"},
        {"On a plot", "Wheel zooms, drag pans, double click resets"},
        {"On the filmstrip", "Click shows a picture, wheel scrolls"},
        {"Shift held", "Show the reference that the figures are against"},
        {"Drop files or a folder", "Open them; of a folder the first picture"},
    };
    return help;
}

// The actions with keys; the others too once they are searched for.
std::vector<Help> key_help(Menu menu, bool searching) {
    std::vector<Help> help;
    for (const Action& action : all_actions()) {
        const bool listed = searching && action.group >= 0;
        if (action.menu == menu && (listed || !action.shortcuts.empty()))
            help.push_back({action.shortcut_text(), action.title, action.tooltip});
    }
    if (menu == Menu::learn) help.push_back({"Alt+Down, Alt+Up", "Scroll the lesson's text"});
    return help;
}

const std::vector<Help>& word_help() {
    static const std::vector<Help> help = [] {
        std::vector<Help> words;
        for (const GlossaryEntry& entry : glossary())
            words.push_back({std::string(entry.term), std::string(entry.meaning),
                             entry.also.empty() ? "" : fmt::format("Also found by: {}.", entry.also)});
        return words;
    }();
    return help;
}

void heading(const char* text) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Dummy({0, gui::px(2)});
    ImGui::PushFont(gui::theme().heading);
    ImGui::TextUnformatted(text);
    ImGui::PopFont();
    ImGui::TableNextColumn();
}

// The rows that contain what was typed; all, if the heading does. False if there are none.
bool help_table(const char* title, const std::vector<Help>& rows, std::string_view typed) {
    bool headed = false;
    const bool all = contains_ignoring_case(title, typed);
    for (const Help& help : rows) {
        if (!all && !contains_ignoring_case(help.keys, typed) && !contains_ignoring_case(help.does, typed) &&
            !contains_ignoring_case(help.more, typed))
            continue;
        if (!std::exchange(headed, true)) heading(title);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        gui::number(help.keys, gui::colour::accent);
        gui::note("keys:" + help.keys);
        ImGui::TableNextColumn();
        gui::wrapped_text(help.does);
        gui::tooltip(help.more);
    }
    return headed;
}

// Above the bar, as long as they are; what has no spaces to break at, such as a path, is cut in its middle.
void words_of_progress(const std::string& words) {
    const float width = ImGui::GetContentRegionAvail().x;
    const auto longest_word = [&] {
        float longest = 0;
        for (size_t at = 0; at < words.size();) {
            const size_t end = std::min(words.find(' ', at), words.size());
            longest = std::max(longest, ImGui::CalcTextSize(words.substr(at, end - at).c_str()).x);
            at = end + 1;
        }
        return longest;
    };
    if (longest_word() > width) gui::elided(words, width);
    else gui::wrapped_text(words);
    gui::note("progress:words");
}

// How far it is, and whether the button beside it was clicked.
bool bar_with_cancel(int done, int total, float button) {
    const float part = float(done) / float(std::max(total, 1));
    ImGui::ProgressBar(part, {ImGui::GetContentRegionAvail().x - button - gui::px(8), 0},
                       fmt::format("{:.0f} %", 100 * part).c_str());
    ImGui::SameLine();
    return ImGui::Button("Cancel", {button, 0});
}

void fact(const char* name, const std::string& text) {
    gui::label(name, "");
    ImGui::AlignTextToFramePadding();
    gui::wrapped_text(text);
}

}  // namespace

void key_list(AppState& state) {
    std::string& typed = state.ui.memory.key_search;
    if (!begin_dialog(state.ui, state.places, Dialog::keys)) return;
    if (begins_anew(state.ui, Dialog::keys)) typed.clear();
    focus_here(state.ui, Dialog::keys);
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::InputTextWithHint("##find", "Find a key, a command or a word", &typed);
    gui::note("keys:find");
    ImGui::BeginChild("##list");
    scroll_list(state.ui, Dialog::keys);
    bool found = false;
    if (ImGui::BeginTable("##keys", 2, ImGuiTableFlags_NoSavedSettings)) {
        ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, gui::px(184));
        ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
        found |= help_table("Mouse", mouse_help(), typed);
        for (const auto& [which, title] : menus) found |= help_table(title, key_help(which, !typed.empty()), typed);
        found |= help_table("Glossary", word_help(), typed);
        ImGui::EndTable();
    }
    if (!found) {
        gui::remark(fmt::format("No key, command or word has “{}” in it.", typed), false);
        gui::note("keys:none");
    }
    ImGui::EndChild();
    end_dialog();
}

void work(AppState& state, const gui::Box& messages) {
    PixelRect& place = state.places.work;
    place = {};
    if (!state.work) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float bottom = messages.empty() ? screen.y - gui::px(48) : messages.y - gui::px(8);
    ImGui::SetNextWindowPos({screen.x / 2, bottom}, ImGuiCond_Always, {0.5f, 1.0f});
    ImGui::SetNextWindowSize({std::min(gui::px(480), screen.x), 0});
    ImGui::Begin(work_window, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const float ratio = gui::theme().pixel_ratio;
    place = {int(at.x * ratio), int(at.y * ratio), int(size.x * ratio), int(size.y * ratio)};
    const Work& now = *state.work;
    words_of_progress(now.text);
    if (bar_with_cancel(now.done, now.total, gui::px(80))) state.work->cancelled = true;
    gui::tooltip("Stop what is running (Esc).");
    gui::note("work:cancel");
    ImGui::End();
}

void raise_messages() {
    gui::raise_window(messages_window);
    gui::raise_window(work_window);
    gui::raise_popups();
}

void about(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::about)) return;
    fact("Program", "texelscope " TEXELSCOPE_VERSION ": shows what image interpolation really does");
    fact("Backend", state.machine.rung_reason.empty()
                        ? state.machine.rung
                        : fmt::format("{} ({})", state.machine.rung, state.machine.rung_reason));
    fact("Device", state.machine.device_detail.empty()
                       ? state.machine.device
                       : fmt::format("{}, {}", state.machine.device, state.machine.device_detail));
    fact("Display", state.machine.gl_renderer);
    if (key_pressed(state.ui, Dialog::about, ImGuiKey_Enter)) state.ui.dialogs.close(Dialog::about);
    end_dialog();
}

void background_progress(AppState& state) {
    const BackgroundReport& report = state.report.background;
    const float button = gui::px(96), part = float(report.done) / float(std::max(report.total, 1)),
                bar = ImGui::GetContentRegionAvail().x - button - gui::px(8);
    const std::string text =
        fmt::format("{:.0f} %  ·  {}{}{}", 100 * part, report.title, report.words.empty() ? "" : ": ", report.words);
    ImGui::ProgressBar(part, {bar, 0}, gui::shortened(text, bar - gui::px(16)).c_str());
    gui::tooltip(text);
    ImGui::SameLine();
    if (ImGui::Button("Cancel", {button, 0})) state.tasks.push_back(task::CancelBackground{});
    gui::tooltip("Stop after the current step.");
    gui::note("background:cancel");
}

void field_label(const char* text, const char* tip, float width) {
    const float left = ImGui::GetCursorPosX();
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::secondary));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    gui::tooltip(tip);
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + gui::px(width));
    ImGui::SetNextItemWidth(-FLT_MIN);
}

void sentence(const std::string& text, const gui::Colour& ink) {
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(gui::theme().heading);
    gui::wrapped_text(text, ink);
    ImGui::PopFont();
}

bool entered(const UiState& ui, Dialog which) {
    return !control_has_keys() && !ImGui::GetIO().KeyAlt && key_pressed(ui, which, ImGuiKey_Enter);
}

float height_above_rows(float rows) {
    return std::max(ImGui::GetContentRegionAvail().y - rows * ImGui::GetFrameHeightWithSpacing() - gui::px(4),
                    gui::px(110));
}

bool buttons_in_one_row() { return ImGui::GetContentRegionMax().x >= gui::px(760); }

void figures_heading(const char* name, const char* tip) {
    ImGui::TableNextColumn();
    gui::heading_at_right(name);
    gui::tooltip(tip);
}

bool report_row(const std::string& dialog, ReportPath& to, const std::string& proposed,
                std::span<const ReportForm> forms) {
    std::string& path = to.text;
    follow_proposal(to, proposed);
    std::vector<gui::Segment> segments;
    std::string extensions;
    int chosen = -1;
    for (const ReportForm& form : forms) {
        if (path.ends_with(form.extension)) chosen = int(segments.size());
        segments.push_back({form.text, form.tip});
        const char* const before = extensions.empty() ? "" : segments.size() == forms.size() ? " or " : ", ";
        extensions += before + std::string(form.extension + 1);
    }
    const float save = gui::px(96);
    const int clicked = gui::segmented((dialog + ":form").c_str(), segments, chosen, gui::px(70) * float(forms.size()));
    if (clicked >= 0) path = std::filesystem::path(path).replace_extension(forms[size_t(clicked)].extension).string();
    ImGui::SameLine();
    ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - save - gui::px(8), gui::px(80)));
    const bool entered = ImGui::InputText(("##path-" + dialog).c_str(), &path,
                                          ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
    gui::tooltip(
        fmt::format("Path of the new file; its extension chooses the form: {}. A name without extension is a "
                    "folder with everything.",
                    extensions));
    gui::note(dialog + ":path");
    ImGui::SameLine();
    ImGui::BeginDisabled(path.empty());
    const bool pressed = ImGui::Button("Save", {save, 0});
    ImGui::EndDisabled();
    gui::tooltip("Save it. An existing file is replaced only if you agree, and once the new one is complete.");
    gui::note(dialog + ":save");
    return (entered || pressed) && !path.empty();
}

}  // namespace texelscope::panels
