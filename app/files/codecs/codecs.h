#pragma once
// The codecs of all file formats.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/files/codecs/codec.h"
#include "app/files/decoding/companions.h"

namespace texelscope {

// All codecs, in the order in which they are listed for people.
std::span<const Codec* const> codecs();
// The codec's place in codecs(), as in EncodedFile::format.
int place_of(const Codec& codec);
const Codec& codec_of(const EncodedFile& file);

// The number of first bytes that `recognise` needs; the <svg of a drawing may come after comments.
inline constexpr size_t signature_bytes = 1024;

// The codec for the signature, else for the extension if its format has none, else the one for which the first bytes
// are plausible; nullptr if there is none.
const Codec* recognise(ByteSpan head, const std::filesystem::path& path);
// The codec for the signature alone; nullptr if no format has it.
const Codec* codec_of_signature(ByteSpan head);
// The codec for the extension alone; nullptr if no format has it.
const Codec* codec_of_extension(const std::filesystem::path& path);

// Whether this build reads, and whether it writes, the format.
inline bool readable(const Codec& codec) { return codec.parse || codec.decode; }
inline bool writable(const Codec& codec) { return codec.writing.encode != nullptr; }
// Advice about a format that this build cannot read.
std::string words_of_unreadable(const Codec& codec);

// The kind of files that belong to a file of this name.
Beside files_beside(const std::filesystem::path& path);
// The companions of the file at `path`; null if there is no such file, or it has none.
std::shared_ptr<const Companions> companions_of(const std::filesystem::path& path);

// Why a file of this format, as this build writes it, has no room for a picture: "JPEG files have at most 65500 pixels per
// side"; empty if it has. `bytes`: the size of all samples in the file.
std::string why_no_room(const Codec& codec, int64_t width, int64_t height, uint64_t bytes);

// The extensions, "png", "jpg", …, of every format that `wanted` accepts.
std::vector<std::string> extensions_where(bool (*wanted)(const Codec&));

}  // namespace texelscope
