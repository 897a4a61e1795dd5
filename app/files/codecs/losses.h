#pragma once
// Counts what a file cannot keep of a picture while it is written, so that nothing is lost silently.

#include <cstdint>
#include <string>
#include <string_view>

#include "app/files/codecs/codec.h"

namespace texelscope {

struct Losses {
    uint64_t nan = 0, infinite = 0, beyond = 0;  // samples
    uint64_t hidden = 0, over_black = 0;         // pixels
    uint64_t unused = 0;                         // transparent pixels of the source whose colours weigh nothing
    std::string_view format = {};                // its name, if pixels are lost
    bool fourth_channel = false;
    double least = 0, most = 1;  // range of the file's samples
    bool to_infinity = false;    // finite values beyond the range become infinite
};

// Counts pixels whose alpha such files cannot keep, and transparent ones that lose their colour.
void count_lost_pixels(const Codec& codec, const Image& picture, Losses& losses);

// Counts transparent pixels with a colour; 0 without straight alpha.
uint64_t count_hidden_colours(const Image& image);

// Counts samples that such a file cannot hold in this type.
void count_lost_samples(const Codec& codec, const Image& samples, SampleType type, Losses& losses);

// "12 NaN became 0; 3045 values beyond 0 to 1 were clamped"; empty if nothing was lost.
std::string words_of(const Losses& losses);

}  // namespace texelscope
