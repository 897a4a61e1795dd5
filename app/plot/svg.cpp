#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/plot/plot.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr double font_size = 11, title_size = 12.5;
constexpr const char* font = "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif";
constexpr const char* text_colour = "#4d535b";
constexpr const char* strong_colour = "#1c1e21";
constexpr const char* grid_colour = "#eaecef";
constexpr const char* axis_colour = "#9aa0a8";

constexpr const char* colour_of(Ink ink) {
    switch (ink) {
        case Ink::blue: return "#1f77d0";
        case Ink::orange: return "#d9700a";
        case Ink::green: return "#0b8a68";
        case Ink::pink: return "#c63d82";
        case Ink::purple: return "#7656d6";
        case Ink::brown: return "#85680c";
        case Ink::grey: return "#aab0b8";
    }
    return "#000000";
}

// At most two decimals, no trailing zeros, no negative zero.
std::string number(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += c;
        }
    }
    return result;
}

// An estimate for placing the legend: 0.56 of the font size for each code point.
double width_of(std::string_view text) {
    const auto continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    return 0.56 * font_size * double(text.size() - size_t(std::count_if(text.begin(), text.end(), continuation)));
}

void check(const PlotAxis& axis, std::string_view which) {
    const bool finite = std::isfinite(axis.minimum) && std::isfinite(axis.maximum);
    if (!finite || axis.maximum <= axis.minimum || (axis.logarithmic && axis.minimum <= 0))
        throw Error(fmt::format("the {} axis of a plot cannot go from {} to {}{}", which, axis.minimum, axis.maximum,
                                axis.logarithmic ? " logarithmically" : ""));
}

class Drawing {
public:
    explicit Drawing(const Plot& plot)
        : plot_(plot), right_(plot.width - 14.0), bottom_(plot.height - 42.0), legend_rows_(count_legend_rows()) {
        check(plot.x, "x");
        check(plot.y, "y");
        top_ = 32.0 + 16 * legend_rows_;
    }

    std::string svg() {
        begin();
        grid();
        guides();
        for (const Series& series : plot_.series) draw(series);
        frame();
        legend();
        out_ += "</svg>\n";
        return std::move(out_);
    }

private:
    static double place(const PlotAxis& axis, double value) {
        if (!axis.logarithmic) return (value - axis.minimum) / (axis.maximum - axis.minimum);
        return std::log(value / axis.minimum) / std::log(axis.maximum / axis.minimum);
    }
    // Far outside stays outside; kept near, so that renderers need not deal with large numbers.
    static double kept_near(double place) { return std::isnan(place) ? place : std::clamp(place, -0.5, 1.5); }
    double column(double x) const { return left_ + kept_near(place(plot_.x, x)) * (right_ - left_); }
    double row(double y) const {
        if (plot_.y.logarithmic && y <= 0) y = plot_.y.minimum * 1e-30;
        return bottom_ - kept_near(place(plot_.y, y)) * (bottom_ - top_);
    }

    void text(double x, double y, std::string_view words, std::string_view more = {}) {
        out_ += fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", number(x), number(y), more.empty() ? "" : " ",
                            more, escaped(words));
    }
    void line(double x1, double y1, double x2, double y2, std::string_view colour, std::string_view more = {}) {
        out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\"{}{}/>\n", number(x1),
                            number(y1), number(x2), number(y2), colour, more.empty() ? "" : " ", more);
    }

    void begin() {
        out_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "role=\"img\" "
            "font-family=\"{2}\" font-size=\"{3}\" fill=\"{4}\">\n<title>{5}</title>\n"
            "<defs><clipPath id=\"inside\"><rect x=\"{6}\" y=\"{7}\" width=\"{8}\" height=\"{9}\"/></clipPath></defs>\n"
            "<rect x=\"0.5\" y=\"0.5\" width=\"{10}\" height=\"{11}\" rx=\"6\" fill=\"#ffffff\" stroke=\"#d9dce0\"/>\n",
            plot_.width, plot_.height, font, font_size, text_colour, escaped(plot_.title), number(left_), number(top_),
            number(right_ - left_), number(bottom_ - top_), plot_.width - 1, plot_.height - 1);
        text(14, 21, plot_.title,
             fmt::format("font-size=\"{}\" font-weight=\"600\" fill=\"{}\"", title_size, strong_colour));
    }

    void grid() {
        for (const Tick& tick : ticks_of(plot_.x, 7)) {
            line(column(tick.at), top_, column(tick.at), bottom_, grid_colour);
            text(column(tick.at), bottom_ + 15, tick.label, "text-anchor=\"middle\"");
        }
        for (const Tick& tick : ticks_of(plot_.y, 6)) {
            line(left_, row(tick.at), right_, row(tick.at), grid_colour);
            text(left_ - 7, row(tick.at) + 4, tick.label, "text-anchor=\"end\"");
        }
        text((left_ + right_) / 2, plot_.height - 11, plot_.x.label, "text-anchor=\"middle\"");
        const double middle = (top_ + bottom_) / 2;
        text(16, middle, plot_.y.label,
             fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 16 {})\"", number(middle)));
    }
    static std::vector<Tick> ticks_of(const PlotAxis& axis, int wanted) {
        return axis.ticks.empty() ? round_ticks(axis, wanted) : axis.ticks;
    }

    void guides() {
        for (const Guide& guide : plot_.guides) {
            const std::string_view dash = "stroke-dasharray=\"2 3\"";
            if (guide.of == Guide::Across::x) {
                const double x = column(guide.at);
                line(x, top_, x, bottom_, axis_colour, dash);
                text(x + 5, top_ + 12, guide.label);
            } else {
                const double y = row(guide.at);
                line(left_, y, right_, y, axis_colour, dash);
                text(right_ - 5, y - 5, guide.label, "text-anchor=\"end\"");
            }
        }
    }

    void draw(const Series& series) {
        if (series.x.size() != series.y.size())
            throw Error(fmt::format("the series '{}' of a plot has {} x and {} y", series.name, series.x.size(),
                                    series.y.size()));
        out_ += "<g clip-path=\"url(#inside)\">";
        if (series.style == Series::Style::dots)
            marks(series);
        else
            path(series);
        out_ += "</g>\n";
    }

    void marks(const Series& series) {
        for (size_t i = 0; i < series.x.size(); ++i)
            if (std::isfinite(series.x[i]) && !std::isnan(series.y[i]))
                out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\"/>", number(column(series.x[i])),
                                    number(row(series.y[i])), colour_of(series.ink));
    }

    void path(const Series& series) {
        const bool area = series.style == Series::Style::area;
        std::string steps;
        std::string begun;  // column where the present stretch began, of an area
        const auto close = [&](double x) {
            if (area && !begun.empty())
                steps += fmt::format("L{} {}L{} {}Z", number(x), number(bottom_), begun, number(bottom_));
            begun.clear();
        };
        double last = 0;
        for (size_t i = 0; i < series.x.size(); ++i) {
            const double x = column(series.x[i]), y = row(series.y[i]);
            if (std::isnan(x) || std::isnan(y)) {
                close(last);
                continue;
            }
            steps += fmt::format("{}{} {}", begun.empty() ? "M" : "L", number(x), number(y));
            if (begun.empty()) begun = number(x);
            last = x;
        }
        close(last);
        out_ += fmt::format("<path d=\"{}\" {}/>", steps, area ? area_ink(series) : line_ink(series));
    }
    static std::string line_ink(const Series& series) {
        return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.7\" stroke-linejoin=\"round\"{}",
                           colour_of(series.ink),
                           series.style == Series::Style::dashed ? " stroke-dasharray=\"5 3\"" : "");
    }
    static std::string area_ink(const Series& series) {
        return fmt::format("fill=\"{}\" fill-opacity=\"0.22\" stroke=\"none\"", colour_of(series.ink));
    }

    void frame() {
        line(left_, bottom_, right_, bottom_, axis_colour);
        line(left_, top_, left_, bottom_, axis_colour);
    }

    // Entries stand in rows under the title; visit(entry, x, row) is told where.
    template <class Visit> int lay_out_legend(Visit visit) const {
        int rows = 0;
        double x = 14;
        for (const Series& series : plot_.series) {
            if (series.name.empty()) continue;
            const double width = 28 + width_of(series.name) + 14;
            if (rows == 0 || x + width > plot_.width - 4) {
                ++rows;
                x = 14;
            }
            visit(series, x, rows - 1);
            x += width;
        }
        return rows;
    }
    int count_legend_rows() const {
        return lay_out_legend([](const Series&, double, int) {});
    }

    void legend() {
        lay_out_legend([this](const Series& series, double x, int row_number) {
            const double y = 36 + 16 * row_number;
            if (series.style == Series::Style::dots)
                out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\"/>\n", number(x + 10), number(y),
                                    colour_of(series.ink));
            else if (series.style == Series::Style::area)
                out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"20\" height=\"8\" {}/>\n", number(x),
                                    number(y - 4), area_ink(series));
            else
                out_ += fmt::format("<path d=\"M{0} {1}L{2} {1}\" {3}/>\n", number(x), number(y), number(x + 20),
                                    line_ink(series));
            text(x + 26, y + 4, series.name);
        });
    }

    const Plot& plot_;
    double left_ = 52, right_, top_ = 0, bottom_;  // of the plot's inside, pixels
    int legend_rows_;
    std::string out_;
};

}  // namespace

std::string to_svg(const Plot& plot) { return Drawing(plot).svg(); }

}  // namespace texelscope
