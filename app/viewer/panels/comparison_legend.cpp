// The one legend of the picture area, in its lower left corner: what differences and figures are against, and the colour
// bar of differences, or else of false colours.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/drawing/sheet.h"
#include "app/picture/false_colour.h"
#include "app/picture/minimap.h"
#include "app/picture/pane_figures.h"
#include "app/picture/pane_picture.h"
#include "app/state/pane_display.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/readout_text.h"
#include "app/state/references.h"
#include "app/viewer/panels/overlay_parts.h"
#include "app/viewer/widgets/legend_plan.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// The pane whose unit and channels the bar has: the active one if it shows such colours, else the first that does; −1
// if none does.
int pane_where(const AppState& state, bool (*shows)(const AppState& state, int pane)) {
    std::vector<int> panes = panes_in_view(state);
    const auto active = std::find(panes.begin(), panes.end(), state.scene.active);
    if (active != panes.end()) std::rotate(panes.begin(), active, active + 1);
    for (const int pane : panes)
        if (shows(state, pane)) return pane;
    return -1;
}

std::string mask_words(const AppState& state, int pane) {
    const bool against_formula =
        state.scene.reference.kind == Reference::Kind::truth && compared_with(state, pane) == Pane::reference_pane;
    return against_formula ? "hatched: above Nyquist, not measured" : "";
}

// Where each channel of a colour picture shows its own difference, the bar has a stripe for each.
int legend_stripes(const AppState& state, int pane) {
    const auto image = image_of(state, pane);
    const int colours = image ? image->channels() - (image->alpha() != Alpha::none ? 1 : 0) : 1;
    const bool each = state.scene.difference.map == ColourMap::channels &&
                      state.scene.display.channel == ChannelView::all && colours == 3;
    return each ? 3 : 1;
}

// Of a level 0 … 255; of one channel, while the others agree, or −1: of all.
ImU32 legend_colour(const DifferenceSettings& d, int channel, int level) {
    if (channel < 0) return colour_table(d.map)[size_t(level)];
    const int rest = d.kind == DifferenceKind::signed_ ? 128 : 0;
    return IM_COL32(channel == 0 ? level : rest, channel == 1 ? level : rest, channel == 2 ? level : rest, 255);
}

void draw_bar(const AppState& state, int pane, ImVec2 at, float width, float height, ImDrawList& draw) {
    const bool differs = has_difference(state, pane);
    const int stripes = differs ? legend_stripes(state, pane) : 1;
    constexpr int steps = 64;
    for (int stripe = 0; stripe < stripes; ++stripe)
        for (int i = 0; i < steps; ++i)
            draw.AddRectFilled(
                {at.x + width * float(i) / steps, at.y + height * float(stripe) / float(stripes)},
                {at.x + width * float(i + 1) / steps, at.y + height * float(stripe + 1) / float(stripes)},
                differs ? legend_colour(state.scene.difference, stripes == 1 ? -1 : stripe, i * 255 / (steps - 1))
                        : colour_table(state.scene.display.map)[size_t(i * 255 / (steps - 1))]);
}

// The stored value at an end of the bar of false colours.
std::string false_colour_end(const AppState& state, int pane, double part) {
    const double value = value_shown_at(display_of(state, pane), part) * value_scale(state, pane).factor();
    return std::isfinite(value) ? fmt::format("{:.4g}", value) : "∞";
}

struct Mark {
    const char* text;
    ImU32 colour;
};

// Marks for the kinds of non-finite samples that images of the panes in view have, where these are marked.
std::vector<Mark> marks_of(const AppState& state) {
    ImageLook found;
    for (const int pane : panes_in_view(state)) {
        const Document* document = document_of(state, state.scene.panes[size_t(pane)]);
        if (!document || !document->image || !display_of(state, pane).mark_nonfinite) continue;
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

bool lacks_samples(const AppState& state) {
    const std::vector<int> panes = panes_in_view(state);
    return std::ranges::any_of(panes, [&](int pane) {
        const auto image = image_of(state, pane);
        return image && !image->missing().empty();
    });
}

// Texts for less and less space; empty if the active pane shows no complex numbers by phase and magnitude.
std::vector<std::string> complex_words(const AppState& state) {
    const int pane = state.scene.active;
    if (!shows_polar(state, pane)) return {};
    const Levels levels = levels_of(state, pane);
    const double factor = value_scale(state, pane).factor();
    const std::string range =
        fmt::format("magnitude {:.4g} … {:.4g}", double(levels.black) * factor, double(levels.white) * factor);
    return {"hue: phase, lightness: " + range, range};
}

// Where the legend is: in the picture area, or in the first pane whose colours it explains if others have none.
PixelRect area_of(const AppState& state, int different) {
    const std::vector<int> panes = panes_in_view(state);
    const bool all = std::all_of(panes.begin(), panes.end(), [&](int pane) { return has_difference(state, pane); });
    return different < 0 || all ? state.report.frame.picture : pane_clip(state, different);
}

// Of the area, or as far as a minimap in its lower part, if that leaves enough.
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
    return image_of(state, pane) && shows_difference(state, pane) && why_no_difference(state, pane).empty();
}

void comparison_legend(const AppState& state, ImDrawList& draw, LeftToLegend left, float taken) {
    const int different = pane_where(state, has_difference);
    const int pane = different >= 0 ? different : pane_where(state, shows_false_colour);
    const PixelRect picture = area_of(state, different);
    ImFont* font = gui::theme().small;
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
        if (request.words.empty()) request.words = {"False colour of stored values", "False colour"};
        request.low = false_colour_end(state, pane, 0);
        request.high = false_colour_end(state, pane, 1);
    } else if (pane >= 0) {
        const LegendText ends = legend_text(state.scene.difference, value_scale(state, pane));
        request.low = ends.low;
        request.high = ends.high;
        request.mask = mask_words(state, pane);
    }
    const std::vector<Mark> marks = marks_of(state);
    for (const Mark& mark : marks) request.marks.emplace_back(mark.text);
    if (request.words.empty() && pane < 0) request.words = complex_words(state);
    if (request.mask.empty() && lacks_samples(state)) request.mask = "hatched: not in the file";
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
        draw.AddText(font, font->FontSize, {at.x + text.x, at.y + text.y},
                     gui::packed(text.quiet ? gui::colour::secondary : gui::colour::text), text.text.c_str());
    if (gui::ControlLog* log = gui::theme().control_log)
        log->push_back({"legend", {at.x, at.y, plan.width, plan.height}});
}

}  // namespace texelscope::panels
