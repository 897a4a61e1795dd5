#pragma once
// Messages between this process, the host and the decoders: packets of a Unix socket, with file descriptors beside them.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/files/decoding/decoder.h"
#include "app/files/decoding/descriptor.h"

namespace texelscope::decoding {

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

}  // namespace texelscope::decoding
