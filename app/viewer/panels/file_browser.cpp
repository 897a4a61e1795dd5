// A dialog to choose an image or a session in.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/file_list.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

namespace fs = std::filesystem;

using Browser = PanelMemory::Browser;

bool is_path(const std::string& typed) { return typed.find('/') != std::string::npos || typed == "~" || typed == ".."; }

void filter(Browser& browser) { show_part(browser, is_path(browser.typed) ? "" : browser.typed); }

void enter(Browser& browser, const fs::path& folder) {
    read_folder(browser, folder);
    browser.problem = browser.listing.problem;
    browser.typed.clear();
    filter(browser);
}

fs::path full_path(const Browser& browser, std::string typed) {
    const char* home = std::getenv("HOME");
    if (home && (typed == "~" || typed.starts_with("~/"))) typed.replace(0, 1, home);
    return browser.folder / typed;
}

void open(AppState& state, Browser& browser, const std::string& name) {
    std::error_code none;
    const fs::path path = full_path(browser, name);
    if (fs::is_directory(path, none)) return enter(browser, path);
    if (!fs::exists(path, none)) {
        browser.problem = fmt::format("There is no file or folder {}.", path.string());
        return;
    }
    state.tasks.push_back(task::Open{path.string()});
    state.ui.dialogs.close(Dialog::browser);
}

void open_chosen(AppState& state, Browser& browser) {
    if (is_path(browser.typed)) open(state, browser, browser.typed);
    else if (!browser.shown.empty()) open(state, browser, browser.chosen().name);
    else if (!browser.typed.empty()) open(state, browser, browser.typed);
}

void top_row(AppState& state, Browser& browser) {
    if (ImGui::Button("Up") && browser.folder.has_parent_path()) enter(browser, browser.folder.parent_path());
    gui::tooltip("Parent folder (Backspace, if nothing is typed).");
    ImGui::SameLine();
    if (const char* home = std::getenv("HOME"); home && *home) {
        if (ImGui::Button("Home")) enter(browser, home);
        gui::tooltip(home);
        ImGui::SameLine();
    }
    if (const Document* document = state.scene.document(); document && document->is_file()) {
        if (ImGui::Button("Image's folder")) enter(browser, fs::path(document->source).parent_path());
        ImGui::SameLine();
    }
    ImGui::AlignTextToFramePadding();
    gui::elided(browser.folder.string(), ImGui::GetContentRegionAvail().x);
}

// The field that has the keyboard. True if Enter was pressed.
bool find_row(const AppState& state, Browser& browser) {
    const char* files = "all files";
    const float check = gui::px(16 + 8) + ImGui::CalcTextSize(files).x;
    focus_here(state, Dialog::browser);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - check - gui::px(12));
    const bool entered =
        ImGui::InputTextWithHint("##find", "Name or path", &browser.typed, ImGuiInputTextFlags_EnterReturnsTrue);
    if (ImGui::IsItemEdited()) {
        browser.problem = browser.listing.problem;
        filter(browser);
    }
    gui::tooltip("Shows only names that contain this. With a / it is a path; ~ is your home folder. Enter opens it.");
    gui::note("browser:find");
    ImGui::SameLine(0, gui::px(12));
    if (gui::check(files, browser.all_files)) enter(browser, browser.folder);
    gui::tooltip("Off: folders, sessions and the image files that can be read. On: hidden and other files too.");
    return entered;
}

void start(const AppState& state, Browser& browser) {
    std::error_code error;
    const Document* document = state.scene.document();
    fs::path folder = document && document->is_file() ? fs::path(document->source).parent_path() : browser.folder;
    if (folder.empty() || !fs::is_directory(folder, error)) folder = fs::current_path(error);
    enter(browser, folder);
}

bool parent_asked_for(const AppState& state, const Browser& browser) {
    return browser.typed.empty() && key_pressed(state, Dialog::browser, ImGuiKey_Backspace);
}

}  // namespace

void file_browser(AppState& state) {
    Browser& browser = state.ui.memory.browser;
    if (!begin_dialog(state, Dialog::browser)) {
        browser.fresh = true;
        return;
    }
    if (std::exchange(browser.fresh, false)) start(state, browser);
    if (parent_asked_for(state, browser)) enter(browser, browser.folder.parent_path());
    top_row(state, browser);
    const bool entered = find_row(state, browser);
    if (!browser.problem.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::error));
        ImGui::TextWrapped("%s", browser.problem.c_str());
        ImGui::PopStyleColor();
    }
    const float below = ImGui::GetFrameHeightWithSpacing() + gui::px(8), least = gui::px(72);
    const float height = std::max(ImGui::GetContentRegionAvail().y - below, least);
    if (file_list(state, Dialog::browser, browser, height).activated) open(state, browser, browser.chosen().name);
    ImGui::Dummy({0, gui::px(2)});
    const bool clicked = gui::row_button("Open", 2, "Open the file, or enter the folder (Enter).");
    gui::note("browser:open");
    ImGui::SameLine();
    if (gui::row_button("Cancel", 2, "Esc")) state.ui.dialogs.close(Dialog::browser);
    if (entered || clicked) open_chosen(state, browser);
    end_dialog();
}

}  // namespace texelscope::panels
