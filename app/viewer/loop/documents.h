#pragma once
// Opening, showing, reloading and closing images. Each function either does all of it, or throws Error and leaves the
// state as it was.

#include <functional>
#include <memory>
#include <string>

#include "app/state/app_state.h"

namespace texelscope {

// Takes an image in where it will be rendered; throws Error where that cannot be.
using AcceptImage = std::function<void(const std::shared_ptr<const Image>&)>;

// The picture where none is named.
inline constexpr const char* default_source = "@basilica";

// A path as it is from any folder; test images as they are.
std::string absolute_source(const std::string& source);

// Shows the source; where it is open already, that document.
void open_document(AppState& state, const std::string& source, const AcceptImage& accept);
void show_document(AppState& state, int index, const AcceptImage& accept);
void reload_document(AppState& state, const AcceptImage& accept);
void load_document(AppState& state, const std::string& source, const AcceptImage& accept);  // without showing it
void show_session(AppState& state, const AcceptImage& accept);  // the documents of a scene that was just put in place
void drop_document(AppState& state, int index);  // one that is not shown
void close_document(AppState& state, const AcceptImage& accept);

// Of nothing where the file is not there.
FileStamp stamp_of(const std::string& path);

// Requests the images that are shown, that panes show, or that are the reference, and that are not there.
void ask_for_documents(AppState& state);

// Reads the shown file again where it changed on disk and has stopped changing. Call about once a second. True where it
// did; a file that cannot be read is not tried again until it changes.
bool reload_if_changed(AppState& state, const AcceptImage& accept);

}  // namespace texelscope
