#pragma once
// The host of decoders: the process that forks them, what they may do, and the messages between it and the program.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <linux/filter.h>

#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope::decoding {

// Messages between this process, the host and the decoders: packets of a Unix socket, with file descriptors beside them.

// All of a message is plain data of one size; a packet of another size is refused.
struct Message {
    enum class Kind : uint32_t {
        // To a decoder, with the file, and with the folder that holds it if it has companions: format, its name, bytes, memory,
        // seconds, niceness, the file's name as text.
        request,
        facts,     // the same, up to the claim, and the metadata after it
        question,  // to a decoder, with `bytes` of a question and the memory for the answer: Decoder::compute
        part,      // from it, before the claim, for each part of the file: its name and size
        channel,   // from it: the name of a channel of the last part
        claim,     // from it: the shape that the header promises, and what was chosen
        metadata,  // from it, after the claim: a row, with its group and name where the format's name and the choice are
        memory,    // to it, with the memory: go on
        progress,       // from it: rows; if it is paced, back to it: go on
        done,           // from it; after a question, with the bytes of the answer
        failed,         // from it: why
        out_of_memory,  // from it
        regions,  // to a decoder, like a request: the file stays open; from it, a level for each level and a claim, or whole
        level,   // from it: the size of the next level
        whole,   // from it: why the file is not read in parts
        region,  // to it, after the memory: part (a level), x, y, width, height; from it, done
        child,   // to the host: a decoder, please; back, with its socket, process and status
    };
    Kind kind = Kind::child;
    int32_t width = 0, height = 0, channels = 0, type = 0, alpha = 0;
    int32_t rows = 0, format = 0, enough = 0, niceness = 0;
    int32_t x = 0, y = 0, paced = 0;
    uint32_t modules = 0;             // of a decoder that is asked for: see EncodedFile
    Beside beside = Beside::nothing;  // what kind of companions the file has
    int32_t part = 0, orientation = 1, upright = 1, chosen_channels[4] = {};  // see PictureFacts
    int32_t may_lack_samples = 0;
    SampleRegion frame = {}, missing = {};  // in a claim, `missing` also in done; empty: none
    uint64_t bytes = 0, memory = 0, seconds = 0;
    char format_name[40] = {}, text[1000] = {}, choice[400] = {};  // as in text_of(PictureChoice)
    char name_there[256] = {};                                     // of the file in the folder that goes with it

    // Cut if they are too long.
    void set_format_name(std::string_view words);
    void set_text(std::string_view words);
    void set_name_there(std::string_view name);
    void set_row(const MetadataRow& row);
    MetadataRow row() const;  // in printable UTF-8, whatever was sent
    // False if it is too long.
    bool set_choice(std::string_view words);
    // The text without control characters, which could do something to a terminal.
    std::string words() const;
    // The text in printable UTF-8, without a full stop: what a library says of a file may quote it, byte for byte.
    std::string sentence() const;
};

// The most names of parts and channels, and the most rows of metadata: what is listed beyond these is refused.
inline constexpr size_t most_words = 20000, most_rows = 2000;

// False if the other end is gone. Descriptors cannot be sent from within the sandbox.
bool send(int socket, const Message& message, std::span<const int> descriptors = {});
// Drops it if the other end is busy.
void send_if_possible(int socket, const Message& message);

struct Received {
    enum class What { message, silence, end, nonsense } what = What::end;
    Message message = {};
    std::vector<Descriptor> descriptors = {};
};

// Unset: waits for ever.
Received receive(int socket, std::optional<std::chrono::milliseconds> patience = {});

// Two connected ends. Throws Error if the system has none left.
std::pair<Descriptor, Descriptor> connected_sockets();

// What a decoder may do: compute, read the file that it was given and its companions, fill the memory that it was given, and say
// so.

// Filters of system calls. Made once, in the host, since making one takes longer than reading a small file.
class Sandbox {
public:
    Sandbox();

    // For good, for this process and what it would start. `opens_file`: it may open this file and its companions by their names,
    // and without Landlock any file, to read. What the kernel does not have is left out.
    void enter(int file, bool opens_file, const Companions* companions = nullptr) const;

private:
    std::vector<sock_filter> closed_, opening_;  // empty: no seccomp
};

// "limits, seccomp, Landlock": what this build and this kernel have.
std::string sandbox_facts();

// Limits the calling process: no dumps, few descriptors, no files written.
void limit_process();

// Data that it may hold beyond what it has now.
class MemoryLimit {
public:
    MemoryLimit();  // notes what it has
    void permit(size_t more) const;

private:
    size_t before_ = 0;
};

// Processor time from now on.
void limit_time(std::chrono::seconds time);

// No path can be opened any more, except for `file` (−1: none) and its companions, and no network used.
void enter_landlock(int file, const Companions* companions);
bool has_landlock();

// The processes that decode: the host, which has the next one ready; what it takes to give a decoder its work; its life.
// Internal to this folder.

// A decoder that waits for its file.
class ChildProcess {
public:
    ChildProcess(Descriptor socket, Descriptor process, Descriptor status);

    int socket() const { return socket_.number(); }
    // Ends it; from any thread, and also if it has ended.
    void end() const;
    // Waits for its end: what waitpid says. −1 if no one knows.
    int ending() const;

private:
    Descriptor socket_, process_, status_;
};

// From several threads; starts the host again if it has ended. `modules`: see EncodedFile. Throws Error if there can be
// no process.
ChildProcess take_child(uint32_t modules);

// The life of the host: hands out decoders to whoever asks at `control`, says at each one's pipe how it ended (what
// waitpid says, an int), and ends with the program.
[[noreturn]] void run_host(Descriptor control, const Decoder& decoder);

// Memory that this process sizes and the decoder fills: whoever holds it can neither shrink it, which would end this
// process when it looks, nor let it grow.
struct SharedMemory {
    Descriptor file;

    SampleMemory operator()(size_t bytes);  // throws std::bad_alloc
};

// Takes the pages that a decoder fills next from the system, while that computes: the first touch of a page takes about as
// long as decoding what it holds. `ready` bytes have been touched and `filled` bytes hold pixels; gives the new `ready`,
// at most `ahead` bytes beyond them.
size_t touch_ahead(std::span<std::byte> memory, size_t ready, size_t filled, size_t ahead);

// The limit of a decoder's processor time, seconds of all processors together: ten times the patience, in case this
// process is held up.
uint64_t processor_seconds(std::chrono::milliseconds patience);

// What is asked about a file, except for memory and seconds. Throws Error.
Message request_about(const EncodedFile& file, Message::Kind kind);

// The picture's frame in a claim; unset if there is none, or it is so far away that it makes no sense.
std::optional<SampleRegion> frame_of(const Message& claim);

// A decoder that has been sent the request. Throws Error.
ChildProcess child_with(const Message& request, std::span<const int> descriptors);
ChildProcess child_with(const Message& request, const EncodedFile& file);

// How a decoder that has said nothing ended, for the user: "the SGI is damaged, or its decoder is at fault: it crashed
// (an invalid memory access)". `status`: of waitpid.
std::string words_of_ending(int status, std::string_view format_name);

// The life of a decoder: waits for a file at `socket`, decodes it, ends. To be called in a process that has nothing else
// open.
[[noreturn]] void run_worker(Descriptor socket, const Decoder& decoder, const Sandbox& sandbox);

}  // namespace texelscope::decoding
