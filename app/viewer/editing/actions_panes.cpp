// Actions of the Compare menu.

#include <fmt/format.h>
#include <algorithm>

#include "app/picture/pane_picture.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/pane_edits.h"

namespace texelscope {
namespace {

bool has_two(const Scene& scene) { return scene.panes.size() > 1; }

Action arrangement(Arrangement which, const char* title, const char* tooltip) {
    const auto run = [which](AppState& s) {
        arrange(s.scene, which);
        if (which != Arrangement::single) look_closer(s, false);
    };
    return Action{fmt::format("compare.{}", name_of(which)), title, Menu::compare, 1, tooltip, run}.ticked_if(
        [which](const Scene& scene) { return scene.arrangement == which; });
}

Action preset_action(const Preset& preset) {
    const Preset* which = &preset;
    const std::string title(preset.title), tooltip(preset.tooltip);
    const auto run = [which](AppState& s) { apply_preset(s, *which); };
    return Action{fmt::format("preset.{}", preset.id), title, Menu::compare, 5, tooltip, run}.only_if(
        [which](const AppState& s) { return has_document(s.scene) && (!which->enabled || which->enabled(s)); });
}

Action which_is_best() {
    return Action{
        "compare.best",
        "Which is best for this picture?",
        Menu::compare,
        0,
        "Shrinks the picture, enlarges it again by every method, and compares each with the original. Starts at "
        "once.",
        ask_which_is_best}
        .only_if(has_document)
        .opening(Dialog::restoring)
        .found_by("choose a method, restore, recommend, quality, PSNR of all methods");
}

std::vector<Action> recipe_actions() {
    return {
        Action{"compare.identify", "How was this made?", Menu::compare, 0,
               "Takes two open images, an original and what it became, and says which library's resizing made it, or "
               "measures an unknown one.",
               ask_how_it_was_made}
            .opening(Dialog::identifying)
            .found_by("identify, recipe, which library, resized by, Pillow, OpenCV, PyTorch, bicubic"),
        Action{"compare.explain", "Explain the difference…", Menu::compare, 0,
               "Goes from one library's resizing to another's, an ingredient at a time, and says what each changes.",
               ask_for_the_difference}
            .opening(Dialog::explaining)
            .found_by("recipes, ladder, why do libraries differ, Pillow, OpenCV, PyTorch, antialiasing")};
}

std::vector<Action> pane_actions() {
    return {
        Action{"compare.flip", "Flip A / B", Menu::compare, 0,
               "Make the next pane active; with two panes, switch between them.",
               [](Scene& scene) { flip_panes(scene); }}
            .keys({"Space"})
            .only_if(has_two),
        Action{"compare.flip-back", "Previous pane", Menu::compare, -1, "", [](Scene& scene) { flip_panes(scene, -1); }}
            .keys({"Shift+Space"})
            .only_if(has_two),
        Action{"compare.swap", "Swap A and B", Menu::compare, 0, "Swap the positions of the first two panes.",
               swap_panes}
            .keys({"S"})
            .only_if(has_two),
        Action{"compare.add", "Add a pane", Menu::compare, 0,
               "Add a pane like the active one, with the first of the usual methods that no pane has.", add_pane}
            .keys({"Insert"})
            .only_if([](const Scene& scene) { return scene.panes.size() < size_t(max_panes); }),
        Action{"compare.remove", "Remove the pane", Menu::compare, 0, "Remove the active pane.",
               [](Scene& scene) { remove_pane(scene, scene.active); }}
            .keys({"Delete"})
            .only_if(has_two),
        Action{"compare.only", "Only this pane", Menu::compare, 0, "Remove all panes except the active one.",
               [](Scene& scene) { keep_only(scene, scene.active); }}
            .only_if(has_two),
    };
}

std::vector<Action> arrangement_actions() {
    return {
        arrangement(Arrangement::single, "Single", "Only the active pane; Space flips to the next."),
        arrangement(Arrangement::columns, "Side by side", "All panes in one row."),
        arrangement(Arrangement::rows, "Stacked", "All panes in one column."),
        arrangement(Arrangement::grid, "Grid", "All panes in rows and columns."),
        arrangement(Arrangement::wipe, "Wipe", "A and B over each other, with a divider that follows the mouse."),
        Action{"compare.two", "Two panes", Menu::compare, 1,
               "A and the active pane side by side. Others are closed; Ctrl+Z brings them back.",
               [](AppState& s) {
                   show_two(s.scene);
                   look_closer(s, false);
               }},
        Action{"compare.two-by-two", "2 × 2", Menu::compare, 1, "Four panes in a grid; missing ones are copies.",
               [](AppState& s) {
                   show_two_by_two(s.scene);
                   look_closer(s, false);
               }},
        Action{"compare.arrange", "Next arrangement", Menu::compare, 1,
               "single → side by side → stacked → grid, from three panes on → wipe",
               [](AppState& s) {
                   cycle_arrangement(s.scene);
                   if (s.scene.arrangement != Arrangement::single) look_closer(s, false);
               }}
            .keys({"G"}),
        Action{"compare.wipe-turn", "Horizontal divider", Menu::compare, 2, "Horizontal divider: A above, B below.",
               [](Scene& scene) { scene.wipe.horizontal = !scene.wipe.horizontal; }}
            .only_if([](const Scene& scene) { return scene.arrangement == Arrangement::wipe; })
            .ticked_if([](const Scene& scene) { return scene.wipe.horizontal; }),
        Action{"compare.wipe-hold", "Hold the divider", Menu::compare, 2,
               "The divider stays where it is while the mouse moves.",
               [](Scene& scene) { scene.wipe.held = !scene.wipe.held; }}
            .keys({"Shift+W"})
            .only_if([](const Scene& scene) { return scene.arrangement == Arrangement::wipe; })
            .ticked_if([](const Scene& scene) { return scene.wipe.held; }),
        Action{"compare.link", "Views linked", Menu::compare, 3,
               "The active pane shares the other panes' view. Off: it zooms and pans independently.", toggle_link}
            .keys({"U"})
            .only_if(has_document)
            .ticked_if([](const Scene& scene) { return !scene.pane().own_view; }),
        Action{"compare.address-alike", "Same address modes in all panes", Menu::compare, 3,
               "Choosing an address mode applies it to all panes.",
               [](Scene& scene) { scene.address_for_all = !scene.address_for_all; }}
            .ticked_if([](const Scene& scene) { return scene.address_for_all; }),
    };
}

std::vector<Action> look_actions() {
    return {
        Action{
            "compare.difference", "Differences", Menu::compare, 4,
            "Show in every pane how it differs from what its figure is against: the reference, or another pane if one is "
            "chosen for it (Active pane ▸ Against). A pane that is the reference, or that others are compared with, keeps "
            "its picture, unless it is alone in view.",
            toggle_differences}
            .keys({"D"})
            .ticked_if(any_difference),
        Action{
            "compare.figures", "Figures", Menu::compare, 4,
            "Show how far each pane is from the reference; off: only times. Lessons hide figures that their text does "
            "not speak of.",
            [](UiState& ui) { ui.figures = !ui.figures; }}
            .ticked_if([](const UiState& ui) { return ui.figures; }),
        Action{
            "compare.zoom-to-difference", "Zoom to where methods differ", Menu::compare, 4,
            "Show the picture at 400 %, at the place in view where methods differ most. Fitted or at 100 %, they look "
            "alike.",
            zoom_to_difference}
            .only_if(has_document)
            .found_by("400 %, magnify, detail, see differences, closer look"),
        Action{"compare.loupe", "Loupe", Menu::compare, 4,
               "Magnify the screen pixels around the cursor, at the same position in every pane.",
               [](UiState& ui) { ui.loupe = !ui.loupe; }}
            .keys({"Z"})
            .ticked_if([](const UiState& ui) { return ui.loupe; }),
        Action{"compare.minimap", "Minimap", Menu::compare, 4,
               "Show the whole image in a corner while the view is zoomed in; drag in it to move.",
               [](UiState& ui) { ui.minimap = !ui.minimap; }}
            .ticked_if([](const UiState& ui) { return ui.minimap; }),
    };
}

std::vector<Action> difference_actions() {
    std::vector<Action> result;
    for (DifferenceKind kind : all_difference_kinds)
        result.push_back(in_palette(Menu::compare, fmt::format("difference.{}", name_of(kind)),
                                    fmt::format("Difference: {}", row_of(kind).label()),
                                    [kind](Scene& scene) { choose_difference_kind(scene, kind); }));
    for (ColourMap map : all_colour_maps)
        result.push_back(in_palette(Menu::compare, fmt::format("difference.map-{}", name_of(map)),
                                    fmt::format("Difference colours: {}", name_of(map)),
                                    [map](Scene& scene) { scene.difference.map = map; }));
    result.push_back(in_palette(Menu::compare, "reference.own", "Reference: own method, exact",
                                [](Scene& scene, UiState& ui) { choose_reference(scene, ui, {}); }));
    result.push_back(
        in_palette(Menu::compare, "reference.truth", "Reference: the formula", [](Scene& scene, UiState& ui) {
            choose_reference(scene, ui, {Reference::Kind::truth, {}, {}});
        }).only_if([](const Scene& scene) { return has_document(scene) && has_formula(scene, scene.active); }));
    for (const MethodInfo* method : all_methods())
        result.push_back(
            in_palette(Menu::compare, fmt::format("reference.{}", method->id),
                       fmt::format("Reference: {}", method->name), [method](Scene& scene, UiState& ui) {
                           choose_reference(scene, ui, {Reference::Kind::method, default_spec(*method), {}});
                       }));
    return result;
}

std::vector<Action> channel_actions() {
    std::vector<Action> result;
    constexpr std::pair<ChannelView, const char*> channels[] = {
        {ChannelView::all, "all"},     {ChannelView::first, "first"}, {ChannelView::second, "second"},
        {ChannelView::third, "third"}, {ChannelView::alpha, "alpha"}, {ChannelView::luma, "luma"}};
    for (const auto& [view, name] : channels)
        result.push_back(in_palette(Menu::compare, fmt::format("display.channel-{}", name),
                                    fmt::format("Show channel: {}", name),
                                    [v = view](Scene& scene) { scene.display.channel = v; }));
    constexpr std::pair<ComplexView, const char*> complex[] = {{ComplexView::parts, "real and imaginary part"},
                                                               {ComplexView::polar, "magnitude and phase"},
                                                               {ComplexView::magnitude, "magnitude"},
                                                               {ComplexView::phase, "phase"},
                                                               {ComplexView::domain, "domain colouring"}};
    for (const auto& [view, name] : complex)
        result.push_back(in_palette(Menu::compare, fmt::format("display.complex-{}", name),
                                    fmt::format("Complex data: {}", name),
                                    [v = view](Scene& scene) { scene.display.complex = v; }));
    result.push_back(in_palette(Menu::compare, "display.mark-nonfinite", "Mark NaN and infinity",
                                [](Scene& scene) { scene.display.mark_nonfinite = !scene.display.mark_nonfinite; }));
    result.push_back(Action{
        "display.checkerboard", "Checkerboard background", Menu::inspect, 3,
        "A checkerboard behind transparent pixels, instead of the grey that is around the picture.", [](Scene& scene) {
            Backdrop& backdrop = scene.display.backdrop;
            backdrop = backdrop == Backdrop::grey ? Backdrop::checkerboard : Backdrop::grey;
        }}.ticked_if([](const Scene& scene) {
              return scene.display.backdrop == Backdrop::checkerboard;
          }).found_by("transparent, transparency, alpha, behind, backdrop"));
    return result;
}

}  // namespace

std::vector<Action> compare_actions() {
    std::vector<Action> result = {which_is_best()};
    for (auto group : {recipe_actions(), pane_actions(), arrangement_actions(), look_actions(), difference_actions(),
                       channel_actions()})
        result.insert(result.end(), group.begin(), group.end());
    for (const Preset& preset : all_presets()) result.push_back(preset_action(preset));
    return result;
}

// Actions of the Method menu.

namespace {

Action choose(const MethodInfo& method) {
    const MethodInfo* info = &method;
    const std::string name(method.name), tooltip(method.summary);
    const auto run = [info](AppState& s) {
        choose_method(s.scene, *info);
        look_closer(s, true);
    };
    const int group = 1 + int(method.group);
    Action action = Action{fmt::format("method.{}", method.id), name, Menu::method, group, tooltip, run}.ticked_if(
        [info](const Scene& scene) { return scene.spec().method == info; });
    if (method.rank < 1 || method.rank > 9) return action;
    return std::move(action).keys({fmt::format("{}", method.rank)});
}

}  // namespace

std::vector<Action> method_actions() {
    std::vector<Action> result = {
        Action{
            "method.own", "Own weight function…", Menu::method, 0,
            "The weight function of the active pane as a formula, to be changed: the pane gets a method of your own.",
            edit_weights}
            .only_if([](const Scene& scene) { return has_formula_text(*scene.spec().method); })
            .found_by("formula, custom kernel, edit a copy, taps, filter design")};
    for (const MethodInfo* method : all_methods()) result.push_back(choose(*method));
    constexpr int last = 100;  // below all groups of methods
    const std::vector<Action> rest = {
        Action{"method.path", "Next fetch path", Menu::method, last,
               "The way samples are read: fastest (auto) → memory (global) → texture cache (lookup) → texture unit "
               "(hardware).",
               cycle_path}
            .keys({"P"}),
        Action{"method.address", "Next address mode", Menu::method, last,
               "The way the image continues beyond its edges: clamp → border → wrap → mirror → reflect101.",
               cycle_address}
            .keys({"A"}),
        Action{"method.prefilter", "Next prefilter", Menu::method, last,
               "The filter that turns samples into coefficients: off → short (fir) → exact (iir).", cycle_prefilter}
            .keys({"K"})
            .only_if([](const Scene& scene) { return scene.spec().method->has_prefilter(); }),
        Action{"method.program", "Outside program…", Menu::method, last,
               "Let another program enlarge the picture, and show in the active pane what it makes.",
               [](UiState& ui) {
                   ui.program.refused.clear();
                   ui.dialogs.open(Dialog::program);
               }}
            .opening(Dialog::program)
            .only_if(has_document)
            .found_by("command, upscaler, ImageMagick, ffmpeg, shell, external"),
        Action{"method.kernel", "CUDA kernel…", Menu::method, last,
               "Write your own method in CUDA C++. It is compiled for a GPU and interpreted on a CPU.", edit_kernel}
            .found_by("write own kernel NVRTC editor program"),
        Action{
            "method.save", "Save method…", Menu::method, last,
            "Save the active pane's weight function or CUDA kernel to a file. Open… and dropping it on the window open "
            "it again.",
            save_method}
            .only_if(has_own_text)
            .opening(Dialog::save)
            .found_by("export formula, weights file, kernel file"),
    };
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
}

// The order of panes.

void move_pane(Scene& scene, int from, int to) {
    if (std::min(from, to) < 0 || std::max(from, to) >= int(scene.panes.size())) return;
    const auto first = scene.panes.begin();
    if (from < to) std::rotate(first + from, first + from + 1, first + to + 1);
    else std::rotate(first + to, first + from, first + from + 1);
    const auto follow = [&](int& pane) {
        if (pane == from) pane = to;
        else if (from < pane && pane <= to) --pane;
        else if (to <= pane && pane < from) ++pane;
    };
    for (Pane& pane : scene.panes) follow(pane.against);
    follow(scene.active);
}

void swap_panes(Scene& scene) {
    const int active = scene.active;
    move_pane(scene, 0, 1);
    scene.active = active;
}

}  // namespace texelscope
