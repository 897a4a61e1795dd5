// Actions of the View menu that change the view.

#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/sampling_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "gpu/core/colour.h"

namespace texelscope {
namespace {

constexpr double arrow_step = 64;  // output pixels per press

Action pan(std::string id, std::string title, std::string_view key, double dx, double dy, bool by_window) {
    auto run = [=](AppState& s) {
        const Extent output = output_extent(s, s.scene.active);
        const double x = by_window ? output.width : arrow_step, y = by_window ? output.height : arrow_step;
        pan_by(s, dx * x, dy * y, true);
    };
    return Action{std::move(id), std::move(title), Menu::view, -1, "", run}
        .keys({key})
        .only_if(has_document)
        .repeating();
}

std::vector<Action> pan_actions() {
    std::vector<Action> result;
    struct Direction {
        const char* name;
        double dx, dy;
    };
    // The arrow moves the window over the picture, so the picture moves the other way.
    for (Direction d : {Direction{"Left", 1, 0}, {"Right", -1, 0}, {"Up", 0, 1}, {"Down", 0, -1}}) {
        const std::string name = d.name;
        result.push_back(pan("view.pan-" + name, "Pan " + name, name, d.dx, d.dy, false));
        result.push_back(pan("view.page-" + name, "Pan " + name + " by a window", "Shift+" + name, d.dx, d.dy, true));
    }
    return result;
}

std::vector<Action> size_actions() {
    return {
        Action{"view.fit", "Fit", Menu::view, 0, "The whole image, as large as the window allows.", fit}
            .keys({"F", "Ctrl+0"})
            .only_if(has_document),
        Action{"view.keep-fit", "Keep fitting", Menu::view, 0, "Keep the image fitted when the window is resized.",
               [](AppState& s) { keep_fit(s, !s.scene.document()->keep_fit); }}
            .keys({"Shift+F"})
            .only_if(has_document)
            .ticked_if([](const AppState& s) { return s.scene.document() && s.scene.document()->keep_fit; }),
        Action{"view.one-to-one", "100 %", Menu::view, 0, "One sample per screen pixel, on whole samples.",
               show_one_to_one}
            .keys({"Ctrl+1"})
            .only_if(has_document),
        Action{"view.reset", "Reset", Menu::view, 0, "Translate 0, scale 1, rotate 0.", reset_view}.keys({"R"}).only_if(
            has_document),
        Action{"view.zoom-in", "Zoom in", Menu::view, 1, "To the next power of two, about the window's centre.",
               [](AppState& s) { zoom_power_of_two(s, +1); }}
            .keys({"+", "="})
            .only_if(has_document)
            .repeating(),
        Action{"view.zoom-out", "Zoom out", Menu::view, 1, "To the previous power of two, about the window's centre.",
               [](AppState& s) { zoom_power_of_two(s, -1); }}
            .keys({"-"})
            .only_if(has_document)
            .repeating(),
        Action{"view.zoom-selection", "Zoom to selection", Menu::view, 1,
               "Fill the window with the region dragged with the right button.", zoom_to_selection}
            .keys({"Enter"})
            .only_if([](const AppState& s) { return s.scene.selection.has_value(); }),
    };
}

std::vector<Action> rotation_actions() {
    return {
        Action{"view.rotate-less", "Rotate 10° clockwise", Menu::view, 2,
               "Turn the picture clockwise about the window's centre: the angle of the view decreases by 10°.",
               [](AppState& s) { rotate_by(s, -10); }}
            .keys({"["})
            .only_if(has_document)
            .repeating(),
        Action{"view.rotate-more", "Rotate 10° anticlockwise", Menu::view, 2,
               "Turn the picture anticlockwise about the window's centre: the angle of the view increases by 10°.",
               [](AppState& s) { rotate_by(s, 10); }}
            .keys({"]"})
            .only_if(has_document)
            .repeating(),
        Action{"view.reset-rotation", "Reset rotation", Menu::view, 2, "Rotate 0°.",
               [](AppState& s) { rotate_to(s, 0); }}
            .keys({"\\"})
            .only_if(has_document),
    };
}

std::vector<Action> sampling_actions() {
    return {
        Action{"view.extend", "Extend beyond the edges", Menu::view, 3,
               "Extend the image beyond its samples by its address modes.",
               [](AppState& s) {
                   s.scene.outside = s.scene.outside == Outside::extend ? Outside::background : Outside::extend;
               }}
            .ticked_if([](const AppState& s) { return s.scene.outside == Outside::extend; }),
        Action{"view.antialias", "Antialias (no moiré)", Menu::view, 4, antialias_tip, toggle_antialias}
            .keys({"M"})
            .ticked_if([](const AppState& s) { return s.scene.antialias; }),
        Action{"view.linear-light", "Linear light", Menu::view, 4, linear_light_tip, toggle_linear_light}
            .keys({"L"})
            .ticked_if([](const AppState& s) { return s.scene.light == Light::linear; }),
        Action{"view.warp", "Next warp", Menu::view, 4,
               "none → swirl → barrel → ripple: warps the image before the view is applied.", cycle_warp}
            .keys({"W"})
            .only_if([](const AppState& s) { return !shows_signal(s, s.scene.active); }),
    };
}

}  // namespace

std::vector<Action> view_actions() {
    std::vector<Action> result;
    for (auto group : {size_actions(), rotation_actions(), sampling_actions(), pan_actions()})
        result.insert(result.end(), group.begin(), group.end());
    return result;
}

}  // namespace texelscope
