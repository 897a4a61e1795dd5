#pragma once
// Decodes image files in a child process, so that a damaged or hostile file harms nothing but its own reading: a decoder
// that crashes, hangs, fills memory or is taken over is one sentence about one file.
//
// A program that calls start_decoding first in main() gets a host: a copy of itself from before it had windows, GPUs and
// threads, which forks one decoder for every file and always has the next one ready. A decoder has no network and cannot
// write, starts no process and opens no file, as far as the kernel can enforce it (sandbox.h). The picture is in memory
// that this process has made and the decoder has filled.
// Where the kernel lacks what that needs, and in programs that do not call it, files are decoded in their own process.

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/files/decoding/decoder.h"

namespace texelscope {

// Does not return in the host and in decoders.
void start_decoding(int argc, char** argv, const Decoder& decoder);

// Whether it was called and this system can do it.
bool decodes_in_child();

// For `texelscope info`: "in a process of its own (limits, seccomp, Landlock)".
std::string decoding_facts();

struct DecodingLimits {
    // Without any progress; a large file gets more time.
    std::chrono::milliseconds patience = std::chrono::seconds(20);
    // Beyond four times the picture and twice the file. Unset: 512 MiB; before the size of the picture is known, half of
    // what the machine has left, since some libraries decode everything before they say a word.
    std::optional<size_t> memory = {};
};

// Blocks until the picture is complete. Calls from several threads run side by side.
// Throws Error (without the file's name), OutOfMemory or Cancelled.
Image decode_in_child(const EncodedFile& file, const Reading& reading, const DecodingLimits& limits = {});

// Decodes the header and the metadata in a child, but no pixel. What is wrong with the metadata alone is said in a row
// of theirs. Blocks and throws like decode_in_child.
PictureFacts facts_in_child(const EncodedFile& file, const Reading& reading);

// The file as a source of regions, read by decoders that stay: one for each thread that reads at a time, up to
// `most_decoders`. One that crashes or hangs is one sentence about its region, once another one has tried it; after too many the
// source gives up. The file's descriptor stays open for as long as the source lives. Throws Error, NotInParts.
inline constexpr int most_decoders = 4;
std::unique_ptr<const TileSource> regions_in_child(const EncodedFile& file, const DecodingLimits& limits = {});

// The decoder's answer to a question (Decoder::compute), at most `most_bytes` long, within `patience`. Throws Error.
std::vector<std::byte> compute_in_child(std::span<const std::byte> question, size_t most_bytes,
                                        std::chrono::milliseconds patience);

}  // namespace texelscope
