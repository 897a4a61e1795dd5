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

// In the order in which they are listed for people.
std::span<const Codec* const> codecs();
// Its place there, as in EncodedFile::format.
int place_of(const Codec& codec);
const Codec& codec_of(const EncodedFile& file);

// As many first bytes as `recognise` wants; the <svg of a drawing may come after remarks.
inline constexpr size_t signature_bytes = 1024;

// By the first bytes, else by the extension if that format has no signature; nullptr if neither is known.
const Codec* recognise(ByteSpan head, const std::filesystem::path& path);
// By the signature alone.
const Codec* codec_of_signature(ByteSpan head);
// Only by the extension; nullptr if no format has it.
const Codec* codec_of_extension(const std::filesystem::path& path);

// Whether this build reads and writes it.
inline bool readable(const Codec& codec) { return codec.parse || codec.decode; }
inline bool writable(const Codec& codec) { return codec.writing.encode != nullptr; }
// What to do about one that this build cannot read.
std::string words_of_unreadable(const Codec& codec);

// The files that belong to one of this name.
Beside files_beside(const std::filesystem::path& path);
// Of the file there; null if there is none, or it has no such files.
std::shared_ptr<const Companions> companions_of(const std::filesystem::path& path);

// Why a file of this format, as this build writes it, has no room for a picture: "JPEG files have at most 65500 pixels per
// side"; empty if it has. `bytes`: of all samples as the file has them.
std::string why_no_room(const Codec& codec, int64_t width, int64_t height, uint64_t bytes);

// "png", "jpg", … of every format that `wanted` accepts.
std::vector<std::string> extensions_where(bool (*wanted)(const Codec&));

}  // namespace texelscope
