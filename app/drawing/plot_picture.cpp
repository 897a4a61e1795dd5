#include "app/drawing/plot_picture.h"

#include <cmath>

#include "app/drawing/canvas.h"
#include "app/drawing/plot_pen.h"

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

}  // namespace texelscope
