// A dialog to choose an image, a session or a method in.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/text/text.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

namespace fs = std::filesystem;

using Browser = PanelMemory::Browser;

bool is_path(const std::string& typed) { return typed.find('/') != std::string::npos || typed == "~" || typed == ".."; }

fs::path full_path(const Browser& browser, std::string typed) {
    const char* home = std::getenv("HOME");
    if (home && (typed == "~" || typed.starts_with("~/"))) typed.replace(0, 1, home);
    return browser.from / typed;
}

// So that its parent is another folder.
fs::path without_end_slash(const fs::path& folder) {
    const fs::path normal = folder.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

// Lists the folder that a path names so far, if there is one, and of it what its last name is part of.
void filter(Browser& browser) {
    const size_t slash = browser.typed.rfind('/');
    const fs::path named = slash == std::string::npos
                               ? browser.from
                               : without_end_slash(full_path(browser, browser.typed.substr(0, slash + 1)));
    std::error_code none;
    const bool is_there = fs::is_directory(named, none);
    if (is_there && named != browser.folder) read_folder(browser, named);
    browser.problem = browser.listing.problem;
    if (slash != std::string::npos) show_part(browser, is_there ? browser.typed.substr(slash + 1) : "");
    else show_part(browser, is_path(browser.typed) ? "" : browser.typed);
}

void enter(Browser& browser, const fs::path& folder) {
    read_folder(browser, folder);
    browser.from = browser.folder;
    browser.typed.clear();
    filter(browser);
}

void open(UiState& ui, Tasks& tasks, Browser& browser, const fs::path& path) {
    std::error_code none;
    if (fs::is_directory(path, none)) return enter(browser, path);
    if (!fs::exists(path, none)) {
        browser.problem = fmt::format("There is no file or folder {}.", path.string());
        return;
    }
    tasks.push_back(task::Open{path.string()});
    ui.dialogs.close(Dialog::browser);
}

// What was typed if it is the whole path of something, else what is chosen in the list.
void open_chosen(UiState& ui, Tasks& tasks, Browser& browser) {
    const fs::path typed = full_path(browser, browser.typed);
    std::error_code none;
    const bool whole = is_path(browser.typed) && (fs::exists(typed, none) || browser.part.empty());
    if (!whole && !browser.shown.empty()) open(ui, tasks, browser, browser.folder / browser.chosen().name);
    else if (!browser.typed.empty()) open(ui, tasks, browser, typed);
}

void top_row(const Scene& scene, Browser& browser) {
    if (ImGui::Button("Up") && browser.folder.has_parent_path()) enter(browser, browser.folder.parent_path());
    gui::tooltip("Parent folder (Backspace, if nothing is typed).");
    ImGui::SameLine();
    if (const char* home = std::getenv("HOME"); home && *home) {
        if (ImGui::Button("Home")) enter(browser, home);
        gui::tooltip(home);
        ImGui::SameLine();
    }
    if (const Document* document = scene.document(); document && document->is_file()) {
        if (ImGui::Button("Image's folder")) enter(browser, fs::path(document->source).parent_path());
        ImGui::SameLine();
    }
    ImGui::AlignTextToFramePadding();
    gui::elided(browser.folder.string(), ImGui::GetContentRegionAvail().x);
}

// The field that has the keyboard. True if Enter was pressed.
bool find_row(const UiState& ui, Browser& browser) {
    const char* files = "all files";
    const float check = gui::px(16 + 8) + ImGui::CalcTextSize(files).x;
    focus_here(ui, Dialog::browser);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - check - gui::px(12));
    const bool entered =
        ImGui::InputTextWithHint("##find", "Name or path", &browser.typed, ImGuiInputTextFlags_EnterReturnsTrue);
    if (ImGui::IsItemEdited()) filter(browser);
    gui::tooltip(
        "Shows only names that contain this. A path with / lists its folder; ~ is your home folder. Enter opens what is "
        "chosen.");
    gui::note("browser:find");
    ImGui::SameLine(0, gui::px(12));
    if (gui::check(files, browser.all_files)) enter(browser, browser.folder);
    gui::tooltip(
        "Off: folders, sessions, your own methods and the image files that can be read. On: hidden and other files too.");
    return entered;
}

void start(const Scene& scene, Browser& browser) {
    std::error_code error;
    const Document* document = scene.document();
    fs::path folder = document && document->is_file() ? fs::path(document->source).parent_path() : browser.folder;
    if (folder.empty() || !fs::is_directory(folder, error)) folder = fs::current_path(error);
    enter(browser, folder);
}

bool parent_asked_for(const UiState& ui, const Browser& browser) {
    return browser.typed.empty() && key_pressed(ui, Dialog::browser, ImGuiKey_Backspace);
}

}  // namespace

void file_browser(AppState& state) {
    Browser& browser = state.ui.memory.browser;
    if (!begin_dialog(state.ui, state.places, Dialog::browser)) return;
    if (begins_anew(state.ui, Dialog::browser)) start(state.scene, browser);
    if (parent_asked_for(state.ui, browser)) enter(browser, browser.folder.parent_path());
    top_row(state.scene, browser);
    const bool entered = find_row(state.ui, browser);
    if (!browser.problem.empty()) gui::wrapped_text(browser.problem, gui::colour::error);
    const float below = ImGui::GetFrameHeightWithSpacing() + gui::px(8), least = gui::px(72);
    const float height = std::max(ImGui::GetContentRegionAvail().y - below, least);
    if (file_list(state.ui, Dialog::browser, browser, height).activated)
        open(state.ui, state.tasks, browser, browser.folder / browser.chosen().name);
    ImGui::Dummy({0, gui::px(2)});
    const bool clicked = ending_buttons(state.ui, Dialog::browser, "Open", "browser:open",
                                        "Open the file, or enter the folder (Enter).");
    if (entered || clicked) open_chosen(state.ui, state.tasks, browser);
    end_dialog();
}

namespace {

void sort(FileList& list) {
    sort_entries(list.listing.entries, list.order, list.descending);
    show_part(list, list.part);
}

void icon_of(const FolderEntry& entry) {
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos(), middle{at.x + gui::px(2) + side / 2, at.y + side / 2};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (entry.folder) gui::folder_icon(draw, middle, side, gui::packed(gui::colour::secondary));
    else gui::file_icon(draw, middle, side, gui::packed(gui::colour::mark));
}

void keep_in_view() {
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    if (ImGui::GetItemRectMin().y < top) ImGui::SetScrollHereY(0);
    else if (ImGui::GetItemRectMax().y > bottom) ImGui::SetScrollHereY(1);
}

// Name, time, size.
FileListEvent entry_row(FileList& list, int row, bool with_time) {
    const FolderEntry& entry = list.entry(size_t(row));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    icon_of(entry);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetTextLineHeight() + gui::px(8));
    const bool clicked = ImGui::Selectable(entry.name.c_str(), row == list.choice,
                                           ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick);
    gui::note("browser:" + entry.name);
    if (clicked) list.choice = row;
    if (row == list.choice && std::exchange(list.reveal, false)) keep_in_view();
    if (with_time) {
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", date_text(entry.modified).c_str());
    }
    ImGui::TableNextColumn();
    if (!entry.folder) {
        const std::string size = size_text(entry.bytes);
        const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(size.c_str()).x;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
        ImGui::TextDisabled("%s", size.c_str());
    }
    return {clicked, clicked && ImGui::IsMouseDoubleClicked(0)};
}

// Why the list is empty.
std::string nothing_words(const FileList& list) {
    if (!list.part.empty())
        return list.all_files ? fmt::format("Nothing in this folder has “{}” in its name.", list.part)
                              : fmt::format("No folder, session or image file here has “{}” in its name.", list.part);
    return list.all_files ? "This folder is empty." : "There is no folder, session or image file here.";
}

void nothing(const FileList& list) {
    if (!list.shown.empty() || !list.listing.problem.empty()) return;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    gui::wrapped_text(nothing_words(list), gui::colour::secondary);
    gui::note("browser-empty");
}

constexpr float time_from = 420;  // units: narrower lists leave the time out

// Clicking a heading sorts.
void headings(FileList& list, bool with_time) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch, 0, ImGuiID(FolderOrder::name));
    if (with_time)
        ImGui::TableSetupColumn("Changed", ImGuiTableColumnFlags_WidthFixed, gui::px(136),
                                ImGuiID(FolderOrder::modified));
    ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed, gui::px(80), ImGuiID(FolderOrder::size));
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::secondary));
    ImGui::TableHeadersRow();
    ImGui::PopStyleColor();
    ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
    if (!specs || !specs->SpecsDirty || specs->SpecsCount == 0) return;
    specs->SpecsDirty = false;
    list.order = FolderOrder(specs->Specs[0].ColumnUserID);
    list.descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    sort(list);
}

}  // namespace

std::string size_text(uintmax_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    const double kib = double(bytes) / 1024;
    return kib < 1024 ? fmt::format("{:.0f} KiB", kib) : fmt::format("{:.1f} MiB", kib / 1024);
}

std::string date_text(std::time_t time) {
    char text[32] = "";
    std::tm parts{};
    if (time != 0 && localtime_r(&time, &parts)) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
    return text;
}

void read_folder(FileList& list, const std::filesystem::path& folder) {
    list.folder = without_end_slash(folder);
    list.listing = list_folder(list.folder, list.all_files);
    list.part.clear();
    sort(list);
}

void show_part(FileList& list, const std::string& part) {
    list.part = part;
    list.shown.clear();
    list.choice = 0;
    for (size_t i = 0; i < list.listing.entries.size(); ++i) {
        const std::string& name = list.listing.entries[i].name;
        if (!contains_ignoring_case(name, part)) continue;
        if (name == part) list.choice = int(list.shown.size());
        list.shown.push_back(i);
    }
}

FileListEvent file_list(const UiState& ui, Dialog which, FileList& list, float height) {
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_PadOuterX |
                                      ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_Sortable;
    FileListEvent event;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(gui::px(8), gui::px(3)));
    const float row_height = ImGui::GetTextLineHeight() + gui::px(6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const bool with_time = width >= gui::px(time_from);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, gui::packed(gui::colour::field),
                                              gui::px(4));
    if (ImGui::BeginTable(with_time ? "##files-and-times" : "##files", with_time ? 3 : 2, flags, {0, height})) {
        headings(list, with_time);
        if (move_choice(ui, which, list.choice, int(list.shown.size()), int(ImGui::GetWindowHeight() / row_height) - 1))
            list.reveal = true;
        for (int row = 0; row < int(list.shown.size()); ++row) {
            const FileListEvent one = entry_row(list, row, with_time);
            event.clicked |= one.clicked;
            event.activated |= one.activated;
        }
        nothing(list);
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    return event;
}

}  // namespace texelscope::panels
