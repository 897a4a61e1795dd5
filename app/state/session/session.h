#pragma once
// Session files: images, panes, views and settings as JSON. The format is described in docs/session.md.

#include <filesystem>
#include <string>

#include "app/state/app_state.h"
#include "gpu/core/errors.h"

namespace texelscope {

inline constexpr int session_version = 1;

// What a session file holds: documents without their samples, and of the interface what belongs to the picture.
struct Session {
    Scene scene;
    bool panels = true, loupe = false, minimap = true, pixel_grid = true, pixel_values = true, taps = false;
    Dock dock = Dock::none;
    int loupe_magnification = 8;
    InspectUi inspect;
    std::optional<Point> cursor;
};

Session session_of(const AppState& state);

// Puts it in place of the state's scene. Images that are open already keep their samples; those of the others are not
// read: the caller asks for the documents.
void restore(AppState& state, Session session);

// The screen still shows what was restored from the session, but for the place of a divider that follows the mouse, the
// view of an image that is kept fitted, and whether the panels are there.
bool still_shows(const AppState& state, const Session& session);

// Paths of images are kept relative to `folder` where they lie in or below it; reading makes them absolute. An image
// called "@name" is a test image; a file of such a name is kept as "./@name".
// Throws Error for a file name that is not UTF-8, which JSON cannot hold.
std::string session_to_json(const Session& session, const std::filesystem::path& folder);

// Throws Error that says what is wrong and where: "panes[2].spec: unknown method 'bicubix' …". Unknown keys are
// ignored, missing ones are as in a new window; a file of a later version is refused.
Session session_from_json(const std::string& text, const std::filesystem::path& folder);

// A step of a lesson: the same keys, all of which may be missing, and any other is an error.
class StepError : public Error {
public:
    StepError(int at_line, const std::string& what) : Error(what), line(at_line) {}
    int line;  // of the text, from 1
};

// Throws StepError, also where an image does not exist.
Session step_from_json(const std::string& text, const std::filesystem::path& folder);

// The present state as such a text, without what has its standard value.
std::string step_to_json(const Session& session);

// Throw FileError, which begins with the file's name. The file is there whole or not at all.
Session read_session(const std::filesystem::path& path);
void write_session(const Session& session, const std::filesystem::path& path);

bool is_session_name(const std::string& source);  // ends in .json, and is no test image

}  // namespace texelscope
