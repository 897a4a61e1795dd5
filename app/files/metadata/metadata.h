#pragma once
// All that a file says of itself besides its samples, in words.

#include <filesystem>
#include <string>
#include <vector>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

// What is in its bytes: Decoder::describe.
std::vector<MetadataRow> rows_of_content(const Codec& codec, const EncodedFile& file, ByteSpan content,
                                         const PictureFacts& facts);

// What its place and its picture say, in two groups, in front of those. `descriptor`: of the open file.
std::vector<MetadataRow> rows_of_file(const std::filesystem::path& path, int descriptor, std::string_view format);
std::vector<MetadataRow> rows_of_picture(const PictureFacts& facts);

// A line for each row, under the names of their groups.
std::string text_of(const std::vector<MetadataRow>& rows);

// What a whole file says about its colours (colour_tags.h) in words. Little CMS reads an embedded profile: to be called
// where a crash harms nothing.
std::vector<MetadataRow> colour_rows(ByteSpan file);

}  // namespace texelscope
