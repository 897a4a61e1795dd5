#include <cmath>

#include <fmt/format.h>

#include "app/drawing/canvas.h"
#include "app/drawing/plot.h"
#include "app/text/text.h"

namespace texelscope {
namespace {

using Face = TextRaster::Face;

Paint paint(uint32_t colour) { return {uint8_t(colour >> 16), uint8_t(colour >> 8), uint8_t(colour)}; }

// The pieces of a line that are left when it is dashed with these lengths.
std::vector<std::vector<Point>> dashes(const std::vector<Point>& line, double on, double off) {
    std::vector<std::vector<Point>> pieces;
    double way = 0;  // within the current dash and gap
    for (size_t k = 0; k + 1 < line.size(); ++k) {
        const Point a = line[k], b = line[k + 1];
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        for (double done = 0; done < length;) {
            const bool inked = way < on;
            const double step = std::min((inked ? on : on + off) - way, length - done);
            const auto at = [&](double t) { return Point{std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t)}; };
            if (inked) {
                if (way == 0 || pieces.empty()) pieces.push_back({at(done / length)});
                pieces.back().push_back(at((done + step) / length));
            }
            done += step;
            way += step;
            if (way >= on + off - 1e-9) way = 0;
        }
    }
    return pieces;
}

class PicturePen : public PlotPen {
public:
    PicturePen(const Plot& plot, double scale)
        : scale_(scale),
          whole_{0, 0, plot.width * scale, plot.height * scale},
          canvas_(int(std::lround(plot.width * scale)), int(std::lround(plot.height * scale)),
                  paint(plot_colour::card)) {}

    Image take() { return canvas_.take(); }

    void begin(const Plot&, const Rect& inside) override {
        inside_ = {inside.left * scale_, inside.top * scale_, (inside.right - inside.left) * scale_,
                   (inside.bottom - inside.top) * scale_};
        const Box border{scale_ / 2, scale_ / 2, whole_.width - scale_, whole_.height - scale_};
        const Box card{border.x + scale_, border.y + scale_, border.width - 2 * scale_, border.height - 2 * scale_};
        canvas_.chip(border, 6 * scale_, paint(plot_colour::border));
        canvas_.chip(card, 5 * scale_, paint(plot_colour::card));
    }

    void text(double x, double y, std::string_view words, Anchor anchor, Lettering lettering) override {
        const bool title = lettering == Lettering::title;
        const Face face = title ? Face::heading : Face::text;
        const double em = (title ? plot_title_size : plot_font_size) * scale_;
        const Paint ink = paint(title ? plot_colour::strong : plot_colour::text);
        const double middle = y * scale_ - raster_.cap_height(face, em) / 2;
        if (lettering == Lettering::upwards)
            return canvas_.text_upwards(raster_, face, em, x * scale_ - raster_.cap_height(face, em) / 2, y * scale_,
                                        ink, paint(plot_colour::card), words);
        const double width = anchor == Anchor::start ? 0 : raster_.width(face, em, words);
        canvas_.text(raster_, face, em, x * scale_ - (anchor == Anchor::middle ? width / 2 : width), middle, ink,
                     words);
    }

    void line(Point a, Point b, uint32_t colour, bool dotted) override {
        const std::vector<Point> whole = {scaled(a), scaled(b)};
        if (!dotted) return canvas_.stroke(whole, scale_, paint(colour), whole_);
        for (const auto& piece : dashes(whole, 2 * scale_, 3 * scale_))
            canvas_.stroke(piece, scale_, paint(colour), whole_);
    }

    void series(const Series& series, const std::vector<std::vector<Point>>& stretches) override {
        const Paint ink = paint(plot_colour::of(series.ink));
        for (const auto& stretch : stretches) {
            std::vector<Point> points;
            for (const Point& at : stretch) points.push_back(scaled(at));
            switch (series.style) {
                case Series::Style::dots:
                    for (const Point& at : points) canvas_.stroke({&at, 1}, 2 * plot_dot_radius * scale_, ink, inside_);
                    break;
                case Series::Style::area:
                    canvas_.fill_down(points, inside_.y + inside_.height, plot_area_opacity, ink, inside_);
                    break;
                case Series::Style::dashed:
                    for (const auto& piece : dashes(points, 5 * scale_, 3 * scale_)) draw(piece, ink, inside_);
                    break;
                case Series::Style::line: draw(points, ink, inside_); break;
            }
        }
    }

    void swatch(const Series& series, double left, double middle) override {
        const Paint ink = paint(plot_colour::of(series.ink));
        const std::vector<Point> line = {scaled({left, middle}), scaled({left + 20, middle})};
        const std::vector<Point> edge = {scaled({left, middle - 4}), scaled({left + 20, middle - 4})};
        const Point dot = scaled({left + 10, middle});
        switch (series.style) {
            case Series::Style::dots: canvas_.stroke({&dot, 1}, 2 * plot_dot_radius * scale_, ink, whole_); break;
            case Series::Style::area:
                canvas_.fill_down(edge, (middle + 4) * scale_, plot_area_opacity, ink, whole_);
                break;
            case Series::Style::dashed:
                for (const auto& piece : dashes(line, 5 * scale_, 3 * scale_)) draw(piece, ink, whole_);
                break;
            case Series::Style::line: draw(line, ink, whole_); break;
        }
    }

private:
    Point scaled(Point at) const { return {at.x * scale_, at.y * scale_}; }
    void draw(const std::vector<Point>& line, Paint ink, const Box& clip) {
        canvas_.stroke(line, plot_line_width * scale_, ink, clip);
    }

    double scale_;
    Box whole_, inside_;
    TextRaster raster_;
    Canvas canvas_;
};

}  // namespace

Image plot_picture(const Plot& plot, double scale) {
    PicturePen pen(plot, scale);
    draw_plot(plot, pen);
    return pen.take();
}

namespace {

constexpr const char* font = "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif";

std::string hex(uint32_t colour) { return fmt::format("#{:06x}", colour); }

// At most two decimals, no trailing zeros, no negative zero.
std::string svg_number(double value) {
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
            svg_number(inside.left), svg_number(inside.top), svg_number(inside.right - inside.left),
            svg_number(inside.bottom - inside.top), plot.width - 1, plot.height - 1, clip_, hex(plot_colour::card),
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
            more += fmt::format(" transform=\"rotate(-90 {} {})\"", svg_number(x), svg_number(y));
        out_ +=
            fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", svg_number(x), svg_number(y), more, escaped(words));
    }

    void line(Point a, Point b, uint32_t colour, bool dotted) override {
        out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\"{}/>\n", svg_number(a.x),
                            svg_number(a.y), svg_number(b.x), svg_number(b.y), hex(colour),
                            dotted ? " stroke-dasharray=\"2 3\"" : "");
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
            out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"20\" height=\"8\" {}/>", svg_number(left),
                                svg_number(middle - 4), area_ink(series));
        else
            out_ += fmt::format("<path d=\"M{0} {1}L{2} {1}\" {3}/>", svg_number(left), svg_number(middle),
                                svg_number(left + 20), line_ink(series));
        out_ += "\n";
    }

private:
    static std::string dot(Point at, const Series& series) {
        return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>", svg_number(at.x), svg_number(at.y),
                           plot_dot_radius, hex(plot_colour::of(series.ink)));
    }

    void add_steps(const std::vector<Point>& stretch, bool area, std::string& steps) const {
        for (const Point& at : stretch)
            steps += fmt::format("{}{} {}", &at == &stretch.front() ? "M" : "L", svg_number(at.x), svg_number(at.y));
        if (area)
            steps += fmt::format("L{} {}L{} {}Z", svg_number(stretch.back().x), svg_number(bottom_),
                                 svg_number(stretch.front().x), svg_number(bottom_));
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

std::string to_svg(std::span<const Plot> plots) {
    int width = 0, height = 0;
    std::string inside;
    for (size_t k = 0; k < plots.size(); ++k) {
        std::string one = to_svg(plots[k], fmt::format("inside-{}", k));
        constexpr std::string_view opening = "<svg ";
        one.replace(one.find(opening), opening.size(), fmt::format("<svg y=\"{}\" ", height));
        inside += one;
        width = std::max(width, plots[k].width);
        height += plots[k].height;
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}</svg>\n",
        width, height, inside);
}

}  // namespace texelscope
