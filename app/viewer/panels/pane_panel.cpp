// Active pane: its name, its image, its view within the others', its difference, and all its figures.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

void pane_name_row(Scene& scene) {
    const char* tip = "Your own name for the active pane; if empty, its method in words.";
    gui::label("Label", tip);
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::InputTextWithHint("##pane-label", "method in words", &scene.pane().label);
    gui::tooltip(tip);
    gui::note("pane-label");
}

void offset_field(const char* name, const char* id, double& value, const char* format, const char* tip) {
    gui::label(name, tip);
    gui::input_double(id, value, format);
    gui::tooltip(tip);
    gui::note(id + 2);
}

// The relation of the active pane's view to that of the others.
void offset_rows(Scene& scene) {
    Pane& pane = scene.pane();
    if (scene.panes.size() < 2 || pane.own_view) return;
    if (!ImGui::TreeNodeEx("View offset", ImGuiTreeNodeFlags_SpanAvailWidth)) {
        gui::tooltip("Difference between the active pane's view and that of the others.");
        gui::note("offset");
        return;
    }
    View offset = pane.offset;
    offset_field("Move x", "##offset:x", offset.translate_x, "%.6g",
                 "Shift to the right relative to the other panes, in samples.");
    offset_field("Move y", "##offset:y", offset.translate_y, "%.6g",
                 "Shift downwards relative to the other panes, in samples.");
    offset_field("Scale", "##offset:scale", offset.scale, "%.6g",
                 "Scale factor relative to the other panes (samples per pixel), 1/64 … 64.");
    offset_field("Rotate", "##offset:rotate", offset.rotate, "%.6g°",
                 "Rotation relative to the other panes, in degrees.");
    offset.scale = std::clamp(offset.scale > 0 ? offset.scale : 1, 1.0 / 64, 64.0);
    pane.offset = offset;
    ImGui::TreePop();
}

void difference_figures(const AppState& state, const Metrics& m, const ValueScale& scale) {
    gui::figure("SSIM", ssim_text(m.ssim), with_terms("", {"SSIM"}));
    gui::figure("RMSE", scale.error(m.rmse), with_terms("", {"RMSE"}));
    const std::string error = scale.error(m.max_abs), whole = scale.of_whole(),
                      bare = error.ends_with(whole) ? error.substr(0, error.size() - whole.size()) : error,
                      place = " at " + place_of_largest(state, state.scene.active, m);
    ImGui::PushFont(gui::theme().mono);
    const std::string shown =
        gui::fitting({error + place, bare + place, bare}, ImGui::GetContentRegionAvail().x - gui::column());
    ImGui::PopFont();
    gui::figure("Largest", shown,
                fmt::format("The largest error of a value, and where it is in the picture: {}{}. Ctrl+L goes there.",
                            error, place));
}

// All figures of the active pane.
void figure_rows(const AppState& state) {
    const PaneReport* known = report_of(state.report, state.scene.active);
    if (!known) return;
    const PaneReport& report = *known;
    if (state.ui.figures && report.metrics && report.metrics->pixels > 0) {
        const Metrics& m = *report.metrics;
        const Against against = against_of(state, state.scene.active);
        const ValueScale scale = value_scale(state, state.scene.active);
        switch (against.tells) {
            case Against::Tells::difference: difference_figures(state, m, scale); break;
            case Against::Tells::arithmetic:
                gui::figure("Error", arithmetic_text(m.rmse * scale.factor()) + scale.of_whole(),
                            with_terms("", {"arithmetic error"}));
                break;
            case Against::Tells::nothing:
                gui::figure("Pane", figure_words(against, m.psnr, m.rmse, scale),
                            "The active pane is what the other panes are measured against.");
                break;
        }
    }
    if (report.render_ms <= 0) return;
    gui::figure("Speed", fmt::format("{:.3g} Gpixel/s", report.gigapixels_per_second()),
                "Pixels of the pane divided by that time.");
}

void pane_image(Scene& scene) {
    if (scene.documents.size() < 2) return;
    Pane& pane = scene.pane();
    const char* tip =
        "The image that the active pane shows. Linked panes show the same field of images of other sizes.";
    gui::label("Image", tip);
    const Document* own = document_named(scene, pane.source);
    if (gui::begin_combo("##pane-image", own ? own->title().c_str() : "the current one")) {
        if (ImGui::Selectable("the current one", !own)) pane.source.clear();
        for (const Document& document : scene.documents) {
            if (ImGui::Selectable(document.title().c_str(), &document == own)) pane.source = document.source;
            gui::note("pane-image:" + document.title());
        }
        ImGui::EndCombo();
        return;
    }
    gui::tooltip(tip);
    gui::note("pane-image");
}

// What figure and difference of the active pane are against.
void against_row(AppState& state) {
    Pane& pane = state.scene.pane();
    const std::string tip = fmt::format(
        "What the active pane's figures and its difference are against: {}. The reference is that of all "
        "panes (Compare ▸ Reference); another pane can be chosen for this one alone.",
        reference_words(state, state.scene.active));
    const std::string name = reference_name(state.scene, state.scene.active);
    if (state.scene.panes.size() < 2) return gui::figure("Against", name, tip);
    gui::label("Against", tip);
    if (gui::begin_combo("##against", name.c_str())) {
        if (ImGui::Selectable("the reference", pane.against == Pane::reference_pane))
            pane.against = Pane::reference_pane;
        gui::note("against:reference");
        for (int other = 0; other < int(state.scene.panes.size()); ++other) {
            if (other == state.scene.active) continue;
            const std::string text = fmt::format("{}  {}", pane_name(other), pane_label(state, other));
            if (ImGui::Selectable(text.c_str(), pane.against == other)) pane.against = other;
            gui::note("against:" + pane_name(other));
        }
        ImGui::EndCombo();
        return;
    }
    gui::tooltip(tip);
    gui::note("against");
}

// With the names of what is subtracted: "A − B", "A − reference".
void kind_row(Scene& scene) {
    DifferenceKind& kind = scene.difference.kind;
    const std::string a = pane_name(scene.active);
    const int other = compared_with(scene, scene.active);
    const std::string r = other == Pane::reference_pane ? "reference" : pane_name(other);
    const auto formula = [&](const DifferenceInfo& row) {
        std::string text;
        for (const char c : row.formula) text += c == 'a' ? a : c == 'r' ? r : std::string(1, c);
        return text;
    };
    gui::label("Kind", "What the picture shows of the two.");
    if (!gui::begin_combo("##kind", std::string(row_of(kind).label()).c_str())) {
        gui::tooltip(fmt::format("{}\n{}", formula(row_of(kind)), row_of(kind).meaning));
        gui::note("difference-kind");
        return;
    }
    for (const DifferenceInfo& row : difference_kinds) {
        if (ImGui::Selectable(fmt::format("{}:  {}", row.label(), formula(row)).c_str(), row.value == kind))
            choose_difference_kind(scene, row.value);
        gui::tooltip(row.meaning);
        gui::note(fmt::format("difference-kind:{}", row.name));
    }
    ImGui::EndCombo();
}

// The viewing distance of FLIP: typed, or from the screen.
void viewing_rows(AppState& state) {
    float& per_degree = state.scene.difference.pixels_per_degree;
    constexpr const char* tip =
        "Pixels of the screen per degree of visual angle, 5 … 400: the farther the eyes, the more, and the less is seen. 67 is a "
        "screen of 3840 pixels on 70 cm from 70 cm.";
    gui::label("Distance", tip);
    gui::slider_float("##per-degree", per_degree, least_pixels_per_degree, most_pixels_per_degree, "%.4g px/°", true);
    gui::tooltip(tip);
    gui::note("difference:pixels-per-degree");
    if (!ImGui::TreeNode("From the screen")) return;
    PanelMemory::Screen& screen = state.ui.memory.screen;
    const auto row = [&](const char* name, const char* id, float& value, float low, float high, const char* format) {
        gui::label(name, "Of your screen.");
        const float before = value;
        gui::slider_float(id, value, low, high, format, true);
        return value != before;
    };
    bool changed = row("Width", "##screen-pixels", screen.pixels, 320, 16384, "%.0f px");
    changed = row("", "##screen-width", screen.width, 5, 500, "%.4g cm") || changed;
    changed = row("Eyes from it", "##screen-distance", screen.distance, 10, 1000, "%.4g cm") || changed;
    if (changed)
        per_degree =
            std::clamp(float(pixels_per_degree(double(screen.pixels), double(screen.width), double(screen.distance))),
                       least_pixels_per_degree, most_pixels_per_degree);
    ImGui::TreePop();
}

// The figures of the active pane's map, and how many pixels have which error.
void map_rows(const AppState& state) {
    const PaneReport* report = report_of(state.report, state.scene.active);
    if (!report || !report->map || report->map->pixels == 0) return;
    const MapFigures& map = *report->map;
    const DifferenceKind kind = state.scene.difference.kind;
    for (const Figure& figure : map_figures(kind, map))
        gui::figure(
            figure.name.c_str(), figure.value,
            fmt::format("Over {} pixels. A weighted median: half of the sum of all errors is in smaller ones. GMSD is "
                        "the standard deviation of the map.",
                        map.pixels));
    gui::label("Histogram", "How many pixels have which error, from 0 to the largest.");
    std::array<float, MapFigures::columns> counts;
    std::transform(map.histogram.begin(), map.histogram.end(), counts.begin(),
                   [](int64_t n) { return std::sqrt(float(n)); });
    ImGui::PlotHistogram("##histogram", counts.data(), int(counts.size()), 0, nullptr, 0, FLT_MAX,
                         {ImGui::GetContentRegionAvail().x, gui::px(48)});
    gui::tooltip(fmt::format("How many pixels have which error, from 0 to {}; heights are square roots of the counts.",
                             map_number_text(kind, map.largest)));
    gui::note("difference:histogram");
}

void difference_rows(AppState& state) {
    DifferenceSettings& difference = state.scene.difference;
    gui::label("Difference", "Differences shown in the panes. Press D to toggle them.");
    bool on = any_difference(state.scene);
    constexpr const char* tip =
        "Every pane shows how it differs from what its figure is against; one that is the reference, or that others are "
        "compared with, keeps its picture. Press D to toggle.";
    if (gui::check("shown", on, tip, "difference")) toggle_differences(state);
    if (!on) return;
    kind_row(state.scene);
    if (difference.kind == DifferenceKind::flip) viewing_rows(state);
    if (is_map(difference.kind)) map_rows(state);
    gui::label("Gain", "The colour scale ends at a difference of 1 / gain, of ΔE2000 100 / gain. 1 … 16 777 216.");
    gui::slider_float("##gain", difference.gain, 1, 16777216, "× %.4g", true);
    gui::tooltip("The colour scale ends at a difference of 1 / gain. 1 … 16 777 216. Ctrl + click to type.");
    gui::note("difference:gain");
    gui::label("Colours",
               "Colours of differences. In each map, equal steps of the value are equal steps of lightness.");
    colour_map_list("map", difference.map, "channels",
                    "channels: each colour channel separately. A map shows the channel that differs most.");
}

}  // namespace

void active_pane(AppState& state) {
    const bool open = gui::section("Active pane", false);
    gui::tooltip("The active pane's name, image, difference and figures.");
    gui::note("section:Active pane");
    if (!open || !state.scene.document()) return;
    against_row(state);
    figure_rows(state);
    difference_rows(state);
    pane_name_row(state.scene);
    pane_image(state.scene);
    offset_rows(state.scene);
}

// The context menu of a pane, which need not be the active one.

namespace {

constexpr const char* name = "##pane-menu";

bool item(const std::string& title, const std::string& id, const std::string& tip, const std::string& keys = "",
          bool ticked = false, bool enabled = true) {
    const std::string shown = keys.empty() ? "" : "    " + keys;
    const bool clicked = gui::menu_item(title, shown, ticked, enabled);
    gui::tooltip(tip);
    gui::note("pane-menu:" + id);
    return clicked;
}

bool submenu(const char* title, const char* id) {
    const bool open = gui::begin_menu(title);
    gui::note(std::string("pane-menu:") + id);
    return open;
}

// A row of the table of actions, on the active pane.
bool action_item(AppState& state, const std::string& id) {
    const Action& action = *find_action(id);
    const std::string keys = action.shortcuts.empty() ? "" : to_string(action.shortcuts.front());
    const bool clicked =
        item(action.title, id, action.tooltip, keys, action.is_checked(state), action.is_enabled(state));
    if (clicked) action.perform(state);
    return clicked;
}

void method_menu(AppState& state) {
    if (!submenu("Method", "method")) return;
    {
        gui::MenuColumns columns(int(all_methods().size()));
        for (const MethodInfo* method : all_methods()) {
            columns.next();
            action_item(state, fmt::format("method.{}", method->id));
        }
    }
    gui::end_menu();
}

void path_menu(AppState& state) {
    if (!submenu("Path", "path")) return;
    FetchPath& path = state.scene.spec().path;
    for (const FetchPath which : all_fetch_paths) {
        const std::string why = why_no_path(state, which), word(name_of(which));
        if (item(fmt::format("{} ({})", plain_name(which), word), "path." + word, why.empty() ? meaning(which) : why,
                 "", which == path, why.empty()))
            path = which;
    }
    gui::end_menu();
}

void pane_reference_menu(Scene& scene, UiState& ui) {
    if (!submenu("Reference", "reference")) return;
    const Pane& pane = scene.pane();
    const Reference& reference = scene.reference;
    const bool this_one = reference.kind == Reference::Kind::method && reference.spec.method == pane.spec.method;
    if (item(fmt::format("This method: {}", pane.spec.method->name), "reference.pane",
             "All panes are measured against this pane's method, with exact weights and coefficients.", "", this_one))
        measure_against_pane(scene, ui, scene.active);
    for (const ReferenceChoice& choice : reference_choices(scene)) {
        const Reference::Kind kind = choice.reference.kind;
        if (kind == Reference::Kind::method || choice.reference.source == document_of(scene, pane)->source) continue;
        if (item(fmt::format("{}##{}", choice.title, choice.reference.source), "reference." + choice.id, choice.tooltip,
                 "", choice.chosen, choice.enabled))
            choose_reference(scene, ui, choice.reference);
    }
    gui::end_menu();
}

void heading(const AppState& state, int pane) {
    ImGui::PushFont(gui::theme().heading);
    ImGui::TextColored(ImVec4(gui::pane_colour(pane)), "%s", pane_name(pane).c_str());
    ImGui::PopFont();
    ImGui::SameLine();
    ImGui::TextDisabled("%s", gui::shortened(pane_label(state, pane), gui::px(280)).c_str());
    ImGui::Separator();
}

void rows(AppState& state, int pane) {
    heading(state, pane);
    bool later = false;  // done by a dialog or a task, which take the active pane
    {
        const ActingOn this_pane(state, pane);
        method_menu(state);
        path_menu(state);
        if (item("Difference in this pane", "difference", "Show how this pane differs from what its figure is against.",
                 "", state.scene.panes[size_t(pane)].difference))
            toggle_difference(state.scene, pane);
        pane_reference_menu(state.scene, state.ui);
        ImGui::Separator();
        later |= action_item(state, "file.save-view");
        later |= action_item(state, "edit.copy-picture");
        ImGui::Separator();
    }
    if (later) state.scene.active = pane;
    const Action& remove = *find_action("compare.remove");
    if (item("Close pane", "close", "Remove this pane; the others share its place.", to_string(remove.shortcuts[0]),
             false, remove.is_enabled(state)))
        return remove_pane(state.scene, pane);
    ImGui::Separator();
    if (action_item(state, "help.numbers")) state.scene.active = pane;
}

}  // namespace

void pane_menu(AppState& state) {
    PaneMenu& menu = state.ui.pane_menu;
    // Dear ImGui closes popups in the frame that sees the button pressed, which may be this one.
    if (menu.asked && !ImGui::IsMouseDown(1)) {
        menu.asked = false;
        ImGui::OpenPopup(name);
    }
    if (!ImGui::IsPopupOpen(name)) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gui::px(8), gui::px(6)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(8), gui::px(8)));
    if (ImGui::BeginPopup(name)) {
        if (size_t(menu.pane) < state.scene.panes.size()) rows(state, menu.pane);
        else ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
}

}  // namespace texelscope::panels
