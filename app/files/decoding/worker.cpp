#include "app/files/decoding/host.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/files/decoding/decoder.h"
#include "gpu/core/parallel.h"
#include "gpu/core/text.h"

namespace texelscope::decoding {
namespace {

// What the kinds of work of a decoder have in common. Internal to this folder.

// What libraries print. Some report damage nowhere else (libtiff, LibRaw). More than the pipe holds is lost.
class Printed {
public:
    Printed() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[1]);
        read_ = Descriptor(ends[0]);
    }
    // The first line that is no warning, or "".
    std::string complaint() {
        std::string text(65536, '\0');
        const ssize_t count = ::read(read_.number(), text.data(), text.size());
        text.resize(size_t(std::max<ssize_t>(count, 0)));
        for (size_t begin = 0; begin < text.size();) {
            const size_t end = std::min(text.find('\n', begin), text.size());
            const std::string line = text.substr(begin, end - begin);
            if (!line.empty() && lower_case(line).find("warning") == line.npos) return line;
            begin = end + 1;
        }
        return {};
    }

private:
    Descriptor read_;
};

// What the process that asked permits.
class Permission {
public:
    explicit Permission(const Message& request) : request_(request) { give(request); }

    void give(const Message& message, size_t for_picture = 0) const {
        // Who reads regions holds neither the file nor the picture.
        const uint64_t for_file = request_.kind == Message::Kind::regions ? 0 : 2 * request_.bytes;
        memory_.permit(size_t(message.memory + for_file) + for_picture);
        limit_time(std::chrono::seconds(message.seconds));
    }

private:
    const Message& request_;
    MemoryLimit memory_;
};

// What `work` comes to, which fills in the message.
Message outcome(auto work) {
    Message message;
    message.kind = Message::Kind::done;
    try {
        work(message);
    } catch (const OutOfMemory& error) {
        message.kind = Message::Kind::out_of_memory;
        message.set_text(error.what());
    } catch (const std::bad_alloc&) {
        message.kind = Message::Kind::out_of_memory;
        message.set_text("reading it takes more memory than such a picture should need");
    } catch (const std::exception& error) {
        message.kind = Message::Kind::failed;
        message.set_text(error.what());
    }
    return message;
}

// Both are memory that the asking process has made, which cannot change its size.
struct Mapped {
    Mapped(int file, int rights)
        : bytes(size_t(std::max<off_t>(::lseek(file, 0, SEEK_END), 0))),
          data(::mmap(nullptr, bytes, rights, MAP_SHARED, file, 0)) {
        if (data == MAP_FAILED) ::_exit(0);
    }
    std::byte* begin() const { return static_cast<std::byte*>(data); }

    size_t bytes;
    void* data;
};

using Clock = std::chrono::steady_clock;

void unmap_sent(std::byte* data, size_t bytes) noexcept { ::munmap(data, bytes); }

void tell_parts(int socket, const PictureFacts& facts) {
    size_t words = 0;
    for (const PictureFacts::Part& part : facts.parts) {
        words += 1 + part.channels.size();
        if (words > most_words) return;
        Message message;
        message.kind = Message::Kind::part;
        message.width = part.width;
        message.height = part.height;
        message.set_text(part.name);
        send(socket, message);
        message.kind = Message::Kind::channel;
        for (const std::string& channel : part.channels) {
            message.set_text(channel);
            send(socket, message);
        }
    }
}

void tell(int socket, const PictureShape& shape, const PictureFacts& facts) {
    tell_parts(socket, facts);
    Message claim;
    claim.part = facts.part;
    claim.orientation = facts.orientation;
    claim.upright = facts.upright;
    claim.frame = facts.frame.value_or(SampleRegion{});
    claim.missing = facts.missing;
    claim.may_lack_samples = facts.may_lack_samples;
    for (size_t i = 0; i < std::min<size_t>(facts.channels.size(), 4); ++i)
        claim.chosen_channels[i] = facts.channels[i];
    claim.kind = Message::Kind::claim;
    claim.width = shape.width;
    claim.height = shape.height;
    claim.channels = shape.channels;
    claim.type = int32_t(shape.type);
    claim.alpha = int32_t(shape.alpha);
    send(socket, claim);
}

// In memory of the process that asked.
class SharedTarget : public DecodingTarget {
public:
    SharedTarget(int socket, const Permission& permission, bool paced)
        : socket_(socket), permission_(permission), paced_(paced) {}

    Image* begin(const PictureShape& shape, const PictureFacts& facts) override {
        tell(socket_, shape, facts);
        const Received answer = receive(socket_);
        if (answer.what != Received::What::message || answer.descriptors.size() != 1)
            ::_exit(0);  // not wanted any more
        permission_.give(answer.message, 4 * size_t(answer.message.bytes));
        image_ = Image(shape.width, shape.height, shape.channels, shape.type, shape.alpha, [&](size_t bytes) {
            void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, answer.descriptors[0].number(), 0);
            if (data == MAP_FAILED) throw std::bad_alloc();
            return SampleMemory(static_cast<std::byte*>(data), bytes, unmap_sent);
        });
        image_.set_missing(facts.missing);
        return &image_;
    }

    // The pages may be there, but each is entered into this process's tables at its first touch: faster many at a time.
    void rows_done(int rows) override {
        constexpr size_t ahead = size_t(4) << 20;
        ready_ = touch_ahead({image_.data(), image_.size_bytes()}, ready_, size_t(rows) * image_.row_bytes(), ahead);
        const auto now = Clock::now();
        if (now - told_ < std::chrono::milliseconds(10)) return;
        told_ = now;
        Message progress;
        progress.kind = Message::Kind::progress;
        progress.rows = rows;
        if (!paced_) return send_if_possible(socket_, progress);
        send(socket_, progress);
        if (receive(socket_).what != Received::What::message) ::_exit(0);  // not wanted any more
        told_ = Clock::now();
    }

    const SampleRegion& missing() const { return image_.missing(); }

private:
    int socket_;
    const Permission& permission_;
    bool paced_;
    Image image_;
    size_t ready_ = 0;  // bytes of the picture whose pages are there
    Clock::time_point told_ = Clock::now();
};

void decode_picture(int socket, const EncodedFile& file, const Decoder& decoder, const Permission& permission,
                    Printed& printed, bool paced) {
    SharedTarget target(socket, permission, paced);
    send(socket, outcome([&](Message& message) {
             decoder.decode(file, target);
             message.missing = target.missing();
             const std::string complaint = printed.complaint();
             if (complaint.empty()) return;
             message.kind = Message::Kind::failed;
             message.set_text(fmt::format("the {} is damaged ({})", file.format_name, complaint));
         }));
}

void say_facts(int socket, const EncodedFile& file, const Decoder& decoder) {
    send(socket, outcome([&](Message&) {
             FactsTarget target;
             decoder.decode(file, target);
             if (target.facts.shape != PictureShape()) tell(socket, target.facts.shape, target.facts);
             if (!decoder.describe) return;
             size_t rows = 0;
             for (const MetadataRow& row : decoder.describe(file, target.facts)) {
                 if (++rows > most_rows) break;
                 Message message;
                 message.kind = Message::Kind::metadata;
                 message.set_row(row);
                 send(socket, message);
             }
         }));
}

[[noreturn]] void answer_question(int socket, const Received& received, const Decoder& decoder,
                                  const Sandbox& sandbox) {
    const Message& request = received.message;
    const Mapped question(received.descriptors[0].number(), PROT_READ);
    const Mapped answer(received.descriptors[1].number(), PROT_READ | PROT_WRITE);
    const Permission permission(request);
    sandbox.enter(received.descriptors[0].number(), false);
    send(socket, outcome([&](Message& message) {
             if (!decoder.compute) throw Error("it cannot be worked out");
             const auto bytes = decoder.compute({question.begin(), question.bytes});
             if (bytes.size() > answer.bytes) throw Error("its answer is too long");
             std::copy(bytes.begin(), bytes.end(), answer.begin());
             message.bytes = bytes.size();
         }));
    ::_exit(0);
}

// A decoder's side of regions: the file stays open, and each region that is asked for goes into memory of the program.
using Kind = Message::Kind;

void tell_source(int socket, const TileSource& source, Message& claim) {
    Message message;
    message.kind = Kind::level;
    for (int level = 0; level < source.levels(); ++level) {
        const Extent extent = source.level_extent(level);
        message.width = extent.width;
        message.height = extent.height;
        send(socket, message);
    }
    const ImageInfo& info = source.info();
    claim.kind = Kind::claim;
    claim.width = info.width;
    claim.height = info.height;
    claim.channels = info.channels;
    claim.type = int32_t(info.type);
    claim.alpha = int32_t(info.alpha);
    claim.rows = source.tile();
    claim.frame = info.frame.value_or(SampleRegion{});
}

// Null, and the reason has been sent, if it cannot be opened.
std::unique_ptr<const TileSource> opened(int socket, const EncodedFile& file, const Decoder& decoder,
                                         Printed& printed) {
    std::unique_ptr<const TileSource> source;
    const Message said = outcome([&](Message& message) {
        try {
            if (!decoder.open_regions) throw NotInParts(fmt::format("it is a {} file", file.format_name));
            auto made = decoder.open_regions(file);
            if (const std::string complaint = printed.complaint(); !complaint.empty())
                throw Error(fmt::format("the {} is damaged ({})", file.format_name, complaint));
            tell_source(socket, *made, message);
            source = std::move(made);
        } catch (const NotInParts& why) {
            message.kind = Kind::whole;
            message.set_text(why.what());
        }
    });
    send(socket, said);
    return source;
}

// Serves regions of the file until no one asks any more.
[[noreturn]] void serve_regions(int socket, const EncodedFile& file, const Decoder& decoder, Printed& printed,
                                const Permission& permission) {
    const auto source = opened(socket, file, decoder, printed);
    const Received given = source ? receive(socket) : Received();
    if (given.what != Received::What::message || given.descriptors.size() != 1) ::_exit(0);
    const Mapped memory(given.descriptors[0].number(), PROT_READ | PROT_WRITE);
    const ImageInfo& info = source->info();
    const size_t pixel = size_t(info.channels) * size_t(bytes_per_sample(info.type));
    for (;;) {
        const Received asked = receive(socket);
        if (asked.what != Received::What::message || asked.message.kind != Kind::region) ::_exit(0);
        permission.give(asked.message);
        static_cast<void>(printed.complaint());  // about another region
        send(socket, outcome([&](Message&) {
                 const auto& [x, y, width, height] =
                     std::tie(asked.message.x, asked.message.y, asked.message.width, asked.message.height);
                 const size_t row_bytes = size_t(std::max(width, 0)) * pixel;
                 if (row_bytes * size_t(std::max(height, 0)) > memory.bytes) throw Error("the region is too large");
                 source->read(asked.message.part, {x, y, width, height}, memory.begin(), row_bytes);
                 if (const std::string complaint = printed.complaint(); !complaint.empty())
                     throw Error(fmt::format("the {} is damaged ({})", file.format_name, complaint));
             }));
    }
}

}  // namespace

void run_worker(Descriptor socket, const Decoder& decoder, const Sandbox& sandbox) {
    static_cast<void>(thread_count());  // LLVM's OpenMP runtime starts with a file in /dev/shm, before the sandbox
    Printed printed;
    limit_process();
    Received received = receive(socket.number());
    if (received.what != Received::What::message) ::_exit(0);  // no file came
    const Message& request = received.message;
    const bool asked = request.kind == Message::Kind::question;
    const bool in_folder = request.beside != Beside::nothing;
    if (received.descriptors.size() != (asked || in_folder ? 2 : 1)) ::_exit(0);
    if (asked) answer_question(socket.number(), received, decoder, sandbox);
    EncodedFile file{request.format,        request.format_name,
                     request.text,          received.descriptors[0].number(),
                     size_t(request.bytes), parse_picture_source('#' + std::string(request.choice)).choice,
                     request.enough};
    if (in_folder)
        file.companions = std::make_shared<const Companions>(
            Companions{request.beside, std::move(received.descriptors[1]), request.name_there});
    const Permission permission(request);
    if (request.niceness > 0) set_niceness(request.niceness);
    sandbox.enter(file.descriptor, decoder.opens_file(file.format), file.companions.get());
    if (request.kind == Message::Kind::regions) serve_regions(socket.number(), file, decoder, printed, permission);
    if (request.kind == Message::Kind::facts) say_facts(socket.number(), file, decoder);
    else decode_picture(socket.number(), file, decoder, permission, printed, request.paced != 0);
    ::_exit(0);
}

}  // namespace texelscope::decoding
