#include "app/viewer/editing/file_edits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/files/desktop/folders.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/method_edits.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {
namespace {

PictureChoice shown_choice(const Scene& scene) {
    const Document* document = scene.document();
    return document && document->is_file() ? parse_picture_source(document->source).choice : PictureChoice{};
}

void choose(Tasks& tasks, PictureChoice choice) { tasks.push_back(task::ChoosePicture{std::move(choice)}); }

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
    const std::string part = shown_choice(state.scene).part;
    if (!facts) return 0;
    if (const auto layers = layers_as_parts(*facts); !layers.empty())
        return shown_layer(shown_choice(state.scene), layers, facts->parts[0].channels);
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
    state.part = PartOnItsWay{file_of(state.scene.document()->source), part};
    PictureChoice choice = shown_choice(state.scene);
    if (const auto layers = layers_as_parts(*facts); !layers.empty()) {
        choice.part.clear();
        choice.channels.clear();
        if (part != shown_layer({}, layers, facts->parts[0].channels)) choice.channels = layers[size_t(part)].channels;
        return choose(state.tasks, std::move(choice));
    }
    choice.part = std::to_string(part + 1);
    if (!has_all_of(facts->parts[size_t(part)].channels, choice.channels)) choice.channels.clear();
    choose(state.tasks, std::move(choice));
}

namespace {

// The one that is shown, or is about to be.
int part_to_step_from(const AppState& state) {
    const Document* document = state.scene.document();
    const bool on_its_way = state.part && document && file_of(document->source) == state.part->file &&
                            (state.loading || !state.tasks.empty());
    return on_its_way ? state.part->part : shown_part(state);
}

}  // namespace

void step_part(AppState& state, int step) {
    const int part = part_to_step_from(state) + step, count = part_count(state);
    if (count < 2) return;
    if (part >= 0 && part < count) return choose_part(state, part);
    const std::string title = state.scene.document()->title();
    post_about(
        state, Message::Level::info, "part",
        fmt::format("this is the {} part of {}", step > 0 ? "last" : "first", title.substr(0, title.find(" · "))));
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
        choose_channels(state.scene, state.tasks, parse_channels("Channels", typed));
    } catch (const UsageError& error) {
        post(state.messages, Message::Level::error, error.what());
    }
}

void choose_channels(const Scene& scene, Tasks& tasks, const std::vector<std::string>& channels) {
    PictureChoice choice = shown_choice(scene);
    choice.channels = channels;
    choose(tasks, std::move(choice));
}

std::optional<bool> channels_first(const AppState& state) {
    const PictureFacts* facts = shown_facts(state);
    if (!facts || facts->layout == PictureFacts::Layout::fixed) return {};
    return shown_choice(state.scene).channels_first.value_or(facts->layout == PictureFacts::Layout::channels_first);
}

// Clears the chosen channels: in the other order of axes, the channels are others.
void set_channels_first(const Scene& scene, Tasks& tasks, bool first) {
    PictureChoice choice = shown_choice(scene);
    choice.channels_first = first;
    choice.channels.clear();
    choose(tasks, std::move(choice));
}

void offer_other_layout(AppState& state) {
    const PictureFacts* facts = shown_facts(state);
    if (!facts || facts->layout == PictureFacts::Layout::fixed) return;
    const PictureFacts::Part& part = facts->parts[0];
    const bool first = facts->layout == PictureFacts::Layout::channels_first;
    constexpr int least_side = 8;
    const int width = part.width, height = part.height, channels = int(part.channels.size());
    const bool was_guessed = first && !shown_choice(state.scene).channels_first;
    if (first ? !was_guessed : 2 * height > std::min(width, channels) || channels < least_side) return;
    // Words of the file, the same for each part, so that they are said once.
    const std::string file = file_of(state.scene.document()->source);
    const auto counted = [](int n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
    const auto planes = [&](int c, int w, int h) { return fmt::format("{} of {}×{}", counted(c, "channel"), w, h); };
    const auto pixels = [&](int h, int w, int c) {
        return fmt::format("{} of {} with {}", counted(h, "row"), counted(w, "pixel"), counted(c, "channel"));
    };
    post_offer(
        state,
        fmt::format("{} is read as {}; it may be {} (O)", std::filesystem::path(file).filename().string(),
                    first ? planes(channels, width, height) : pixels(height, width, channels),
                    first ? pixels(channels, height, width) : planes(height, channels, width)),
        first ? "Channels last" : "Channels first",
        [first](AppState& s) {
            if (channels_first(s)) set_channels_first(s.scene, s.tasks, !first);
        },
        [file, first](const AppState& s) {
            const Document* document = s.scene.document();
            return !document || file_of(document->source) != file || channels_first(s).value_or(first) != first;
        });
}

bool is_upright(const Scene& scene, const UiState& ui) {
    const Document* document = scene.document();
    return document && document->is_file() ? shown_choice(scene).upright : ui.upright;
}

void set_upright(Tasks& tasks, bool upright) { tasks.push_back(task::SetUpright{upright}); }

namespace {

using Saving = UiState::Saving;

Task task_of(const AppState& state, const std::string& path) {
    switch (state.ui.saving) {
        case Saving::sheet: return task::SaveSheet{path};
        case Saving::profile: return task::SaveProfile{path};
        case Saving::session: return task::SaveSession{path};
        case Saving::method: return task::SaveMethod{path, own_method_text(state)};
        case Saving::view: break;
    }
    return task::SaveView{path, state.ui.save_size.value_or(Extent{})};
}

}  // namespace

void follow_proposal(ReportPath& path, const std::string& proposed) {
    if (proposed == path.proposed) return;
    const std::filesystem::path typed = path.text, before = path.proposed;
    const auto plain = [](std::filesystem::path name) { return name.replace_extension(); };
    if (typed.empty()) path.text = proposed;
    else if (plain(typed) == plain(before))
        path.text = std::filesystem::path(proposed).replace_extension(typed.extension()).string();
    path.proposed = proposed;
}

std::string path_beside(const Document* document, const std::string& ending) {
    std::filesystem::path path = "texelscope";
    if (document) {
        const std::string source = original_source(document->source);
        path = source.starts_with('@') ? source.substr(1) : file_of(source);
        if (parse_sample_line(source)) path = source.substr(1, source.find(':') - 1);
        if (auto name = pushed_name(source)) {
            std::replace(name->begin(), name->end(), '/', '-');
            path = *name;
        }
    }
    std::string stem = path.stem().string();
    for (char& c : stem)
        if (c == ':') c = '-';
    return (path.parent_path() / (stem + ending)).string();
}

std::string default_save_path(const Scene& scene, Saving what) {
    constexpr const char* names[] = {"-view.png", "-sheet.png", "-profile.csv", "-session.json"};
    return what == Saving::method ? method_path(scene) : path_beside(scene.document(), names[int(what)]);
}

void toggle_save_window(const Scene& scene, UiState& ui, Saving what) {
    if (ui.dialogs.has(Dialog::save) && ui.saving == what) return ui.dialogs.close(Dialog::save);
    ui.dialogs.open(Dialog::save);
    ui.saving = what;
    ui.save_path = default_save_path(scene, what);
    ui.save_size.reset();
}

void save_something_else(const Scene& scene, UiState& ui, Saving what) {
    const std::filesystem::path folder = std::filesystem::path(ui.save_path).parent_path();
    const std::filesystem::path name = std::filesystem::path(default_save_path(scene, what)).filename();
    ui.saving = what;
    ui.save_path = (folder / name).string();
}

void request_saving(AppState& state) {
    std::string path = state.ui.save_path;
    if (path.empty()) return;
    // The suffixes by which they are recognised.
    const std::filesystem::path typed = path;
    const Saving what = state.ui.saving;
    const auto of_session = ending_of(FileKind::session);
    if (what == Saving::session && typed.extension() != of_session) path += of_session;
    if (what == Saving::profile && !typed.has_extension()) path += ".csv";
    if (what == Saving::method) path = method_file(state, path);
    const bool picture = what == Saving::view || what == Saving::sheet;
    if (picture && !typed.has_extension() && typed.has_filename()) path += ".png";
    request_writing(state, path, task_of(state, path), Dialog::save);
}

bool can_save(const AppState& state, Saving what) {
    if (what == Saving::profile) return state.report.findings.profile.channels > 0;
    return what == Saving::method ? has_own_text(state) : has_document(state.scene);
}

void toggle_export(AppState& state) {
    if (state.ui.dialogs.has(Dialog::exporting)) return state.ui.dialogs.close(Dialog::exporting);
    ExportUi& choice = state.ui.exporting;
    state.ui.dialogs.open(Dialog::exporting);
    choice.path = path_beside(document_of(state.scene, state.scene.pane()), "-resized.png");
    choice.size = image_extent(state, state.scene.active);
    choice.linear = state.scene.light_of(state.scene.active) == Light::linear;
    // Widened weights come from a table, so a texture path would have no effect.
    const FetchPath path = state.scene.spec().path;
    choice.antialias = path != FetchPath::lookup && path != FetchPath::hardware;
}

WholePicture exported_picture(const Scene& scene, const ExportUi& choice) {
    WholePicture picture{.spec = scene.spec()};
    if (choice.by_size && !has_pixels(choice.size)) throw UsageError(size_limits);
    if (choice.by_size) picture.size = choice.size;
    else if (!(choice.factor >= least_export_factor && choice.factor <= most_export_factor))
        throw UsageError(fmt::format("The factor {:g} makes no picture: choose one from {:g} to {:g}.", choice.factor,
                                     least_export_factor, most_export_factor));
    picture.factor = {choice.factor, choice.factor};
    picture.antialias = choice.antialias;
    picture.least_squares = choice.antialias && choice.least_squares && has_least_squares(*picture.spec.method);
    return picture;
}

std::string export_path(const ExportUi& choice) {
    const std::string& path = choice.path;
    return path.empty() || std::filesystem::path(path).has_extension() ? path : path + ".png";
}

bool has_metadata(const Scene& scene, const FileReport& file) {
    const Document* document = document_of(scene, scene.pane());
    if (!document || file.source != document->source) return false;
    constexpr std::array<std::string_view, 4> groups = {"EXIF", "GPS", "IPTC", "XMP"};
    const auto& rows = file.facts.metadata;
    return std::any_of(rows.begin(), rows.end(), [&](const MetadataRow& row) {
        return std::find(groups.begin(), groups.end(), row.group) != groups.end();
    });
}

void request_export(AppState& state) {
    const std::string path = export_path(state.ui.exporting);
    if (path.empty()) return;
    request_writing(state, path, task::Export{path}, Dialog::exporting);
}

}  // namespace texelscope
