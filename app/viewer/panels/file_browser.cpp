// A window to choose an image or a session in.

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/files/folder_listing.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

namespace fs = std::filesystem;

// State that the window keeps while it is open.
struct Browser {
    fs::path folder;
    std::string typed, filter;
    FolderListing listing;
    bool all_files = false, fresh = true;
};

void enter(Browser& browser, const fs::path& folder) {
    browser.folder = folder.lexically_normal();
    browser.listing = list_folder(browser.folder, browser.all_files);
    browser.typed.clear();
    browser.filter.clear();
}

void open(AppState& state, Browser& browser, const fs::path& path) {
    std::error_code error;
    const fs::path full = path.is_absolute() ? path : browser.folder / path;
    if (fs::is_directory(full, error)) {
        enter(browser, full);
        return;
    }
    state.tasks.push_back(task::Open{full.string()});
    state.ui.browser = false;
}

void top_row(AppState& state, Browser& browser) {
    if (ImGui::Button("Up") && browser.folder.has_parent_path()) enter(browser, browser.folder.parent_path());
    gui::tooltip("Parent folder.");
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

std::string size_text(uintmax_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    const double kib = double(bytes) / 1024;
    return kib < 1024 ? fmt::format("{:.0f} KiB", kib) : fmt::format("{:.1f} MiB", kib / 1024);
}

void table(AppState& state, Browser& browser, float height) {
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_NoSavedSettings;
    ImGui::PushStyleColor(ImGuiCol_TableRowBg, ImVec4(gui::colour::field));
    ImGui::PushStyleColor(ImGuiCol_TableRowBgAlt, ImVec4(gui::colour::field));
    if (ImGui::BeginTable("##files", 2, flags, {0, height})) {
        ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
        ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed, gui::px(88));
        std::optional<fs::path> chosen;
        for (const FolderEntry& entry : browser.listing.entries) {
            if (!contains_ignoring_case(entry.name, browser.filter)) continue;
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            const std::string shown = entry.folder ? entry.name + "/" : entry.name;
            if (ImGui::Selectable(shown.c_str(), browser.typed == entry.name,
                                  ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick)) {
                browser.typed = entry.name;
                if (ImGui::IsMouseDoubleClicked(0)) chosen = entry.name;
            }
            gui::note("browser:" + entry.name);
            ImGui::TableNextColumn();
            if (!entry.folder) {
                const std::string size = size_text(entry.bytes);
                ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x -
                                     ImGui::CalcTextSize(size.c_str()).x - gui::px(8));
                ImGui::TextDisabled("%s", size.c_str());
            }
        }
        ImGui::EndTable();
        if (chosen) open(state, browser, *chosen);
    }
    ImGui::PopStyleColor(2);
}

void bottom_rows(AppState& state, Browser& browser) {
    gui::label("Name", "Name in this folder, or a full path. Enter opens it.");
    const bool entered = ImGui::InputText("##name", &browser.typed, ImGuiInputTextFlags_EnterReturnsTrue);
    gui::tooltip("Name in this folder, or a full path. Enter opens it.");
    gui::note("browser:name");
    gui::label("Find", "Shows only names that contain this.");
    ImGui::SetNextItemWidth(-gui::px(110));
    ImGui::InputText("##find", &browser.filter);
    gui::tooltip("Shows only names that contain this.");
    ImGui::SameLine();
    if (gui::check("all files", browser.all_files)) enter(browser, browser.folder);
    gui::tooltip("Off: folders, sessions and the image files that can be read. On: hidden and other files too.");
    ImGui::Dummy({0, gui::px(2)});
    const bool pressed = gui::row_button("Open", 2, "Open the file, or enter the folder.");
    ImGui::SameLine();
    if (gui::row_button("Cancel", 2, "Esc")) state.ui.browser = false;
    if ((entered || pressed) && !browser.typed.empty()) open(state, browser, browser.typed);
}

void start(const AppState& state, Browser& browser) {
    std::error_code error;
    const Document* document = state.scene.document();
    fs::path folder = document && document->is_file() ? fs::path(document->source).parent_path() : browser.folder;
    if (folder.empty() || !fs::is_directory(folder, error)) folder = fs::current_path(error);
    enter(browser, folder);
}

}  // namespace

void file_browser(AppState& state) {
    static Browser browser;
    if (!state.ui.browser) {
        browser.fresh = true;
        return;
    }
    if (browser.fresh) start(state, browser);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(gui::px(640), screen.x), std::min(gui::px(520), screen.y)}, ImGuiCond_Appearing);
    if (ImGui::Begin("Open an image or a session", &state.ui.browser,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
        top_row(state, browser);
        const float below = 3 * ImGui::GetFrameHeightWithSpacing() + gui::px(8);
        if (!browser.listing.problem.empty())
            ImGui::TextColored(gui::colour::error, "%s", browser.listing.problem.c_str());
        table(state, browser, -below);
        bottom_rows(state, browser);
    }
    ImGui::End();
    browser.fresh = false;
}

}  // namespace texelscope::panels
