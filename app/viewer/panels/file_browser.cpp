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

#include "app/files/folder_listing.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

namespace fs = std::filesystem;

// State that the dialog keeps while it is open.
struct Browser {
    fs::path folder;
    std::string typed;  // part of a name, or a path
    FolderListing listing;
    std::vector<const FolderEntry*> shown;  // what contains the typed text
    int choice = 0;
    bool reveal = false;  // the choice was moved by a key, perhaps out of view
    std::string problem;
    bool all_files = false, fresh = true;
};

bool is_path(const std::string& typed) { return typed.find('/') != std::string::npos || typed == "~" || typed == ".."; }

void filter(Browser& browser) {
    browser.shown.clear();
    browser.choice = 0;
    for (const FolderEntry& entry : browser.listing.entries) {
        if (!is_path(browser.typed) && !contains_ignoring_case(entry.name, browser.typed)) continue;
        if (entry.name == browser.typed) browser.choice = int(browser.shown.size());
        browser.shown.push_back(&entry);
    }
}

void enter(Browser& browser, const fs::path& folder) {
    browser.folder = folder.lexically_normal();
    browser.listing = list_folder(browser.folder, browser.all_files);
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
    else if (!browser.shown.empty()) open(state, browser, browser.shown[size_t(browser.choice)]->name);
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
    const bool entered = ImGui::InputTextWithHint("##find", "Type a part of the name, or a path", &browser.typed,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
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

std::string size_text(uintmax_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    const double kib = double(bytes) / 1024;
    return kib < 1024 ? fmt::format("{:.0f} KiB", kib) : fmt::format("{:.1f} MiB", kib / 1024);
}

// Before the name of a folder; a file leaves the space free.
void folder_icon() {
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos(), low{at.x + gui::px(2), at.y + side * 0.18f},
                 high{low.x + side * 0.95f, at.y + side * 0.86f};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 ink = gui::packed(gui::colour::secondary);
    draw.AddRectFilled(low, {low.x + side * 0.45f, high.y}, ink, gui::px(2));
    draw.AddRectFilled({low.x, low.y + side * 0.13f}, high, ink, gui::px(2));
}

void keep_in_view() {
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    if (ImGui::GetItemRectMin().y < top) ImGui::SetScrollHereY(0);
    else if (ImGui::GetItemRectMax().y > bottom) ImGui::SetScrollHereY(1);
}

// True if it is to be opened.
bool entry_row(Browser& browser, int row) {
    const FolderEntry& entry = *browser.shown[size_t(row)];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (entry.folder) folder_icon();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetTextLineHeight() + gui::px(8));
    const bool clicked = ImGui::Selectable(entry.name.c_str(), row == browser.choice,
                                           ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick);
    gui::note("browser:" + entry.name);
    if (clicked) browser.choice = row;
    if (row == browser.choice && std::exchange(browser.reveal, false)) keep_in_view();
    ImGui::TableNextColumn();
    if (!entry.folder) {
        const std::string size = size_text(entry.bytes);
        const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(size.c_str()).x;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
        ImGui::TextDisabled("%s", size.c_str());
    }
    return clicked && ImGui::IsMouseDoubleClicked(0);
}

void table(AppState& state, Browser& browser, float height) {
    constexpr ImGuiTableFlags flags =
        ImGuiTableFlags_ScrollY | ImGuiTableFlags_PadOuterX | ImGuiTableFlags_NoSavedSettings;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(gui::px(8), gui::px(3)));
    const float row_height = ImGui::GetTextLineHeight() + gui::px(6);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + room.x, at.y + room.y + height},
                                              gui::packed(gui::colour::field), gui::px(4));
    if (ImGui::BeginTable("##files", 2, flags, {0, height})) {
        ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
        ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed, gui::px(88));
        if (move_choice(state, Dialog::browser, browser.choice, int(browser.shown.size()),
                        int(ImGui::GetWindowHeight() / row_height)))
            browser.reveal = true;
        bool opens = false;
        for (int row = 0; row < int(browser.shown.size()); ++row) opens = entry_row(browser, row) || opens;
        ImGui::EndTable();
        if (opens) open(state, browser, browser.shown[size_t(browser.choice)]->name);
    }
    ImGui::PopStyleVar();
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
    static Browser browser;
    if (!begin_dialog(state, Dialog::browser, {"Open an image or a session", 680, 540})) {
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
    table(state, browser, -(ImGui::GetFrameHeightWithSpacing() + gui::px(8)));
    ImGui::Dummy({0, gui::px(2)});
    const bool clicked = gui::row_button("Open", 2, "Open the file, or enter the folder (Enter).");
    gui::note("browser:open");
    ImGui::SameLine();
    if (gui::row_button("Cancel", 2, "Esc")) state.ui.dialogs.close(Dialog::browser);
    if (entered || clicked) open_chosen(state, browser);
    end_dialog();
}

}  // namespace texelscope::panels
