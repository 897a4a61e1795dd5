#pragma once
// Which picture of a file is read, and how. As a part of a source, behind the file's name:
// "/d/scan.tif#part=3", "/d/render.exr#channels=diffuse.R,diffuse.G,diffuse.B&orientation=off".

#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

struct PictureChoice {
    std::string part = {};                   // a number from 1, or a name; empty: the first
    std::vector<std::string> channels = {};  // 1 to 4 names, or numbers from 1; empty: R, G, B and A, or the first ones
    bool upright = true;                     // turned as the file's orientation says; else the stored rows
    bool channels_first = false;             // an array of three dimensions is (C, H, W); else (H, W, C)

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

}  // namespace texelscope
