// The filmstrip: the pictures of the shown file's folder, small, in a row below the picture.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// Units. From one picture to the next; the most that a picture fills; the bar at the lower edge.
constexpr float cell_width = 124, picture_width = 112, picture_height = 72, margin = 6, bar_height = 8;

// A row of cells, in window coordinates.
struct StripRow {
    gui::Box box;
    int count = 0;  // of the folder's pictures
    float cell() const { return gui::px(cell_width); }
    double length() const { return double(count) * cell(); }
    double most_scroll() const { return std::max(0.0, length() - double(box.width)); }
    float left_of(int index, double scroll) const { return box.x + float(index * double(cell()) - scroll); }
};

// On whole pixels of the screen, so that the picture is as sharp as it was made.
float on_pixel(float position) {
    const float ratio = gui::theme().pixel_ratio;
    return std::round(position * ratio) / ratio;
}

std::string path_at(const FolderView& folder, int index) {
    return (std::filesystem::path(folder.folder) / (*folder.files)[size_t(index)].name).string();
}

std::string tip_of(const std::string& name, const StripPicture* picture) {
    if (!picture || picture->bytes == 0) return name;
    std::string tip = name + "\n";
    if (!picture->size.empty()) tip += fmt::format("{}×{} pixels · ", picture->size.width, picture->size.height);
    tip += fmt::format("{}\n{}", size_text(picture->bytes), date_text(picture->modified));
    if (!picture->picture.name) tip += "\nThere is no small picture: the file is too large, or cannot be read.";
    return tip;
}

// So that the shown picture and its neighbours are in view, once it, the folder or the width has changed: by as little as needed, or
// in the middle if it was far away.
void follow_shown(Filmstrip& strip, const FolderView& folder, const StripRow& row) {
    const bool same =
        strip.shown_position == folder.position && strip.shown_count == row.count && strip.shown_width == row.box.width;
    strip.shown_width = row.box.width;
    strip.shown_position = folder.position;
    strip.shown_count = row.count;
    if (!same && folder.is_placed()) {
        const double beside = row.cell(), width = double(row.box.width), left = double(folder.position) * beside;
        const double least = left + 2 * beside - width, most = left - beside;
        const bool near = least <= most && strip.scroll > least - width && strip.scroll < most + width;
        strip.scroll = near ? std::clamp(strip.scroll, least, most) : left + (beside - width) / 2;
    }
    strip.scroll = std::clamp(strip.scroll, 0.0, row.most_scroll());
}

void scroll_by_wheel(Filmstrip& strip, const StripRow& row) {
    if (!ImGui::IsWindowHovered()) return;
    const ImGuiIO& io = ImGui::GetIO();
    strip.scroll -= double(io.MouseWheel + io.MouseWheelH) * (io.KeyShift ? 4 : 1) * row.cell();
    strip.scroll = std::clamp(strip.scroll, 0.0, row.most_scroll());
}

// Where there is no picture: a sheet of paper with the kind of the file.
void sheet(ImDrawList& draw, ImVec2 low, ImVec2 high, const std::string& name) {
    const float width = gui::px(44), height = gui::px(54), fold = gui::px(12);
    const ImVec2 a{std::round((low.x + high.x - width) / 2), std::round((low.y + high.y - height) / 2)},
        b{a.x + width, a.y + height};
    const ImVec2 outline[] = {a, {b.x - fold, a.y}, {b.x, a.y + fold}, b, {a.x, b.y}};
    draw.AddConvexPolyFilled(outline, 5, gui::packed(gui::colour::raised));
    draw.AddPolyline(outline, 5, gui::packed(gui::colour::mark), ImDrawFlags_Closed, gui::px(1));
    ImGui::PushFont(gui::theme().small);
    const std::string kind = gui::shortened(std::filesystem::path(name).extension().string(), width - gui::px(4));
    const ImVec2 size = ImGui::CalcTextSize(kind.c_str());
    draw.AddText({(a.x + b.x - size.x) / 2, b.y - gui::px(6) - size.y}, gui::packed(gui::colour::secondary),
                 kind.c_str());
    ImGui::PopFont();
}

void picture(ImDrawList& draw, ImVec2 low, ImVec2 high, const StripPicture* shown, const std::string& name) {
    if (!shown) return draw.AddRectFilled(low, high, gui::packed(gui::colour::field), gui::px(2));
    const InterfacePicture& made = shown->picture;
    if (!made.name) return sheet(draw, low, high, name);
    const float ratio = gui::theme().pixel_ratio;
    // A picture of a few pixels would not be seen.
    const float times = std::max(1.0f, std::floor(gui::px(16) * ratio / float(std::max(made.width, made.height))));
    const float fit =
        std::min({times / ratio, (high.x - low.x) / float(made.width), (high.y - low.y) / float(made.height)});
    const float width = float(made.width) * fit, height = float(made.height) * fit;
    const ImVec2 at{on_pixel((low.x + high.x - width) / 2), on_pixel((low.y + high.y - height) / 2)};
    draw.AddImage(reinterpret_cast<ImTextureID>(uintptr_t(made.name)), at, {at.x + width, at.y + height});
}

void entry(AppState& state, int index, const StripRow& row, bool named) {
    const FolderView& folder = state.folder;
    const std::string name = (*folder.files)[size_t(index)].name, path = path_at(folder, index);
    const auto found = state.filmstrip.pictures.find(path);
    const StripPicture* shown = found == state.filmstrip.pictures.end() ? nullptr : &found->second;
    const bool current = index == folder.position;
    const float inset = (row.cell() - gui::px(picture_width)) / 2,
                left = on_pixel(row.left_of(index, state.filmstrip.scroll));
    const ImVec2 low{left + inset, row.box.y + gui::px(margin)},
        high{low.x + gui::px(picture_width), low.y + gui::px(picture_height)};
    const float text = named ? gui::theme().small->FontSize + gui::px(4) : 0;
    const ImVec2 card_low{low.x - gui::px(4), low.y - gui::px(3)},
        card_high{high.x + gui::px(4), high.y + text + gui::px(3)};

    ImGui::SetCursorScreenPos({left, row.box.y});
    ImGui::PushID(index);
    const bool clicked = ImGui::InvisibleButton("##file", {row.cell(), card_high.y - row.box.y});
    ImGui::PopID();
    gui::note("filmstrip:" + name);
    gui::row_tooltip(tip_of(name, shown));
    if (clicked && !current) {
        follow_with_active_pane(state);
        state.tasks.push_back(task::WalkTo{path});
    }

    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (current) draw.AddRectFilled(card_low, card_high, gui::packed(gui::colour::accent, 0.22f), gui::px(4));
    else if (ImGui::IsItemHovered())
        draw.AddRectFilled(card_low, card_high, gui::packed(gui::rgb(0xffffff), 0.06f), gui::px(4));
    picture(draw, low, high, shown, name);
    if (current) draw.AddRect(card_low, card_high, gui::packed(gui::colour::accent), gui::px(4), 0, gui::px(2));
    if (!named) return;
    ImGui::PushFont(gui::theme().small);
    const std::string words = gui::shortened_in_middle(name, high.x - low.x);
    draw.AddText({on_pixel((low.x + high.x - ImGui::CalcTextSize(words.c_str()).x) / 2), high.y + gui::px(2)},
                 gui::packed(current ? gui::colour::text : gui::colour::secondary), words.c_str());
    ImGui::PopFont();
}

// Which part of the folder is in view; dragged, it shows another.
void scroll_bar(Filmstrip& strip, const StripRow& row) {
    if (row.most_scroll() <= 0) return;
    const float width = row.box.width - gui::px(16), left = row.box.x + gui::px(8);
    const float top = row.box.y + row.box.height - gui::px(bar_height);
    const float grip = std::max(gui::px(28), float(double(width) * row.box.width / row.length()));
    ImGui::SetCursorScreenPos({left, top});
    ImGui::InvisibleButton("##scroll", {width, gui::px(bar_height)});
    gui::note("filmstrip:scroll");
    if (ImGui::IsItemActive()) {
        const float part = (ImGui::GetIO().MousePos.x - left - grip / 2) / std::max(width - grip, 1.0f);
        strip.scroll = double(std::clamp(part, 0.0f, 1.0f)) * row.most_scroll();
    }
    const bool held = ImGui::IsItemActive() || ImGui::IsItemHovered();
    const float at = left + (width - grip) * float(strip.scroll / row.most_scroll()), thick = gui::px(4),
                y = top + gui::px(1);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled({at, y}, {at + grip, y + thick}, gui::packed(held ? gui::colour::secondary : gui::colour::mark),
                       thick / 2);
}

}  // namespace

void filmstrip(AppState& state, const gui::Box& box) {
    Filmstrip& strip = state.filmstrip;
    strip.first = strip.end = 0;
    if (box.empty()) return;
    const gui::BoxWindow window(
        "##filmstrip", box,
        {.padding = ImVec2(0, 0),
         .any_size = true,
         .flags = ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing |
                  ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoScrollbar});
    ImGui::GetWindowDrawList()->AddLine({box.x, box.y + 0.5f}, {box.x + box.width, box.y + 0.5f},
                                        gui::packed(gui::rgb(0x18191b)));
    const StripRow row{box, state.folder.count()};
    follow_shown(strip, state.folder, row);
    scroll_by_wheel(strip, row);
    scroll_bar(strip, row);
    strip.first = std::min(int(strip.scroll / row.cell()), row.count);
    strip.end = std::min(int(std::ceil((strip.scroll + double(box.width)) / row.cell())), row.count);
    const float ratio = gui::theme().pixel_ratio;
    strip.box = {int(gui::px(picture_width) * ratio), int(gui::px(picture_height) * ratio)};
    const bool named = box.height >= gui::px(gui::filmstrip_height);
    for (int i = strip.first; i < strip.end; ++i) entry(state, i, row, named);
}

}  // namespace texelscope::panels
