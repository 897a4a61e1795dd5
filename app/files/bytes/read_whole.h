#pragma once
// Regions are all that some readers need: the whole picture is made of them.

#include "app/files/decoding/decoder.h"

namespace texelscope {

// From the first row to the last, in bands of whole tiles. Throws what reading and the target throw.
void read_whole(const TileSource& source, const PictureFacts& facts, DecodingTarget& target);

}  // namespace texelscope
