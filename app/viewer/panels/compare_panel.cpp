// Compare: arrangement, the reference, the panes with a figure each.

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/studies/restoring/outside_methods.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

void arrangement(Scene& scene) {
    const std::array<gui::Segment, 5> segments = {{
        {"##single", "Single: only the active pane; Space flips to the next.", true, gui::cells_icon<1, 1>},
        {"##columns", "Side by side: all panes in one row.", true, gui::cells_icon<2, 1>},
        {"##rows", "Stacked: all panes in one column.", true, gui::cells_icon<1, 2>},
        {"##grid", "Grid: all panes in rows and columns.", true, gui::cells_icon<2, 2>},
        {"##wipe", "Wipe: A and B over each other, with a divider that follows the mouse; Shift+W holds it.", true,
         gui::wipe_icon},
    }};
    gui::label("Layout", "Arrangement of the panes in the picture area. Press G for the next one.");
    const int clicked = gui::segmented("arrangement", segments, int(scene.arrangement));
    if (clicked >= 0) arrange(scene, Arrangement(clicked));
    if (scene.arrangement != Arrangement::wipe) return;
    gui::label("Divider", "The divider between A and B follows the mouse.");
    gui::check("horizontal", scene.wipe.horizontal, "Horizontal divider: A above, B below. Off: A left, B right.",
               "wipe:horizontal");
    ImGui::SameLine();
    gui::check("stays", scene.wipe.held, "The divider stays where it is while the mouse moves (Shift+W).", "wipe:held");
}

void preset_menu(AppState& state) {
    if (!gui::begin_combo("##preset", "Presets")) {
        gui::tooltip(
            "Ready-made sets of panes. They replace the current panes; Ctrl+Z restores them. The reference stays, or a "
            "message says what it is now.");
        gui::note("preset");
        return;
    }
    for (const Preset& preset : all_presets()) {
        const bool enabled = !preset.enabled || preset.enabled(state);
        ImGui::BeginDisabled(!enabled);
        const size_t methods = all_methods().size();
        const bool some = preset.id == "all-methods" && methods > size_t(max_panes);
        const std::string left_out = some ? fmt::format(" ({} of {})", max_panes, methods) : "";
        if (ImGui::Selectable((std::string(preset.title) + left_out).c_str())) apply_preset(state, preset);
        ImGui::EndDisabled();
        gui::tooltip(enabled ? std::string(preset.tooltip) : "Open a second image first.");
        gui::note(fmt::format("preset:{}", preset.id));
    }
    ImGui::EndCombo();
}

// Where a row that is dragged would go.
struct PaneMove {
    int from = -1, to = -1;
    bool dropped = false;
};

// A line shows the place.
void drag_row(const Scene& scene, int pane, ImVec2 at, ImVec2 size, PaneMove& move) {
    const bool held = ImGui::IsItemActive(), dropped = ImGui::IsItemDeactivated();
    if (!held && !dropped) return;
    const float pitch = size.y + gui::px(1);
    const int rows = int(std::floor((ImGui::GetMousePos().y - at.y) / pitch));
    const int to = std::clamp(pane + rows, 0, int(scene.panes.size()) - 1);
    if (to == pane) return;
    move = {pane, to, dropped};
    const float y = at.y + float(to - pane + (to > pane)) * pitch - gui::px(1);
    ImGui::GetWindowDrawList()->AddLine({at.x, y}, {at.x + size.x, y}, gui::packed(gui::colour::accent), gui::px(2));
}

// The figure of a row; empty if there is none.
std::string row_figure(const AppState& state, int pane) {
    // Out of view, a pane keeps the figure of an older reference: not beside those of another one.
    const std::vector<int> seen = panes_in_view(state.scene);
    const bool in_view = std::find(seen.begin(), seen.end(), pane) != seen.end();
    const std::string known = in_view ? short_figure(state, pane) : "";
    // The reference is in the row above; what else a pane is against is named here.
    const bool own = compared_with(state.scene, pane) != Pane::reference_pane;
    return known.empty() || !own ? known : fmt::format("against {}: {}", reference_name(state.scene, pane), known);
}

float row_figure_width(const std::string& figure) {
    const ImFont* small = gui::theme().small;
    return small->CalcTextSizeA(small->FontSize, FLT_MAX, 0, figure.c_str()).x;
}

constexpr float row_padding = 6, badge_side = 20;  // units

// The labels of all rows, as long as all of them have space: what one row names, the others name too.
std::vector<std::vector<std::string>> row_labels(const AppState& state, float width) {
    std::vector<std::vector<std::string>> all;
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) all.push_back(pane_labels(state, pane));
    const auto has_space = [&](size_t level) {
        for (int pane = 0; pane < int(all.size()); ++pane) {
            const auto& labels = all[size_t(pane)];
            const float room =
                width - gui::px(4 * row_padding + badge_side) - row_figure_width(row_figure(state, pane));
            if (ImGui::CalcTextSize(labels[std::min(level, labels.size() - 1)].c_str()).x > room) return false;
        }
        return true;
    };
    size_t most = 0, level = 0;
    for (const auto& labels : all) most = std::max(most, labels.size());
    while (level + 1 < most && !has_space(level)) ++level;
    for (auto& labels : all)
        labels.erase(labels.begin(), labels.begin() + ptrdiff_t(std::min(level, labels.size() - 1)));
    return all;
}

// Badge, label, figure.
void pane_row(AppState& state, int pane, const std::vector<std::string>& labels, PaneMove& move) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float text = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x, pad = gui::px(row_padding);
    const float height = text + gui::px(6), y = at.y + gui::px(3);
    ImGui::PushID(pane);
    const bool clicked = ImGui::InvisibleButton("##pane", {width, height}), asks = ImGui::IsItemClicked(1);
    ImGui::PopID();
    gui::note(fmt::format("pane:{}", pane_name(pane)));
    drag_row(state.scene, pane, at, {width, height}, move);
    const bool active = pane == state.scene.active;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (active || ImGui::IsItemHovered())
        draw.AddRectFilled(at, {at.x + width, at.y + height},
                           gui::packed(active ? gui::faded(gui::colour::accent, 0.22f) : gui::colour::raised),
                           gui::px(4));
    const float badge = gui::px(badge_side);
    draw.AddRectFilled({at.x + pad, y}, {at.x + pad + badge, y + text + gui::px(1)},
                       gui::packed(gui::pane_colour(pane)), gui::px(3));
    const std::string name = pane_name(pane);
    draw.AddText(gui::theme().heading, text, {at.x + pad + (badge - ImGui::CalcTextSize(name.c_str()).x) / 2, y},
                 gui::packed(gui::pane_letter_colour(pane)), name.c_str());
    const PaneReport* report = report_of(state.report, pane);
    const std::string figure = row_figure(state, pane);
    const float right = at.x + width - pad - row_figure_width(figure), small = gui::theme().small->FontSize;
    draw.AddText(gui::theme().small, small, {right, at.y + (height - small) / 2},
                 gui::packed(report && report->outdated ? gui::colour::mark : gui::colour::secondary), figure.c_str());
    const float left = at.x + 2 * pad + badge;
    const std::string label = gui::fitting(labels, right - left - pad);
    draw.AddText({left, y}, gui::packed(gui::colour::text), label.c_str());
    gui::tooltip(figures_explained(state, pane));
    if (clicked) state.scene.active = pane;
    if (asks) state.ui.pane_menu = {pane, true};
}

// What the panel had below the list in the last frame.
float height_below_panes() { return ImGui::GetStateStorage()->GetFloat(ImGui::GetID("##below-panes")); }

// Many panes scroll within the list, so that what is below it stays in view: as many whole rows as there is space for.
void pane_rows(AppState& state) {
    constexpr int least = 4;
    const int count = int(state.scene.panes.size());
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gui::px(4), gui::px(1)));
    const float row = ImGui::GetFontSize() + gui::px(7),
                room = ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - height_below_panes();
    const int most = std::max(least, int(room / row));
    if (count > most) ImGui::BeginChild("##panes", {0, row * float(most)});
    PaneMove move;
    const auto labels = row_labels(state, ImGui::GetContentRegionAvail().x);
    for (int pane = 0; pane < count; ++pane) {
        pane_row(state, pane, labels[size_t(pane)], move);
        int& shown = state.ui.memory.pane_in_list;
        const int now = most * max_panes + pane;  // a lower list has to scroll anew
        if (count > most && pane == state.scene.active && shown != now) {
            shown = now;
            ImGui::SetScrollHereY();
        }
    }
    if (count > most) ImGui::EndChild();
    ImGui::PopStyleVar();
    if (move.dropped) move_pane(state.scene, move.from, move.to);
    ImGui::GetStateStorage()->SetFloat(ImGui::GetID("##panes-hidden"), row * float(std::max(count - most, 0)));
    ImGui::GetStateStorage()->SetFloat(ImGui::GetID("##panes-end"), ImGui::GetCursorPosY());
}

void pane_list(AppState& state) {
    pane_rows(state);
    ImGui::Dummy({0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gui::px(4), ImGui::GetStyle().ItemSpacing.y));
    const bool one_row = gui::roomy();
    const int of = one_row ? 0 : 2;
    action_button(state, "Add", "compare.add", of);
    ImGui::SameLine();
    action_button(state, "Remove", "compare.remove", of);
    if (one_row) ImGui::SameLine();
    action_button(state, state.scene.pane().own_view ? "Link" : "Unlink", "compare.link", of);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-FLT_MIN);
    preset_menu(state);
    ImGui::PopStyleVar();
}

void reference_list(Scene& scene, UiState& ui) {
    bool offered = false;
    for (const ReferenceChoice& choice : reference_choices(scene)) {
        if (offered && !choice.offered) ImGui::Separator();
        offered = choice.offered;
        const bool is_image = choice.reference.kind == Reference::Kind::image;
        const std::string text = is_image ? fmt::format("{}##{}", choice.title, choice.reference.source) : choice.title;
        ImGui::BeginDisabled(!choice.enabled);
        if (ImGui::Selectable(text.c_str(), choice.chosen)) choose_reference(scene, ui, choice.reference);
        ImGui::EndDisabled();
        gui::tooltip(choice.tooltip);
        gui::note((is_image ? "reference-image:" : "reference:") + choice.id);
    }
}

std::string reference_preview(const Scene& scene) {
    const Reference& reference = scene.reference;
    if (reference.kind == Reference::Kind::own) return "Own method, exact";
    if (reference.kind == Reference::Kind::method && reference.spec.method)
        return std::string(reference.spec.method->name);
    if (reference.kind == Reference::Kind::truth) return "The formula";
    const Document* document = document_named(scene, reference.source);
    return document ? document->title() : "none";
}

void reference_row(AppState& state) {
    const std::string tip = fmt::format(
        "What the figures are measured against: {}. Hold Shift over a pane to see it.\n\nThe "
        "figures cover the visible part, or the region dragged with the right button.\n\nHelp ▸ What do these numbers "
        "mean? explains them.",
        scene_reference_words(state.scene));
    gui::label("Reference", tip);
    if (gui::begin_combo("##reference", reference_preview(state.scene).c_str())) {
        reference_list(state.scene, state.ui);
        ImGui::EndCombo();
        return;
    }
    gui::tooltip(tip);
    gui::note("reference");
    for (const std::string* why : {&state.report.findings.no_metrics, &state.report.findings.no_psnr})
        if (!why->empty()) gui::remark(*why);
}

}  // namespace

void note_end_of_panel() {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const float below = ImGui::GetCursorPosY() - storage.GetFloat(ImGui::GetID("##panes-end"));
    storage.SetFloat(ImGui::GetID("##below-panes"), below + ImGui::GetStyle().WindowPadding.y);
    // The list of methods takes what is left, once that of panes has what it needs.
    const float below_methods = ImGui::GetCursorPosY() - storage.GetFloat(ImGui::GetID("##methods-end"));
    storage.SetFloat(ImGui::GetID("##below-methods"), below_methods + storage.GetFloat(ImGui::GetID("##panes-hidden")) +
                                                          ImGui::GetStyle().WindowPadding.y);
}

void compare(AppState& state) {
    const bool open = gui::section("Compare", true);
    gui::note("section:Compare");
    if (!open || !state.scene.document()) return;
    arrangement(state.scene);
    reference_row(state);
    pane_list(state);
    ImGui::Dummy({0, gui::px(4)});
}

}  // namespace texelscope::panels

namespace texelscope::panels {

// The dialog "Outside program": a command that enlarges the picture, how much, and examples.

namespace {

void example_list(ProgramUi& ui) {
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (!gui::begin_combo("##examples", "Examples")) {
        gui::tooltip("Commands of programs that many systems have. What is not installed says so when it runs.");
        gui::note("program:examples");
        return;
    }
    for (const ExampleCommand& example : example_commands()) {
        if (ImGui::Selectable(example.name)) ui.command = example.command;
        gui::tooltip(example.command);
        gui::note(fmt::format("program:example-{}", example.name));
    }
    ImGui::EndCombo();
}

void factor_row(ProgramUi& ui) {
    constexpr std::array<double, 4> factors = {2, 3, 4, 8};
    std::array<gui::Segment, factors.size()> segments = {
        {{"×2", "Twice as wide and high."}, {"×3", "Three times."}, {"×4", "Four times."}, {"×8", "Eight times."}}};
    int chosen = -1;
    for (size_t k = 0; k < factors.size(); ++k)
        if (ui.factor == factors[k]) chosen = int(k);
    field_label("Enlarge",
                "How many times as wide and high the result is: {factor}, {width} and {height} of the command.");
    if (const int clicked = gui::segmented("program:factor", segments, chosen); clicked >= 0)
        ui.factor = factors[size_t(clicked)];
}

}  // namespace

void program(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::program)) return;
    ProgramUi& ui = state.ui.program;
    begins_anew(state.ui, Dialog::program);
    gui::wrapped_text(
        "The shell runs this command. {in} is a file with the picture of the active pane and {out} the one that it must write, "
        "PNG, or {in.npy} and {out.tif} with floats; {width} and {height} are those of the result.");
    ImGui::SetNextItemWidth(-FLT_MIN);
    focus_here(state.ui, Dialog::program);
    bool runs = ImGui::InputText("##command", &ui.command, ImGuiInputTextFlags_EnterReturnsTrue);
    gui::note("program:command");
    example_list(ui);
    factor_row(ui);
    gui::remark("At most 60 seconds and 4 GiB. It runs with your rights.", false);
    if (!ui.refused.empty()) {
        gui::wrapped_text(ui.refused, gui::colour::warning);
        gui::note("program:refused");
    }
    ImGui::Dummy({0, gui::px(4)});
    runs = entered(state.ui, Dialog::program) || runs;
    runs = ending_buttons(state.ui, Dialog::program, "Run", "program:run",
                          "The active pane shows what the program makes.") ||
           runs;
    if (runs) try {
            program_method(ui.command, {});
            ui.refused.clear();
            state.ui.dialogs.close(Dialog::program);
            state.tasks.push_back(task::RunProgram{ui.command, ui.factor});
        } catch (const UsageError& error) {
            ui.refused = error.what();
        }
    end_dialog();
}

}  // namespace texelscope::panels
