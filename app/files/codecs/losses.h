#pragma once
// What a file cannot keep of a picture: counted while it is written, so that nothing is lost without a word.

#include <cstdint>
#include <string>

#include "app/files/codecs/codec.h"

namespace texelscope {

struct Losses {
    uint64_t nan = 0, infinite = 0, beyond = 0;  // samples
    uint64_t hidden = 0, over_black = 0;         // pixels
    bool fourth_channel = false;
    double least = 0, most = 1;  // that samples of the file can be
    bool to_infinity = false;    // what becomes of finite ones beyond
};

// Pixels whose alpha such files cannot keep, or that lose their colour, since they are transparent.
void count_lost_pixels(const Codec& codec, const Image& picture, Losses& losses);

// Samples that are something else once they are of this type in such a file.
void count_lost_samples(const Codec& codec, const Image& samples, SampleType type, Losses& losses);

// "12 NaN became 0; 3045 values beyond 0 to 1 were clamped"; empty if nothing was lost.
std::string words_of(const Losses& losses);

}  // namespace texelscope
