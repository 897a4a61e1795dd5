#pragma once
// Which picture of a file is read, and what the file says of it besides its samples.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope {

// Which picture of a file is read, and how. As a part of a source, behind the file's name:
// "/d/scan.tif#part=3", "/d/render.exr#channels=diffuse.R,diffuse.G,diffuse.B&orientation=off".
struct PictureChoice {
    std::string part = {};                   // a number from 1, or a name; empty: the first
    std::vector<std::string> channels = {};  // 1 to 4 names, or numbers from 1; empty: R, G, B and A, or the first ones
    bool upright = true;                     // turned as the file's orientation says; else the stored rows
    std::optional<bool> channels_first =
        {};  // an array of three dimensions is (C, H, W), or (H, W, C); unset: by its sides

    bool operator==(const PictureChoice&) const = default;
};

struct PictureSource {
    std::string file;
    PictureChoice choice;
};

// "part=3&orientation=off", without what is as usual; "" if all of it is.
std::string text_of(const PictureChoice& choice);

// A file whose own name ends like a choice is named by with_choice().
PictureSource parse_picture_source(std::string_view source);
std::string with_choice(const std::string& file, const PictureChoice& choice);

inline std::string file_of(std::string_view source) { return parse_picture_source(source).file; }

// "R,G,B" as typed. Throws UsageError, naming the option, unless there are 1 to 4, each once.
std::vector<std::string> parse_channels(std::string_view option, std::string_view text);

// What a file says of a picture besides its samples, for people to read.
struct PictureShape {
    int width = 0, height = 0, channels = 0;
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;
    bool operator==(const PictureShape&) const = default;
};

// One thing that a file says of itself: "EXIF", "Exposure time", "1/250 s". Printable UTF-8.
struct MetadataRow {
    std::string group, name, value;
    bool operator==(const MetadataRow&) const = default;
};

struct PictureFacts {
    // A part of the file: a page, layer, frame or subimage.
    struct Part {
        std::string name = {};  // empty: it has none
        int width = 0, height = 0;
        std::vector<std::string> channels = {};
        bool operator==(const Part&) const = default;
    };
    // The layout of an array of three dimensions and more, whose channels may be the last axis or the first of the last three.
    enum class Layout { fixed, channels_last, channels_first };
    std::vector<Part> parts = {};    // the first ones of very many
    int part = 0;                    // the one read, from 0
    std::vector<int> channels = {};  // those of it that were read, from 0
    int orientation = 1;             // of EXIF, 1 to 8
    bool upright = true;             // turned as `orientation` says; else as stored
    Layout layout = Layout::fixed;
    PictureShape shape = {};                 // shape of the picture that is read
    std::optional<SampleRegion> frame = {};  // relative to the turned picture: see Image
    SampleRegion missing = {};               // part of the turned picture, if known before its samples
    bool may_lack_samples = false;           // whether some are missing is known only once they are read
    // For people, in the order of their groups; only where they are asked for (read_facts).
    std::vector<MetadataRow> metadata = {};
    bool operator==(const PictureFacts&) const = default;
};

// How the stored picture lies: "on its left side", for 1 "upright".
const char* words_of_orientation(int orientation);

// Text out of a file that nobody vouches for, made fit for a window, a terminal and JSON.

// UTF-8 of at most `most` bytes, "…" at the end if that cuts it. White space becomes single spaces, none at the ends; other
// control characters, and those that change the direction of writing, become "\x1b" and "\u202e"; what is no UTF-8, "\xff".
std::string printable(std::string_view text, size_t most);

// Whether all of it is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace texelscope
