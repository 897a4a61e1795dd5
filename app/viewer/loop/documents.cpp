#include "app/viewer/loop/documents.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/codecs/codecs.h"
#include "app/files/desktop/folders.h"
#include "app/files/reading/image_files.h"
#include "app/picture/first_look.h"
#include "app/picture/pane_picture.h"
#include "app/state/history.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/state/view_math.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/loop/settings.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

// Whether it is the current document, shown by a pane, or the reference.
bool is_needed(const Scene& scene, const Document& document) {
    if (&document == scene.document()) return true;
    const Reference& reference = scene.reference;
    if (reference.kind == Reference::Kind::image && reference.source == document.source) return true;
    const auto& panes = scene.panes;
    return std::any_of(panes.begin(), panes.end(), [&](const Pane& pane) { return pane.source == document.source; });
}

// Saves host memory: documents not viewed for long are read again when needed.
void forget_others(Scene& scene) {
    constexpr size_t budget = size_t(2) << 30;
    size_t bytes = 0;
    for (const Document& document : scene.documents) bytes += document.image ? document.image->size_bytes() : 0;
    for (Document& document : scene.documents)
        if (bytes > budget && &document != scene.document() && document.image && !is_needed(scene, document)) {
            bytes -= document.image->size_bytes();
            document.image.reset();
        }
}

// Keeps pushed images that were closed, which undo may show again, within the budget.
void forget_pushed(AppState& state) {
    constexpr size_t budget = size_t(512) << 20;
    size_t bytes = 0;
    std::erase_if(state.pushed, [&](const auto& pushed) {
        if (document_named(state.scene, pushed.first)) return false;
        bytes += pushed.second->size_bytes();
        return bytes > budget;
    });
}

void make_current(AppState& state, int index) {
    if (state.scene.current != index) state.scene.selection.reset();
    state.scene.current = index;
    state.transition.reset();
    state.draft.seen.clear();  // another picture is no motion of this one
    const Document& document = *state.scene.document();
    if (document.is_file() && !document.passing) remember_recent(state.ui.recent, file_of(document.source));
    forget_others(state.scene);
}

// Prepares the panes for the next picture: the active pane and all that show the same will show it. A comparison of
// enlarged copies with their original ends with them.
void make_way(AppState& state) {
    Scene& scene = state.scene;
    const Document* shown = scene.panes.empty() ? nullptr : document_of(scene, scene.pane());
    const std::string source = shown ? shown->source : "";
    follow_with_active_pane(state);
    const bool compared = scene.reference.kind == Reference::Kind::image &&
                          scene.reference.source == original_source(source) && scene.reference.source != source;
    if (!compared) return;
    scene.reference = default_reference();
    post_one_of(
        state.messages, Message::Level::info, "reference",
        fmt::format("Figures are now against {} (Compare ▸ Reference); Undo (Ctrl+Z) brings the comparison back",
                    scene_reference_words(scene)));
}

StillWanted load(AppState& state, Document& document, const AcceptImage& accept) {
    return document.image ? accept(document.image) : load_into(state, document, accept);
}

void show_loaded(AppState& state, int index) {
    make_current(state, index);
    offer_original(state, state.scene.documents[size_t(index)]);
    offer_plot(state, state.scene.documents[size_t(index)]);
}

// Loads and shows a document without changing the panes.
StillWanted bring_up(AppState& state, int index, const AcceptImage& accept) {
    if (StillWanted wanted = load(state, state.scene.documents[size_t(index)], accept)) return wanted;
    show_loaded(state, index);
    return {};
}

// No file has it; a document's `seen` once the user has been told.
constexpr FileStamp said_to_be_gone{-1, 0};

void say_it_is_gone(AppState& state, Document& document) {
    document.seen = said_to_be_gone;
    const std::string file = file_of(document.source), why = why_missing(file);
    const auto is_it = [&](const TrashedFile& trashed) { return trashed.original == file; };
    if (std::ranges::any_of(state.trashed, is_it)) return;  // it was said
    post_about(
        state, Message::Level::info, "gone",
        fmt::format("{} {}; the picture stays", fs::path(file).filename().string(),
                    why == "no such file" ? "is no longer there" : fmt::format("can no longer be read ({})", why)));
}

}  // namespace

FileStamp stamp_of(const std::string& path) {
    FileStamp stamp;
    std::error_code error;
    const std::string file = file_of(path);
    const auto time = fs::last_write_time(file, error);
    if (error) return stamp;
    stamp.modified = int64_t(time.time_since_epoch().count());
    stamp.bytes = fs::file_size(file, error);
    if (const auto companions = companions_of(fs::path(file))) {
        FileState beside;
        beside.add(*companions, companions->files());
        stamp.modified = int64_t(uint64_t(stamp.modified) + uint64_t(beside.modified));
        stamp.bytes += beside.bytes;
    }
    return stamp;
}

std::string absolute_source(const std::string& source) {
    if (source.starts_with('@')) return source;
    std::error_code error;
    const fs::path path = fs::absolute(source, error);
    return typed_source(error ? source : path.lexically_normal().string());
}

std::string as_preferred(const UiState& ui, const std::string& source) {
    if (source.starts_with('@') || ui.upright) return source;
    auto [file, choice] = parse_picture_source(source);
    choice.upright = false;
    return with_choice(file, choice);
}

StillWanted open_document(AppState& state, const std::string& source, const AcceptImage& accept) {
    auto& documents = state.scene.documents;
    const std::string full = as_preferred(state.ui, absolute_source(source));
    const auto at =
        std::find_if(documents.begin(), documents.end(), [&](const Document& d) { return d.source == full; });
    if (at != documents.end()) {
        if (StillWanted wanted = load(state, *at, accept)) return wanted;
        at->passing = false;
        make_way(state);
        show_loaded(state, int(at - documents.begin()));
    } else {
        Document document;
        document.source = full;
        if (StillWanted wanted = load_into(state, document, accept)) return wanted;
        make_way(state);
        documents.push_back(std::move(document));
        show_loaded(state, int(documents.size()) - 1);
    }
    return {};
}

StillWanted walk_to_document(AppState& state, const std::string& path, const AcceptImage& accept) {
    Scene& scene = state.scene;
    const std::string source = as_preferred(state.ui, with_choice(path, {}));
    settle_history(state);
    int before = scene.current;
    const auto at = std::find_if(scene.documents.begin(), scene.documents.end(),
                                 [&](const Document& d) { return d.source == source; });
    if (at != scene.documents.end()) {
        if (StillWanted wanted = show_document(state, int(at - scene.documents.begin()), accept)) return wanted;
    } else {
        Document next;
        next.source = source;
        if (StillWanted wanted = load_into(state, next, accept)) return wanted;
        next.passing = true;
        make_way(state);
        settle_history(state);  // undo knows what was compared
        before = scene.current;
        if (const Document* from = scene.document(); from && original_source(from->source) == from->source) {
            next.keep_fit = from->keep_fit;
            next.view = from->view;
            const Extent frame = frame_size(*next.image);
            const double half_width = frame.width / 2.0, half_height = frame.height / 2.0;
            next.view.translate_x = std::clamp(next.view.translate_x, -half_width, half_width);
            next.view.translate_y = std::clamp(next.view.translate_y, -half_height, half_height);
        }
        scene.documents.insert(scene.documents.begin() + (before + 1), std::move(next));
        make_current(state, before + 1);
    }
    const bool replaced = before >= 0 && before != scene.current && scene.documents[size_t(before)].passing &&
                          !is_needed(scene, scene.documents[size_t(before)]);
    if (replaced) {
        const Document& left = scene.documents[size_t(before)];
        if (left.image) state.read.there[left.source] = {left.image, left.loaded, {}, true};  // for the step back
        drop_document(state, before);
    }
    begin_history_here(state);
    return {};
}

StillWanted open_folder(AppState& state, const std::string& folder, const AcceptImage& accept) {
    const std::string full = absolute_source(folder);
    const FolderListing listing = list_pictures(full, state.ui.folder_order, state.ui.folder_descending);
    if (!listing.problem.empty()) throw Error(listing.problem);
    for (const FolderEntry& entry : listing.entries) {
        const std::string path = (fs::path(full) / entry.name).string();
        try {
            return walk_to_document(state, path, accept);
        } catch (const FileError& error) {
            post(state.messages, Message::Level::error, std::string(error.what()) + "; skipped", path);
        }
    }
    throw FileError(full, "has no picture that can be read");
}

void add_unread(Scene& scene, const UiState& ui, const std::string& source) {
    Document document;
    document.source = as_preferred(ui, absolute_source(source));
    scene.documents.push_back(std::move(document));
    if (scene.current < 0) scene.current = 0;
}

std::string begin_folder(Scene& scene, UiState& ui, const std::string& folder) {
    std::string full = absolute_source(folder);
    const FolderListing listing = list_pictures(full, ui.folder_order, ui.folder_descending);
    if (!listing.problem.empty()) throw Error(listing.problem);
    if (listing.entries.empty()) throw FileError(full, "has no picture that can be read");
    add_unread(scene, ui, with_choice((fs::path(full) / listing.entries.front().name).string(), {}));
    scene.documents.back().passing = true;
    return full;
}

StillWanted show_first(AppState& state, const AcceptImage& accept) {
    while (!state.scene.documents.empty()) {
        const std::string source = state.scene.documents[0].source;
        try {
            return bring_up(state, 0, accept);
        } catch (const DeviceLost&) {
            throw;
        } catch (const Error& error) {
            post_error(state.messages, error, source);
        }
        state.scene.documents.erase(state.scene.documents.begin());
        state.scene.current = state.scene.documents.empty() ? -1 : 0;
    }
    return open_document(state, default_source, accept);
}

StillWanted show_document(AppState& state, int index, const AcceptImage& accept) {
    if (index < 0 || size_t(index) >= state.scene.documents.size()) return {};
    if (StillWanted wanted = load(state, state.scene.documents[size_t(index)], accept)) return wanted;
    make_way(state);
    show_loaded(state, index);
    return {};
}

StillWanted load_document(AppState& state, const std::string& source, const AcceptImage& accept) {
    for (Document& document : state.scene.documents) {
        if (document.source != source || document.image || document.unreadable) continue;
        try {
            if (StillWanted wanted = load_into(state, document, accept)) return wanted;
        } catch (...) {
            document.unreadable = true;
            throw;
        }
    }
    return {};
}

StillWanted show_pushed(AppState& state, const std::string& name, std::shared_ptr<const Image> image,
                        const AcceptImage& accept) {
    const std::string source = pushed_source(name);
    const auto at = std::find_if(state.scene.documents.begin(), state.scene.documents.end(),
                                 [&](const Document& document) { return document.source == source; });
    const bool open = at != state.scene.documents.end();
    if (!open || is_needed(state.scene, *at))
        if (StillWanted wanted = accept(image)) return wanted;
    state.pushed[source] = image;
    if (!open) return open_document(state, source, accept);
    // Levels that changed with every frame would flicker.
    const bool alike = at->image && at->image->type() == image->type() && at->image->channels() == image->channels();
    const auto before = at->look.levels;
    at->image = std::move(image);
    at->look = look_of(at->image);
    if (alike) at->look.levels = before;
    at->unreadable = false;
    return {};
}

std::vector<std::string> pushed_names(const Scene& scene) {
    std::vector<std::string> names;
    for (const Document& document : scene.documents)
        if (auto name = pushed_name(document.source)) names.push_back(std::move(*name));
    return names;
}

StillWanted show_session(AppState& state, const AcceptImage& accept) {
    Scene& scene = state.scene;
    if (!scene.document()) return open_document(state, default_source, accept);
    const View view = scene.document()->view;
    const bool keep_fit = scene.document()->keep_fit;
    const auto selection = scene.selection;
    // What a program has still to be allowed to make is not what the window begins with.
    if (const auto made = parse_program_source(scene.document()->source); made && !is_allowed(state, made->command)) {
        ask_about(state, *made);
        return open_document(state, made->original, accept);
    }
    if (StillWanted wanted = bring_up(state, scene.current, accept)) return wanted;
    scene.document()->view = view;
    scene.document()->keep_fit = keep_fit;
    scene.selection = selection;
    return {};
}

void ask_for_documents(AppState& state) {
    for (const Document& document : state.scene.documents) {
        const std::string& source = document.source;
        if (document.image || document.unreadable || !is_needed(state.scene, document)) continue;
        if (state.read.under_way.contains(source) || (state.loading && state.loading->source == source)) continue;
        state.tasks.push_back(task::LoadDocument{source});
    }
}

void drop_document(AppState& state, int index) {
    auto& documents = state.scene.documents;
    if (index < 0 || size_t(index) >= documents.size() || index == state.scene.current) return;
    withdraw_offers(state.scene, state.messages, documents[size_t(index)]);
    documents.erase(documents.begin() + index);
    if (state.scene.current > index) --state.scene.current;
    forget_pushed(state);
}

namespace {

// Shows another one in its place. Nothing if it is the last, and the default picture.
StillWanted leave_shown(AppState& state, const AcceptImage& accept) {
    const auto& documents = state.scene.documents;
    const int shown = state.scene.current;
    if (documents.size() > 1) return show_document(state, shown > 0 ? shown - 1 : 1, accept);
    return documents[0].source == default_source ? StillWanted{} : open_document(state, default_source, accept);
}

}  // namespace

StillWanted close_document(AppState& state, const AcceptImage& accept, const std::string& source) {
    Scene& scene = state.scene;
    if (scene.current < 0) return {};
    const std::string closed = source.empty() ? scene.document()->source : source;
    if (!document_named(scene, closed)) return {};
    // What the active pane shows instead is then the shown one, and stays.
    if (!source.empty() && document_of(scene, scene.pane())->source != closed) follow_with_active_pane(state);
    if (scene.document()->source == closed)
        if (StillWanted wanted = leave_shown(state, accept)) return wanted;
    for (Pane& pane : scene.panes)
        if (pane.source == closed) pane.source.clear();
    for (int i = int(scene.documents.size()); i-- > 0;)
        if (scene.documents[size_t(i)].source == closed) drop_document(state, i);
    return {};
}

StillWanted refresh_document(AppState& state, const std::string& source, const AcceptImage& accept) {
    for (Document& document : state.scene.documents)
        if (document.source == source)
            if (StillWanted wanted = load_into(state, document, accept)) return wanted;
    return {};
}

bool change_has_settled(AppState& state) {
    Document* document = state.scene.document();
    if (!document || !document->is_file() || !document->image) return false;
    const FileStamp stamp = stamp_of(document->source), before = std::exchange(document->seen, stamp);
    if (stamp == FileStamp{}) {
        if (before == said_to_be_gone) document->seen = before;
        else if (before == stamp) say_it_is_gone(state, *document);  // not only for a moment, saved by renaming
        return false;
    }
    if (stamp == document->loaded || stamp != before) return false;
    document->loaded = stamp;  // even if reading fails
    return true;
}

}  // namespace texelscope
