// Actions on what is seen of the shown file: its parts, and which way up.

#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/part_edits.h"

namespace texelscope {
namespace {

bool has_parts(const AppState& state) { return part_count(state) > 1; }

Action stepping(std::string id, std::string title, std::string tip, int step) {
    return Action{
        std::move(id), std::move(title), Menu::file, 1, std::move(tip), [step](AppState& s) { step_part(s, step); }}
        .only_if(has_parts)
        .repeating()
        .found_by("page, frame, layer, subimage, channel");
}

}  // namespace

std::vector<Action> part_actions() {
    return {
        stepping("part.previous", "Previous part",
                 "Show the page, frame, layer, subimage or channel before this one in its file, in the same view.", -1)
            .keys({","}),
        stepping("part.next", "Next part",
                 "Show the page, frame, layer, subimage or channel after this one in its file, in the same view.", +1)
            .keys({"."}),
        Action{"part.channels-first", "Channels first", Menu::file, 1,
               "Read an array of three dimensions as channels, height, width. Off: as height, width, channels.",
               [](AppState& s) { set_channels_first(s, !*channels_first(s)); }}
            .keys({"O"})
            .only_if([](const AppState& s) { return channels_first(s).has_value(); })
            .ticked_if([](const AppState& s) { return channels_first(s).value_or(false); })
            .found_by("layout, chw, hwc, planar, array, other reading"),
        Action{"part.upright", "Upright", Menu::file, 1,
               "Turn pictures as the camera noted in their EXIF data. Off: the rows as they are stored.",
               [](AppState& s) { set_upright(s, !is_upright(s)); }}
            .ticked_if(is_upright)
            .found_by("exif orientation, rotate automatically, stored rows"),
    };
}

}  // namespace texelscope
