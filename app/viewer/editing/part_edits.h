#pragma once
// Which part and channels of the shown file are seen, and whether it is turned upright.

#include <optional>
#include <string>
#include <vector>

#include "app/state/app_state.h"
#include "app/state/derived_sources.h"

namespace texelscope {

// What the shown file says of itself; null while it has not been asked.
const PictureFacts* shown_facts(const AppState& state);

// From 0, of parts_to_step_through; also as soon as another part has been asked for.
int shown_part(const AppState& state);
int part_count(const AppState& state);  // 0: not known

// "2 of 5: diffuse", "2 of 5".
std::string words_of_part(const std::vector<PictureFacts::Part>& parts, int part);

void choose_part(AppState& state, int part);
void step_part(AppState& state, int step);  // a message if there is none

// Up to four channels that are looked at together: the colours of a layer, or a single one.
struct ChannelGroup {
    std::string title;                  // "diffuse.R, G, B"
    std::vector<std::string> channels;  // empty: the usual ones
};
std::vector<ChannelGroup> channel_groups(const std::vector<std::string>& channels);

void choose_channels(const Scene& scene, Tasks& tasks, const std::vector<std::string>& channels);
void choose_typed_channels(AppState& state, std::string typed);  // "normal.X, normal.Y" or "1,5"; a message if wrong

// Whether the shown array of three dimensions is read with its channels first; empty if the file is no such array.
std::optional<bool> channels_first(const AppState& state);
void set_channels_first(const Scene& scene, Tasks& tasks, bool first);

// Posts an offer to read the shown array with its channels first, if it looks as if they came first.
void offer_channels_first(AppState& state);

// Whether the shown file is read upright; for other images, the preference.
bool is_upright(const Scene& scene, const UiState& ui);
void set_upright(Tasks& tasks, bool upright);

}  // namespace texelscope
