// Compare: arrangement, the panes with their figures, the reference, differences.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/picture/pane_figures.h"
#include "app/picture/pane_words.h"
#include "app/state/pane_images.h"
#include "app/state/readout_text.h"
#include "app/text/figures.h"
#include "app/text/glossary.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/presets.h"
#include "app/viewer/editing/reference_choices.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// A box in columns × rows cells.
void cells_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink, int columns, int rows) {
    const ImVec2 low{std::round(middle.x - side / 2), std::round(middle.y - side / 2)},
        high{low.x + side, low.y + side};
    draw.AddRect(low, high, ink, gui::px(2));
    for (int i = 1; i < columns; ++i) {
        const float x = low.x + std::round(side * float(i) / float(columns));
        draw.AddLine({x, low.y}, {x, high.y}, ink);
    }
    for (int j = 1; j < rows; ++j) {
        const float y = low.y + std::round(side * float(j) / float(rows));
        draw.AddLine({low.x, y}, {high.x, y}, ink);
    }
}

void wipe_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    cells_icon(draw, middle, side, ink, 1, 1);
    draw.AddRectFilled({std::round(middle.x - side / 2), std::round(middle.y - side / 2)},
                       {middle.x, std::round(middle.y + side / 2)}, ink, gui::px(2));
}

void arrangement(AppState& state) {
    using Draw = ImDrawList&;
    const std::array<gui::Segment, 5> segments = {{
        {"##single", "Single: only the active pane; Space flips to the next.", true,
         [](Draw d, ImVec2 m, float s, ImU32 ink) { cells_icon(d, m, s, ink, 1, 1); }},
        {"##columns", "Side by side: all panes in one row.", true,
         [](Draw d, ImVec2 m, float s, ImU32 ink) { cells_icon(d, m, s, ink, 2, 1); }},
        {"##rows", "Stacked: all panes in one column.", true,
         [](Draw d, ImVec2 m, float s, ImU32 ink) { cells_icon(d, m, s, ink, 1, 2); }},
        {"##grid", "Grid: all panes in rows and columns.", true,
         [](Draw d, ImVec2 m, float s, ImU32 ink) { cells_icon(d, m, s, ink, 2, 2); }},
        {"##wipe", "Wipe: A and B over each other, with a divider that follows the mouse; Shift+W holds it.", true,
         wipe_icon},
    }};
    gui::label("Layout", "Arrangement of the panes in the picture area. Press G for the next one.");
    const int clicked = gui::segmented("arrangement", segments, int(state.scene.arrangement));
    if (clicked >= 0) arrange(state, Arrangement(clicked));
    if (state.scene.arrangement != Arrangement::wipe) return;
    gui::label("Divider", "The divider between A and B follows the mouse.");
    gui::check("horizontal", state.scene.wipe.horizontal);
    gui::tooltip("Horizontal divider: A above, B below. Off: A left, B right.");
    gui::note("wipe:horizontal");
    ImGui::SameLine();
    gui::check("stays", state.scene.wipe.held);
    gui::tooltip("The divider stays where it is while the mouse moves. Shift+W");
    gui::note("wipe:held");
}

void preset_row(AppState& state) {
    const char* tip =
        "Ready-made sets of panes. They replace the current panes; Ctrl+Z restores them. The reference stays, or a "
        "message says what it is now.";
    gui::label("Preset", tip);
    if (gui::begin_combo("##preset", "choose …")) {
        for (const Preset& preset : all_presets()) {
            const bool enabled = !preset.enabled || preset.enabled(state);
            ImGui::BeginDisabled(!enabled);
            if (ImGui::Selectable(std::string(preset.title).c_str())) preset.apply(state);
            ImGui::EndDisabled();
            gui::tooltip(enabled ? std::string(preset.tooltip) : "Open a second image first.");
            gui::note(fmt::format("preset:{}", preset.id));
        }
        ImGui::EndCombo();
        return;
    }
    gui::tooltip(tip);
    gui::note("preset");
}

// Two lines: badge and label, figures below.
void pane_row(AppState& state, int pane) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float text = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x, pad = gui::px(6);
    const PaneReport* report = report_of(state, pane);
    const std::vector<std::string> below = figure_lines(state, pane);
    const float height = text + (below.empty() ? 0 : text) + 2 * gui::px(4);
    ImGui::PushID(pane);
    const bool clicked = ImGui::InvisibleButton("##pane", {width, height}), asks = ImGui::IsItemClicked(1);
    ImGui::PopID();
    gui::note(fmt::format("pane:{}", pane_name(pane)));
    const bool active = pane == state.scene.active;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (active || ImGui::IsItemHovered())
        draw.AddRectFilled(at, {at.x + width, at.y + height},
                           gui::packed(active ? gui::faded(gui::colour::accent, 0.22f) : gui::colour::raised),
                           gui::px(4));
    const float badge = gui::px(20);
    draw.AddRectFilled({at.x + pad, at.y + gui::px(4)}, {at.x + pad + badge, at.y + gui::px(4) + text + gui::px(1)},
                       gui::packed(gui::pane_colour(pane)), gui::px(3));
    const std::string name = pane_name(pane);
    draw.AddText(gui::theme().heading, text,
                 {at.x + pad + (badge - ImGui::CalcTextSize(name.c_str()).x) / 2, at.y + gui::px(4)},
                 gui::packed(gui::rgb(0x16181a)), name.c_str());
    const float left = at.x + 2 * pad + badge;
    const std::string label = gui::shortened(pane_label(state, pane), at.x + width - left - pad);
    draw.AddText({left, at.y + gui::px(4)}, gui::packed(gui::colour::text), label.c_str());
    if (!below.empty()) {
        ImGui::PushFont(gui::theme().small);
        const std::string shown = gui::fitting(below, at.x + width - left - pad);
        draw.AddText(gui::theme().small, ImGui::GetFontSize(), {left, at.y + gui::px(5) + text},
                     gui::packed(report->outdated ? gui::colour::mark : gui::colour::secondary), shown.c_str());
        ImGui::PopFont();
    }
    gui::tooltip(figures_explained(state, pane));
    if (clicked) state.scene.active = pane;
    if (asks) state.ui.pane_menu = {pane, true};
}

void pane_list(AppState& state) {
    ImGui::Dummy({0, gui::px(2)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gui::px(4), gui::px(1)));
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) pane_row(state, pane);
    ImGui::PopStyleVar();
    ImGui::Dummy({0, gui::px(2)});
    action_button(state, "Add", "compare.add", 3);
    ImGui::SameLine();
    action_button(state, "Remove", "compare.remove", 3);
    ImGui::SameLine();
    action_button(state, state.scene.pane().own_view ? "Link" : "Unlink", "compare.link", 3);
}

void pane_name_row(AppState& state) {
    const char* tip = "Your own name for the active pane; if empty, its method in words.";
    gui::label("Label", tip);
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::InputTextWithHint("##pane-label", "method in words", &state.scene.pane().label);
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
void offset_rows(AppState& state) {
    Pane& pane = state.scene.pane();
    if (state.scene.panes.size() < 2 || pane.own_view) return;
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

void difference_figures(const Metrics& m, const std::string& reference, const ValueScale& scale) {
    gui::figure("Against", reference,
                with_terms("The reference of these figures; chosen above, evaluated in float64.", {"reference"}));
    gui::figure("PSNR", psnr_text(m.psnr) + " dB", with_terms("", {"PSNR"}));
    gui::figure("SSIM", ssim_text(m.ssim), with_terms("", {"SSIM"}));
    gui::figure("RMSE", scale.error(m.rmse), with_terms("", {"RMSE"}));
    gui::figure("Largest", fmt::format("{} at {}, {}", scale.error(m.max_abs), m.worst_x, m.worst_y),
                "The largest error of a value, and its pixel in the pane.");
}

// All figures of the active pane.
void figure_rows(const AppState& state) {
    const PaneReport* known = report_of(state, state.scene.active);
    if (!known) return;
    const PaneReport& report = *known;
    if (state.ui.figures && report.metrics && report.metrics->pixels > 0) {
        const Metrics& m = *report.metrics;
        const Against against = against_of(state, state.scene.active);
        const ValueScale scale = value_scale(state, state.scene.active);
        switch (against.tells) {
            case Against::Tells::difference: difference_figures(m, against.name, scale); break;
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
    gui::figure("Time", time_text(report.render_ms), "Time of the last rendering, measured on the device that did it.");
    gui::figure("Speed", fmt::format("{:.3g} Gpixel/s", report.gigapixels_per_second()),
                "Pixels of the pane divided by that time.");
    gui::figure("Cost", count_words(report.cost) + (report.cost.fetches > 0 ? " per pixel" : ""),
                count_meaning(report.cost));
}

void pane_image(AppState& state) {
    if (state.scene.documents.size() < 2) return;
    Pane& pane = state.scene.pane();
    const char* tip =
        "The image that the active pane shows. Linked panes show the same field of images of other sizes.";
    gui::label("Image", tip);
    const Document* own = document_named(state, pane.source);
    if (gui::begin_combo("##pane-image", own ? own->title().c_str() : "the current one")) {
        if (ImGui::Selectable("the current one", !own)) pane.source.clear();
        for (const Document& document : state.scene.documents) {
            if (ImGui::Selectable(document.title().c_str(), &document == own)) pane.source = document.source;
            gui::note("pane-image:" + document.title());
        }
        ImGui::EndCombo();
        return;
    }
    gui::tooltip(tip);
    gui::note("pane-image");
}

void reference_list(AppState& state) {
    bool offered = false;
    for (const ReferenceChoice& choice : reference_choices(state)) {
        if (offered && !choice.offered) ImGui::Separator();
        offered = choice.offered;
        const bool is_image = choice.reference.kind == Reference::Kind::image;
        const std::string text = is_image ? fmt::format("{}##{}", choice.title, choice.reference.source) : choice.title;
        ImGui::BeginDisabled(!choice.enabled);
        if (ImGui::Selectable(text.c_str(), choice.chosen)) choose_reference(state, choice.reference);
        ImGui::EndDisabled();
        gui::tooltip(choice.tooltip);
        gui::note((is_image ? "reference-image:" : "reference:") + choice.id);
    }
}

std::string reference_preview(const AppState& state) {
    const Reference& reference = state.scene.reference;
    if (reference.kind == Reference::Kind::own) return "Own method, exact";
    if (reference.kind == Reference::Kind::method && reference.spec.method)
        return std::string(reference.spec.method->name);
    if (reference.kind == Reference::Kind::truth) return "The formula";
    const Document* document = document_named(state, reference.source);
    return document ? document->title() : "none";
}

void reference_row(AppState& state) {
    const std::string tip = fmt::format(
        "What the figures are measured against: {}. Hold Shift over a pane to see it.\n\nThe "
        "figures cover the visible part, or the region dragged with the right button.\n\nHelp ▸ What do these numbers "
        "mean? explains them.",
        reference_words(state));
    gui::label("Reference", tip);
    if (gui::begin_combo("##reference", reference_preview(state).c_str())) {
        reference_list(state);
        ImGui::EndCombo();
        return;
    }
    gui::tooltip(tip);
    gui::note("reference");
    if (!state.report.findings.no_metrics.empty()) gui::remark(state.report.findings.no_metrics);
}

void against_row(AppState& state) {
    Pane& pane = state.scene.pane();
    const char* tip =
        "The pane or reference that the active pane is compared with. Choosing a reference compares all panes with it.";
    gui::label("Against", tip);
    if (gui::begin_combo("##against", counterpart_name(state, state.scene.active).c_str())) {
        if (ImGui::Selectable("the reference", pane.against == Pane::reference_pane))
            pane.against = Pane::reference_pane;
        gui::note("against:reference");
        for (int other = 0; other < int(state.scene.panes.size()); ++other) {
            if (other == state.scene.active) continue;
            const std::string name = fmt::format("{}  {}", pane_name(other), pane_label(state, other));
            if (ImGui::Selectable(name.c_str(), pane.against == other)) pane.against = other;
            gui::note("against:" + pane_name(other));
        }
        ImGui::EndCombo();
        return;
    }
    gui::tooltip(tip);
    gui::note("against");
}

void difference_rows(AppState& state) {
    DifferenceSettings& difference = state.scene.difference;
    gui::label("Difference", "Differences shown in the panes. Press D to toggle them.");
    bool on = any_difference(state);
    if (gui::check("shown", on)) toggle_differences(state);
    gui::tooltip(
        "Every pane shows how it differs from what it is compared with; one that others are compared with keeps its "
        "picture. Press D to toggle.");
    gui::note("difference");
    if (!on) return;
    against_row(state);
    const std::array<gui::Segment, 4> kinds = {{
        {"a − r", "Signed: grey, or the middle of the colour map, means agreement."},
        {"|a − r|", "Absolute difference."},
        {"( )²", "Squared difference."},
        {"rel.", "Relative: |a − r| / |r|, with |r| limited to at least 1/255."},
    }};
    gui::label("Kind", "Kind of difference: a is this pane, r the one it is compared with.");
    const int clicked = gui::segmented("difference-kind", kinds, int(difference.kind));
    if (clicked >= 0) difference.kind = DifferenceKind(clicked);
    gui::label("Gain", "The colour scale ends at a difference of 1 / gain. 1 … 16 777 216.");
    gui::slider_float("##gain", difference.gain, 1, 16777216, "× %.4g", true);
    gui::tooltip("The colour scale ends at a difference of 1 / gain. 1 … 16 777 216. Ctrl + click to type.");
    gui::note("difference:gain");
    gui::label("Colours", "Colour map for differences; the maps are perceptually uniform.");
    if (gui::begin_combo("##map", std::string(name_of(difference.map)).c_str())) {
        for (ColourMap map : all_colour_maps) {
            if (ImGui::Selectable(std::string(name_of(map)).c_str(), map == difference.map)) difference.map = map;
            gui::note(fmt::format("map:{}", name_of(map)));
        }
        ImGui::EndCombo();
    } else {
        gui::tooltip("channels: each colour channel separately. A map shows the channel that differs most.");
        gui::note("map");
    }
}

}  // namespace

void compare(AppState& state) {
    const bool open = gui::section("Compare", true);
    gui::note("section:Compare");
    if (!open || !state.scene.document()) return;
    arrangement(state);
    preset_row(state);
    pane_list(state);
    pane_name_row(state);
    pane_image(state);
    offset_rows(state);
    difference_rows(state);
    reference_row(state);
    figure_rows(state);
}

}  // namespace texelscope::panels
