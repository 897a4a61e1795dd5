#pragma once
// What a decoder is given: the file, and a target for the picture. It does not know in which process it runs.

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/files/decoding/picture_in_file.h"
#include "gpu/core/errors.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// Files that belong to another one and lie beside it: those of slides of several files. Whatever such a file says, its decoder
// opens no others.

// Closes a file descriptor at the end.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    explicit operator bool() const { return number_ >= 0; }
    int number() const { return number_; }

private:
    int number_ = -1;
};

}  // namespace texelscope

namespace texelscope::decoding {

// Descriptors of processes, which are never those of another process that got the same number. Through system calls: the
// header of Debian 12's C library cannot be used from C++.

// Below 0 if there is no such process, or the kernel is older than 5.3.
inline int open_process(pid_t process) { return int(::syscall(SYS_pidfd_open, process, 0)); }
inline void send_signal(int process, int signal) { ::syscall(SYS_pidfd_send_signal, process, signal, nullptr, 0); }

}  // namespace texelscope::decoding

namespace texelscope {

enum class Beside : int32_t {
    nothing,
    folder,  // the files in a folder of the file's name without its extension
    files,   // the files whose names begin with its own without the extension
};

struct Companions {
    Beside kind = Beside::nothing;
    Descriptor folder;  // that holds the file
    std::string name;   // of the file in it

    std::string stem() const;  // the name without its extension
    bool has_folder() const;   // of that name
    // Their paths from `folder`. Regular files alone: no links, which may lead anywhere, and nothing in folders further below.
    std::vector<std::string> files() const;
};

// The companions of an open file, beside its real place. Null: it has none, or is in no folder, as in memory.
std::shared_ptr<const Companions> companions_of(int file, Beside kind);

// The state of one or more files: it differs once one of them has been changed.
struct FileState {
    uint64_t bytes = 0;
    int64_t modified = 0;  // nanoseconds; of several files the sum, in which no time hides behind a later one
    bool operator==(const FileState&) const = default;

    void add(const struct stat& info);
    // Adds those of the files that are there.
    void add(const Companions& companions, const std::vector<std::string>& files);
};

struct EncodedFile {
    int format = 0;                // its place in codecs()
    std::string_view format_name;  // "PNG"
    std::string name;              // only for messages, where it becomes "it"
    int descriptor = -1;           // opened for reading, at any position
    size_t bytes = 0;
    PictureChoice choice = {};
    int enough = 0;                                     // see Reading
    uint32_t modules = 0;                               // that its decoder needs: see Decoder::prepare
    std::shared_ptr<const ColourProfile> profile = {};  // what it says about its colours
    std::shared_ptr<const Companions> companions = {};  // null: the decoder opens nothing else
};

// Where the picture goes.
class DecodingTarget {
public:
    virtual ~DecodingTarget() = default;
    // Called once, as soon as the header is known: returns the picture to fill, of this shape once turned. The reader
    // states by set_missing() what the file lacks, when all else is filled at the latest. Null: nothing but the facts is
    // wanted, and the reader returns. Throws Error or OutOfMemory.
    virtual Image* begin(const PictureShape& shape, const PictureFacts& facts = {}) = 0;
    // The first `rows` rows are complete: 0 until the end for a picture that is filled from below or from a side.
    virtual void rows_done(int rows) = 0;
};

// Takes what the file says, and no picture.
class FactsTarget : public DecodingTarget {
public:
    Image* begin(const PictureShape& shape, const PictureFacts& told) override {
        facts = told;
        facts.shape = shape;
        return nullptr;
    }
    void rows_done(int) override {}

    PictureFacts facts;
};

struct Decoder {
    // In the host, before the first file that needs them: loads modules, each a bit, which a decoder cannot do in its
    // sandbox, or would do again for each file. Throws nothing.
    void (*prepare)(uint32_t modules);
    // Fills the target, or throws Error or OutOfMemory.
    void (*decode)(const EncodedFile& file, DecodingTarget& target);
    // Whether it must open the file by a name (/proc/self/fd/N), for a library that cannot read from memory.
    bool (*opens_file)(int format);
    // What the file says of itself besides its samples, once `decode` has said the facts. Throws Error. Null: nothing.
    std::vector<MetadataRow> (*describe)(const EncodedFile& file, const PictureFacts& facts) = nullptr;
    // Any other work on bytes that may be hostile: the answer to a question. Throws Error. Null: it has none.
    std::vector<std::byte> (*compute)(std::span<const std::byte> question) = nullptr;
    // The file as a source of regions, which is read for as long as its descriptor is open. Throws Error, NotInParts. Null:
    // nothing is read in parts.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file) = nullptr;
};

// How a file is read. All of it is optional.
struct Reading {
    // Called on the reading thread, when the size is known (0 rows) and from time to time; never after the end. Rows
    // from `rows` on are still being written: they must not be looked at.
    std::function<void(const Image& so_far, int rows)> progress = {};
    // Asking it to stop, from any thread, ends the decoder at once; the reading throws Cancelled.
    std::stop_token cancel = {};
    PictureChoice choice = {};
    // Pixels, 0: all of them. If the longest side would be longer, a format that can leaves out detail while it decodes
    // (JPEG: a half, a quarter or an eighth of each side), as long as this much is left. `told` has the stored size.
    int enough = 0;
    // Called on the reading thread as soon as the header is known, before there is memory for the picture: what it throws
    // ends the reading.
    std::function<void(const PictureFacts& facts)> told = {};
    // The decoder waits while `progress` is called: rows that have been looked at can make room for those that come.
    bool paced = false;
};

// Thrown where a picture can only be read as a whole; its text says why.
class NotInParts : public Error {
public:
    using Error::Error;
};

// The file's name for libraries that read from nothing else.
inline std::string name_to_open(const EncodedFile& file) {
    if (!file.companions) return fmt::format("/proc/self/fd/{}", file.descriptor);
    // In its folder, so that the names that a library makes of it are there, too.
    return fmt::format("/proc/self/fd/{}/{}", file.companions->folder.number(), file.companions->name);
}

// Decodes image files in a child process, so that a damaged or hostile file harms nothing but its own reading: a decoder
// that crashes, hangs, fills memory or is taken over is one sentence about one file.
//
// A program that calls start_decoding first in main() gets a host: a copy of itself from before it had windows, GPUs and
// threads, which forks one decoder for every file and always has the next one ready. A decoder has no network and cannot
// write, starts no process and opens no file, as far as the kernel can enforce it (Sandbox in host.h). The picture is in memory
// that this process has made and the decoder has filled.
// Where the kernel lacks what that needs, and in programs that do not call it, files are decoded in their own process.

// Does not return in the host and in decoders.
void start_decoding(int argc, char** argv, const Decoder& decoder);

// Whether it was called and this system can do it.
bool decodes_in_child();

// What makes up for a library that this build lacks: "install libtiff-dev and build again".
std::string remedy_without(std::string_view package);

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

// Decodes the header and the metadata in a child, but no pixel. A fault in the metadata alone becomes a row among them.
// Blocks and throws like decode_in_child.
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
