#pragma once
// What one steps through in a file: its parts; of a file with a single one, its layers.

#include <string>
#include <vector>

#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

// The layers of a single picture, each with the channels that are shown together; if it has one layer of many channels,
// or plain data, its usual channels and then each one alone. None if there is nothing to step through.
std::vector<PictureFacts::Part> layers_as_parts(const PictureFacts& facts);

// These, or the parts.
std::vector<PictureFacts::Part> parts_to_step_through(const PictureFacts& facts);

// Which of the layers, from 0, holds the first channel that is read; `channels` are all of the picture.
int shown_layer(const PictureChoice& choice, const std::vector<PictureFacts::Part>& layers,
                const std::vector<std::string>& channels);

}  // namespace texelscope
