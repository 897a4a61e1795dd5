#include "app/drawing/sheet.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/drawing/canvas.h"
#include "app/drawing/plot.h"
#include "app/text/text.h"

namespace texelscope {
namespace {

using Face = TextRaster::Face;

using namespace sheet_layout;

constexpr Paint ink(uint32_t rgb) { return {uint8_t(rgb >> 16), uint8_t(rgb >> 8), uint8_t(rgb)}; }

// Neutral behind the pictures: a tint would bias the eye.
constexpr Paint background{0x20, 0x20, 0x20};
constexpr Paint text_ink = ink(text_rgb), secondary = ink(secondary_text_rgb), dark{0x1a, 0x1a, 0x1a},
                frame{0x3c, 0x3c, 0x3c};

// The colour of a share of the map's range. The channels' map is the level itself, in each channel.
Paint colour_of(ColourMap map, double share) {
    const auto level = uint8_t(std::lround(255 * share));
    if (map == ColourMap::channels) return {level, level, level};
    const uint32_t c = colour_table(map)[level];
    return {uint8_t(c), uint8_t(c >> 8), uint8_t(c >> 16)};
}

class SheetDrawer {
public:
    SheetDrawer(const std::vector<SheetPane>& panes, const SheetText& text, int columns)
        : panes_(panes), text_(text), layout_(laid_out(int(panes.size()), panes[0].picture, columns)) {
        split_ = most_lines() > 1;
        const size_t lines = most_lines();
        for (const SheetPane& pane : panes_)
            if (has_histogram(pane)) largest_ = std::max(largest_, pane.map->largest);
        layout_.cell_text = layout_.unit * (12 + badge_size + (lines > 0 ? 6 + double(lines) * line : 0) +
                                            (largest_ > 0 ? 8 + histogram_height + line : 0));
        for (const SheetPane& pane : panes_)
            if (pane.difference && std::find(legends_.begin(), legends_.end(), *pane.difference) == legends_.end())
                legends_.push_back(*pane.difference);
    }

    Image draw() {
        const double legends = legends_.empty() ? 0 : double(legend_rows()) * legend_height;
        const int height = layout_.px(header_height + legends + margin - gap + 4) + layout_.rows * layout_.row_height();
        Canvas canvas(layout_.width, height, background);
        draw_header(canvas);
        for (size_t i = 0; i < panes_.size(); ++i) draw_cell(canvas, panes_[i], int(i));
        const double below = layout_.px(header_height) + layout_.rows * layout_.row_height();
        for (size_t i = 0; i < legends_.size(); ++i) draw_legend(canvas, legends_[i], int(i), below);
        return canvas.take();
    }

private:
    static bool has_histogram(const SheetPane& pane) {
        return pane.map && pane.map->pixels > 0 && pane.difference && is_map(pane.difference->kind);
    }

    size_t most_lines() const {
        size_t lines = 0;
        for (const SheetPane& pane : panes_) lines = std::max(lines, figure_lines(pane).size());
        return lines;
    }

    double em(double length) const { return length * layout_.unit; }

    double figure_width(const Figure& figure) const {
        const double space = em(small) * 0.4;
        double width = 0;
        const auto add = [&](Face face, const std::string& word) {
            if (!word.empty()) width += (width > 0 ? space : 0) + raster_.width(face, em(small), word);
        };
        add(Face::text, figure.name);
        add(Face::mono, figure.value);
        add(Face::text, figure.unit);
        return width;
    }

    // So that a long name of a reference does not reach into the next cell.
    void shorten(Figure& figure) const {
        const double too_wide = figure_width(figure) - layout_.cell_width;
        if (too_wide <= 0) return;
        const double left = raster_.width(Face::text, em(small), figure.name) - too_wide;
        figure.name = raster_.elided(Face::text, em(small), figure.name, std::max(left, 0.0));
    }

    // The figures in as many lines as the cell's width requires; if they do not fit in one line in all panes, errors
    // and costs get separate lines.
    std::vector<std::vector<Figure>> figure_lines(const SheetPane& pane) const {
        std::vector<std::vector<Figure>> lines;
        double used = 0;
        bool cost_before = false;
        for (Figure figure : figures_of(pane)) {
            shorten(figure);
            const double width = figure_width(figure);
            const bool apart = split_ && figure.is_cost && !cost_before;
            cost_before = figure.is_cost;
            if (lines.empty() || apart || used + em(item_gap) + width > layout_.cell_width) {
                lines.emplace_back();
                used = 0;
            }
            used += (lines.back().empty() ? 0 : em(item_gap)) + width;
            lines.back().push_back(figure);
        }
        return lines;
    }

    void draw_header(Canvas& canvas) const {
        const double x = layout_.px(margin), width = layout_.width - 2 * x;
        canvas.text(raster_, Face::heading, em(large), x, em(28), text_ink,
                    raster_.elided(Face::heading, em(large), text_.title, width));
        const std::string device = raster_.elided(Face::text, em(small), text_.device, width * 0.4);
        const double device_width = raster_.width(Face::text, em(small), device);
        canvas.text(raster_, Face::text, em(small), x + width - device_width, em(52), secondary, device);
        const double left = width - (device.empty() ? 0 : device_width + em(item_gap));
        canvas.text(raster_, Face::text, em(small), x, em(52), secondary,
                    raster_.elided(Face::text, em(small), text_.reference, left));
    }

    double draw_badge(Canvas& canvas, const SheetPane& pane, double x, double y) const {
        const double size = em(badge_size);
        canvas.chip({x, y - size / 2, size, size}, em(4), ink(pane_rgb(pane.index)));
        const double width = raster_.width(Face::heading, em(small), pane.badge);
        canvas.text(raster_, Face::heading, em(small), x + (size - width) / 2, y, dark, pane.badge);
        return x + size;
    }

    void draw_cell(Canvas& canvas, const SheetPane& pane, int at) const {
        const int x = layout_.cell_x(at % layout_.columns);
        const int y = layout_.px(header_height) + at / layout_.columns * layout_.row_height();
        // A frame, since a picture may have the same grey as the sheet.
        const int width = pane.picture.width() * layout_.times;
        canvas.fill({x - 1.0, y - 1.0, width + 2.0, layout_.picture_height + 2.0}, frame);
        canvas.picture(x, y, pane.picture, layout_.times);
        double middle = y + layout_.picture_height + em(12 + badge_size / 2);
        const double label = draw_badge(canvas, pane, x, middle) + em(8);
        canvas.text(raster_, Face::text, em(normal), label, middle, text_ink,
                    raster_.elided(Face::text, em(normal), pane.label, x + layout_.cell_width - label));
        middle += em(badge_size / 2 + 6 + line / 2);
        for (const auto& figures : figure_lines(pane)) {
            draw_figures(canvas, figures, x, middle);
            middle += em(line);
        }
        const double text = layout_.picture_height + layout_.cell_text - em(line + histogram_height);
        if (largest_ > 0 && has_histogram(pane)) draw_histogram(canvas, pane, x, y + text);
    }

    // How many pixels have which error, in the colours of the map; all panes to one scale, from 0 to the largest error of
    // all. Heights are square roots, so that few pixels with large errors are seen beside many without.
    void draw_histogram(Canvas& canvas, const SheetPane& pane, double x, double y) const {
        const MapFigures& map = *pane.map;
        const double height = em(histogram_height), width = layout_.cell_width;
        canvas.fill({x, y, width, height}, frame);
        const double white = difference_unit(pane.difference->kind, pane.scale) / double(pane.difference->gain);
        const double most = std::sqrt(double(*std::max_element(map.histogram.begin(), map.histogram.end())));
        const double column = width * map.largest / largest_ / MapFigures::columns;  // pixels
        for (int i = 0; i < MapFigures::columns; ++i) {
            const double error = (i + 0.5) * map.largest / MapFigures::columns;
            const double bar = height * std::sqrt(double(map.histogram[size_t(i)])) / most;
            const double left = std::min(std::round(x + i * column), x + width - 1);
            const double right = std::max(std::round(x + (i + 1) * column), left + 1);
            canvas.fill({left, y + height - bar, right - left, bar},
                        colour_of(pane.difference->map, std::min(error / white, 1.0)));
        }
        const std::string end = map_number_text(pane.difference->kind, largest_);
        const double below = y + height + em(line / 2);
        canvas.text(raster_, Face::mono, em(small), x, below, secondary, "0");
        const double end_width = raster_.width(Face::mono, em(small), end);
        canvas.text(raster_, Face::mono, em(small), x + width - end_width, below, secondary, end);
    }

    void draw_figures(Canvas& canvas, const std::vector<Figure>& figures, double x, double y) const {
        const double space = em(small) * 0.4;
        for (const Figure& figure : figures) {
            const double begin = x;
            const auto add = [&](Face face, Paint colour, const std::string& word) {
                if (!word.empty())
                    x = canvas.text(raster_, face, em(small), x + (x > begin ? space : 0), y, colour, word);
            };
            add(Face::text, secondary, figure.name);
            add(Face::mono, text_ink, figure.value);
            add(Face::text, secondary, figure.unit);
            x += em(item_gap);
        }
    }

    // Legends are in rows of as many as fit.
    int legends_a_row() const {
        const double room = layout_.width - 2 * em(margin), one = em(legend_width + 2 * gap);
        return std::max(1, int((room + em(2 * gap)) / one));
    }
    int legend_rows() const { return (int(legends_.size()) + legends_a_row() - 1) / legends_a_row(); }

    void draw_bar(Canvas& canvas, const DifferenceSettings& difference, const Box& bar) const {
        for (int i = 0; i < int(bar.width); ++i)
            canvas.fill({bar.x + i, bar.y, 1, bar.height}, colour_of(difference.map, (i + 0.5) / bar.width));
    }

    void draw_legend(Canvas& canvas, const DifferenceSettings& difference, int at, double top) const {
        const auto shows = [&](const SheetPane& pane) { return pane.difference == difference; };
        const auto first = std::find_if(panes_.begin(), panes_.end(), shows);
        const LegendText words = legend_text(difference, first == panes_.end() ? ValueScale() : first->scale);
        const double x = em(margin) + (at % legends_a_row()) * em(legend_width + 2 * gap);
        const double y = top + (at / legends_a_row()) * em(legend_height), width = std::round(em(legend_width));
        double end = x;
        for (const SheetPane& pane : panes_)
            if (legends_.size() > 1 && pane.difference == difference && end + em(14) < x + width / 2)
                end = canvas.text(raster_, Face::heading, em(small), end, y + em(8), ink(pane_rgb(pane.index)),
                                  pane.badge) +
                      em(5);
        canvas.text(raster_, Face::text, em(small), end, y + em(8), secondary,
                    raster_.elided(Face::text, em(small), words.title, x + width - end));
        draw_bar(canvas, difference, {std::round(x), std::round(y + em(20)), width, std::round(em(10))});
        const auto label = [&](const std::string& word, double share) {
            const double left = x + share * (width - raster_.width(Face::mono, em(small), word));
            canvas.text(raster_, Face::mono, em(small), left, y + em(41), text_ink, word);
        };
        label(words.low, 0);
        label(words.middle, 0.5);
        label(words.high, 1);
    }

    const std::vector<SheetPane>& panes_;
    const SheetText& text_;
    TextRaster raster_;
    Layout layout_;
    bool split_ = false;
    double largest_ = 0;                       // error of all maps
    std::vector<DifferenceSettings> legends_;  // different ones
};

}  // namespace

Image make_sheet(const std::vector<SheetPane>& panes, const SheetText& text, int columns) {
    if (panes.empty()) throw Error("a sheet needs at least one pane");
    for (const SheetPane& pane : panes) {
        const Image& a = panes[0].picture;
        const Image& b = pane.picture;
        if (b.empty() || b.type() != SampleType::u8 || b.channels() < 3)
            throw Error(fmt::format("pane {} of the sheet has no 8-bit colour picture", pane.badge));
        if (a.width() != b.width() || a.height() != b.height())
            throw Error(fmt::format("the panes of a sheet must have the same size; {} has {}×{} pixels, {} has {}×{}",
                                    panes[0].badge, a.width(), a.height(), pane.badge, b.width(), b.height()));
    }
    const int count = int(panes.size());
    const int chosen = columns > 0 ? std::min(columns, count) : best_columns(count, panes[0].picture);
    return SheetDrawer(panes, text, chosen).draw();
}

namespace {

std::vector<Figure> figures_of(const Metrics& m, const Against& against, const ValueScale& scale) {
    switch (against.tells) {
        case Against::Tells::nothing: return {{"is the reference", "", ""}};
        case Against::Tells::arithmetic:

            return {{"arithmetic error", arithmetic_text(m.rmse * scale.factor()) + scale.of_whole(), ""},
                    {"max", arithmetic_text(m.max_abs * scale.factor()), ""}};
        case Against::Tells::difference: break;
    }
    std::vector<Figure> figures = {{"RMSE", scale.error(m.rmse), ""},
                                   {against.name.empty() ? "PSNR" : against_words(against), psnr_text(m.psnr), "dB"},
                                   {"max", error_text(m.max_abs * scale.factor()), ""}};
    if (!against.name.empty()) std::swap(figures[0], figures[1]);
    if (!std::isnan(m.ssim)) figures.push_back({"SSIM", ssim_text(m.ssim), ""});
    return figures;
}

}  // namespace

std::vector<Figure> figures_of(const SheetPane& pane) {
    std::vector<Figure> figures;
    if (const auto& m = pane.metrics) {
        if (m->pixels > 0) figures = figures_of(*m, pane.against, pane.scale);
        else figures.push_back({"no pixel to compare", "", ""});
    }
    if (pane.map && pane.difference && pane.map->pixels > 0)
        for (const Figure& figure : map_figures(pane.difference->kind, *pane.map)) figures.push_back(figure);
    if (pane.milliseconds > 0) figures.push_back(time_figure(pane.milliseconds));
    if (pane.fetches > 0) {
        const bool one = pane.fetches == 1;
        const char* unit = pane.taps ? (one ? "tap" : "taps") : (one ? "fetch" : "fetches");
        figures.push_back({"", fmt::format("{:.3g}", pane.fetches), unit, true});
    }
    return figures;
}

LegendText legend_text(const DifferenceSettings& difference, const ValueScale& scale) {
    LegendText text;
    text.title = is_map(difference.kind)
                     ? map_words(difference)
                     : fmt::format("{} difference  {}", name_of(difference.kind), row_of(difference.kind).formula);
    const std::string end = fmt::format("{:.3g}", difference_unit(difference.kind, scale) / double(difference.gain));
    const bool both_signs = difference.kind == DifferenceKind::signed_;
    text.low = both_signs ? "−" + end : "0";
    if (both_signs) text.middle = "0";
    text.high = "≥ " + end;
    if (both_signs) text.low = "≤ " + text.low;
    return text;
}

}  // namespace texelscope

namespace texelscope::sheet_layout {

Layout laid_out(int count, const Image& picture, int columns) {
    Layout layout;
    layout.columns = columns;
    layout.rows = (count + columns - 1) / columns;
    const int wanted = int(std::max(least_cell, least_sheet / columns));
    const int by_width = (wanted + picture.width() - 1) / picture.width();
    const int by_height = std::max(1, 2 * wanted / picture.height());  // narrow and tall: stays small
    layout.times = std::clamp(by_width, 1, by_height);
    layout.cell_width = std::max(wanted, picture.width() * layout.times);
    layout.picture_height = picture.height() * layout.times;
    // Text of 15 pixels on a sheet of 1280, but never too large for a cell.
    layout.unit = std::clamp(columns * layout.cell_width / 1280.0, 1.0, std::max(1.0, layout.cell_width / 320.0));
    layout.unit = std::min(layout.unit, 4.0);
    layout.width = layout.cell_x(columns - 1) + layout.cell_width + layout.px(margin);
    return layout;
}

int best_columns(int count, const Image& picture) {
    int best = 1;
    double least = 1e300;
    for (int columns = 1; columns <= count; ++columns) {
        Layout layout = laid_out(count, picture, columns);
        layout.cell_text = layout.px(3 * line);
        const double height = layout.px(header_height + margin) + double(layout.rows) * layout.row_height();
        const int empty = columns * layout.rows - count;
        const double badness = std::abs(std::log(layout.width / height / (16.0 / 9))) + 0.3 * empty;
        if (badness < least) {
            least = badness;
            best = columns;
        }
    }
    return best;
}

}  // namespace texelscope::sheet_layout
