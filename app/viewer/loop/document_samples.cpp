#include "app/viewer/loop/documents.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "app/files/bytes/naming.h"
#include "app/files/tiles/open_tiles.h"
#include "app/picture/first_look.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/recipes/recipe_study.h"
#include "app/studies/restoring/outside_methods.h"
#include "app/studies/restoring/restoring.h"
#include "app/text/text.h"
#include "app/viewer/loop/settings.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// The picture that was read in the background, or null. Throws the error if it could not be read.
const ReadPicture* read_beside(ReadPictures& read, const std::string& source) {
    auto& there = read.there;
    const auto at = there.find(source);
    if (at == there.end()) return nullptr;
    if (at->second.ahead && at->second.stamp != stamp_of(source)) {  // it has changed since
        there.erase(at);
        return nullptr;
    }
    if (!at->second.problem) return &at->second;
    const std::exception_ptr problem = at->second.problem;
    there.erase(at);
    std::rethrow_exception(problem);
}

Image turned_picture(const Image& original, const TurnedSource& turned) {
    const MethodSpec defaults = turning_defaults();
    Turning turning(make_cpu_backend(), original, parse_spec(turned.spec, &defaults), turned.degrees);
    for (int turn = 1; turn < turned.turns; ++turn) turning.turn();
    return turned.turns > 0 ? turning.turn() : original;
}

using PictureOrWanted = std::variant<ReadPicture, WantedPicture>;

PictureOrWanted original_of(AppState& state, const std::string& source) {
    if (const auto name = pushed_name(source)) {
        const auto at = state.pushed.find(source);
        if (at != state.pushed.end()) return ReadPicture{at->second, {}};
        throw Error(fmt::format("{} was pushed into a window and is in no file: push it again, then open it", *name));
    }
    if (const ReadPicture* read = read_beside(state.read, source)) return *read;
    const bool test_image = source.starts_with('@');
    if (state.read.awaited && !test_image) return WantedPicture{source};
    const FileStamp stamp = test_image ? FileStamp{} : stamp_of(source);  // before reading
    return ReadPicture{std::make_shared<const Image>(open_image(source)), stamp};
}

Image shrunk_again(const std::shared_ptr<const Image>& original, const ShrunkSource& shrunk) {
    RestoringPlan plan;
    plan.image = original;
    plan.light = shrunk.light;
    plan.restoration.factor = shrunk.factor;
    plan.restoration.filter = parse_spec(shrunk.filter);
    plan.restoration.antialias = shrunk.antialias;
    return shrunk_picture(plan, make_cpu_backend());
}

Image resized_again(const Image& original, const ResizedSource& resized) {
    Image whole = resized_picture(make_cpu_backend(), original, resized);
    return resized.part.empty() ? whole : part_of(whole, resized.part);
}

// The program runs while the picture is read in the background.
PictureOrWanted made_by_program(AppState& state, const std::string& source, const ProgramSource& made) {
    if (!is_allowed(state, made.command)) {
        ask_about(state, made);
        throw Error(fmt::format("{} is not run before you allow it", command_name(made.command)));
    }
    if (const ReadPicture* read = read_beside(state.read, source)) return *read;
    if (state.read.awaited) return WantedPicture{source};
    return ReadPicture{program_picture(made, {}), {}};
}

// The picture of a source; a shrunk or resized picture is made again from its original.
PictureOrWanted picture_of(AppState& state, const std::string& source) {
    if (const auto made = parse_program_source(source)) return made_by_program(state, source, *made);
    const auto shrunk = parse_shrunk_source(source);
    const auto resized = parse_resized_source(source);
    const auto turned = parse_turned_source(source);
    if (!shrunk && !resized && !turned) return original_of(state, source);
    if (const ReadPicture* made = read_beside(state.read, source)) return *made;
    const std::string of = original_source(source);
    const Document* open = document_named(state.scene, of);
    const PictureOrWanted original =
        open && open->image ? ReadPicture{open->image, open->loaded} : original_of(state, of);
    const auto* read = std::get_if<ReadPicture>(&original);
    if (!read) return original;
    Image made = shrunk    ? shrunk_again(read->image, *shrunk)
                 : resized ? resized_again(*read->image, *resized)
                           : turned_picture(*read->image, *turned);
    return ReadPicture{std::make_shared<const Image>(std::move(made)), {}};
}

void say_what_is_missing(Messages& messages, const Document& document) {
    const Image& image = *document.image;
    if (image.missing().empty()) return;
    post(messages, Message::Level::warning,
         fmt::format("{}: {}", document.title(), words_of_missing(image.missing(), image.width(), image.height())),
         document.source);
    for (Message& message : messages)
        if (message.level == Message::Level::warning && message.source == document.source)
            message.pointless = [source = document.source](const AppState& now) {
                return std::ranges::none_of(panes_in_view(now.scene), [&](int pane) {
                    const Document* shown = document_of(now.scene, now.scene.panes[size_t(pane)]);
                    return shown && shown->source == source;
                });
            };
}

}  // namespace

StillWanted load_into(AppState& state, Document& document, const AcceptImage& accept) {
    PictureOrWanted found = picture_of(state, document.source);
    if (auto* wanted = std::get_if<WantedPicture>(&found)) return std::move(*wanted);
    ReadPicture& picture = std::get<ReadPicture>(found);
    state.read.there.try_emplace(document.source, picture);  // not made again if it is to be prepared first
    if (StillWanted wanted = accept(picture.image)) return wanted;
    document.image = std::move(picture.image);
    document.look = look_of(document.image);
    document.loaded = document.seen = picture.stamp;
    if (const auto made = parse_program_source(document.source))
        post(state.messages, Message::Level::info, words_of_run(*made));
    state.read.there.erase(document.source);
    say_what_is_missing(state.messages, document);
    if (!document.image->in_memory() && may_be_data(*document.image))
        state.tasks.push_back(task::AutoContrast{.first = true});
    return {};
}

// Pictures that other programs make.

namespace {

std::string document_title(const std::string& source) {
    Document document;
    document.source = source;
    return document.title();
}

}  // namespace

bool is_allowed(const AppState& state, const std::string& command) {
    const auto& allowed = state.ui.allowed_commands;
    return state.every_command || std::find(allowed.begin(), allowed.end(), command) != allowed.end();
}

void allow(AppState& state, const std::string& command) {
    if (is_allowed(state, command)) return;
    auto& allowed = state.ui.allowed_commands;
    allowed.push_back(command);
    if (allowed.size() > max_allowed_commands) allowed.erase(allowed.begin());
}

void ask_about(AppState& state, const ProgramSource& source) {
    if (state.ui.dialogs.has(Dialog::question)) return;
    ask(state,
        {.title = "Run this program?",
         .text = "A picture is to be made by a command that has not run on this machine yet:",
         .details = fmt::format("{}\n\nIt would enlarge {} {:g} times, with your rights: it may read and change your "
                                "files. It is asked once for each text.",
                                source.command, document_title(source.original), source.factor),
         .yes = "Run it",
         .task = task::AllowCommand{source.command}});
}

std::shared_ptr<const Image> program_picture(const ProgramSource& source, const std::stop_token& stop) {
    if (source.original.starts_with(pushed_prefix))
        throw Error("another program gets a picture that is in a file: save this one first");
    const Image original = open_image(source.original);
    if (!original.in_memory()) throw Error("another program gets whole pictures, and this one is too large for memory");
    return enlarged_by_program(original, source.command, source.factor, [stop] {
        if (stop.stop_requested()) throw Cancelled("the program was ended");
    });
}

std::string words_of_run(const ProgramSource& source) {
    const double ms = ms_of_program(source.command);
    return ms > 0 ? fmt::format("{} took {}, files included", command_name(source.command), time_text(ms)) : "";
}

}  // namespace texelscope
