// The label chips of the panes: badge, label, one figure, the interpolated value at the cursor.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/pane_figures.h"
#include "app/picture/pane_picture.h"
#include "app/picture/pane_words.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/readout_text.h"
#include "app/state/references.h"
#include "app/text/value_text.h"
#include "app/viewer/panels/overlay_parts.h"
#include "app/viewer/widgets/chip_plan.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float opacity = 0.96f;  // pixel values below must not be read through it

// Once, in the legend, if all panes are against the same and there are many, or little space; else in each of them.
constexpr size_t most_that_repeat = 4;

std::vector<std::string> labels_of(const AppState& state, int pane, Named named) {
    if (!state.ui.panels) return {short_label(state, pane)};
    std::vector<std::string> labels = pane_labels(state, pane);
    if (shows_reference(state, pane)) {
        labels = {reference_label(state, pane), "reference"};
    } else if (const std::string why = why_no_difference(state, pane); !why.empty()) {
        labels[0] += " · no difference: " + why;
    } else if (shows_difference(state, pane)) {
        const std::string of = named == Named::here ? " − " + reference_name(state, pane) : "";
        for (std::string& label : labels) label = of.empty() ? "Δ " + label : label + of;
        if (!of.empty()) labels.push_back(pane_name(pane) + of);
    }
    return labels;
}

// "0.412 0.388 0.301", ".412 .388 .301": without what is the same everywhere. `sign`: what the values are of.
std::vector<std::string> shorter_values(const std::string& text, const std::string& sign) {
    std::string bare = text;
    std::erase_if(bare, [](char c) { return c == '[' || c == ']'; });
    std::string pointed = " " + bare;
    for (size_t at; (at = pointed.find(" 0.")) != pointed.npos;) pointed.erase(at + 1, 1);
    if (sign != "→") return {sign + " " + text, sign + " " + bare, "Δ " + bare, "Δ " + pointed.substr(1)};
    return {"→ " + text, "→ " + bare, bare, pointed.substr(1)};
}

std::optional<Readout> readout_of(const AppState& state, int pane) {
    const PaneReport* report = report_of(state, pane);
    const std::optional<Readout> readout = report ? report->readout : std::nullopt;
    const bool there = readout && (readout->on_image || state.scene.outside != Outside::background);
    return there ? readout : std::nullopt;
}

gui::ChipRequest request_of(const AppState& state, int pane, const PixelRect& clip, Named named) {
    const float ratio = gui::theme().pixel_ratio;
    gui::ChipRequest r;
    r.width = float(clip.width) / ratio;
    r.height = float(clip.height) / ratio;
    r.scale = gui::theme().scale;
    r.badge = pane_name(pane);
    r.labels = labels_of(state, pane, named);
    const auto font = [](ImFont* which) {
        return gui::ChipRequest::Font{which->FontSize, [which](const std::string& text) {
                                          return which->CalcTextSizeA(which->FontSize, FLT_MAX, 0, text.c_str()).x;
                                      }};
    };
    r.text = font(ImGui::GetFont());
    r.small = font(gui::theme().small);
    if (!state.ui.panels || panes_in_view(state).size() < 2) return r;
    r.figures = chip_figures(state, pane, named);
    // What the legend names, they need not say.
    if (named == Named::elsewhere && r.figures.size() > 1) r.figures.erase(r.figures.begin(), r.figures.end() - 1);
    const auto image = image_of(state, pane);
    const std::optional<Readout> readout = readout_of(state, pane);
    Readout nothing;
    nothing.channels = image ? image->channels() : 1;
    nothing.interpolated = {1, 1, 1, 1};  // for the space of a value
    r.at_cursor = readout.has_value();
    const ValueScale scale = value_scale(state, pane);
    if (has_difference(state, pane)) {
        const DifferenceKind kind = state.scene.difference.kind;
        const Readout::Compared unknown{{0.1111, 0.1111, 0.1111, 0.1111}, {}};
        const auto& [a, b] = readout && readout->compared ? *readout->compared : unknown;
        const size_t channels = size_t(nothing.channels);
        r.at_cursor = readout && readout->compared;
        r.values =
            shorter_values(difference_text(kind, std::span(a).first(channels), std::span(b).first(channels), scale),
                           std::string(difference_formula(kind)));
    } else {
        r.values = shorter_values(interpolated_text(readout.value_or(nothing), scale), "→");
    }
    return r;
}

struct Box {
    ImVec2 low, high;
};

// What the figures say in full where the mouse is on a part of the chip, unless it is used for something else.
void chip_tooltip(const AppState& state, int pane, const std::vector<Box>& parts, const Box& whole, bool values) {
    if (ImGui::GetIO().WantCaptureMouse || state.pointer.drag != Pointer::Drag::none || state.pointer.reference) return;
    for (const Box& part : parts)
        if (state.pointer.inside && ImGui::IsMouseHoveringRect(part.low, part.high, false))
            return gui::area_tooltip(
                figures_explained(state, pane) + (values ? "\n→ is the value of the picture at the cursor." : ""),
                whole.low, whole.high);
}

void draw_chip(const AppState& state, ImDrawList& draw, int pane, const PixelRect& clip, const gui::ChipPlan& plan) {
    const float ratio = gui::theme().pixel_ratio;
    const ImVec2 corner{float(clip.x) / ratio, float(clip.y) / ratio};
    const ImVec2 at{corner.x + plan.inset, corner.y + plan.inset}, end{at.x + plan.width, at.y + plan.height};
    ImFont* font = plan.compact ? gui::theme().small : ImGui::GetFont();
    const float y = at.y + (plan.height - font->FontSize) / 2;
    draw.AddRectFilled(at, end, gui::packed(gui::colour::panel, opacity), gui::px(5));
    draw.AddRectFilled(at, {at.x + plan.badge_width, end.y}, gui::packed(gui::pane_colour(pane)), gui::px(5),
                       plan.label.empty() ? ImDrawFlags_RoundCornersAll : ImDrawFlags_RoundCornersLeft);
    draw.AddText(plan.compact ? font : gui::theme().heading, font->FontSize, {at.x + plan.padding, y},
                 gui::packed(gui::rgb(0x16181a)), pane_name(pane).c_str());
    draw.AddText(font, font->FontSize, {at.x + plan.badge_width + plan.padding, y}, gui::packed(gui::colour::text),
                 plan.label.c_str());
    if (pane == state.scene.active && panes_in_view(state).size() > 1)
        draw.AddRect(at, end, gui::packed(gui::pane_colour(pane)), gui::px(5), 0, gui::px(1.5f));
    const float small = gui::theme().small->FontSize;
    std::vector<Box> parts = {{at, end}};
    for (const gui::ChipRow& row : plan.rows) {
        const ImVec2 low{at.x, corner.y + row.y}, high{low.x + row.width, low.y + row.height};
        parts.push_back({low, high});
        draw.AddRectFilled(low, high, gui::packed(gui::colour::panel, opacity), gui::px(4));
        draw.AddText(gui::theme().small, small, {low.x + plan.padding, low.y + (row.height - small) / 2},
                     gui::packed(row.value ? gui::colour::text : gui::colour::secondary), row.text.c_str());
    }
    const bool values = std::any_of(plan.rows.begin(), plan.rows.end(), [](const auto& row) { return row.value; });
    chip_tooltip(state, pane, parts, {at, {at.x + plan.widest(), corner.y + plan.lowest()}}, values);
}

struct Chips {
    std::vector<std::pair<int, gui::ChipRequest>> requests;
    int level = 0;

    Chips(const AppState& state, Named named) {
        for (const int pane : panes_in_view(state)) {
            const PixelRect clip = pane_clip(state, pane);
            if (!image_of(state, pane) || clip.empty()) continue;
            requests.emplace_back(pane, request_of(state, pane, clip, named));
            level = std::max(level, gui::chip_level(requests.back().second));
        }
    }
    bool crowded() const { return requests.size() > 1 && (level > 0 || requests.size() > most_that_repeat); }
};

}  // namespace

LeftToLegend draw_chips(const AppState& state, ImDrawList& draw) {
    Chips chips(state, Named::here);
    const bool elsewhere = state.ui.panels && chips.crowded() && !shared_reference(state, true).empty();
    if (elsewhere) chips = Chips(state, Named::elsewhere);
    LeftToLegend left;
    for (const auto& [pane, request] : chips.requests) {
        const PixelRect clip = pane_clip(state, pane);
        draw.PushClipRect(on_window(clip.x, clip.y), on_window(clip.x + clip.width, clip.y + clip.height));
        if (const gui::ChipPlan plan = gui::plan_chip(request, chips.level); !plan.empty()) {
            draw_chip(state, draw, pane, clip, plan);
            for (const gui::ChipRow& row : plan.rows) (row.value ? left.values : left.figures) = true;
        }
        draw.PopClipRect();
    }
    return elsewhere ? left : LeftToLegend{};
}

}  // namespace texelscope::panels
