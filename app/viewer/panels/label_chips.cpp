// The legend over the picture, and the panes' label chips: badge, label, one figure, the interpolated value at the cursor.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/drawing/sheet.h"
#include "app/picture/first_look.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/text/text.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/panels/picture_overlay.h"
#include "app/viewer/widgets/layout.h"
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
        const std::string of = named == Named::here ? " − " + reference_name(state.scene, pane) : "";
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
    const PaneReport* report = report_of(state.report, pane);
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
    if (!state.ui.panels || panes_in_view(state.scene).size() < 2) return r;
    r.figures = chip_figures(state, pane, named);
    // What the legend names, they need not say.
    if (named == Named::elsewhere && r.figures.size() > 1) r.figures.erase(r.figures.begin(), r.figures.end() - 1);
    const auto image = image_of(state.scene, pane);
    const std::optional<Readout> readout = readout_of(state, pane);
    Readout nothing;
    nothing.channels = image ? image->channels() : 1;
    nothing.interpolated = {1, 1, 1, 1};  // for the space of a value
    r.at_cursor = readout.has_value();
    const ValueScale scale = value_scale(state, pane);
    if (has_difference(state, pane) && !is_map(state.scene.difference.kind)) {
        const DifferenceKind kind = state.scene.difference.kind;
        const Readout::Compared unknown{{0.1111, 0.1111, 0.1111, 0.1111}, {}};
        const auto& [a, b] = readout && readout->compared ? *readout->compared : unknown;
        const size_t channels = size_t(nothing.channels);
        r.at_cursor = readout && readout->compared;
        r.values =
            shorter_values(difference_text(kind, std::span(a).first(channels), std::span(b).first(channels), scale),
                           std::string(row_of(kind).formula));
    } else if (has_difference(state, pane)) {
        r.at_cursor = readout && readout->map;
        r.values = {map_value_text(state.scene.difference.kind, r.at_cursor ? double(*readout->map) : 0.1111)};
    } else {
        r.values = shorter_values(interpolated_text(readout.value_or(nothing), scale), "→");
    }
    return r;
}

struct ChipBox {
    ImVec2 low, high;
};

// What the figures say in full where the mouse is on a part of the chip, unless it is used for something else.
void chip_tooltip(const AppState& state, int pane, const std::vector<ChipBox>& parts, const ChipBox& whole,
                  bool values) {
    if (ImGui::GetIO().WantCaptureMouse || state.pointer.drag != Pointer::Drag::none || state.pointer.reference) return;
    for (const ChipBox& part : parts)
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
                 gui::packed(gui::pane_letter_colour(pane)), pane_name(pane).c_str());
    draw.AddText(font, font->FontSize, {at.x + plan.badge_width + plan.padding, y}, gui::packed(gui::colour::text),
                 plan.label.c_str());
    if (pane == state.scene.active && panes_in_view(state.scene).size() > 1)
        draw.AddRect(at, end, gui::packed(gui::pane_colour(pane)), gui::px(5), 0, gui::px(1.5f));
    const float small = gui::theme().small->FontSize;
    std::vector<ChipBox> parts = {{at, end}};
    for (const gui::ChipRow& row : plan.rows) {
        const ImVec2 low{at.x, corner.y + row.y}, high{low.x + row.width, low.y + row.height};
        parts.push_back({low, high});
        draw.AddRectFilled(low, high, gui::packed(gui::colour::panel, opacity), gui::px(4));
        draw.AddText(gui::theme().small, small, {low.x + plan.padding, low.y + (row.height - small) / 2},
                     gui::packed(row.value ? gui::colour::text : gui::colour::secondary), row.text.c_str());
    }
    if (gui::ControlLog* log = gui::theme().control_log)
        log->push_back({"label:" + pane_name(pane), {at.x, at.y, plan.width, plan.height}});
    const bool values = std::any_of(plan.rows.begin(), plan.rows.end(), [](const auto& row) { return row.value; });
    chip_tooltip(state, pane, parts, {at, {at.x + plan.widest(), corner.y + plan.lowest()}}, values);
}

// Where a pane's chip can be: below the toolbar, if that lies over the picture.
PixelRect free_clip(const AppState& state, int pane) {
    PixelRect clip = pane_clip(state, pane);
    const PixelRect& bar = state.places.toolbar;
    const int hidden = clip.overlaps(bar) ? std::min(bar.y + bar.height - clip.y, clip.height) : 0;
    clip.y += hidden;
    clip.height -= hidden;
    return clip;
}

struct Chips {
    std::vector<std::pair<int, gui::ChipRequest>> requests;
    int level = 0;

    Chips(const AppState& state, Named named) {
        for (const int pane : panes_in_view(state.scene)) {
            const PixelRect clip = free_clip(state, pane);
            if (!image_of(state.scene, pane) || clip.empty()) continue;
            requests.emplace_back(pane, request_of(state, pane, clip, named));
            level = std::max(level, gui::chip_level(requests.back().second));
        }
        std::vector<gui::ChipRequest*> all;
        for (auto& [pane, request] : requests) all.push_back(&request);
        gui::share_shortest_label(all, level);
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
        const PixelRect clip = free_clip(state, pane);
        draw.PushClipRect(on_window(clip.x, clip.y), on_window(clip.x + clip.width, clip.y + clip.height));
        if (const gui::ChipPlan plan = gui::plan_chip(request, chips.level); !plan.empty()) {
            draw_chip(state, draw, pane, clip, plan);
            for (const gui::ChipRow& row : plan.rows) (row.value ? left.values : left.figures) = true;
        }
        draw.PopClipRect();
    }
    return elsewhere ? left : LeftToLegend{};
}

// The one legend of the picture area, in its lower left corner: what differences and figures are against, and the colour
// bar of differences, or else of false colours.

namespace {

// The pane whose unit and channels the bar has: the active one if it shows such colours, else the first that does; −1
// if none does.
int pane_where(const AppState& state, bool (*shows)(const AppState& state, int pane)) {
    std::vector<int> panes = panes_in_view(state.scene);
    const auto active = std::find(panes.begin(), panes.end(), state.scene.active);
    if (active != panes.end()) std::rotate(panes.begin(), active, active + 1);
    for (const int pane : panes)
        if (shows(state, pane)) return pane;
    return -1;
}

// Nothing if it is known that no pixel in view is hatched.
std::vector<std::string> mask_words(const AppState& state, int pane) {
    const Scene& scene = state.scene;
    const bool against_formula =
        scene.reference.kind == Reference::Kind::truth && compared_with(scene, pane) == Pane::reference_pane;
    const PaneReport* const report = report_of(state.report, pane);
    const bool none = report && report->metrics && report->metrics->left_out == 0 && !scene.selection;
    if (!against_formula || none) return {};
    return {"hatched: above Nyquist, not measured", "hatched: not measured", "hatched: left out"};
}

// Where each channel of a colour picture shows its own difference, the bar has a stripe for each.
int legend_stripes(const Scene& scene, int pane) {
    const auto image = image_of(scene, pane);
    const int colours = image ? image->channels() - (image->alpha() != Alpha::none ? 1 : 0) : 1;
    const bool each = !is_map(scene.difference.kind) && scene.difference.map == ColourMap::channels &&
                      scene.display.channel == ChannelView::all && colours == 3;
    return each ? 3 : 1;
}

// The colour of a level 0 … 255; of one channel, while the others agree, or −1: of all.
ImU32 legend_colour(const DifferenceSettings& d, int channel, int level) {
    if (channel < 0) return colour_table(d.map)[size_t(level)];
    const int rest = d.kind == DifferenceKind::signed_ ? 128 : 0;
    return IM_COL32(channel == 0 ? level : rest, channel == 1 ? level : rest, channel == 2 ? level : rest, 255);
}

struct FalseColours {
    FalseColours(const Scene& scene, int pane) : display(display_of(scene, pane)) {
        const auto image = image_of(scene, pane);
        if (!image || image->alpha() == Alpha::none) display.channel = ChannelView::all;  // no opacity to show
        bar = colour_bar(display, image ? image->type() : SampleType::u8);
    }
    // That of the stored value at a part of the bar.
    ImU32 at(double part) const {
        const double shown = shown_part(display, bar.low + part * (bar.high - bar.low));
        return colour_table(display.map)[size_t(std::lround(255 * shown))];
    }

    DisplaySettings display;
    ColourBar bar;
};

void draw_bar(const AppState& state, int pane, ImVec2 at, float width, float height, ImDrawList& draw) {
    const bool differs = has_difference(state, pane);
    const int stripes = differs ? legend_stripes(state.scene, pane) : 1;
    const FalseColours colours(state.scene, pane);
    constexpr int steps = 64;
    for (int stripe = 0; stripe < stripes; ++stripe)
        for (int i = 0; i < steps; ++i)
            draw.AddRectFilled(
                {at.x + width * float(i) / steps, at.y + height * float(stripe) / float(stripes)},
                {at.x + width * float(i + 1) / steps, at.y + height * float(stripe + 1) / float(stripes)},
                differs ? legend_colour(state.scene.difference, stripes == 1 ? -1 : stripe, i * 255 / (steps - 1))
                        : colours.at(double(i) / (steps - 1)));
}

// Words and ends of the bar of false colours.
void explain_false_colour(const AppState& state, int pane, gui::LegendRequest& request) {
    const auto [display, bar] = FalseColours(state.scene, pane);
    const double factor = value_scale(state, pane).factor();
    request.low = fmt::format("{}{:.4g}", bar.below ? "≤ " : "", bar.low * factor);
    request.high = fmt::format("{}{:.4g}", bar.above ? "≥ " : "", bar.high * factor);
    if (!request.words.empty()) return;
    request.words = {"False colour of stored values", "False colour"};
    const std::string tones = display.channel == ChannelView::alpha ? "" : tones_in_words(display);
    if (!tones.empty())
        request.words = {fmt::format("False colour of stored values, {}", tones),
                         fmt::format("False colour, {}", tones), "False colour"};
}

struct Mark {
    const char* text;
    ImU32 colour;
};

// Marks for the kinds of non-finite samples that images of the panes in view have, where these are marked.
std::vector<Mark> marks_of(const Scene& scene) {
    ImageLook found;
    for (const int pane : panes_in_view(scene)) {
        const Document* document = document_of(scene, scene.panes[size_t(pane)]);
        if (!document || !document->image || !display_of(scene, pane).mark_nonfinite) continue;
        found.nan |= document->look.nan;
        found.plus_infinity |= document->look.plus_infinity;
        found.minus_infinity |= document->look.minus_infinity;
    }
    std::vector<Mark> marks;
    if (found.nan) marks.push_back({"NaN", nan_mark});
    if (found.plus_infinity) marks.push_back({"+∞", plus_infinity_mark});
    if (found.minus_infinity) marks.push_back({"−∞", minus_infinity_mark});
    return marks;
}

bool lacks_samples(const Scene& scene) {
    const std::vector<int> panes = panes_in_view(scene);
    return std::ranges::any_of(panes, [&](int pane) {
        const auto image = image_of(scene, pane);
        return image && !image->missing().empty();
    });
}

// Texts for less and less space; empty if the active pane shows no complex numbers by phase and magnitude.
std::vector<std::string> complex_words(const AppState& state) {
    const int pane = state.scene.active;
    if (!shows_polar(state, pane)) return {};
    const Levels levels = levels_of(state.scene, pane);
    const double factor = value_scale(state, pane).factor();
    const std::string range =
        fmt::format("magnitude {:.4g} … {:.4g}", double(levels.black) * factor, double(levels.white) * factor);
    return {"hue: phase, lightness: " + range, range};
}

// Where the legend is: in the picture area, or in the first pane whose colours it explains if others have none.
PixelRect area_of(const AppState& state, int different) {
    const std::vector<int> panes = panes_in_view(state.scene);
    const bool all = std::all_of(panes.begin(), panes.end(), [&](int pane) { return has_difference(state, pane); });
    return different < 0 || all ? state.places.picture : pane_clip(state, different);
}

// The width of the area, or as far as a minimap in its lower part, if that leaves enough.
float free_width(const AppState& state, const PixelRect& picture) {
    const float ratio = gui::theme().pixel_ratio, pixels = gui::theme().scale * ratio;
    const auto minimap = minimap_of(state, pixels);
    const int bottom = picture.y + picture.height;
    if (!minimap || !picture.overlaps(minimap->place) ||
        float(bottom - minimap->place.y - minimap->place.height) > 60 * pixels)
        return float(picture.width) / ratio;
    const float beside = float(minimap->place.x - picture.x) / ratio;
    return beside >= gui::px(240) ? beside : float(picture.width) / ratio;
}

}  // namespace

bool has_difference(const AppState& state, int pane) {
    return image_of(state.scene, pane) && shows_difference(state, pane) && why_no_difference(state, pane).empty();
}

void comparison_legend(const AppState& state, ImDrawList& draw, LeftToLegend left, float taken) {
    const int different = pane_where(state, has_difference);
    const int pane = different >= 0 ? different : pane_where(state, shows_false_colour);
    const PixelRect picture = area_of(state, different);
    ImFont* font = pane >= 0 || left.figures ? gui::theme().small : ImGui::GetFont();  // the small one is for figures
    const float ratio = gui::theme().pixel_ratio;
    gui::LegendRequest request{.width = free_width(state, picture),
                               .height = float(picture.height) / ratio,
                               .scale = gui::theme().scale,
                               .words = comparison_words(state, different >= 0, left.figures),
                               .low = {},
                               .high = {},
                               .mask = {},
                               .marks = {},
                               .text_size = font->FontSize,
                               .width_of = [font](const std::string& text) {
                                   return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str()).x;
                               }};
    if (request.words.empty() && left.values) request.words = {"→ value at the cursor"};
    if (pane >= 0 && different < 0) {
        explain_false_colour(state, pane, request);
    } else if (pane >= 0) {
        const LegendText ends = legend_text(state.scene.difference, value_scale(state, pane));
        request.low = ends.low;
        request.high = ends.high;
        request.mask = mask_words(state, pane);
    }
    const std::vector<Mark> marks = marks_of(state.scene);
    for (const Mark& mark : marks) request.marks.emplace_back(mark.text);
    if (request.words.empty() && pane < 0) request.words = complex_words(state);
    if (request.mask.empty() && lacks_samples(state.scene)) request.mask = {"hatched: not in the file"};
    const gui::LegendPlan plan = gui::plan_legend(request);
    if (plan.empty()) return;
    const ImVec2 at = in_lower_left(state, picture, {plan.width, plan.height}, taken);
    draw.AddRectFilled(at, {at.x + plan.width, at.y + plan.height}, gui::packed(gui::colour::panel, 0.92f), gui::px(5));
    if (plan.bar_width > 0)
        draw_bar(state, pane, {at.x + plan.bar_x, at.y + plan.bar_y}, plan.bar_width, plan.bar_height, draw);
    for (size_t i = 0; i < marks.size(); ++i) {
        const auto& [x, y, side] = plan.swatches[i];
        draw.AddRectFilled({at.x + x, at.y + y}, {at.x + x + side, at.y + y + side}, marks[i].colour);
    }
    for (const gui::LegendPlan::Text& text : plan.texts)
        draw.AddText(font, font->FontSize, {at.x + text.x, at.y + text.y}, gui::packed(gui::colour::text),
                     text.text.c_str());
    if (gui::ControlLog* log = gui::theme().control_log)
        log->push_back({"legend", {at.x, at.y, plan.width, plan.height}});
}

}  // namespace texelscope::panels
