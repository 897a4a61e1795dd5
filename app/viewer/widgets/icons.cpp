#include "app/viewer/widgets/icons.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {
namespace {

// The square of an icon on whole pixels; points of it as fractions of its side.
struct Square {
    ImDrawList& draw;
    ImVec2 low;
    float side;
    ImU32 ink;
    float pen;

    Square(ImDrawList& list, ImVec2 middle, float length, ImU32 colour)
        : draw(list),
          low(std::round(middle.x - length / 2), std::round(middle.y - length / 2)),
          side(length),
          ink(colour),
          pen(std::max(1.0f, length / 13)) {}

    ImVec2 at(float x, float y) const { return {low.x + x * side, low.y + y * side}; }
    void lines(std::initializer_list<ImVec2> points, bool closed = false) const {
        std::array<ImVec2, 8> all;
        int count = 0;
        for (const ImVec2 p : points) all[size_t(count++)] = at(p.x, p.y);
        draw.AddPolyline(all.data(), count, ink, closed ? ImDrawFlags_Closed : ImDrawFlags_None, pen);
    }
    void circle(float x, float y, float radius) const { draw.AddCircle(at(x, y), radius * side, ink, 0, pen); }
};

}  // namespace

void cells_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink, int columns, int rows) {
    const ImVec2 low{std::round(middle.x - side / 2), std::round(middle.y - side / 2)},
        high{low.x + side, low.y + side};
    draw.AddRect(low, high, ink, px(2));
    for (int i = 1; i < columns; ++i) {
        const float x = low.x + std::round(side * float(i) / float(columns));
        draw.AddLine({x, low.y}, {x, high.y}, ink);
    }
    for (int j = 1; j < rows; ++j) {
        const float y = low.y + std::round(side * float(j) / float(rows));
        draw.AddLine({low.x, y}, {high.x, y}, ink);
    }
}

void wipe_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    cells_icon(draw, middle, side, ink, 1, 1);
    draw.AddRectFilled({std::round(middle.x - side / 2), std::round(middle.y - side / 2)},
                       {middle.x, std::round(middle.y + side / 2)}, ink, px(2));
}

void folder_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.lines({{0.04f, 0.84f}, {0.04f, 0.16f}, {0.38f, 0.16f}, {0.48f, 0.3f}, {0.96f, 0.3f}, {0.96f, 0.84f}}, true);
}

void fit_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    constexpr float near = 0.06f, far = 0.94f, arm = 0.28f;
    icon.lines({{near, near + arm}, {near, near}, {near + arm, near}});
    icon.lines({{far - arm, near}, {far, near}, {far, near + arm}});
    icon.lines({{far, far - arm}, {far, far}, {far - arm, far}});
    icon.lines({{near + arm, far}, {near, far}, {near, far - arm}});
    draw.AddRectFilled(icon.at(0.34f, 0.34f), icon.at(0.66f, 0.66f), ink, px(1));
}

void one_to_one_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    for (const float x : {0.2f, 0.88f}) icon.lines({{x - 0.16f, 0.28f}, {x, 0.14f}, {x, 0.88f}});
    for (const float y : {0.4f, 0.7f}) draw.AddCircleFilled(icon.at(0.5f, y), side / 14, ink);
}

void difference_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.circle(0.34f, 0.5f, 0.3f);
    icon.circle(0.66f, 0.5f, 0.3f);
}

void loupe_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.circle(0.42f, 0.42f, 0.34f);
    icon.lines({{0.67f, 0.67f}, {0.96f, 0.96f}});
}

void podium_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.lines({{0.04f, 0.92f},
                {0.04f, 0.56f},
                {0.35f, 0.56f},
                {0.35f, 0.2f},
                {0.65f, 0.2f},
                {0.65f, 0.7f},
                {0.96f, 0.7f},
                {0.96f, 0.92f}},
               true);
}

void export_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.lines({{0.06f, 0.6f}, {0.06f, 0.94f}, {0.94f, 0.94f}, {0.94f, 0.6f}});
    icon.lines({{0.5f, 0.7f}, {0.5f, 0.08f}});
    icon.lines({{0.28f, 0.3f}, {0.5f, 0.08f}, {0.72f, 0.3f}});
}

void book_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    const Square icon(draw, middle, side, ink);
    icon.lines({{0.5f, 0.24f}, {0.34f, 0.14f}, {0.04f, 0.14f}, {0.04f, 0.8f}, {0.34f, 0.8f}, {0.5f, 0.9f}});
    icon.lines({{0.5f, 0.24f}, {0.66f, 0.14f}, {0.96f, 0.14f}, {0.96f, 0.8f}, {0.66f, 0.8f}, {0.5f, 0.9f}});
    icon.lines({{0.5f, 0.24f}, {0.5f, 0.9f}});
}

}  // namespace texelscope::gui
