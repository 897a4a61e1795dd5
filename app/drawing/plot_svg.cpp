#include <fmt/format.h>

#include "app/drawing/plot_pen.h"
#include "app/text/markup.h"

namespace texelscope {

namespace {

constexpr const char* font = "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif";

std::string hex(uint32_t colour) { return fmt::format("#{:06x}", colour); }

// At most two decimals, no trailing zeros, no negative zero.
std::string number(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text == "-0" ? "0" : text;
}

class SvgPen : public PlotPen {
public:
    explicit SvgPen(std::string_view clip) : clip_(clip) {}

    std::string finished() {
        out_ += "</svg>\n";
        return std::move(out_);
    }

    void begin(const Plot& plot, const Rect& inside) override {
        bottom_ = inside.bottom;
        out_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "role=\"img\" "
            "font-family=\"{2}\" font-size=\"{3}\" fill=\"{4}\">\n<title>{5}</title>\n"
            "<defs><clipPath id=\"{12}\"><rect x=\"{6}\" y=\"{7}\" width=\"{8}\" height=\"{9}\"/></clipPath></defs>\n"
            "<rect x=\"0.5\" y=\"0.5\" width=\"{10}\" height=\"{11}\" rx=\"6\" fill=\"{13}\" stroke=\"{14}\"/>\n",
            plot.width, plot.height, font, plot_font_size, hex(plot_colour::text), escaped(plot.title),
            number(inside.left), number(inside.top), number(inside.right - inside.left),
            number(inside.bottom - inside.top), plot.width - 1, plot.height - 1, clip_, hex(plot_colour::card),
            hex(plot_colour::border));
    }

    void text(double x, double y, std::string_view words, Anchor anchor, Lettering lettering) override {
        std::string more;
        if (anchor != Anchor::start)
            more += fmt::format(" text-anchor=\"{}\"", anchor == Anchor::middle ? "middle" : "end");
        if (lettering == Lettering::title)
            more += fmt::format(" font-size=\"{}\" font-weight=\"600\" fill=\"{}\"", plot_title_size,
                                hex(plot_colour::strong));
        if (lettering == Lettering::upwards)
            more += fmt::format(" transform=\"rotate(-90 {} {})\"", number(x), number(y));
        out_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", number(x), number(y), more, escaped(words));
    }

    void line(Point a, Point b, uint32_t colour, bool dotted) override {
        out_ +=
            fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\"{}/>\n", number(a.x), number(a.y),
                        number(b.x), number(b.y), hex(colour), dotted ? " stroke-dasharray=\"2 3\"" : "");
    }

    void series(const Series& series, const std::vector<std::vector<Point>>& stretches) override {
        out_ += fmt::format("<g clip-path=\"url(#{})\">", clip_);
        if (series.style == Series::Style::dots) {
            for (const auto& stretch : stretches)
                for (const Point& at : stretch) out_ += dot(at, series);
        } else {
            const bool area = series.style == Series::Style::area;
            std::string steps;
            for (const auto& stretch : stretches) add_steps(stretch, area, steps);
            out_ += fmt::format("<path d=\"{}\" {}/>", steps, area ? area_ink(series) : line_ink(series));
        }
        out_ += "</g>\n";
    }

    void swatch(const Series& series, double left, double middle) override {
        if (series.style == Series::Style::dots) out_ += dot({left + 10, middle}, series);
        else if (series.style == Series::Style::area)
            out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"20\" height=\"8\" {}/>", number(left),
                                number(middle - 4), area_ink(series));
        else
            out_ += fmt::format("<path d=\"M{0} {1}L{2} {1}\" {3}/>", number(left), number(middle), number(left + 20),
                                line_ink(series));
        out_ += "\n";
    }

private:
    static std::string dot(Point at, const Series& series) {
        return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>", number(at.x), number(at.y),
                           plot_dot_radius, hex(plot_colour::of(series.ink)));
    }

    void add_steps(const std::vector<Point>& stretch, bool area, std::string& steps) const {
        for (const Point& at : stretch)
            steps += fmt::format("{}{} {}", &at == &stretch.front() ? "M" : "L", number(at.x), number(at.y));
        if (area)
            steps += fmt::format("L{} {}L{} {}Z", number(stretch.back().x), number(bottom_), number(stretch.front().x),
                                 number(bottom_));
    }

    static std::string line_ink(const Series& series) {
        return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}",
                           hex(plot_colour::of(series.ink)), plot_line_width,
                           series.style == Series::Style::dashed ? " stroke-dasharray=\"5 3\"" : "");
    }
    static std::string area_ink(const Series& series) {
        return fmt::format("fill=\"{}\" fill-opacity=\"{}\" stroke=\"none\"", hex(plot_colour::of(series.ink)),
                           plot_area_opacity);
    }

    std::string clip_, out_;
    double bottom_ = 0;  // of the inside
};

}  // namespace

std::string to_svg(const Plot& plot, std::string_view clip) {
    SvgPen pen(clip);
    draw_plot(plot, pen);
    return pen.finished();
}

}  // namespace texelscope
