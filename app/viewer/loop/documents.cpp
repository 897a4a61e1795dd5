#include "app/viewer/loop/documents.h"

#include <algorithm>
#include <filesystem>

#include "app/files/image_source.h"
#include "app/state/shrunk_source.h"
#include "app/studies/restoring/restoring.h"
#include "app/viewer/editing/reference_choices.h"
#include "app/viewer/loop/settings.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

FileStamp stamp_of(const Document& document) {
    return document.is_file() ? texelscope::stamp_of(document.source) : FileStamp{};
}

// A shrunk picture is made again from its original.
Image image_of(const std::string& source) {
    const auto shrunk = parse_shrunk_source(source);
    if (!shrunk) return load_image(source);
    RestoringPlan plan;
    plan.image = std::make_shared<const Image>(load_image(shrunk->original));
    plan.light = shrunk->light;
    plan.restoration.factor = shrunk->factor;
    plan.restoration.filter = default_spec(parse_method(shrunk->filter));
    return shrunk_picture(plan, make_cpu_backend());
}

void load_into(Document& document, const AcceptImage& accept) {
    const FileStamp stamp = stamp_of(document);  // before reading, so that a change meanwhile is noticed
    auto image = std::make_shared<const Image>(image_of(document.source));
    accept(image);
    document.image = std::move(image);
    document.loaded = document.seen = stamp;
}

// Whether it is the current document, shown by a pane, or the reference.
bool is_needed(const AppState& state, const Document& document) {
    if (&document == state.scene.document()) return true;
    const Reference& reference = state.scene.reference;
    if (reference.kind == Reference::Kind::image && reference.source == document.source) return true;
    const auto& panes = state.scene.panes;
    return std::any_of(panes.begin(), panes.end(), [&](const Pane& pane) { return pane.source == document.source; });
}

// Saves host memory: documents not viewed for long are read again when needed.
void forget_others(AppState& state) {
    constexpr size_t budget = size_t(2) << 30;
    size_t bytes = 0;
    for (const Document& document : state.scene.documents) bytes += document.image ? document.image->size_bytes() : 0;
    for (Document& document : state.scene.documents)
        if (bytes > budget && &document != state.scene.document() && document.image && !is_needed(state, document)) {
            bytes -= document.image->size_bytes();
            document.image.reset();
        }
}

void make_current(AppState& state, int index) {
    if (state.scene.current != index) state.scene.selection.reset();
    state.scene.current = index;
    state.transition.reset();
    const Document& document = *state.scene.document();
    if (document.is_file()) remember_recent(state.ui.recent, document.source);
    forget_others(state);
}

}  // namespace

FileStamp stamp_of(const std::string& path) {
    FileStamp stamp;
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    if (error) return stamp;
    stamp.modified = int64_t(time.time_since_epoch().count());
    stamp.bytes = fs::file_size(path, error);
    return stamp;
}

std::string absolute_source(const std::string& source) {
    if (source.starts_with('@')) return source;
    std::error_code error;
    const fs::path path = fs::absolute(source, error);
    return error ? source : path.lexically_normal().string();
}

void open_document(AppState& state, const std::string& source, const AcceptImage& accept) {
    auto& documents = state.scene.documents;
    const std::string full = absolute_source(source);
    const auto at =
        std::find_if(documents.begin(), documents.end(), [&](const Document& d) { return d.source == full; });
    if (at != documents.end()) {
        show_document(state, int(at - documents.begin()), accept);
    } else {
        Document document;
        document.source = full;
        load_into(document, accept);
        documents.push_back(std::move(document));
        make_current(state, int(documents.size()) - 1);
        offer_original(state, documents.back());
    }
}

void show_document(AppState& state, int index, const AcceptImage& accept) {
    if (index < 0 || size_t(index) >= state.scene.documents.size()) return;
    Document& document = state.scene.documents[size_t(index)];
    if (document.image) accept(document.image);
    else load_into(document, accept);
    make_current(state, index);
    offer_original(state, document);
}

void load_document(AppState& state, const std::string& source, const AcceptImage& accept) {
    for (Document& document : state.scene.documents) {
        if (document.source != source || document.image || document.unreadable) continue;
        document.unreadable = true;  // unless it turns out otherwise
        load_into(document, accept);
        document.unreadable = false;
    }
}

void show_session(AppState& state, const AcceptImage& accept) {
    Scene& scene = state.scene;
    if (!scene.document()) return open_document(state, default_source, accept);
    const View view = scene.document()->view;
    const bool keep_fit = scene.document()->keep_fit;
    const auto selection = scene.selection;
    show_document(state, scene.current, accept);
    scene.document()->view = view;
    scene.document()->keep_fit = keep_fit;
    scene.selection = selection;
}

void ask_for_documents(AppState& state) {
    for (const Document& document : state.scene.documents)
        if (!document.image && !document.unreadable && is_needed(state, document))
            state.tasks.push_back(task::LoadDocument{document.source});
}

void reload_document(AppState& state, const AcceptImage& accept) {
    if (Document* document = state.scene.document()) load_into(*document, accept);
}

void drop_document(AppState& state, int index) {
    auto& documents = state.scene.documents;
    if (index < 0 || size_t(index) >= documents.size() || index == state.scene.current) return;
    documents.erase(documents.begin() + index);
    if (state.scene.current > index) --state.scene.current;
}

void close_document(AppState& state, const AcceptImage& accept) {
    auto& documents = state.scene.documents;
    const int closed = state.scene.current;
    if (closed < 0) return;
    if (documents.size() == 1) {
        if (documents[0].source == default_source) return;
        open_document(state, default_source, accept);
    } else {
        show_document(state, closed > 0 ? closed - 1 : 1, accept);
    }
    drop_document(state, closed);
}

bool reload_if_changed(AppState& state, const AcceptImage& accept) {
    Document* document = state.scene.document();
    if (!document || !document->is_file() || !document->image) return false;
    const FileStamp stamp = stamp_of(*document);
    const bool settled = stamp == document->seen;
    document->seen = stamp;
    // A file that is missing for a moment (saved by renaming) is not a change.
    if (stamp == document->loaded || !settled || stamp == FileStamp{}) return false;
    document->loaded = stamp;  // even if reading fails
    load_into(*document, accept);
    return true;
}

}  // namespace texelscope
