#include "app/picture/inspect/statistics.h"

#include <algorithm>
#include <cmath>
#include <mutex>
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

// Samples of at most 16 bits: how often each occurs says all.
class CodeCounts {
public:
    explicit CodeCounts(SampleType type) : type_(type), count_(codes) {}

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

class Channel {
public:
    Channel(const Image& image, const SampleBox& box, int channel, const std::stop_token& stop)
        : image_(image), box_(box), channel_(channel), stop_(stop) {}

    ChannelStatistics statistics() const {
        if (image_.type() == SampleType::f32) return of_floats();
        CodeCounts counts(image_.type());
        counts.add(image_, box_, channel_, stop_);
        return counts.statistics();
    }

private:
    ChannelStatistics of_floats() const {
        ChannelStatistics s;
        std::vector<float> values;
        values.reserve(size_t(box_.x1 - box_.x0 + 1) * size_t(box_.y1 - box_.y0 + 1));
        double sum = 0;
        for_each_sample<float>(image_, box_, channel_, stop_, [&](float v) {
            if (std::isnan(v)) ++s.not_a_number;
            else if (std::isinf(v)) ++s.infinite;
            else {
                values.push_back(v);
                sum += double(v);
            }
        });
        s.finite = int64_t(values.size());
        if (values.empty()) return s;
        s.mean = sum / double(s.finite);
        double squares = 0;
        for (const float v : values) squares += (double(v) - s.mean) * (double(v) - s.mean);
        s.deviation = std::sqrt(squares / double(s.finite));
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        s.least = double(*least);
        s.most = double(*most);
        auto sorted = values.begin();  // all before it are in place
        fill_percentiles(s, [&](int64_t k) {
            const auto at = values.begin() + k;
            if (at >= sorted) {
                if (stop_.stop_requested()) throw Stopped();
                std::nth_element(sorted, at, values.end());
                sorted = at + 1;
            }
            return double(*at);
        });
        return s;
    }

    const Image& image_;
    const SampleBox& box_;
    int channel_;
    const std::stop_token& stop_;
};

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

// Floats of an image that is not in memory must be: percentiles need all of them. Throws Error if they are too many.
Image floats_of_box(const Image& image, const SampleBox& box) {
    constexpr double most = 0x1p28;
    const double samples = (double(box.x1) - box.x0 + 1) * (double(box.y1) - box.y0 + 1) * image.channels();
    if (samples * bytes_per_sample(image.type()) > most)
        throw Error(
            "the statistics of more than 256 MiB of floats are not computed of an image that is too large for "
            "memory: select a smaller part");
    Image part(box.x1 - box.x0 + 1, box.y1 - box.y0 + 1, image.channels(), image.type(), image.alpha());
    image.tiles()->read(0, {box.x0, box.y0, part.width(), part.height()}, part.data(), part.row_bytes());
    return part;
}

// Of samples of at most 16 bits, any number of them: they are read once, in pieces of a row of tiles.
SampleStatistics of_tiles(const TileSource& tiles, const SampleBox& box, const std::stop_token& stop) {
    constexpr int most_samples = 1 << 22;
    const StoppableLoops stoppable(stop);
    const ImageInfo& info = tiles.info();
    const int side = tiles.tile(), across = std::max(1, most_samples / (side * side)) * side;
    std::vector<CodeCounts> counts(size_t(info.channels), CodeCounts(info.type));
    std::mutex joining;
    for (int y = box.y0; y <= box.y1;) {
        const int next = std::min((y / side + 1) * side, box.y1 + 1), first = box.x0 / across;
        parallel_for(work::statistics, box.x1 / across - first + 1, 1, [&](int piece) {
            const int from = std::max(box.x0, (first + piece) * across);
            const int to = int(std::min(int64_t(first + piece + 1) * across, int64_t(box.x1) + 1));
            Image part(to - from, next - y, info.channels, info.type, info.alpha);
            tiles.read(0, {from, y, part.width(), part.height()}, part.data(), part.row_bytes());
            for (int c = 0; c < info.channels; ++c) {
                CodeCounts own(info.type);
                own.add(part, {0, 0, part.width() - 1, part.height() - 1}, c, stop);
                const std::lock_guard lock(joining);
                counts[size_t(c)].join(own);
            }
        });
        y = next;
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
    if (!image.in_memory() && image.type() != SampleType::f32) return of_tiles(*image.tiles(), box, stop);
    if (!image.in_memory()) {
        const Image part = floats_of_box(image, box);
        auto statistics = statistics_of(part, {0, 0, part.width() - 1, part.height() - 1}, stop);
        if (statistics) statistics->box = box;
        return statistics;
    }
    for (int c = 0; c < image.channels(); ++c) result.of[size_t(c)] = Channel(image, box, c, stop).statistics();
    return result;
} catch (const Stopped&) {
    return {};
} catch (const Cancelled&) {
    return {};
}

}  // namespace texelscope
