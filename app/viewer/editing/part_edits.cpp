#include "app/viewer/editing/part_edits.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace texelscope {
namespace {

PictureChoice shown_choice(const AppState& state) {
    const Document* document = state.scene.document();
    return document && document->is_file() ? parse_picture_source(document->source).choice : PictureChoice{};
}

void choose(AppState& state, PictureChoice choice) { state.tasks.push_back(task::ChoosePicture{std::move(choice)}); }

// With its dot: "diffuse." of "diffuse.R".
std::string prefix_of(const std::string& channel) { return channel.substr(0, channel.rfind('.') + 1); }

bool has_all_of(const std::vector<std::string>& channels, const std::vector<std::string>& wanted) {
    return std::ranges::all_of(wanted, [&](const std::string& name) { return std::ranges::count(channels, name) > 0; });
}

}  // namespace

const PictureFacts* shown_facts(const AppState& state) {
    const Document* document = state.scene.document();
    const FileReport& file = state.report.file;
    const bool known = document && document->is_file() && !file.facts.parts.empty() &&
                       file_of(file.source) == file_of(document->source);
    return known ? &file.facts : nullptr;
}

int part_count(const AppState& state) {
    const PictureFacts* facts = shown_facts(state);
    return facts ? int(parts_to_step_through(*facts).size()) : 0;
}

int shown_part(const AppState& state) {
    const PictureFacts* facts = shown_facts(state);
    const std::string part = shown_choice(state).part;
    if (!facts) return 0;
    if (const auto layers = layers_as_parts(*facts); !layers.empty())
        return shown_layer(shown_choice(state), layers, facts->parts[0].channels);
    if (part.empty()) return 0;
    if (state.report.file.source == state.scene.document()->source) return facts->part;
    int number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error == std::errc() && end == part.data() + part.size() && number >= 1) return number - 1;
    const auto named = std::ranges::find(facts->parts, part, &PictureFacts::Part::name);
    return named == facts->parts.end() ? 0 : int(named - facts->parts.begin());
}

std::string words_of_part(const std::vector<PictureFacts::Part>& parts, int part) {
    const std::string name = part >= 0 && size_t(part) < parts.size() ? parts[size_t(part)].name : "";
    return fmt::format("{} of {}{}{}", part + 1, parts.size(), name.empty() ? "" : ": ", name);
}

void choose_part(AppState& state, int part) {
    const PictureFacts* facts = shown_facts(state);
    if (!facts || part < 0 || part >= part_count(state)) return;
    state.part = PartOnItsWay{state.scene.document()->source, part};
    PictureChoice choice = shown_choice(state);
    if (const auto layers = layers_as_parts(*facts); !layers.empty()) {
        choice.part.clear();
        choice.channels.clear();
        if (part != shown_layer({}, layers, facts->parts[0].channels)) choice.channels = layers[size_t(part)].channels;
        return choose(state, std::move(choice));
    }
    choice.part = std::to_string(part + 1);
    if (!has_all_of(facts->parts[size_t(part)].channels, choice.channels)) choice.channels.clear();
    choose(state, std::move(choice));
}

namespace {

// The one that is shown, or is about to be.
int part_to_step_from(const AppState& state) {
    const Document* document = state.scene.document();
    const bool on_its_way =
        state.part && document && document->source == state.part->from && (state.loading || !state.tasks.empty());
    return on_its_way ? state.part->part : shown_part(state);
}

}  // namespace

void step_part(AppState& state, int step) {
    const int part = part_to_step_from(state) + step, count = part_count(state);
    if (count < 2) return;
    if (part >= 0 && part < count) return choose_part(state, part);
    post(state, Message::Level::info,
         fmt::format("this is the {} part of {}", step > 0 ? "last" : "first",
                     state.scene.document()->title().substr(0, state.scene.document()->title().find(" · "))));
}

std::vector<ChannelGroup> channel_groups(const std::vector<std::string>& channels) {
    std::vector<ChannelGroup> groups = {{"usual", {}}};
    for (const std::string& channel : channels) {
        const std::string layer = prefix_of(channel);
        if (channel != layer + "R") continue;
        ChannelGroup group{channel, {channel}};
        for (const char* colour : {"G", "B", "A"})
            if (std::ranges::count(channels, layer + colour) > 0 && (colour[0] != 'A' || group.channels.size() == 3)) {
                group.channels.push_back(layer + colour);
                group.title += fmt::format(", {}", colour);
            }
        if (group.channels.size() >= 3) groups.push_back(std::move(group));
    }
    for (const std::string& channel : channels) groups.push_back({channel, {channel}});
    return groups;
}

void choose_typed_channels(AppState& state, std::string typed) {
    std::erase(typed, ' ');
    try {
        choose_channels(state, parse_channels("Channels", typed));
    } catch (const UsageError& error) {
        post(state, Message::Level::error, error.what());
    }
}

void choose_channels(AppState& state, const std::vector<std::string>& channels) {
    PictureChoice choice = shown_choice(state);
    choice.channels = channels;
    choose(state, std::move(choice));
}

std::optional<bool> channels_first(const AppState& state) {
    const PictureFacts* facts = shown_facts(state);
    if (!facts || facts->layout == PictureFacts::Layout::fixed) return {};
    return shown_choice(state).channels_first;
}

// Clears the chosen channels: in the other order of axes, the channels are others.
void set_channels_first(AppState& state, bool first) {
    PictureChoice choice = shown_choice(state);
    choice.channels_first = first;
    choice.channels.clear();
    choose(state, std::move(choice));
}

void offer_channels_first(AppState& state) {
    const PictureFacts* facts = shown_facts(state);
    if (!facts || facts->layout != PictureFacts::Layout::channels_last) return;
    const PictureFacts::Part& part = facts->parts[0];
    constexpr int least_side = 8;
    const int last = int(part.channels.size());
    if (2 * part.height > std::min(part.width, last) || last < least_side) return;
    post_offer(
        state,
        fmt::format("{} is read as {} rows of {} pixels with {} channels; it may be {} channels of {}×{} (O)",
                    state.scene.document()->title(), part.height, part.width, last, part.height, last, part.width),
        "Channels first", [](AppState& s) {
            if (channels_first(s)) set_channels_first(s, true);
        });
}

bool is_upright(const AppState& state) {
    const Document* document = state.scene.document();
    return document && document->is_file() ? shown_choice(state).upright : state.ui.upright;
}

void set_upright(AppState& state, bool upright) { state.tasks.push_back(task::SetUpright{upright}); }

}  // namespace texelscope
