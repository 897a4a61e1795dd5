// Actions of the Compare menu.

#include <fmt/format.h>

#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/presets.h"

namespace texelscope {
namespace {

bool has_two(const AppState& state) { return state.scene.panes.size() > 1; }

Action arrangement(Arrangement which, const char* title, const char* tooltip) {
    return {fmt::format("compare.{}", name_of(which)),
            title,
            Menu::compare,
            1,
            {},
            tooltip,
            [which](AppState& s) { arrange(s, which); },
            {},
            [which](const AppState& s) { return s.scene.arrangement == which; }};
}

Action preset_action(const Preset& preset) {
    const Preset* which = &preset;
    return {fmt::format("preset.{}", preset.id),
            std::string(preset.title),
            Menu::compare,
            5,
            {},
            std::string(preset.tooltip),
            [which](AppState& s) { which->apply(s); },
            [which](const AppState& s) { return has_document(s) && (!which->enabled || which->enabled(s)); }};
}

std::vector<Action> pane_actions() {
    return {
        {"compare.flip", "Flip A / B", Menu::compare, 0, shortcuts({"Space"}),
         "Make the next pane active; with two panes, switch between them.", [](AppState& s) { flip_panes(s); },
         has_two},
        {"compare.flip-back", "Previous pane", Menu::compare, -1, shortcuts({"Shift+Space"}), "",
         [](AppState& s) { flip_panes(s, -1); }, has_two},
        {"compare.swap", "Swap A and B", Menu::compare, 0, shortcuts({"S"}),
         "Swap the positions of the first two panes.", swap_panes, has_two},
        {"compare.add", "Add a pane", Menu::compare, 0, shortcuts({"Insert"}),
         "Add a copy of the active pane; then choose another method for it.", add_pane,
         [](const AppState& s) { return s.scene.panes.size() < size_t(max_panes); }},
        {"compare.remove", "Remove the pane", Menu::compare, 0, shortcuts({"Delete"}), "Remove the active pane.",
         [](AppState& s) { remove_pane(s, s.scene.active); }, has_two},
        {"compare.only",
         "Only this pane",
         Menu::compare,
         0,
         {},
         "Remove all panes except the active one.",
         [](AppState& s) { keep_only(s, s.scene.active); },
         has_two},
    };
}

std::vector<Action> arrangement_actions() {
    return {
        arrangement(Arrangement::single, "Single", "Only the active pane; Space flips to the next."),
        arrangement(Arrangement::columns, "Side by side", "All panes in one row."),
        arrangement(Arrangement::rows, "Stacked", "All panes in one column."),
        arrangement(Arrangement::grid, "Grid", "All panes in rows and columns."),
        arrangement(Arrangement::wipe, "Wipe", "A and B over each other, with a divider that follows the mouse."),
        {"compare.two-by-two",
         "2 × 2",
         Menu::compare,
         1,
         {},
         "Four panes in a grid; missing ones are copies.",
         show_two_by_two},
        {"compare.arrange", "Next arrangement", Menu::compare, 1, shortcuts({"G"}),
         "single → side by side → stacked → grid → wipe", cycle_arrangement},
        {"compare.wipe-turn",
         "Horizontal divider",
         Menu::compare,
         2,
         {},
         "Horizontal divider: A above, B below.",
         [](AppState& s) { s.scene.wipe.horizontal = !s.scene.wipe.horizontal; },
         [](const AppState& s) { return s.scene.arrangement == Arrangement::wipe; },
         [](const AppState& s) { return s.scene.wipe.horizontal; }},
        {"compare.wipe-hold", "Hold the divider", Menu::compare, 2, shortcuts({"Shift+W"}),
         "The divider stays where it is while the mouse moves.",
         [](AppState& s) { s.scene.wipe.held = !s.scene.wipe.held; },
         [](const AppState& s) { return s.scene.arrangement == Arrangement::wipe; },
         [](const AppState& s) { return s.scene.wipe.held; }},
        {"compare.link", "Views linked", Menu::compare, 3, shortcuts({"U"}),
         "The active pane shares the other panes' view. Off: it zooms and pans independently.", toggle_link,
         has_document, [](const AppState& s) { return !s.scene.pane().own_view; }},
        {"compare.address-alike",
         "Same address modes in all panes",
         Menu::compare,
         3,
         {},
         "Choosing an address mode applies it to all panes.",
         [](AppState& s) { s.scene.address_for_all = !s.scene.address_for_all; },
         {},
         [](const AppState& s) { return s.scene.address_for_all; }},
    };
}

std::vector<Action> look_actions() {
    return {
        {"compare.difference",
         "Difference",
         Menu::compare,
         4,
         shortcuts({"D"}),
         "Show the difference between the active pane and another one, or the reference.",
         toggle_difference,
         {},
         [](const AppState& s) { return s.scene.pane().difference; }},
        {"compare.loupe",
         "Loupe",
         Menu::compare,
         4,
         shortcuts({"Z"}),
         "Magnify the screen pixels around the cursor, at the same position in every pane.",
         [](AppState& s) { s.ui.loupe = !s.ui.loupe; },
         {},
         [](const AppState& s) { return s.ui.loupe; }},
        {"compare.minimap",
         "Minimap",
         Menu::compare,
         4,
         {},
         "Show the whole image in a corner while the view is zoomed in; drag in it to move.",
         [](AppState& s) { s.ui.minimap = !s.ui.minimap; },
         {},
         [](const AppState& s) { return s.ui.minimap; }},
    };
}

// Only for the palette: the panel has them side by side.
Action by_word(std::string id, std::string title, std::function<void(AppState&)> run) {
    return {std::move(id), std::move(title), Menu::compare, -1, {}, "", std::move(run)};
}

std::vector<Action> difference_actions() {
    std::vector<Action> result;
    for (DifferenceKind kind : all_difference_kinds)
        result.push_back(by_word(fmt::format("difference.{}", name_of(kind)),
                                 fmt::format("Difference: {}", name_of(kind)),
                                 [kind](AppState& s) { s.scene.difference.kind = kind; }));
    for (ColourMap map : all_colour_maps)
        result.push_back(by_word(fmt::format("difference.map-{}", name_of(map)),
                                 fmt::format("Difference colours: {}", name_of(map)),
                                 [map](AppState& s) { s.scene.difference.map = map; }));
    result.push_back(
        by_word("reference.own", "Reference: own method, exact", [](AppState& s) { s.scene.reference = {}; }));
    for (const MethodInfo* method : all_methods())
        result.push_back(by_word(fmt::format("reference.{}", method->id), fmt::format("Reference: {}", method->name),
                                 [method](AppState& s) {
                                     s.scene.reference = {Reference::Kind::method, default_spec(*method), {}};
                                 }));
    return result;
}

std::vector<Action> display_actions() {
    std::vector<Action> result;
    constexpr std::pair<ChannelView, const char*> channels[] = {
        {ChannelView::all, "all"},     {ChannelView::first, "first"}, {ChannelView::second, "second"},
        {ChannelView::third, "third"}, {ChannelView::alpha, "alpha"}, {ChannelView::luma, "luma"}};
    for (const auto& [view, name] : channels)
        result.push_back(by_word(fmt::format("display.channel-{}", name), fmt::format("Show channel: {}", name),
                                 [v = view](AppState& s) { s.scene.display.channel = v; }));
    constexpr std::pair<ComplexView, const char*> complex[] = {{ComplexView::parts, "real and imaginary part"},
                                                               {ComplexView::magnitude, "magnitude"},
                                                               {ComplexView::phase, "phase"},
                                                               {ComplexView::domain, "domain colouring"}};
    for (const auto& [view, name] : complex)
        result.push_back(by_word(fmt::format("display.complex-{}", name), fmt::format("Complex data: {}", name),
                                 [v = view](AppState& s) { s.scene.display.complex = v; }));
    result.push_back(by_word("display.mark-nonfinite", "Mark NaN and infinity",
                             [](AppState& s) { s.scene.display.mark_nonfinite = !s.scene.display.mark_nonfinite; }));
    result.push_back(by_word("display.checkerboard", "Checkerboard behind transparent pixels", [](AppState& s) {
        Backdrop& backdrop = s.scene.display.backdrop;
        backdrop = backdrop == Backdrop::grey ? Backdrop::checkerboard : Backdrop::grey;
    }));
    return result;
}

}  // namespace

std::vector<Action> compare_actions() {
    std::vector<Action> result;
    for (auto group : {pane_actions(), arrangement_actions(), look_actions(), difference_actions(), display_actions()})
        result.insert(result.end(), group.begin(), group.end());
    for (const Preset& preset : all_presets()) result.push_back(preset_action(preset));
    return result;
}

}  // namespace texelscope
