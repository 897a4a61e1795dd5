// Taps: the contributions to the pixel under the cursor, as a list that adds up to its value.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/pane_picture.h"
#include "app/picture/pane_words.h"
#include "app/state/pane_images.h"
#include "app/state/readout_text.h"
#include "app/text/glossary.h"
#include "app/viewer/panels/plot_dock.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/colour.h"

namespace texelscope::panels {
namespace {

std::string signed_number(double value, int decimals) {
    if (!std::isfinite(value)) return fmt::format("{}", value);
    return (std::signbit(value) && value != 0 ? "−" : " ") + fmt::format("{:.{}f}", std::abs(value), decimals);
}

std::string value_number(double value, const ValueScale& scale) {
    return signed_number(value * scale.factor(), scale.fine_decimals());
}

void right_aligned(const std::string& text, const gui::Colour& ink = gui::colour::text) {
    const float width = gui::theme().mono->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(ImGui::GetContentRegionAvail().x - width, 0.0f));
    gui::number(text, ink);
}

// Behind a weight: a bar of proportional length, in the colour of its sign.
void weight_cell(double weight, double most) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x,
                length = most > 0 ? width * float(std::abs(weight) / most) : 0;
    const gui::Colour ink = weight < 0 ? gui::pane_colour(1) : gui::pane_colour(0);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x + width - length, at.y},
                                              {at.x + width, at.y + ImGui::GetTextLineHeight()},
                                              gui::packed(ink, 0.26f), gui::px(2));
    right_aligned(signed_number(weight, 6));
}

struct Column {
    const char* name;
    const char* tip;
    float width;  // of the table, relative to the others
};

void head(const std::vector<Column>& columns) {
    for (const Column& column : columns)
        ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthStretch, column.width);
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableNextRow();
    for (const auto& [name, tip, share] : columns) {
        ImGui::TableNextColumn();
        const float width = ImGui::CalcTextSize(name).x;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(ImGui::GetContentRegionAvail().x - width, 0.0f));
        ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::secondary));
        ImGui::TextUnformatted(name);
        ImGui::PopStyleColor();
        gui::tooltip(tip);
    }
}

constexpr ImGuiTableFlags table_flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchSame |
                                        ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoPadOuterX;

void tap_table(const TapReport& taps, int channel, const ValueScale& scale, float height) {
    if (!ImGui::BeginTable("##taps", 5, table_flags, {0, height})) return;
    head({{"x", "Column of the texel; if it lies beyond the edge, the address mode supplies it.", 3},
          {"y", "Row of the texel.", 3},
          {"weight", "Weight of the texel, computed by the fetch path.", 8},
          {taps.coefficients ? "coefficient" : "sample",
           taps.coefficients ? "Coefficient of the prefilter." : "Stored sample.", 9},
          {"product", "Contribution of the texel to the value.", 8}});
    double most = 0;
    for (const Tap& tap : taps.taps) most = std::max(most, std::abs(tap.weight));
    ImGuiListClipper clipper;
    clipper.Begin(int(taps.taps.size()));
    while (clipper.Step())
        for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
            const Tap& tap = taps.taps[size_t(k)];
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            right_aligned(fmt::format("{}", tap.x), gui::colour::secondary);
            ImGui::TableNextColumn();
            right_aligned(fmt::format("{}", tap.y), gui::colour::secondary);
            ImGui::TableNextColumn();
            weight_cell(tap.weight, most);
            ImGui::TableNextColumn();
            right_aligned(value_number(double(tap.texel[size_t(channel)]), scale));
            ImGui::TableNextColumn();
            right_aligned(value_number(tap.contribution(channel), scale));
        }
    ImGui::EndTable();
}

void fetch_table(const TapReport& taps, int channel, const ValueScale& scale, float height) {
    if (!ImGui::BeginTable("##fetches", 5, table_flags, {0, height})) return;
    head({{"x", "Position of the fetch, in samples.", 4.5f},
          {"y", "Position of the fetch, in samples.", 4.5f},
          {"fraction",
           "Weight of the second column and row of the 2×2 texels, in 1/256, as the texture unit rounds it.", 6.5f},
          {"weight", "Weight of the returned value.", 8.5f},
          {"returns", "Returned value: the four texels, blended by the fractions.", 9}});
    for (const TapFetch& fetch : taps.fetches) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        right_aligned(fmt::format("{:.3f}", fetch.at.x), gui::colour::secondary);
        ImGui::TableNextColumn();
        right_aligned(fmt::format("{:.3f}", fetch.at.y), gui::colour::secondary);
        ImGui::TableNextColumn();
        right_aligned(fmt::format("{} {}", fetch.fraction_x, fetch.fraction_y));
        ImGui::TableNextColumn();
        right_aligned(signed_number(fetch.weight, 6));
        ImGui::TableNextColumn();
        right_aligned(value_number(double(fetch.value[size_t(channel)]), scale));
    }
    ImGui::EndTable();
}

void about(const AppState& state, const TapReport& taps) {
    gui::remark(fmt::format("Pane {}, {}", pane_name(taps.pane), shown_words(state, taps.pane)), false);
    gui::figure("Pixel", fmt::format("{}, {}", taps.i, taps.j), "Pixel of the picture, counted from its upper left.");
    gui::figure("Reads", fmt::format("{:.4f}, {:.4f}", taps.position.x, taps.position.y),
                "Position that the pixel reads, in sample space of the image that is read.");
    const auto counted = [](size_t n, const char* one, const char* more) {
        return fmt::format("{} {}", n, n == 1 ? one : more);
    };
    std::string how = counted(taps.taps.size(), "tap", "taps");
    if (!taps.fetches.empty()) how = counted(taps.fetches.size(), "fetch", "fetches") + ", " + how;
    gui::figure("Taps", how, with_terms("Number of contributing texels, and how they are read.", {"tap", "fetch"}));
    if (shows_difference(state, taps.pane))
        gui::remark("The pane shows a difference; these are the taps of its own picture.", false);
    if (taps.widened) gui::remark("Antialiased: the weight function is widened, its weights come from a table.", false);
    if (taps.level_x || taps.level_y)
        gui::remark(fmt::format("The image that is read has {}×{} samples: halved {}× across, {}× down.", taps.width,
                                taps.height, taps.level_x, taps.level_y),
                    false);
}

void total(const TapReport& taps, int channel, const ValueScale& scale) {
    const size_t c = size_t(channel);
    double weights = 0;
    for (const Tap& tap : taps.taps) weights += tap.weight;
    gui::figure("Σ weight", signed_number(weights, 6), "Sum of the weights: 1 if a constant image stays constant.");
    gui::figure("Σ product", value_number(taps.sum[c], scale), "Sum of the products, in float64.");
    if (taps.linear_light)
        gui::figure("coded", value_number(double(taps.result[c]), scale),
                    "The sum is linear light; the picture is sRGB-coded.");
    gui::figure("Rendered", value_number(double(taps.shown[c]), scale),
                taps.has_alpha ? "The value computed by the backend, premultiplied with alpha like all values here."
                               : "The value computed by the backend, before exposure and gamma.");
    const size_t last = size_t(taps.channels) - 1;
    if (taps.has_alpha && c < last)
        gui::figure("Straight", value_number(double(straight_value(taps.shown[c], taps.shown[last])), scale),
                    "The value divided by alpha, as the status bar shows it.");
    const double rest = double(taps.shown[c]) - double(taps.result[c]);
    gui::figure(
        "Rest", fmt::format("{:+.1e}", rest * scale.factor()),
        "Pixel minus sum: the rounding to float32 and, on the hardware path, of each fetch to the precision of the "
        "texels.");
}

}  // namespace

void taps_tab(AppState& state) {
    gui::label("Outline", "Outline the taps on the picture, coloured by the sign of their weights. Key T.");
    gui::check("on the picture", state.ui.taps);
    gui::tooltip("Outline the taps on the picture: blue for positive weights, amber for negative ones. Key T.");
    gui::note("taps:outline");
    const auto& taps = state.report.findings.taps;
    if (!taps || !image_of(state, taps->pane)) {
        const std::string& why = state.report.findings.no_taps;
        gui::remark(why.empty() ? "Point at a pixel of the picture." : why, false);
        return;
    }
    channel_row(state, taps->channels, taps->has_alpha, false);
    const int channel = std::clamp(state.ui.inspect.channel, 0, taps->channels - 1);
    const ValueScale scale = value_scale(state, taps->pane);
    ImGui::Dummy({0, gui::px(2)});
    about(state, *taps);
    if (taps->outside) {
        gui::remark("The pixel lies outside the image: it shows the background.", false);
        return;
    }
    ImGui::Dummy({0, gui::px(4)});
    const float line = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y + 1,
                figures = 5.5f * ImGui::GetFrameHeightWithSpacing();
    const auto table = [&](size_t rows, float most) { return std::min(line * float(rows + 1) + gui::px(4), most); };
    const float room = std::max(ImGui::GetContentRegionAvail().y - figures, gui::px(120));
    float left = room;
    if (!taps->fetches.empty()) {
        const float height = table(taps->fetches.size(), room * 0.4f);
        fetch_table(*taps, channel, scale, height);
        ImGui::Dummy({0, gui::px(4)});
        left -= height + gui::px(12);
    }
    tap_table(*taps, channel, scale, table(taps->taps.size(), left));
    ImGui::Dummy({0, gui::px(4)});
    total(*taps, channel, scale);
}

}  // namespace texelscope::panels
