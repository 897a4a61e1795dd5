#include "app/viewer/loop/tasks/opening.h"

#include <algorithm>
#include <exception>
#include <span>
#include <stop_token>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/files/desktop/desktop.h"
#include "app/files/desktop/folders.h"
#include "app/files/reading/image_files.h"
#include "app/state/history.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/state/session/session.h"
#include "app/studies/restoring/outside_methods.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/settings.h"
#include "app/window/window.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

bool is_used_elsewhere(const Scene& scene, const std::string& source) {
    if (scene.reference.kind == Reference::Kind::image && scene.reference.source == source) return true;
    return std::ranges::any_of(scene.panes, [&](const Pane& pane) { return pane.source == source; });
}

void rename(Scene& scene, const std::string& from, const std::string& to) {
    for (Pane& pane : scene.panes)
        if (pane.source == from) pane.source = to;
    if (scene.reference.source == from) scene.reference.source = to;
}

std::string turned(const std::string& source, bool upright) {
    auto [file, choice] = parse_picture_source(source);
    choice.upright = upright;
    return with_choice(file, choice);
}

}  // namespace

namespace {

bool is_web_address(const std::string& source) {
    return source.starts_with("http://") || source.starts_with("https://") || source.starts_with("ftp://");
}

}  // namespace

std::string OpeningTasks::about(const AppState& /*state*/, const task::Open& request) {
    return kind_of_file(request.source) == FileKind::picture ? absolute_source(request.source) : request.source;
}

std::string OpeningTasks::about(const AppState& state, const task::ShowDocument& request) {
    const auto& documents = state.scene.documents;
    return size_t(request.index) < documents.size() ? documents[size_t(request.index)].source : "";
}

std::string OpeningTasks::about(const AppState& state, const task::Reload& request) {
    return request.source.empty() && state.scene.document() ? state.scene.document()->source : request.source;
}

StillWanted OpeningTasks::run(AppState& state, const task::Open& request) {
    if (is_web_address(request.source))
        throw Error(request.source +
                    " is an address, and the program fetches nothing: save the picture to a file first");
    switch (kind_of_file(request.source)) {
        case FileKind::picture: return open_picture(state, request);
        case FileKind::session: return run(state, task::OpenSession{request.source});
        case FileKind::lesson: next_.push_back(task::OpenLesson{request.source}); break;
        case FileKind::weights:
        case FileKind::kernel:
            open_method(state, request.source);
            forget_errors_about(state.messages, request.source);
            remember_recent(state.ui.recent, absolute_source(request.source));
    }
    return {};
}

StillWanted OpeningTasks::run(AppState& state, const task::ShowFirst&) {
    const std::vector<Document>& documents = state.scene.documents;
    const std::string first = documents.empty() ? "" : documents[0].source;
    StillWanted wanted = show_first(state, accept_);
    if (documents.empty() || documents[0].source != first) walker_.start_from(first);
    return wanted;
}

StillWanted OpeningTasks::open_picture(AppState& state, const task::Open& request) {
    const std::string source = absolute_source(request.source);
    if (is_folder(source)) {
        walker_.ask_for_folder(state, source);
        return {};
    }
    const int before = state.scene.current;
    try {
        if (StillWanted wanted = open_document(state, request.source, accept_)) return wanted;
    } catch (const Error&) {
        walker_.start_from(source);
        throw;
    }
    if (request.replace && before >= 0 && state.scene.current != before) drop_document(state, before);
    forget_errors_about(state.messages, state.scene.document()->source);
    if (takes_picture(state.lesson)) use_picture(state, state.scene.document()->source);
    return {};
}

StillWanted OpeningTasks::run(AppState& state, const task::OpenSession& request) {
    Session session = read_session(request.path);
    const auto show = [&] {
        restore(state, std::move(session));
        return show_session(state, accept_);
    };
    if (StillWanted wanted = all_or_nothing(state, show)) return wanted;
    state.history = {};
    forget_errors_about(state.messages, request.path);
    remember_recent(state.ui.recent, absolute_source(request.path));
    return {};
}

// The pane waits for the picture as for one that a session names.
void OpeningTasks::run(AppState& state, const task::RunProgram& request) {
    const Document* shown = document_of(state.scene, state.scene.pane());
    if (!shown || !shown->image) throw Error("There is no picture to enlarge: open one first.");
    program_method(request.command, {});  // refuses one without {in} and {out}
    allow(state, request.command);        // it was typed here
    const ProgramSource made{request.factor, request.command, original_source(shown->source)};
    Document document;
    document.source = made.text();
    state.ui.program.asked_for = document.source;
    state.scene.pane().source = document.source;
    if (Document* open = const_cast<Document*>(document_named(state.scene, document.source))) open->unreadable = false;
    else state.scene.documents.push_back(std::move(document));
}

// A program that has just been typed may be typed better: its dialog says why it failed, and panes show the original again.
StillWanted OpeningTasks::run(AppState& state, const task::LoadDocument& request) {
    const auto made = parse_program_source(request.source);
    const bool typed = made && request.source == state.ui.program.asked_for;
    try {
        return load_document(state, request.source, accept_);
    } catch (const DeviceLost&) {
        throw;
    } catch (const Error& error) {
        if (!typed) throw;
        state.ui.program.refused = error.what();
    }
    Scene& scene = state.scene;
    const bool is_current = scene.document() && scene.document()->source == made->original;
    rename(scene, request.source, is_current ? "" : made->original);
    const auto failed = std::ranges::find(scene.documents, request.source, &Document::source);
    drop_document(state, int(failed - scene.documents.begin()));
    state.ui.dialogs.open(Dialog::program);
    return {};
}

// Documents that wait for it are read now.
void OpeningTasks::run(AppState& state, const task::AllowCommand& request) {
    allow(state, request.command);
    for (Document& document : state.scene.documents)
        if (const auto made = parse_program_source(document.source); made && made->command == request.command) {
            document.unreadable = false;
            forget_errors_about(state.messages, document.source);
        }
}

StillWanted OpeningTasks::run(AppState& state, const task::Reload& request) {
    const std::string source = about(state, request);
    if (StillWanted wanted = refresh_document(state, source, accept_)) return wanted;
    forget_errors_about(state.messages, source);
    return {};
}

// A document that cannot be shown at the start gives way to the default picture.
void OpeningTasks::leave_empty(AppState& state) {
    const int empty = state.scene.current;
    if (empty >= 0 && state.scene.document()->image) return;
    const ReadAtOnce at_once(state.read);
    open_document(state, default_source, accept_);
    if (empty >= 0) drop_document(state, empty);
}

// In place of what was shown, unless a pane or the reference needs that. As with a step through a folder, undo does not
// know it.
StillWanted OpeningTasks::run(AppState& state, const task::ChoosePicture& request) {
    Scene& scene = state.scene;
    if (!scene.document() || !scene.document()->is_file()) return {};
    const Document before = *scene.document();
    const std::string source = with_choice(file_of(before.source), request.choice);
    if (source == before.source) return {};
    settle_history(state);
    const auto is_it = [&](const Document& document) { return document.source == source; };
    const bool was_open = std::ranges::any_of(scene.documents, is_it);
    if (StillWanted wanted = open_document(state, source, accept_)) return wanted;
    forget_errors_about(state.messages, source);
    if (!was_open) {
        Document& now = *scene.document();
        now.view = before.view;
        now.keep_fit = before.keep_fit;
        now.region = before.region;
        now.passing = before.passing;
        // Beside what it replaces.
        auto& documents = scene.documents;
        const auto old = std::ranges::find(documents, before.source, &Document::source);
        std::rotate(old + 1, documents.end() - 1, documents.end());
        scene.current = int(old - documents.begin()) + 1;
        if (!is_used_elsewhere(scene, before.source)) drop_document(state, scene.current - 1);
    }
    begin_history_here(state);
    return {};
}

// The shown picture first: if it cannot be read, nothing changes.
StillWanted OpeningTasks::run(AppState& state, const task::SetUpright& request) {
    const bool upright = request.upright;
    const bool before = std::exchange(state.ui.upright, upright);
    Scene& scene = state.scene;
    if (const Document* shown = scene.document(); shown && shown->is_file()) {
        StillWanted wanted;
        try {
            wanted = run(state, task::ChoosePicture{parse_picture_source(turned(shown->source, upright)).choice});
        } catch (...) {
            state.ui.upright = before;
            throw;
        }
        if (wanted) {
            state.ui.upright = before;
            return wanted;
        }
    }
    for (int i = int(scene.documents.size()); i-- > 0;) {
        Document& document = scene.documents[size_t(i)];
        const std::string source = document.is_file() ? turned(document.source, upright) : document.source;
        if (source == document.source) continue;
        rename(scene, document.source, source);
        if (document_named(scene, source)) {
            drop_document(state, i);
        } else {  // read again when it is needed
            document.source = source;
            document.image.reset();
            document.unreadable = false;
        }
    }
    begin_history_here(state);
    return {};
}

// Tasks on the folder of the shown file: walking through it, moving to the trash.

FolderWalker::Show OpeningTasks::show_walked() {
    return [this](AppState& state, const std::string& path) { return walk_to_document(state, path, accept_); };
}

void OpeningTasks::begin_with(AppState& state, const std::string& folder) {
    begins_ = true;
    walker_.ask_for_folder(state, folder);
}

// The file goes first: what cannot be moved stays on the screen.
void OpeningTasks::run(AppState& state, const task::Trash&) {
    const Document* document = state.scene.document();
    if (!document || !document->is_file()) return;
    const std::string path = file_of(document->source);
    const size_t changes = state.history.past.size();
    state.trashed.push_back({move_to_trash(path), changes});
    next_.push_back(task::LeaveTrashed{path});
    walker_.look(state);

    const std::string text = path + ": moved to the trash";
    post(state.messages, Message::Level::info, text);
    for (Message& message : state.messages) {
        if (message.text != text) continue;
        message.offer = "Undo";
        message.accept = [path](AppState& then) { then.tasks.push_back(task::Untrash{path}); };
    }
}

StillWanted OpeningTasks::run(AppState& state, const task::LeaveTrashed& request) {
    FolderWalker::Turn turn = walker_.leave_shown(state, show_walked());
    if (!turn.changed && !turn.wanted) turn.wanted = open_document(state, default_source, accept_);
    if (turn.wanted) return turn.wanted;
    close_trashed(state, request.path);
    return {};
}

void OpeningTasks::close_trashed(AppState& state, const std::string& path) {
    for (int i = int(state.scene.documents.size()); i-- > 0;)  // its other parts as well
        if (file_of(state.scene.documents[size_t(i)].source) == path) drop_document(state, i);
    std::erase_if(state.read.there, [&](const auto& each) { return file_of(each.first) == path; });
    begin_history_here(state);
    walker_.look(state);
    std::erase(state.ui.recent, path);
}

// Something else was asked for before the picture after a deleted one was there.
void OpeningTasks::close_left(AppState& state) {
    const Document* document = state.scene.document();
    const std::string shown = document ? file_of(document->source) : "";
    std::erase_if(left_, [&](const std::string& path) {
        if (path == shown) return false;
        close_trashed(state, path);
        return true;
    });
}

void OpeningTasks::run(AppState& state, const task::Untrash& request) {
    auto& trashed = state.trashed;
    const auto at = std::find_if(trashed.rbegin(), trashed.rend(), [&](const TrashedFile& file) {
        return request.original.empty() || file.original == request.original;
    });
    if (at == trashed.rend()) return;
    const TrashedFile file = *at;
    trashed.erase(std::next(at).base());  // even if that fails: it would fail again
    take_from_trash(file);
    const std::string path = file.original.string();
    std::erase(left_, path);
    withdraw(state.messages, path + ": moved to the trash");
    walker_.look(state);
    post(state.messages, Message::Level::info, path + ": back from the trash");
    next_.push_back(task::WalkTo{path});
}

namespace {

// Bytes that are read as a pipe is.
class CopiedBytes {
public:
    explicit CopiedBytes(std::span<const std::byte> bytes) : descriptor_(::memfd_create("pasted", MFD_CLOEXEC)) {
        while (descriptor_ >= 0 && !bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written <= 0) break;
            bytes = bytes.subspan(size_t(written));
        }
        if (descriptor_ < 0 || !bytes.empty() || ::lseek(descriptor_, 0, SEEK_SET) != 0) {
            close();
            throw OutOfMemory("there is no memory for it");
        }
    }
    ~CopiedBytes() { close(); }
    CopiedBytes(const CopiedBytes&) = delete;
    CopiedBytes& operator=(const CopiedBytes&) = delete;

    int descriptor() const { return descriptor_; }

private:
    void close() {
        if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    }

    int descriptor_;
};

Paster::Pasted decoded_copy(const Copied& copied, const std::stop_token& stop) {
    // A file says more than a picture of it: its name, its folder, all of its bits.
    if (std::vector<std::string> files = files_in_text(copied.text); !files.empty()) return {std::move(files), nullptr};
    if (copied.picture.empty()) throw Error("the text that has been copied is neither picture nor path of a file");
    const CopiedBytes bytes(copied.picture);
    Reading reading;
    reading.cancel = stop;
    return {{}, std::make_shared<const Image>(read_image_from(bytes.descriptor(), most_piped_bytes, reading))};
}

}  // namespace

void Paster::ask() {
    work_.ask({}, [](const Nothing&, const std::stop_token& stop) { return decoded_copy(read_clipboard(stop), stop); });
}

Paster::Pasted Paster::take() {
    auto result = work_.take();
    if (!result) return {};
    if (result->problem) std::rethrow_exception(result->problem);
    return std::move(*result->answer);
}

std::string name_for_pasted(const AppState& state) {
    for (int number = 1;; ++number) {
        const std::string name = number == 1 ? std::string(pasted_name) : fmt::format("{} {}", pasted_name, number);
        const std::string source = pushed_source(name);
        if (!document_named(state.scene, source) && !state.pushed.contains(source)) return name;
    }
}

}  // namespace texelscope
