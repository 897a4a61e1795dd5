// The program's side of decoders that serve regions. Nothing that comes from them is trusted: they may have been taken over
// by the file.

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/files/decoding/decoder.h"
#include "app/files/decoding/host.h"

namespace texelscope {
namespace decoding {
namespace {

using What = Received::What;
using Kind = Message::Kind;

constexpr size_t decoder_memory = size_t(1) << 30;  // of libraries, their buffers and the pieces that it keeps
constexpr size_t region_memory = size_t(16) << 20;  // larger regions are read one part after the other
constexpr size_t most_levels = 64;
constexpr int most_deaths = 20;  // of the decoders of one source

// A decoder has crashed, hung or talked nonsense: another one may do better.
class Died : public Error {
public:
    using Error::Error;
};

struct SourceFacts {
    PictureShape shape;
    std::optional<SampleRegion> frame;
    std::vector<Extent> levels;
    int tile = 0;
    bool operator==(const SourceFacts&) const = default;
};

bool is_side(int32_t side) { return side >= 1 && side <= max_image_side; }

// One decoder, which has the file open.
class RegionDecoder {
public:
    RegionDecoder(const EncodedFile& file, const DecodingLimits& limits)
        : format_name_(file.format_name),
          patience_(limits.patience),
          most_memory_(limits.memory.value_or(decoder_memory)),
          child_(started(file, limits)) {
        try {
            while (!opened()) {}
            view_ = memory_(region_memory);
            Message message;
            message.kind = Kind::memory;
            const std::array descriptors = {memory_.file.number()};
            if (!send(child_.socket(), message, descriptors)) throw_ended();
        } catch (...) {
            child_.end();
            throw;
        }
    }
    ~RegionDecoder() { child_.end(); }
    RegionDecoder(const RegionDecoder&) = delete;
    RegionDecoder& operator=(const RegionDecoder&) = delete;

    const SourceFacts& facts() const { return facts_; }

    // Row by row without gaps, valid until the next one. Throws Died, else Error or OutOfMemory about the region alone.
    const std::byte* read(int level, const SampleRegion& region) {
        Message message;
        message.kind = Kind::region;
        message.part = level;
        message.x = int32_t(region.x);
        message.y = int32_t(region.y);
        message.width = region.width;
        message.height = region.height;
        message.memory = most_memory_;
        message.seconds = processor_seconds(patience_);
        if (!send(child_.socket(), message)) throw_ended();
        const Received answer = received();
        switch (answer.message.kind) {
            case Kind::done: return view_.data();
            case Kind::failed: throw Error(answer.message.sentence());
            case Kind::out_of_memory: throw OutOfMemory(answer.message.sentence());
            default: throw_nonsense();
        }
    }

private:
    static ChildProcess started(const EncodedFile& file, const DecodingLimits& limits) {
        Message request = request_about(file, Kind::regions);
        request.memory = limits.memory.value_or(decoder_memory);
        request.seconds = processor_seconds(limits.patience);
        return child_with(request, file);
    }

    // Whether all is known.
    bool opened() {
        const Message message = received().message;
        switch (message.kind) {
            case Kind::level:
                if (facts_.levels.size() >= most_levels || !is_side(message.width) || !is_side(message.height)) break;
                facts_.levels.push_back({message.width, message.height});
                return false;
            case Kind::claim:
                facts_.shape = {message.width, message.height, message.channels, SampleType(message.type),
                                Alpha(message.alpha)};
                facts_.frame = frame_of(message);
                facts_.tile = message.rows;
                if (makes_sense(message)) return true;
                break;
            case Kind::whole: throw NotInParts(message.sentence());
            case Kind::failed: throw Error(message.sentence());
            case Kind::out_of_memory: throw OutOfMemory(message.sentence());
            default: break;
        }
        throw_nonsense();
    }

    bool makes_sense(const Message& claim) const {
        constexpr int32_t largest_tile = 1 << 14;
        return claim.channels >= 1 && claim.channels <= 4 && claim.type >= 0 &&
               claim.type < int32_t(all_sample_types.size()) && claim.alpha >= 0 &&
               claim.alpha <= int32_t(Alpha::premultiplied) && claim.rows >= 1 && claim.rows <= largest_tile &&
               !facts_.levels.empty() && facts_.levels[0] == Extent{claim.width, claim.height};
    }

    Received received() const {
        Received received = receive(child_.socket(), patience_);
        if (received.what == What::end) throw_ended();
        if (received.what == What::silence) {
            child_.end();
            throw Died(fmt::format("its decoder was stopped: it made no progress for {:.3g} seconds",
                                   double(patience_.count()) / 1000));
        }
        if (received.what == What::nonsense) throw_nonsense();
        return received;
    }
    [[noreturn]] void throw_nonsense() const {
        child_.end();
        throw Died("its decoder was stopped: what it said made no sense");
    }
    [[noreturn]] void throw_ended() const {
        const int status = child_.ending();
        throw Died(status < 0 ? "its decoder was killed" : words_of_ending(status, format_name_));
    }

    std::string_view format_name_;
    std::chrono::milliseconds patience_;
    size_t most_memory_;
    ChildProcess child_;
    SharedMemory memory_;
    SampleMemory view_;
    SourceFacts facts_;
};

class ChildRegions : public TileSource {
public:
    ChildRegions(const EncodedFile& file, const DecodingLimits& limits) : file_(file), limits_(limits) {
        idle_.push_back(opened());
        made_ = 1;
        facts_ = idle_.front()->facts();
        const PictureShape& shape = facts_.shape;
        info_ = {shape.width, shape.height, shape.channels, shape.type, shape.alpha, file.profile, facts_.frame};
        pixel_ = size_t(shape.channels) * size_t(bytes_per_sample(shape.type));
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return facts_.tile; }
    int levels() const override { return int(facts_.levels.size()); }
    Extent level_extent(int level) const override { return facts_.levels.at(size_t(level)); }

    // In pieces that fit the memory of a decoder, which end where its tiles do if they can.
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        const int64_t columns = std::min<int64_t>(region.width, int64_t(region_memory / pixel_));
        const int64_t rows = std::max<int64_t>(1, int64_t(region_memory / pixel_) / columns);
        for (int64_t y = region.y; y < region.y + region.height;) {
            const int64_t bottom = end_of(y, rows, region.y + region.height);
            for (int64_t x = region.x; x < region.x + region.width;) {
                const int64_t right = end_of(x, columns, region.x + region.width);
                read_piece(level, {x, y, int(right - x), int(bottom - y)},
                           to + size_t(y - region.y) * row_bytes + size_t(x - region.x) * pixel_, row_bytes);
                x = right;
            }
            y = bottom;
        }
    }

private:
    int64_t end_of(int64_t begin, int64_t most, int64_t end) const {
        if (end - begin <= most) return end;
        const int64_t at_tile = (begin + most) / facts_.tile * facts_.tile;
        return at_tile > begin ? at_tile : begin + most;
    }

    void read_piece(int level, const SampleRegion& piece, std::byte* to, size_t row_bytes) const {
        for (int attempt = 0;; ++attempt) {
            std::unique_ptr<RegionDecoder> decoder = taken();
            try {
                const std::byte* from = decoder->read(level, piece);
                const size_t bytes = size_t(piece.width) * pixel_;
                for (int y = 0; y < piece.height; ++y)
                    std::memcpy(to + size_t(y) * row_bytes, from + size_t(y) * bytes, bytes);
                give_back(std::move(decoder));
                return;
            } catch (const Died& why) {
                lost(why.what());
                if (attempt > 0) throw Error(why.what());
            } catch (...) {
                give_back(std::move(decoder));
                throw;
            }
        }
    }

    std::unique_ptr<RegionDecoder> opened() const {
        try {
            return std::make_unique<RegionDecoder>(file_, limits_);
        } catch (const Died& why) {
            throw Error(why.what());
        }
    }

    std::unique_ptr<RegionDecoder> taken() const {
        {
            std::unique_lock lock(mutex_);
            returned_.wait(lock, [this] { return !idle_.empty() || made_ < most_decoders || deaths_ >= most_deaths; });
            if (deaths_ >= most_deaths) throw Error(last_words_);
            if (!idle_.empty()) {
                auto decoder = std::move(idle_.back());
                idle_.pop_back();
                return decoder;
            }
            ++made_;
        }
        try {
            auto decoder = opened();
            if (decoder->facts() != facts_) throw Error("its decoder was stopped: what it said made no sense");
            return decoder;
        } catch (const Error& error) {
            lost(error.what());
            throw;
        } catch (...) {
            lost("not enough memory to read it");
            throw;
        }
    }
    void give_back(std::unique_ptr<RegionDecoder> decoder) const {
        {
            const std::lock_guard lock(mutex_);
            idle_.push_back(std::move(decoder));
        }
        returned_.notify_one();
    }
    void lost(const std::string& why) const {
        {
            const std::lock_guard lock(mutex_);
            --made_;
            ++deaths_;
            last_words_ = why;
        }
        returned_.notify_all();
    }

    EncodedFile file_;
    DecodingLimits limits_;
    SourceFacts facts_;
    ImageInfo info_;
    size_t pixel_ = 1;
    mutable std::mutex mutex_;
    mutable std::condition_variable returned_;
    mutable std::vector<std::unique_ptr<RegionDecoder>> idle_;
    mutable int made_ = 0, deaths_ = 0;
    mutable std::string last_words_;
};

}  // namespace
}  // namespace decoding

std::unique_ptr<const TileSource> regions_in_child(const EncodedFile& file, const DecodingLimits& limits) {
    try {
        return std::make_unique<decoding::ChildRegions>(file, limits);
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory to read it");
    }
}

}  // namespace texelscope
