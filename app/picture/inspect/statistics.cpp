#include "app/picture/inspect/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/core/half.h"
#include "gpu/core/tile_source.h"

namespace texelscope {
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

class Channel {
public:
    Channel(const Image& image, const SampleBox& box, int channel, const std::stop_token& stop)
        : image_(image), box_(box), channel_(channel), stop_(stop) {}

    ChannelStatistics statistics() const { return image_.type() == SampleType::f32 ? of_floats() : of_codes(); }

private:
    template <class T, class Take> void for_each(Take take) const {
        constexpr int rows_between_questions = 256;
        for (int y = box_.y0; y <= box_.y1; ++y) {
            if ((y - box_.y0) % rows_between_questions == 0 && stop_.stop_requested()) throw Stopped();
            const T* row = image_.row_as<T>(y) + channel_;
            for (int x = box_.x0; x <= box_.x1; ++x) take(row[size_t(x) * size_t(image_.channels())]);
        }
    }

    // Samples of at most 16 bits: how often each occurs says all.
    ChannelStatistics of_codes() const {
        ChannelStatistics s;
        std::vector<int64_t> count(codes);
        if (image_.type() == SampleType::u8) for_each<uint8_t>([&](uint8_t v) { ++count[v]; });
        else if (image_.type() == SampleType::u16) for_each<uint16_t>([&](uint16_t v) { ++count[v]; });
        else
            for_each<uint16_t>([&](uint16_t v) {
                const int magnitude = v & ~half_sign;
                if (magnitude < half_infinity) ++count[size_t(rank_of_half(v))];
                else ++(magnitude == half_infinity ? s.infinite : s.not_a_number);
            });
        double sum = 0;
        int first = codes, last = -1;
        for (int rank = 0; rank < codes; ++rank) {
            if (!count[size_t(rank)]) continue;
            first = std::min(first, rank);
            last = rank;
            s.finite += count[size_t(rank)];
            sum += double(count[size_t(rank)]) * value_of_rank(image_.type(), rank);
        }
        if (s.finite == 0) return s;
        s.mean = sum / double(s.finite);
        s.least = value_of_rank(image_.type(), first);
        s.most = value_of_rank(image_.type(), last);
        double squares = 0;
        for (int rank = first; rank <= last; ++rank) {
            const double d = value_of_rank(image_.type(), rank) - s.mean;
            squares += double(count[size_t(rank)]) * d * d;
        }
        s.deviation = std::sqrt(squares / double(s.finite));
        int rank = first;
        int64_t up_to = count[size_t(first)];  // values of this rank or below
        fill_percentiles(s, [&](int64_t k) {
            // The upper neighbour of one percentile may lie above the lower one of the next.
            while (k < up_to - count[size_t(rank)]) up_to -= count[size_t(rank--)];
            while (k >= up_to) up_to += count[size_t(++rank)];
            return value_of_rank(image_.type(), rank);
        });
        return s;
    }

    ChannelStatistics of_floats() const {
        ChannelStatistics s;
        std::vector<float> values;
        values.reserve(size_t(box_.x1 - box_.x0 + 1) * size_t(box_.y1 - box_.y0 + 1));
        double sum = 0;
        for_each<float>([&](float v) {
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

// Of an image that is not in memory. Throws Error if they would take too much of it.
Image samples_of_box(const Image& image, const SampleBox& box) {
    constexpr double most = 0x1p28;
    const double samples = (double(box.x1) - box.x0 + 1) * (double(box.y1) - box.y0 + 1) * image.channels();
    if (samples * bytes_per_sample(image.type()) > most)
        throw Error(
            "the statistics of more than 256 MiB of samples are not computed of an image that is too large for "
            "memory: select a smaller part");
    Image part(box.x1 - box.x0 + 1, box.y1 - box.y0 + 1, image.channels(), image.type(), image.alpha());
    image.tiles()->read(0, {box.x0, box.y0, part.width(), part.height()}, part.data(), part.row_bytes());
    return part;
}

}  // namespace

std::optional<SampleStatistics> statistics_of(const Image& image, const SampleBox& box, const std::stop_token& stop) {
    if (!image.in_memory() && !box.empty()) {
        const Image part = samples_of_box(image, box);
        auto statistics = statistics_of(part, {0, 0, part.width() - 1, part.height() - 1}, stop);
        if (statistics) statistics->box = box;
        return statistics;
    }
    SampleStatistics result{box, image.channels(), {}};
    if (box.empty()) return result;
    try {
        for (int c = 0; c < image.channels(); ++c) result.of[size_t(c)] = Channel(image, box, c, stop).statistics();
    } catch (const Stopped&) {
        return {};
    }
    return result;
}

}  // namespace texelscope
