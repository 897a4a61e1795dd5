#pragma once
// Pictures on their way from files to documents: they are read in the background, which keeps running.

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "app/state/panel_state.h"
#include "app/state/scene.h"

namespace texelscope {

struct ReadPicture {
    std::shared_ptr<const Image> image;
    FileStamp stamp;                  // of the file before it was read, so that a change meanwhile is noticed
    std::exception_ptr problem = {};  // why there is no image
    bool ahead = false;               // no one has asked for it yet: dropped first when memory is wanted
};

// A picture that a step needs and that is not there yet.
struct WantedPicture {
    std::string source = {};
    std::shared_ptr<const Image> image = {};  // set: it has been read, but is not yet in the backend's memory
    Light light = Light::stored;              // then, in the light of the step, which may be another than the scene's
};

// What a step comes to that shows a picture. Empty: it is taken. Else it has left the state as it was, and is to be taken
// again once this picture is there.
using StillWanted = std::optional<WantedPicture>;

struct ReadPictures {
    bool awaited = false;  // a missing picture is still wanted; else it is read at once, and everything waits for it
    std::map<std::string, ReadPicture> there;  // by source, until a document takes them
    std::set<std::string> under_way;           // for documents that are open; each is asked for once
};

// While it lives, pictures are read at once.
class ReadAtOnce {
public:
    explicit ReadAtOnce(ReadPictures& read) : read_(read), before_(read.awaited) { read.awaited = false; }
    ~ReadAtOnce() { read_.awaited = before_; }
    ReadAtOnce(const ReadAtOnce&) = delete;
    ReadAtOnce& operator=(const ReadAtOnce&) = delete;

private:
    ReadPictures& read_;
    bool before_;
};

// What is read to be shown next, as the sign over the picture says it; the old picture stays until then.
struct Loading {
    std::string source;
    double since = 0;     // seconds
    uintmax_t bytes = 0;  // of the file
    Extent size = {};     // empty until the header has been read
    int rows = 0;         // that have been decoded
    int stored = -1;      // of a picture that is decoded once, into tiles on disk: percent of it; −1: it is not
    InterfacePicture preview = {};  // of these rows, small; no texture: none yet
    bool cancelled = false;         // by the user
    bool shown = false;             // by a sign
};
inline constexpr double loading_shown_after = 0.15;  // seconds: small files would only make it flicker

}  // namespace texelscope
