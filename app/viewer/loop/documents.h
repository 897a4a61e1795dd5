#pragma once
// Opening, showing, reloading and closing images. Each function either succeeds completely, or throws Error and leaves
// the state as it was; so it does if it returns a picture that is still wanted, which is to be read in the background
// first (see ReadPictures::awaited).

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/state/app_state.h"
#include "app/state/scene.h"

namespace texelscope {

// Passes an image to the renderer; throws Error if that is impossible.
using AcceptImage = std::function<StillWanted(const std::shared_ptr<const Image>&)>;

// The default picture.
inline constexpr const char* default_source = "@basilica";

// An absolute path; test images unchanged.
std::string absolute_source(const std::string& source);

// With the user's choice of upright or stored rows, where it says nothing of that itself.
std::string as_preferred(const UiState& ui, const std::string& source);

// Shows the source, or its document if it is already open, in the active pane and in all panes that show the same image
// as that one: in a comparison of methods, in all panes.
StillWanted open_document(AppState& state, const std::string& source, const AcceptImage& accept);
StillWanted show_document(AppState& state, int index, const AcceptImage& accept);

// A document that is not read yet, the shown one if there is no other; with the first picture of a folder, it is as if
// walking had come to it. Returns the folder's path. Throws FileError if it has none.
void add_unread(Scene& scene, const UiState& ui, const std::string& source);
std::string begin_folder(Scene& scene, UiState& ui, const std::string& folder);

// The first document that can be read; messages say why those before it are closed. The default picture if there is none.
StillWanted show_first(AppState& state, const AcceptImage& accept);

// Shows a file that is not open in place of one that was shown so before, with the same zoom; what was opened by hand stays
// open. For undo it is no change.
StillWanted walk_to_document(AppState& state, const std::string& path, const AcceptImage& accept);

// The first picture in a folder that can be read, in the chosen order; messages name those before it that cannot. Throws
// FileError if there is none.
StillWanted open_folder(AppState& state, const std::string& folder, const AcceptImage& accept);

// Without showing it.
StillWanted load_document(AppState& state, const std::string& source, const AcceptImage& accept);

// An image that another program has sent, or standard input: replaces the samples of the document of this name, whose
// views, panes and figures stay; if there is none, it is opened and shown.
StillWanted show_pushed(AppState& state, const std::string& name, std::shared_ptr<const Image> image,
                        const AcceptImage& accept);
std::vector<std::string> pushed_names(const Scene& scene);  // of its documents

StillWanted show_session(AppState& state, const AcceptImage& accept);  // the documents of a scene that was just set
void drop_document(AppState& state, int index);                        // a document that is not shown

// The document of this source, or the shown one. Panes that show others keep them.
StillWanted close_document(AppState& state, const AcceptImage& accept, const std::string& source = {});

// The stamp of a path or a file's source, with the files of a slide that lie beside it. Empty if there is no file.
FileStamp stamp_of(const std::string& path);

// Requests the missing images among the current one, those of panes, and the reference.
void ask_for_documents(AppState& state);

// Whether the current file has changed on disk and rests again: it is to be read. Call about once per second. A file
// that cannot be read is not retried until it changes; that it is gone is said once.
bool change_has_settled(AppState& state);

// Reads an open document again: its view, panes and figures stay.
StillWanted refresh_document(AppState& state, const std::string& source, const AcceptImage& accept);

// Loads a document's image, read in the background before, or read or made now, and its first look. A message says what
// the file lacks. As the functions of documents.h, all of it or nothing.
StillWanted load_into(AppState& state, Document& document, const AcceptImage& accept);

// Pictures that other programs make: asked about, made in the background, kept.

// Whether the command may run: the user has allowed this text on this machine, or everything.
bool is_allowed(const AppState& state, const std::string& command);

// Keeps the text, for this run and later ones.
void allow(AppState& state, const std::string& command);

// Asks whether the command of this source may run, unless it is asked about already.
void ask_about(AppState& state, const ProgramSource& source);

// The picture: the last results are kept by the command and the samples it got. Of the right size: the original's sides times
// the factor, rounded. Throws Error with what the program said last, also for a wrong size and for an original that is in no
// file; Cancelled.
std::shared_ptr<const Image> program_picture(const ProgramSource& source, const std::stop_token& stop);

// "convert took 84 ms": of a picture that has been made in this run; empty for others.
std::string words_of_run(const ProgramSource& source);

}  // namespace texelscope
