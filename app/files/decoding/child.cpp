// The program's side of one decoder. Nothing that comes from it is trusted: it may have been taken over by the file.

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "app/files/decoding/decoder.h"
#include "app/files/decoding/host.h"
#include "gpu/core/machine.h"

namespace texelscope {
namespace decoding {
namespace {

using What = Received::What;
using Kind = Message::Kind;

constexpr size_t usual_memory = size_t(512) << 20;  // of libraries and their buffers

class Child {
public:
    enum class Wanted { picture, facts };
    Child(const EncodedFile& file, const Reading& reading, const DecodingLimits& limits, Wanted wanted)
        : file_(file),
          reading_(reading),
          limits_(limits),
          only_facts_(wanted == Wanted::facts),
          child_(started(file, reading, limits, wanted)) {}

    Image picture() {
        run();
        return finished();
    }
    PictureFacts facts() {
        try {
            run();
        } catch (const Error& error) {
            if (!claimed_ || reading_.cancel.stop_requested()) throw;
            facts_.metadata.push_back({"Metadata", "Problem", error.what()});
        }
        child_.end();
        return facts_;
    }

private:
    void run() {
        const std::stop_callback on_cancel(reading_.cancel, [this] { child_.end(); });
        try {
            while (!step()) {}
        } catch (...) {
            child_.end();
            if (reading_.cancel.stop_requested()) throw Cancelled("reading it was cancelled");
            throw;
        }
    }

    // By default a second more for a megabyte of the file, or for four of the picture: slow on any machine.
    static std::chrono::milliseconds patience_for(const DecodingLimits& limits, size_t file, size_t picture) {
        const double megabytes = double(file) / (1 << 20) + double(picture) / (1 << 22);
        return std::chrono::milliseconds(int64_t(double(limits.patience.count()) * (1 + megabytes / 20)));
    }

    static ChildProcess started(const EncodedFile& file, const Reading& reading, const DecodingLimits& limits,
                                Wanted wanted) {
        Message request = request_about(file, wanted == Wanted::facts ? Kind::facts : Kind::request);
        request.enough = file.enough;
        request.paced = reading.paced;
        request.memory = limits.memory.value_or(std::max(usual_memory, available_host_memory() / 2));
        request.seconds = processor_seconds(patience_for(limits, file.bytes, 0));
        return child_with(request, file);
    }

    // Whether all is there.
    bool step() {
        const auto patience = patience_for(limits_, file_.bytes, image_.size_bytes());
        const Received received = receive(child_.socket(), patience);
        if (received.what == What::end) throw_ended();
        if (received.what == What::silence)
            throw Error(fmt::format("its decoder was stopped: it made no progress for {:.3g} seconds",
                                    double(patience.count()) / 1000));
        const Message& message = received.message;
        if (received.what == What::message) switch (message.kind) {
                case Kind::part:
                case Kind::channel:
                    if (listed(message)) return false;
                    break;
                case Kind::claim: return claimed(message);
                case Kind::progress:
                    progressed(message.rows);
                    if (reading_.paced && !send(child_.socket(), message)) throw_ended();
                    return false;
                case Kind::metadata:
                    if (!only_facts_ || !claimed_ || facts_.metadata.size() >= most_rows) break;
                    facts_.metadata.push_back(message.row());
                    return false;
                case Kind::done:
                    if (!claimed_ || !lies_within(message.missing)) break;
                    image_.set_missing(message.missing);
                    return true;
                case Kind::failed: throw Error(message.sentence());
                case Kind::out_of_memory: throw OutOfMemory(message.sentence());
                default: break;
            }
        throw Error("its decoder was stopped: what it said made no sense");
    }

    // Whether it makes sense.
    bool listed(const Message& message) {
        if (claimed_ || ++words_ > most_words) return false;
        if (message.kind == Kind::part) {
            facts_.parts.push_back({message.words(), message.width, message.height});
            return true;
        }
        if (facts_.parts.empty()) return false;
        facts_.parts.back().channels.push_back(message.words());
        return true;
    }

    bool knows_channels(const Message& claim) {
        if (claim.channels < 1 || claim.channels > 4 || claim.part < 0 || claim.orientation < 1 ||
            claim.orientation > 8)
            return false;
        facts_.part = claim.part;
        facts_.orientation = claim.orientation;
        facts_.upright = claim.upright != 0;
        facts_.channels.assign(claim.chosen_channels, claim.chosen_channels + claim.channels);
        const size_t part = size_t(claim.part);
        if (part >= facts_.parts.size()) return true;  // beyond the list
        const auto count = int32_t(facts_.parts[part].channels.size());
        return std::ranges::all_of(facts_.channels, [count](int which) { return which >= 0 && which < count; });
    }

    bool lies_within(const SampleRegion& part) const {
        const auto& [x, y, width, height] = part;
        const PictureShape& whole = facts_.shape;
        return x >= 0 && y >= 0 && width >= 0 && height >= 0 && x <= whole.width - width && y <= whole.height - height;
    }

    bool claimed(const Message& claim) {
        const bool sensible = !claimed_ && claim.type >= 0 && claim.type < int32_t(all_sample_types.size()) &&
                              claim.alpha >= 0 && claim.alpha <= int32_t(Alpha::premultiplied) && knows_channels(claim);
        if (!sensible) throw Error("its decoder was stopped: what it said made no sense");
        facts_.shape = {claim.width, claim.height, claim.channels, SampleType(claim.type), Alpha(claim.alpha)};
        facts_.frame = frame_of(claim);
        facts_.missing = claim.missing;
        facts_.may_lack_samples = claim.may_lack_samples != 0;
        if (!lies_within(claim.missing)) throw Error("its decoder was stopped: what it said made no sense");
        claimed_ = true;
        if (only_facts_) return false;
        if (reading_.told) reading_.told(facts_);
        SharedMemory memory;
        image_ = Image(claim.width, claim.height, claim.channels, SampleType(claim.type), Alpha(claim.alpha),
                       [&memory](size_t bytes) { return memory(bytes); });
        image_.set_profile(file_.profile);
        image_.set_frame(facts_.frame);
        image_.set_missing(facts_.missing);
        Message answer;
        answer.kind = Kind::memory;
        answer.bytes = image_.size_bytes();
        answer.memory = limits_.memory.value_or(usual_memory);
        answer.seconds = processor_seconds(patience_for(limits_, file_.bytes, image_.size_bytes()));
        const std::array descriptors = {memory.file.number()};
        if (!send(child_.socket(), answer, descriptors)) throw_ended();
        return progressed(0);
    }

    bool progressed(int rows) {
        constexpr size_t ahead = size_t(48) << 20;
        rows_ = std::clamp(rows, rows_, image_.height());
        if (!image_.empty())
            ready_ =
                touch_ahead({image_.data(), image_.size_bytes()}, ready_, size_t(rows_) * image_.row_bytes(), ahead);
        if (reading_.progress && !image_.empty()) reading_.progress(image_, rows_);
        return false;
    }

    [[noreturn]] void throw_ended() {
        const int status = child_.ending();
        if (status < 0) throw Error("its decoder was killed");
        throw Error(words_of_ending(status, file_.format_name));
    }

    // No one else may be able to change the pixels any more: a small picture is copied, for a large one we wait until its
    // decoder is gone.
    Image finished() {
        constexpr size_t small = size_t(1) << 20;
        child_.end();
        if (image_.size_bytes() <= small) return Image(image_);
        child_.ending();
        return std::move(image_);
    }

    const EncodedFile& file_;
    const Reading& reading_;
    const DecodingLimits& limits_;
    bool only_facts_;
    ChildProcess child_;
    Image image_;
    PictureFacts facts_;
    bool claimed_ = false;
    size_t words_ = 0;
    int rows_ = 0;
    size_t ready_ = 0;  // bytes of the picture whose pages are there
};

}  // namespace
}  // namespace decoding

Image decode_in_child(const EncodedFile& file, const Reading& reading, const DecodingLimits& limits) {
    try {
        return decoding::Child(file, reading, limits, decoding::Child::Wanted::picture).picture();
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory to read it");
    }
}

PictureFacts facts_in_child(const EncodedFile& file, const Reading& reading) {
    const DecodingLimits limits;
    return decoding::Child(file, reading, limits, decoding::Child::Wanted::facts).facts();
}

namespace decoding {
namespace {

// Work on hostile bytes that is no picture: a question to a decoder, and its answer. Nothing that comes from it is trusted.
constexpr size_t question_memory = size_t(512) << 20;  // of libraries and their buffers

// What the decoder says when it is done: how many bytes it has written.
size_t written(const ChildProcess& child, std::chrono::milliseconds patience) {
    const Received received = receive(child.socket(), patience);
    if (received.what == What::silence)
        throw Error(fmt::format("it was given up after {:.3g} seconds", double(patience.count()) / 1000));
    if (received.what == What::end) {
        const int status = child.ending();
        throw Error(status < 0 ? "its decoder was killed" : words_of_ending(status, "profile"));
    }
    if (received.what == What::message) {
        const Message& message = received.message;
        if (message.kind == Kind::done) return size_t(message.bytes);
        if (message.kind == Kind::failed || message.kind == Kind::out_of_memory) throw Error(message.sentence());
    }
    throw Error("its decoder was stopped: what it said made no sense");
}

}  // namespace
}  // namespace decoding

std::vector<std::byte> compute_in_child(std::span<const std::byte> question, size_t most_bytes,
                                        std::chrono::milliseconds patience) {
    using namespace decoding;
    try {
        SharedMemory asked, answered;
        SampleMemory copy = asked(question.size());
        std::copy(question.begin(), question.end(), copy.data());
        const SampleMemory answer = answered(most_bytes);
        Message request;
        request.kind = Message::Kind::question;
        request.bytes = question.size();
        request.memory = question_memory;
        request.seconds = processor_seconds(patience);
        const std::array descriptors = {asked.file.number(), answered.file.number()};
        const ChildProcess child = child_with(request, descriptors);
        struct End {
            const ChildProcess& child;
            ~End() { child.end(); }
        } const end{child};
        const size_t count = written(child, patience);
        if (count > most_bytes) throw Error("its decoder was stopped: what it said made no sense");
        return {answer.data(), answer.data() + count};
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory to work it out");
    }
}

}  // namespace texelscope
