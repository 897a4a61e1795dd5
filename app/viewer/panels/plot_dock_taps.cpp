// Taps: the contributions to the pixel under the cursor, as a list that adds up to its value.

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/colour.h"

namespace texelscope::panels {
namespace {

// A sign or the space for one in front, for numbers one above the other.
std::string with_sign(double value, int decimals) {
    const std::string text = signed_number(value, decimals);
    return std::isfinite(value) && text.find("−") == text.npos ? " " + text : text;
}

std::string value_with_sign(double value, const ValueScale& scale) {
    return with_sign(value * scale.factor(), scale.fine_decimals());
}

// Behind a weight: a bar of proportional length, in the colour of its sign.
void weight_cell(double weight, double most, int decimals) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x,
                length = most > 0 ? width * float(std::abs(weight) / most) : 0;
    const gui::Colour ink = weight < 0 ? gui::pane_colour(1) : gui::pane_colour(0);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x + width - length, at.y},
                                              {at.x + width, at.y + ImGui::GetTextLineHeight()},
                                              gui::packed(ink, 0.26f), gui::px(2));
    gui::number_at_right(signed_number(weight, decimals));
}

struct Column {
    const char* name;
    const char* tip;
    NumberColumn numbers = {};
};

constexpr int weight_decimals = 6, fewest_weight_decimals = 3;

NumberColumn weight_column() { return {.decimals = weight_decimals, .fewest = fewest_weight_decimals}; }

NumberColumn value_column(const ValueScale& scale) {
    return {.decimals = scale.fine_decimals(), .fewest = scale.factor() > 1 ? 1 : 3};
}

// With a gap of a character between columns, and as many decimals as there is room for.
using Columns = std::array<Column, 5>;
void fit(Columns& columns) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float digit = gui::theme().mono->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, "0").x,
                gaps = 2 * style.CellPadding.x * float(columns.size() - 1),
                room = ImGui::GetContentRegionAvail().x - style.ScrollbarSize - gaps;
    std::array<NumberColumn, std::tuple_size_v<Columns>> numbers;
    for (size_t k = 0; k < columns.size(); ++k) {
        numbers[k] = columns[k].numbers;
        const float heading = ImGui::CalcTextSize(columns[k].name).x;
        numbers[k].least = std::max(numbers[k].least, int(std::ceil(heading / digit)));
    }
    fit_decimals(numbers, int(room / digit) - int(columns.size()));
    for (size_t k = 0; k < columns.size(); ++k) columns[k].numbers = numbers[k];
}

void head(const Columns& columns) {
    for (const Column& column : columns)
        ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthStretch,
                                float(column.numbers.characters() + 1));
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (const auto& [name, tip, numbers] : columns) {
        ImGui::TableNextColumn();
        gui::heading_at_right(name);
        gui::tooltip(tip);
    }
}

constexpr ImGuiTableFlags table_flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchSame |
                                        ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoPadOuterX;

// All digits of a sample that is an integer number; empty for other types and for taps that are no stored samples.
std::string sample_digits(const TapReport& taps, const Tap& tap, int channel, const Image& image) {
    const bool is_sample = !taps.coefficients && !taps.linear_light && taps.level_x == 0 && taps.level_y == 0 &&
                           image.in_memory() && image.alpha() == Alpha::none;
    if (!is_sample || is_float(image.type()) || is_normalised(image.type())) return {};
    if (tap.x < 0 || tap.y < 0 || tap.x >= image.width() || tap.y >= image.height()) return {};
    return text_of(image.number(tap.x, tap.y, channel));
}

void tap_table(const TapReport& taps, int channel, const ValueScale& scale, const Image& image, float height) {
    Columns columns{{{"x", "Column of the texel; if it lies beyond the edge, the address mode supplies it."},
                     {"y", "Row of the texel."},
                     {"weight", "Weight of the texel, computed by the fetch path.", weight_column()},
                     {taps.coefficients ? "coefficient" : "sample",
                      taps.coefficients ? "Coefficient of the prefilter." : "Stored sample.", value_column(scale)},
                     {"product", "Contribution of the texel to the value.", value_column(scale)}}};
    double most = 0;
    for (const Tap& tap : taps.taps) {
        most = std::max(most, std::abs(tap.weight));
        const double numbers[] = {double(tap.x), double(tap.y), tap.weight,
                                  double(tap.texel[size_t(channel)]) * scale.factor(),
                                  tap.contribution(channel) * scale.factor()};
        for (size_t k = 0; k < columns.size(); ++k) columns[k].numbers.take(numbers[k]);
    }
    // Two digits of the largest at least: those of a widened function are all small.
    if (most > 0)
        columns[2].numbers.fewest =
            std::clamp(1 + int(std::ceil(-std::log10(most))), fewest_weight_decimals, weight_decimals);
    fit(columns);
    const auto cell = [&](size_t column, double value) {
        ImGui::TableNextColumn();
        gui::number_at_right(signed_number(value * scale.factor(), columns[column].numbers.decimals));
    };
    if (!ImGui::BeginTable("##taps", int(columns.size()), table_flags, {0, height})) return;
    head(columns);
    ImGuiListClipper clipper;
    clipper.Begin(int(taps.taps.size()));
    while (clipper.Step())
        for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
            const Tap& tap = taps.taps[size_t(k)];
            ImGui::TableNextRow();
            for (const int place : {tap.x, tap.y}) {
                ImGui::TableNextColumn();
                gui::number_at_right(signed_number(place, 0), gui::colour::secondary);
            }
            ImGui::TableNextColumn();
            weight_cell(tap.weight, most, columns[2].numbers.decimals);
            if (const std::string digits = sample_digits(taps, tap, channel, image); !digits.empty()) {
                ImGui::TableNextColumn();
                gui::number_at_right(digits);
            } else {
                cell(3, double(tap.texel[size_t(channel)]));
            }
            cell(4, tap.contribution(channel));
        }
    ImGui::EndTable();
}

void fetch_table(const TapReport& taps, int channel, const ValueScale& scale, float height) {
    const NumberColumn position{.decimals = 3, .fewest = 2};
    Columns columns{
        {{"x", "Position of the fetch, in samples.", position},
         {"y", "Position of the fetch, in samples.", position},
         {"fraction",
          "Weight of the second column and row of the 2×2 texels, in 1/256, as the texture unit rounds it."},
         {"weight", "Weight of the returned value.", weight_column()},
         {"returns", "Returned value: the four texels, blended by the fractions.", value_column(scale)}}};
    const auto fraction = [](const TapFetch& fetch) {
        return fmt::format("{} {}", fetch.fraction_x, fetch.fraction_y);
    };
    for (const TapFetch& fetch : taps.fetches) {
        columns[0].numbers.take(fetch.at.x);
        columns[1].numbers.take(fetch.at.y);
        columns[2].numbers.least = std::max(columns[2].numbers.least, int(fraction(fetch).size()));
        columns[3].numbers.take(fetch.weight);
        columns[4].numbers.take(double(fetch.value[size_t(channel)]) * scale.factor());
    }
    fit(columns);
    const auto cell = [&](size_t column, double value, const gui::Colour& ink) {
        ImGui::TableNextColumn();
        gui::number_at_right(signed_number(value, columns[column].numbers.decimals), ink);
    };
    if (!ImGui::BeginTable("##fetches", int(columns.size()), table_flags, {0, height})) return;
    head(columns);
    for (const TapFetch& fetch : taps.fetches) {
        ImGui::TableNextRow();
        cell(0, fetch.at.x, gui::colour::secondary);
        cell(1, fetch.at.y, gui::colour::secondary);
        ImGui::TableNextColumn();
        gui::number_at_right(fraction(fetch));
        cell(3, fetch.weight, gui::colour::text);
        cell(4, double(fetch.value[size_t(channel)]) * scale.factor(), gui::colour::text);
    }
    ImGui::EndTable();
}

void about(const AppState& state, const TapReport& taps) {
    gui::remark(fmt::format("Pane {}, {}", pane_name(taps.pane), pane_label(state, taps.pane)), false);
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
    gui::figure("Σ weight", with_sign(weights, weight_decimals),
                "Sum of the weights: 1 if a constant image stays constant.");
    gui::figure("Σ product", value_with_sign(taps.sum[c], scale), "Sum of the products, in float64.");
    if (taps.linear_light)
        gui::figure("As sRGB", value_with_sign(double(taps.result[c]), scale),
                    "The sum is linear light; the picture is sRGB-coded.");
    gui::figure("Rendered", value_with_sign(double(taps.shown[c]), scale),
                taps.has_alpha
                    ? "The value that was computed for the picture, times alpha (premultiplied) like all values "
                      "here."
                    : "The value that was computed for the picture, before exposure and gamma.");
    const size_t last = size_t(taps.channels) - 1;
    if (taps.has_alpha && c < last)
        gui::figure("Straight", value_with_sign(double(straight_value(taps.shown[c], taps.shown[last])), scale),
                    "The value divided by alpha, as the status bar shows it.");
    const double sum = taps.linear_light ? double(taps.result[c]) : double(taps.sum[c]);
    const double rest = double(taps.shown[c]) - sum;
    gui::figure(
        "Rest", rest == 0 ? "0" : fmt::format("{:+.1e}", rest * scale.factor()),
        "Pixel minus sum: the rounding to float32 and, on the hardware path, of each fetch to the precision of the "
        "texels.");
}

// The sum as it is written down: all in one, to be read or copied. It scrolls if it has more lines than these.
constexpr float most_formula_lines = 6;

std::string shown_formula(const TapReport& taps, int channel, const ValueScale& scale) {
    constexpr size_t most_terms = 64;
    return formula_text(taps, channel, scale, most_terms);
}

// With the button beside its title.
float formula_height(const std::string& text) {
    ImGui::PushFont(gui::theme().mono);
    const float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize,
                height = std::min(ImGui::CalcTextSize(gui::broken(text, room).c_str()).y,
                                  most_formula_lines * ImGui::GetTextLineHeight());
    ImGui::PopFont();
    return height + ImGui::GetStyle().ItemSpacing.y;
}

void formula_row(AppState& state, const TapReport& taps, const std::string& text) {
    const char* const tip = "Σ weight · texel = value, of the shown channel.";
    gui::label(taps.coefficients ? "Σ w·c" : "Σ w·s", tip);
    if (gui::row_button("Copy", 0, "Copy position and formula as text. The values alone: Ctrl+C."))
        state.tasks.push_back(task::CopyText{copied_formula(state), "the formula"});
    gui::note("taps:copy");
    ImGui::BeginChild("##formula", {0, formula_height(text)});
    ImGui::PushFont(gui::theme().mono);
    gui::wrapped_text(text);
    ImGui::PopFont();
    ImGui::EndChild();
    gui::note("taps:formula");
}

}  // namespace

void taps_tab(AppState& state) {
    gui::label("Outline", "Outline the taps on the picture, coloured by the sign of their weights. Key T.");
    gui::check("on the picture", state.ui.taps,
               "Outline the taps on the picture: blue for positive weights, amber for negative ones. Key T.",
               "taps:outline");
    const auto& taps = state.report.findings.taps;
    if (!taps || !image_of(state.scene, taps->pane)) {
        const std::string& why = state.report.findings.no_taps;
        gui::remark(why.empty() ? "Point at a pixel of the picture." : why, false);
        return;
    }
    channel_row(state.ui.inspect, taps->channels, taps->has_alpha, false);
    const int channel = shown_channel(state, *taps);
    const ValueScale scale = value_scale(state, taps->pane);
    ImGui::Dummy({0, gui::px(2)});
    about(state, *taps);
    if (taps->outside) {
        gui::remark("The pixel lies outside the image: it shows the background.", false);
        return;
    }
    ImGui::Dummy({0, gui::px(4)});
    const std::string sum = shown_formula(*taps, channel, scale);
    const float line = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y + 1,
                figures = 6.5f * ImGui::GetFrameHeightWithSpacing() + formula_height(sum);
    const auto table = [&](size_t rows, float most) { return std::min(line * float(rows + 1) + gui::px(4), most); };
    const float room = std::max(ImGui::GetContentRegionAvail().y - figures, gui::px(120));
    float left = room;
    if (!taps->fetches.empty()) {
        const float height = table(taps->fetches.size(), room * 0.4f);
        fetch_table(*taps, channel, scale, height);
        ImGui::Dummy({0, gui::px(4)});
        left -= height + gui::px(12);
    }
    tap_table(*taps, channel, scale, *image_of(state.scene, taps->pane), table(taps->taps.size(), left));
    ImGui::Dummy({0, gui::px(4)});
    total(*taps, channel, scale);
    formula_row(state, *taps, sum);
}

}  // namespace texelscope::panels
