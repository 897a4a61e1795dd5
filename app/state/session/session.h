#pragma once
// Session files: images, panes, views and settings as JSON. The format is described in docs/session.md.

#include <filesystem>
#include <string>

#include "app/state/app_state.h"
#include "gpu/core/errors.h"

namespace texelscope {

inline constexpr int session_version = 1;

// The contents of a session file: documents without their samples, and what is shown beside the picture.
struct Session {
    Scene scene;
    Appearance appearance;
};

Session session_of(const Scene& scene, const Appearance& appearance);

// Replaces the state's scene. Images that are already open keep their samples; the others are not read: the caller
// requests the documents.
void restore(AppState& state, Session session);

// Whether the screen still shows what the session restored, except for a divider that follows the mouse, the view of an
// image that is kept fitted, and the visibility of the panels.
bool still_shows(const Scene& scene, const Appearance& now, const Session& session);

// Paths of images in or below `folder` are stored relative to it; reading makes them absolute. An image called "@name"
// is a test image; a file of such a name is stored as "./@name".
// Throws Error for a file name that is not UTF-8, which JSON cannot hold.
std::string session_to_json(const Session& session, const std::filesystem::path& folder);

// Throws Error with the problem and its location: "panes[2].spec: unknown method 'bicubix' …". Unknown keys are
// ignored, missing ones take the values of a new window; a file of a later version is refused.
Session session_from_json(const std::string& text, const std::filesystem::path& folder);

// A step of a lesson: the same keys, all optional; any other key is an error.
class StepError : public Error {
public:
    StepError(int at_line, const std::string& what) : Error(what), line(at_line) {}
    int line;  // of the text, from 1
};

// Throws StepError, also if an image does not exist.
Session step_from_json(const std::string& text, const std::filesystem::path& folder);

// The current state as such a text, without default values. Images in or below `folder` are named relative to it.
std::string step_to_json(const Session& session, const std::filesystem::path& folder = {});

// Throw FileError, which begins with the file's name. No incomplete file is ever left.
Session read_session(const std::filesystem::path& path);
void write_session(const Session& session, const std::filesystem::path& path);

}  // namespace texelscope
