// Image: its name and properties, and other images to open.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/files/bytes/parts.h"
#include "app/files/metadata/metadata.h"
#include "app/files/test_images/test_images.h"
#include "app/text/text.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

const char* words_of(Alpha alpha) {
    switch (alpha) {
        case Alpha::none: return "no alpha";
        case Alpha::straight: return "opacity beside the colours (straight alpha)";
        case Alpha::premultiplied: return "colours times opacity (premultiplied alpha)";
    }
    return "";
}

// The open images: a click shows one, its cross closes it.
void opened(const Scene& scene, Tasks& tasks) {
    const float side = ImGui::GetTextLineHeight(), gap = ImGui::GetStyle().ItemSpacing.x;
    float width = ImGui::GetContentRegionAvail().x - side - gap;
    for (const Document& each : scene.documents) width = std::max(width, ImGui::CalcTextSize(each.title().c_str()).x);
    for (size_t i = 0; i < scene.documents.size(); ++i) {
        const Document& each = scene.documents[i];
        ImGui::PushID(int(i));
        if (ImGui::Selectable(each.title().c_str(), int(i) == scene.current, ImGuiSelectableFlags_None, {width, 0}))
            tasks.push_back(task::ShowDocument{int(i)});
        gui::tooltip(each.source);
        gui::note("image:opened:" + each.title());
        ImGui::SameLine(0, gap);
        if (gui::close_button("##close", side)) {
            tasks.push_back(task::Close{each.source});
            ImGui::CloseCurrentPopup();
        }
        gui::tooltip(fmt::format("Close {}. Panes that show it show the current image instead.", each.title()));
        gui::note("image:close:" + each.title());
        ImGui::PopID();
    }
}

void description(const Scene& scene, Tasks& tasks, const Document& document) {
    gui::label("Name", document.source);
    if (scene.documents.size() < 2) {
        ImGui::AlignTextToFramePadding();
        gui::elided(document.title(), ImGui::GetContentRegionAvail().x);
    } else if (gui::begin_combo("##opened", document.title().c_str())) {
        opened(scene, tasks);
        ImGui::EndCombo();
    } else {
        gui::tooltip("The open images: click to show one, or its cross to close it.");
        gui::note("image:opened");
    }
    gui::label("Samples", "Width × height, sample type, and number of channels.");
    ImGui::AlignTextToFramePadding();
    gui::number(describe(*document.image));
    const Image& image = *document.image;
    gui::tooltip(image.in_memory()
                     ? fmt::format("{:.1f} MiB, {}", double(image.size_bytes()) / (1 << 20), words_of(image.alpha()))
                     : fmt::format("Read by regions: it is too large for memory. {}", words_of(image.alpha())));
    if (document.image->alpha() != Alpha::none)
        gui::remark(fmt::format("{}; interpolated as colours times opacity", words_of(document.image->alpha())));
}

void information_row(AppState& state) {
    const Action& action = *find_action("file.information");
    gui::label("Metadata", action.tooltip);
    if (ImGui::Button(action.title.c_str(), {ImGui::GetContentRegionAvail().x, 0})) action.perform(state);
    gui::tooltip(action.tooltip);
    gui::note("image:information");
}

void part_row(AppState& state, const std::vector<PictureFacts::Part>& parts) {
    constexpr const char* tip = "The page, frame, layer or subimage of the file. , and . step through them.";
    const int shown = shown_part(state);
    gui::label("Part", tip);
    if (gui::begin_combo("##part", words_of_part(parts, shown).c_str())) {
        for (size_t i = 0; i < parts.size(); ++i) {
            const auto& [name, width, height, channels] = parts[i];
            ImGui::PushID(int(i));
            const std::string text = fmt::format("{}{}{}  {}×{}", i + 1, name.empty() ? "" : ": ", name, width, height);
            if (ImGui::Selectable(text.c_str(), int(i) == shown)) choose_part(state, int(i));
            gui::tooltip(fmt::format("Channels: {}", fmt::join(channels, ", ")));
            gui::note(fmt::format("image:part:{}", i + 1));
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    gui::tooltip(tip);
    gui::note("image:part");
    if (gui::row_button("Previous", 2, "Show the part before this one. Key: ,")) step_part(state, -1);
    gui::note("image:previous-part");
    ImGui::SameLine();
    if (gui::row_button("Next", 2, "Show the part after this one. Key: .")) step_part(state, +1);
    gui::note("image:next-part");
}

void channels_row(AppState& state, const PictureFacts& facts, const PictureChoice& choice) {
    const size_t part = facts.parts.size() > 1 ? size_t(shown_part(state)) : 0;
    if (part >= facts.parts.size()) return;
    const std::vector<std::string>& channels = facts.parts[part].channels;
    if (channels.size() <= 4 && choice.channels.empty()) return;
    const std::string tip = fmt::format("Which of the {} channels are read, up to four at a time.", channels.size());
    gui::label("Channels", tip);
    std::vector<std::string> read = choice.channels;
    if (read.empty() && size_t(facts.part) == part)
        for (const int channel : facts.channels) read.push_back(channels.at(size_t(channel)));
    const std::vector<ChannelGroup> groups = channel_groups(channels);
    const auto shown = std::ranges::find(groups, read, &ChannelGroup::channels);
    const std::string preview = shown == groups.end() ? fmt::format("{}", fmt::join(read, ", ")) : shown->title;
    if (gui::begin_combo("##channels", preview.c_str())) {
        for (const auto& [title, names] : groups) {
            if (ImGui::Selectable(title.c_str(), names == choice.channels))
                choose_channels(state.scene, state.tasks, names);
            gui::tooltip(names.empty() ? "R, G, B and A if the file has them, else the first ones."
                                       : fmt::format("{}", fmt::join(names, ", ")));
            gui::note(fmt::format("image:channels:{}", title));
        }
        ImGui::EndCombo();
    }
    gui::tooltip(tip);
    gui::note("image:channels");

    constexpr const char* typing = "1 to 4 channels by name or number, with commas between them. Enter reads them.";
    std::string& typed = state.ui.memory.channel_list;
    gui::label("Channel list", typing);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const std::string hint = fmt::format(
        "{}", fmt::join(channels.begin(), channels.begin() + std::min<ptrdiff_t>(2, std::ssize(channels)), ","));
    if (ImGui::InputTextWithHint("##typed-channels", hint.c_str(), &typed, ImGuiInputTextFlags_EnterReturnsTrue) &&
        !typed.empty())
        choose_typed_channels(state, typed);
    gui::tooltip(typing);
    gui::note("image:channel-list");
}

void orientation_row(AppState& state, const PictureFacts& facts) {
    if (facts.orientation == 1) return;
    const std::string tip = fmt::format(
        "The file stores the picture {} (EXIF orientation {}). Off: the rows as they are stored, in all files.",
        words_of_orientation(facts.orientation), facts.orientation);
    gui::label("Orientation", tip);
    bool upright = is_upright(state.scene, state.ui);
    if (gui::check("upright", upright, tip, "image:upright")) set_upright(state.tasks, upright);
}

// What there is to choose in its file.
void file_rows(AppState& state, const Document& document) {
    const PictureFacts* facts = shown_facts(state);
    if (!facts) return;
    if (const auto parts = parts_to_step_through(*facts); parts.size() > 1) part_row(state, parts);
    channels_row(state, *facts, parse_picture_source(document.source).choice);
    orientation_row(state, *facts);
}

void unit_row(UiState& ui) {
    gui::label("Values", "The unit of all values and errors: on the picture, in the status bar, figures and plots.");
    ValueUnit unit = ui.value_unit;
    if (segmented_choice("values", unit)) choose_value_unit(ui, unit);
}

void open_row(UiState& ui, Tasks& tasks) {
    std::string& typed = ui.memory.path;
    gui::label("Open", "Type a path and press Enter, drop files on the window, or choose from a list (Ctrl+O).");
    const float button = ImGui::CalcTextSize("…").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gui::px(4));
    if (ImGui::InputTextWithHint("##path", "path", &typed, ImGuiInputTextFlags_EnterReturnsTrue) && !typed.empty())
        tasks.push_back(task::Open{typed});
    gui::tooltip("Path of an image file; Enter opens it.");
    gui::note("image:path");
    ImGui::SameLine(0, gui::px(4));
    if (ImGui::Button("…", {button, 0})) ui.dialogs.open(Dialog::browser);
    gui::tooltip("Choose a file from a list (Ctrl+O).");
}

// The current test image; null if it is a file.
const TestImage* shown_test_image(const Scene& scene) {
    const Document* document = scene.document();
    if (!document || document->is_file()) return nullptr;
    return find_test_image(document->source.substr(1, document->source.find(':') - 1));
}

void test_image_rows(const Scene& scene, Tasks& tasks) {
    const TestImage* current = shown_test_image(scene);
    gui::label("Test image", "Standard pictures for judging interpolation, generated at any size.");
    if (gui::begin_combo("##test-image", current ? std::string(current->name).c_str() : "choose")) {
        for (const TestImage& test : test_images()) {
            if (ImGui::Selectable(std::string(test.name).c_str(), &test == current))
                tasks.push_back(task::Open{fmt::format("@{}", test.id)});
            gui::tooltip(test.summary);
            gui::note(fmt::format("image:test:{}", test.id));
        }
        ImGui::EndCombo();
    }
    gui::tooltip(current ? current->summary : "");
    gui::note("image:test");
    if (!current) return;

    constexpr const char* tip = "Samples along each side of the test image, 1 … 16384. Enter generates it.";
    gui::label("Size", tip);
    int size = scene.document()->image ? scene.document()->image->width() : 0;
    ImGui::PushFont(gui::theme().mono);
    if (ImGui::InputInt("##size", &size, 0, 0, ImGuiInputTextFlags_EnterReturnsTrue))
        tasks.push_back(task::Open{fmt::format("@{}:{}", current->id, std::clamp(size, 1, 16384)), true});
    ImGui::PopFont();
    gui::tooltip(tip);
    gui::note("image:size");
}

void recent_row(const UiState& ui, Tasks& tasks) {
    if (ui.recent.empty()) return;
    gui::label("Recent", "Recently opened files, newest first.");
    if (!gui::begin_combo("##recent", "choose")) return;
    for (const std::string& path : ui.recent) {
        ImGui::PushID(path.c_str());
        if (ImGui::Selectable(path.substr(path.find_last_of('/') + 1).c_str())) tasks.push_back(task::Open{path});
        gui::tooltip(path);
        ImGui::PopID();
    }
    ImGui::EndCombo();
}

}  // namespace

void image(AppState& state) {
    const bool open = gui::section("File###Image", gui::tall(1400));
    gui::note("section:Image");
    if (!open) return;
    if (const Document* document = state.scene.document(); document && document->image) {
        description(state.scene, state.tasks, *document);
        file_rows(state, *document);
        information_row(state);
    }
    unit_row(state.ui);
    open_row(state.ui, state.tasks);
    test_image_rows(state.scene, state.tasks);
    recent_row(state.ui, state.tasks);
}

// What the shown file says of itself: rows of names and values, filtered by what is typed.

namespace {

using Rows = std::vector<MetadataRow>;

constexpr float name_width = 220;  // units

// What is typed and chosen while the dialog is open.
using Search = PanelMemory::Search;

// Why there are no rows, if so.
std::string reason_for_none(const Scene& scene, const FileReport& file) {
    if (!scene.document()) return "No picture is open.";
    if (file.source != scene.document()->source) return "Reading…";
    return file.problem.empty() ? "The file says nothing of itself." : file.problem;
}

Rows all_rows(const Scene& scene, const FileReport& file) {
    const Document* document = scene.document();
    if (!document) return {};
    if (document->is_file()) return file.source == document->source ? file.facts.metadata : Rows{};
    if (!document->image) return {};
    const Image& image = *document->image;
    PictureFacts facts;
    facts.parts = {{"", image.width(), image.height(), usual_channel_names(image.channels(), image.alpha())}};
    facts.shape = {image.width(), image.height(), image.channels(), image.type(), image.alpha()};
    facts.frame = image.frame();
    facts.missing = image.missing();
    Rows rows = rows_of_picture(facts);
    rows.insert(rows.begin(), {"Picture", "Name", document->source});
    return rows;
}

Rows matching(const Rows& rows, const std::string& typed) {
    Rows found;
    std::ranges::copy_if(rows, std::back_inserter(found), [&](const MetadataRow& row) {
        return contains_ignoring_case(row.group, typed) || contains_ignoring_case(row.name, typed) ||
               contains_ignoring_case(row.value, typed);
    });
    return found;
}

void copy_row(Tasks& tasks, const MetadataRow& row) {
    tasks.push_back(task::CopyText{fmt::format("{}: {}", row.name, row.value)});
}

void heading(const std::string& group) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Dummy({0, gui::px(2)});
    ImGui::PushFont(gui::theme().heading);
    ImGui::TextUnformatted(group.c_str());
    ImGui::PopFont();
    ImGui::TableNextColumn();
}

// A click chooses it, two copy it. Long values are wrapped.
void show_row(Tasks& tasks, const MetadataRow& row, int i, Search& search, bool reveal) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(i);
    const float width = ImGui::GetContentRegionAvail().x;
    const float wrap = ImGui::GetWindowContentRegionMax().x - gui::px(name_width) - gui::px(16);
    const std::string value = gui::broken(row.value, std::max(wrap, gui::px(80)));
    const ImVec2 place = ImGui::GetCursorPos(), extent = ImGui::CalcTextSize(value.c_str());
    if (ImGui::Selectable("##row", i == search.choice,
                          ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick,
                          {0, std::max(extent.y, ImGui::GetTextLineHeight())})) {
        search.choice = i;
        if (ImGui::IsMouseDoubleClicked(0)) copy_row(tasks, row);
    }
    gui::tooltip("Enter or a double click copies the row.");
    gui::note("information:" + row.name);
    if (reveal && i == search.choice) ImGui::SetScrollHereY();
    ImGui::SetCursorPos(place);
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::secondary));
    ImGui::TextUnformatted(gui::shortened(row.name, width).c_str());
    ImGui::PopStyleColor();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
    ImGui::PopID();
}

void table(const UiState& ui, Tasks& tasks, const Rows& rows, Search& search) {
    const bool moved = move_choice(ui, Dialog::information, search.choice, int(rows.size()), 16);
    if (!ImGui::BeginTable("##rows", 2, ImGuiTableFlags_NoSavedSettings)) return;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, gui::px(name_width));
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    for (size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].group != rows[i - 1].group) heading(rows[i].group);
        show_row(tasks, rows[i], int(i), search, moved);
    }
    ImGui::EndTable();
}

void buttons(UiState& ui, Tasks& tasks, const Rows& shown, const Search& search) {
    ImGui::BeginDisabled(shown.empty());
    if (gui::row_button("Copy row", 3, "Copy the chosen row as text. Enter"))
        copy_row(tasks, shown[size_t(search.choice)]);
    gui::note("information:copy-row");
    ImGui::SameLine();
    if (gui::row_button("Copy all", 3, "Copy all rows that are shown as text."))
        tasks.push_back(task::CopyText{text_of(shown), fmt::format("{} rows", shown.size())});
    gui::note("information:copy-all");
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (gui::row_button("Close", 3, "Close the dialog (Esc).")) ui.dialogs.close(Dialog::information);
}

}  // namespace

void information(AppState& state) {
    Search& search = state.ui.memory.information;
    if (!begin_dialog(state.ui, state.places, Dialog::information)) return;
    if (begins_anew(state.ui, Dialog::information)) search = {};
    const Rows all = all_rows(state.scene, state.report.file);
    focus_here(state.ui, Dialog::information);
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::InputTextWithHint("##find", "Find in names and values", &search.typed);
    if (ImGui::IsItemEdited()) search.choice = 0;
    gui::note("information:find");
    const Rows shown = matching(all, search.typed);
    search.choice = std::clamp(search.choice, 0, std::max(int(shown.size()) - 1, 0));
    ImGui::BeginChild("##list", {0, -ImGui::GetFrameHeightWithSpacing() - gui::px(4)});
    if (all.empty()) gui::remark(reason_for_none(state.scene, state.report.file), false);
    else if (shown.empty()) gui::remark(fmt::format("No row contains “{}”.", search.typed), false);
    else table(state.ui, state.tasks, shown, search);
    ImGui::EndChild();
    buttons(state.ui, state.tasks, shown, search);
    if (!shown.empty() && key_pressed(state.ui, Dialog::information, ImGuiKey_Enter))
        copy_row(state.tasks, shown[size_t(search.choice)]);
    end_dialog();
}

}  // namespace texelscope::panels
