#include "app/viewer/panels/panels.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>

#include "app/files/codecs/codecs.h"
#include "app/state/readout_text.h"
#include "app/text/glossary.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

void action_button(AppState& state, const char* text, std::string_view action_id, int of) {
    const Action* action = find_action(action_id);
    if (!action) return;
    const std::string keys = action->shortcut_text();
    const std::string tip = keys.empty() ? action->tooltip : fmt::format("{}\n{}", action->tooltip, keys);
    ImGui::BeginDisabled(!action->is_enabled(state));
    if (gui::row_button(text, of, tip)) action->perform(state);
    ImGui::EndDisabled();
    gui::note(action_id);
}

void failure_row(const UiState& ui, Dialog dialog) {
    const std::string why = why_not_written(ui, dialog);
    if (why.empty()) return;
    gui::wrapped_text(why, gui::colour::error);
    gui::note("not-written");
}

namespace {

// The colours from low to high.
void swatch(ImVec2 low, ImVec2 size, ColourMap map) {
    const auto& colours = colour_table(map);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    constexpr int steps = 16;
    for (int k = 0; k < steps; ++k) {
        const ImU32 a = colours[size_t(255 * k / steps)], b = colours[size_t(255 * (k + 1) / steps)];
        const float x = low.x + size.x * float(k) / steps, end = low.x + size.x * float(k + 1) / steps;
        draw.AddRectFilledMultiColor({x, low.y}, {end, low.y + size.y}, a, b, b, a);
    }
}

// "like inferno"; empty if the name says it.
std::string_view familiar_name(std::string_view meaning) {
    const size_t at = meaning.find("like ");
    return at == std::string_view::npos ? "" : meaning.substr(at, meaning.size() - 1 - at);
}

}  // namespace

void colour_map_list(const std::string& id, ColourMap& map, const char* none, const char* tip) {
    const auto title = [&](ColourMap of) { return of == ColourMap::channels ? none : row_of(of).label().data(); };
    const ImVec2 at = ImGui::GetCursorScreenPos(), mark{gui::px(44), gui::px(10)};
    const float height = ImGui::GetFrameHeight(), width = ImGui::CalcItemWidth();
    const bool open = gui::begin_combo(("##" + id).c_str(), title(map));
    if (map != ColourMap::channels)
        swatch({at.x + width - mark.x - gui::px(28), at.y + (height - mark.y) / 2}, mark, map);
    if (!open) {
        gui::tooltip(tip);
        gui::note(id);
        return;
    }
    const float names = gui::px(72), words = names + ImGui::CalcTextSize("like coolwarm").x + gui::px(12);
    for (const auto& row : colour_maps) {
        const ImVec2 low = ImGui::GetCursorScreenPos();
        const float whole = std::max(words + mark.x + gui::px(4), ImGui::GetContentRegionAvail().x);
        if (ImGui::Selectable(title(row.value), row.value == map, 0, {whole, 0})) map = row.value;
        gui::tooltip(row.meaning);
        gui::note(fmt::format("{}:{}", id, title(row.value)));
        if (row.value == ColourMap::channels) continue;
        const std::string_view like = familiar_name(row.meaning);
        ImGui::GetWindowDrawList()->AddText({low.x + names, low.y}, gui::packed(gui::colour::secondary), like.data(),
                                            like.data() + like.size());
        swatch({low.x + whole - mark.x - gui::px(4), low.y + (ImGui::GetTextLineHeight() - mark.y) / 2}, mark,
               row.value);
    }
    ImGui::EndCombo();
}

bool pixels_field(const char* id, int& value, const char* tip) {
    const int before = value;
    ImGui::SetNextItemWidth(gui::px(88));
    ImGui::PushFont(gui::theme().mono);
    ImGui::InputInt(id, &value, 0, 0);
    ImGui::PopFont();
    gui::tooltip(tip);
    gui::note(id + 2);
    return value != before;
}

gui::CodeErrors code_errors(const std::vector<WeightProblem>& problems) {
    gui::CodeErrors errors;
    for (const WeightProblem& problem : problems) errors.push_back({problem.line, problem.column, problem.sentence});
    return errors;
}

void problems_of_all(const std::vector<WeightProblem>& problems, const std::string& name) {
    for (const WeightProblem& problem : problems) {
        if (problem.line > 0) continue;
        gui::wrapped_text(problem.sentence, gui::colour::error);
        gui::note(name);
    }
}

void format_row(std::string& path, const std::string& name) {
    const char* tip = "File format; it is the extension of the path.";
    gui::label("Format", tip);
    const Codec* current = codec_of_extension(path);
    const std::string now = current && writable(*current) ? std::string(current->name) : "choose by extension";
    if (!gui::begin_combo("##format", now.c_str())) {
        gui::tooltip(tip);
        gui::note(name);
        return;
    }
    for (const Codec* codec : codecs()) {
        if (!writable(*codec)) continue;
        const std::string extension(codec->extensions.substr(0, codec->extensions.find(' ')));
        if (ImGui::Selectable(fmt::format("{}  .{}", codec->name, extension).c_str(), codec == current))
            path = std::filesystem::path(path).replace_extension(extension).string();
        gui::note(name + ":" + extension);
    }
    ImGui::EndCombo();
}

// The address modes: how the image continues beyond its edges. A row of the method's section.

namespace {

// Its term as it fits two in a row, which the list and the tooltip explain.
std::string short_name(AddressMode mode) {
    return mode == AddressMode::reflect101 ? "reflect" : std::string(name_of(mode));
}

// True if one was chosen.
bool mode_combo(const char* id, const char* axis, const char* tip, AddressMode& mode) {
    bool picked = false;
    if (gui::begin_combo(id, short_name(mode).c_str())) {
        ImGui::TextDisabled("%s", tip);
        gui::note(fmt::format("address:{}:axis", axis));
        for (const auto& row : address_modes) {
            if (ImGui::Selectable(fmt::format("{}: {}", row.name, row.title).c_str(), row.value == mode)) {
                mode = row.value;
                picked = true;
            }
            gui::tooltip(row.meaning);
            gui::note(fmt::format("address:{}:{}", axis, row.name));
        }
        ImGui::EndCombo();
        return picked;
    }
    gui::tooltip(fmt::format("{} Now {}: {}.\nPress A for the next mode on both axes.", tip, name_of(mode),
                             row_of(mode).meaning));
    gui::note(fmt::format("address:{}", axis));
    return false;
}

void border_field(AppState& state, const BorderValue& border) {
    const ValueScale scale = value_scale(state, state.scene.active);
    const std::string range = scale.range();
    const std::string tip = fmt::format(
        "What is beyond an edge whose address mode is border: one number for all channels, alpha included, or one for each "
        "channel with spaces between{}.\n0 is black, and transparent in a picture with alpha.",
        range.empty() ? "" : fmt::format(". The picture's own values are {}", range));
    gui::label("Border value", tip);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    gui::input_text("##border", border_text(border, scale.factor()), [&](const std::string& text) {
        return type_border(state.scene, state.messages, text, scale.factor());
    });
    gui::tooltip(tip);
    gui::note("address:border-value");
}

}  // namespace

void address_row(AppState& state) {
    AddressPair pair = state.scene.spec().address;
    const std::string tip =
        with_terms("How the picture goes on beyond its edges, along x and along y.", {"address mode"});
    const float gap = gui::px(4), arrow = gui::px(28),
                half = (ImGui::GetContentRegionAvail().x - gui::column() - gap) / 2;
    const bool beside = half >= ImGui::CalcTextSize("border").x + arrow;
    gui::label(beside ? "Edges x, y" : "Edges x", tip);
    ImGui::SetNextItemWidth(beside ? half : -FLT_MIN);
    const bool x = mode_combo("##x", "x", "Along x, left and right of the image.", pair.x);
    if (beside) ImGui::SameLine(0, gap);
    else gui::label("Edges y", tip);
    ImGui::SetNextItemWidth(beside ? half : -FLT_MIN);
    const bool y = mode_combo("##y", "y", "Along y, above and below the image.", pair.y);
    if (x || y) choose_address(state.scene, pair);
    if (pair.has_border()) border_field(state, pair.border);
}

}  // namespace texelscope::panels
