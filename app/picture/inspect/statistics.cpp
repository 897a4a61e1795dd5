#include "app/picture/inspect/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/core/half.h"
#include "gpu/core/parallel.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

namespace work {
inline constexpr WorkName statistics{"statistics of tiles"};
}

namespace {

struct Stopped {};

constexpr int codes = 1 << 16;
constexpr int half_sign = 0x8000, half_infinity = 0x7c00;

// Halves in the order of their values: negative ones, the larger magnitude first, then the others.
int rank_of_half(int bits) { return bits & half_sign ? codes - 1 - bits : bits + half_sign; }
int half_of_rank(int rank) { return rank < half_sign ? codes - 1 - rank : rank - half_sign; }

double value_of_rank(SampleType type, int rank) {
    switch (type) {
        case SampleType::u8: return rank / 255.0;
        case SampleType::u16: return rank / 65535.0;
        default: return double(half_to_float(uint16_t(half_of_rank(rank))));
    }
}

// value(k): the k-th of `count` values in ascending order. Calls come with ascending k.
template <class Value> void fill_percentiles(ChannelStatistics& s, Value value) {
    for (size_t i = 0; i < percentiles_shown.size(); ++i) {
        const double place = double(s.finite - 1) * percentiles_shown[i] / 100;
        const auto below = int64_t(place);
        const double lower = value(below), t = place - double(below);
        s.percentiles[i] = t == 0 ? lower : lower + t * (value(below + 1) - lower);
    }
}

template <class T, class Take>
void for_each_sample(const Image& image, const SampleBox& box, int channel, const std::stop_token& stop, Take take) {
    constexpr int rows_between_questions = 256;
    for (int y = box.y0; y <= box.y1; ++y) {
        if ((y - box.y0) % rows_between_questions == 0 && stop.stop_requested()) throw Stopped();
        const T* row = image.row_as<T>(y) + channel;
        for (int x = box.x0; x <= box.x1; ++x) take(row[size_t(x) * size_t(image.channels())]);
    }
}

// for_each_sample() for any type, as float.
template <class Take>
void for_each_float(const Image& image, const SampleBox& box, int channel, const std::stop_token& stop, Take take) {
    if (image.type() == SampleType::f32) return for_each_sample<float>(image, box, channel, stop, take);
    const size_t pixel = size_t(image.channels()) * size_t(bytes_per_sample(image.type()));
    std::vector<float> row(size_t(box.x1 - box.x0 + 1) * size_t(image.channels()));
    for (int y = box.y0; y <= box.y1; ++y) {
        if (stop.stop_requested()) throw Stopped();
        read_floats(image.row(y) + size_t(box.x0) * pixel, row.size(), image.type(), row.data());
        for (size_t i = size_t(channel); i < row.size(); i += size_t(image.channels())) take(row[i]);
    }
}

// Counts each value of bytes, normalised 16-bit integers or halves, which is enough for all statistics.
class CodeCounts {
public:
    explicit CodeCounts(SampleType type) : type_(type), count_(codes) {}

    // For a part of the samples, to be joined.
    CodeCounts blank() const { return CodeCounts(type_); }
    // After all samples; whether they are needed once more.
    bool finish_pass() { return false; }

    void add(const Image& image, const SampleBox& box, int channel, const std::stop_token& stop) {
        if (type_ == SampleType::u8)
            for_each_sample<uint8_t>(image, box, channel, stop, [&](uint8_t v) { ++count_[v]; });
        else if (type_ == SampleType::u16)
            for_each_sample<uint16_t>(image, box, channel, stop, [&](uint16_t v) { ++count_[v]; });
        else
            for_each_sample<uint16_t>(image, box, channel, stop, [&](uint16_t v) {
                const int magnitude = v & ~half_sign;
                if (magnitude < half_infinity) ++count_[size_t(rank_of_half(v))];
                else ++(magnitude == half_infinity ? infinite_ : not_a_number_);
            });
    }

    void join(const CodeCounts& other) {
        for (size_t rank = 0; rank < count_.size(); ++rank) count_[rank] += other.count_[rank];
        infinite_ += other.infinite_;
        not_a_number_ += other.not_a_number_;
    }

    ChannelStatistics statistics() const {
        ChannelStatistics s;
        s.infinite = infinite_;
        s.not_a_number = not_a_number_;
        double sum = 0;
        int first = codes, last = -1;
        for (int rank = 0; rank < codes; ++rank) {
            if (!count_[size_t(rank)]) continue;
            first = std::min(first, rank);
            last = rank;
            s.finite += count_[size_t(rank)];
            sum += double(count_[size_t(rank)]) * value_of_rank(type_, rank);
        }
        if (s.finite == 0) return s;
        s.mean = sum / double(s.finite);
        s.least = value_of_rank(type_, first);
        s.most = value_of_rank(type_, last);
        double squares = 0;
        for (int rank = first; rank <= last; ++rank) {
            const double d = value_of_rank(type_, rank) - s.mean;
            squares += double(count_[size_t(rank)]) * d * d;
        }
        s.deviation = std::sqrt(squares / double(s.finite));
        int rank = first;
        int64_t up_to = count_[size_t(first)];  // values of this rank or below
        fill_percentiles(s, [&](int64_t k) {
            // The upper neighbour of one percentile may lie above the lower one of the next.
            while (k < up_to - count_[size_t(rank)]) up_to -= count_[size_t(rank--)];
            while (k >= up_to) up_to += count_[size_t(++rank)];
            return value_of_rank(type_, rank);
        });
        return s;
    }

private:
    SampleType type_;
    std::vector<int64_t> count_;
    int64_t infinite_ = 0, not_a_number_ = 0;
};

// Counts all others, as float: a first pass by their upper 16 bits, a second one, by the lower 16, those that have the
// upper bits of a percentile.
class FloatCounts {
public:
    explicit FloatCounts(SampleType) : upper_(codes) {}

    FloatCounts blank() const {
        FloatCounts counts(SampleType::f32);
        counts.mean_ = mean_;
        counts.slot_ = slot_;
        counts.lower_.resize(lower_.size());
        return counts;
    }

    void add(const Image& image, const SampleBox& box, int channel, const std::stop_token& stop) {
        if (slot_.empty()) for_each_float(image, box, channel, stop, [&](float v) { count(v); });
        else for_each_float(image, box, channel, stop, [&](float v) { count_again(v); });
    }

    void join(const FloatCounts& other) {
        for (size_t i = 0; i < upper_.size(); ++i) upper_[i] += other.upper_[i];
        for (size_t i = 0; i < lower_.size(); ++i) lower_[i] += other.lower_[i];
        finite_ += other.finite_;
        infinite_ += other.infinite_;
        not_a_number_ += other.not_a_number_;
        sum_ += other.sum_;
        squares_ += other.squares_;
        least_ = std::min(least_, other.least_);
        most_ = std::max(most_, other.most_);
    }

    bool finish_pass() {
        if (!slot_.empty()) return false;
        slot_.assign(codes, -1);
        if (finite_ == 0) return false;
        mean_ = sum_ / double(finite_);
        int slots = 0;
        ChannelStatistics places;
        places.finite = finite_;
        fill_percentiles(places, [&](int64_t k) {
            int& slot = slot_[size_t(place_of(k).upper)];
            if (slot < 0) slot = slots++;
            return 0.0;
        });
        lower_.assign(size_t(slots) * codes, 0);
        return true;
    }

    ChannelStatistics statistics() const {
        ChannelStatistics s;
        s.finite = finite_;
        s.infinite = infinite_;
        s.not_a_number = not_a_number_;
        if (finite_ == 0) return s;
        s.mean = mean_;
        s.deviation = std::sqrt(squares_ / double(finite_));
        s.least = double(least_);
        s.most = double(most_);
        fill_percentiles(s, [&](int64_t k) {
            const Place place = place_of(k);
            const int64_t* const lower = lower_.data() + size_t(slot_[size_t(place.upper)]) * codes;
            uint32_t low = 0;  // the last, should the samples have changed between the passes
            for (int64_t below = place.below + lower[0]; k >= below && low + 1 < codes; below += lower[low]) ++low;
            return double(float_of_rank(uint32_t(place.upper) << 16 | low));
        });
        return s;
    }

private:
    // Floats in the order of their values, as halves above.
    static constexpr uint32_t sign = 0x80000000u;
    static uint32_t rank_of_float(float v) {
        const auto bits = std::bit_cast<uint32_t>(v);
        return bits & sign ? ~bits : bits | sign;
    }
    static float float_of_rank(uint32_t rank) { return std::bit_cast<float>(rank & sign ? rank & ~sign : ~rank); }

    void count(float v) {
        if (std::isfinite(v)) {
            ++upper_[rank_of_float(v) >> 16];
            ++finite_;
            sum_ += double(v);
            least_ = std::min(least_, v);
            most_ = std::max(most_, v);
        } else {
            ++(std::isnan(v) ? not_a_number_ : infinite_);
        }
    }
    void count_again(float v) {
        if (!std::isfinite(v)) return;
        squares_ += (double(v) - mean_) * (double(v) - mean_);
        const uint32_t rank = rank_of_float(v);
        if (const int slot = slot_[rank >> 16]; slot >= 0) ++lower_[size_t(slot) * codes + (rank & 0xffff)];
    }

    // The upper bits of the k-th value in ascending order, and how many values there are below all that have these.
    struct Place {
        int upper = 0;
        int64_t below = 0;
    };
    Place place_of(int64_t k) const {
        Place place;
        while (k >= place.below + upper_[size_t(place.upper)]) place.below += upper_[size_t(place.upper++)];
        return place;
    }

    std::vector<int64_t> upper_, lower_;
    std::vector<int> slot_;  // of lower_, for each of the upper bits; empty in the first pass
    int64_t finite_ = 0, infinite_ = 0, not_a_number_ = 0;
    double sum_ = 0, mean_ = 0, squares_ = 0;
    float least_ = std::numeric_limits<float>::infinity(), most_ = -std::numeric_limits<float>::infinity();
};

template <class Counts>
ChannelStatistics of_channel(const Image& image, const SampleBox& box, int channel, const std::stop_token& stop) {
    Counts counts(image.type());
    do counts.add(image, box, channel, stop);
    while (counts.finish_pass());
    return counts.statistics();
}

}  // namespace

SampleBox samples_in(const std::optional<Region>& region, const Image& image) {
    SampleBox box{0, 0, image.width() - 1, image.height() - 1};
    if (!region) return box;
    const auto inside = [](double from, double to, int last, int& first_kept, int& last_kept) {
        first_kept = int(std::clamp(std::ceil(std::min(from, to)), 0.0, last + 1.0));
        last_kept = int(std::clamp(std::floor(std::max(from, to)), -1.0, double(last)));
    };
    inside(region->x0, region->x1, box.x1, box.x0, box.x1);
    inside(region->y0, region->y1, box.y1, box.y0, box.y1);
    return box;
}

namespace {

// The statistics of any number of samples, read in pieces of a row of tiles, once or as often as Counts has passes.
template <class Counts>
SampleStatistics of_tiles(const TileSource& tiles, const SampleBox& box, const std::stop_token& stop) {
    constexpr int most_samples = 1 << 22;
    const StoppableLoops stoppable(stop);
    const ImageInfo& info = tiles.info();
    const int side = tiles.tile(), across = std::max(1, most_samples / (side * side)) * side;
    std::vector<Counts> counts(size_t(info.channels), Counts(info.type));
    std::mutex joining;
    for (bool again = true; again;) {
        std::vector<Counts> read;  // in this pass
        for (const Counts& each : counts) read.push_back(each.blank());
        for (int y = box.y0; y <= box.y1;) {
            const int next = std::min((y / side + 1) * side, box.y1 + 1), first = box.x0 / across;
            parallel_for(work::statistics, box.x1 / across - first + 1, 1, [&](int piece) {
                const int from = std::max(box.x0, (first + piece) * across);
                const int to = int(std::min(int64_t(first + piece + 1) * across, int64_t(box.x1) + 1));
                Image part(to - from, next - y, info.channels, info.type, info.alpha);
                tiles.read(0, {from, y, part.width(), part.height()}, part.data(), part.row_bytes());
                for (int c = 0; c < info.channels; ++c) {
                    Counts own = counts[size_t(c)].blank();
                    own.add(part, {0, 0, part.width() - 1, part.height() - 1}, c, stop);
                    const std::lock_guard lock(joining);
                    read[size_t(c)].join(own);
                }
            });
            y = next;
        }
        again = false;
        for (int c = 0; c < info.channels; ++c) {
            counts[size_t(c)].join(read[size_t(c)]);
            if (counts[size_t(c)].finish_pass()) again = true;
        }
    }
    SampleStatistics result{box, info.channels, {}};
    for (int c = 0; c < info.channels; ++c) result.of[size_t(c)] = counts[size_t(c)].statistics();
    return result;
}

}  // namespace

std::optional<SampleStatistics> statistics_of(const Image& image, const SampleBox& box,
                                              const std::stop_token& stop) try {
    SampleStatistics result{box, image.channels(), {}};
    if (box.empty()) return result;
    const bool by_code = is_normalised(image.type()) || image.type() == SampleType::f16;
    if (!image.in_memory()) return (by_code ? of_tiles<CodeCounts> : of_tiles<FloatCounts>)(*image.tiles(), box, stop);
    for (int c = 0; c < image.channels(); ++c)
        result.of[size_t(c)] = (by_code ? of_channel<CodeCounts> : of_channel<FloatCounts>)(image, box, c, stop);
    return result;
} catch (const Stopped&) {
    return {};
} catch (const Cancelled&) {
    return {};
}

std::optional<StatisticsWorker::Question> StatisticsWorker::asked(const AppState& state) {
    const Document* document = state.scene.document();
    if (state.ui.dock != Dock::statistics || !document || !document->image) return {};
    const bool all = state.ui.inspect.statistics_of_all;
    return Question{document->image, samples_in(all ? std::nullopt : state.scene.selection, *document->image)};
}

bool StatisticsWorker::fill(AppState& state) {
    Findings& findings = state.report.findings;
    const bool came = statistics_.take();
    const std::optional<Question> now = asked(state);
    const auto* made = now ? statistics_.ask(*now) : nullptr;
    statistics_.end_frame([](const Question& question) {
        return [question](const std::stop_token& stop) { return statistics_of(*question.image, question.box, stop); };
    });
    if (!now) {
        const bool changed = findings.statistics.done.has_value();
        findings.statistics = {};
        findings.no_statistics.clear();
        return changed;
    }
    if (came && made) {
        findings.statistics.done = made->value.value_or(std::nullopt);
        findings.no_statistics = made->why();
    }
    const bool was_working = std::exchange(findings.statistics.working, !made);
    return (came && made) || was_working == (made != nullptr);
}

}  // namespace texelscope
