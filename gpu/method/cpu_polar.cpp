// Polar methods by the CPU's vector code.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "gpu/core/pixel.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

// Positions as whole numbers and what is left, in [0, 1).
struct AxisPositions {
    AxisPositions(Axis axis, const ResampleJob& job) {
        for (const double x : positions_along(axis, job, places)) {
            whole.push_back(int(std::floor(x)));
            part.push_back(float(x - std::floor(x)));
        }
    }
    std::vector<PixelPlace> places;
    std::vector<int> whole;
    std::vector<float> part;
};

// The samples under the disc, from the whole number below a position: whatever is left of that.
struct Reach {
    explicit Reach(double radius) : first(int(std::ceil(-radius))), count(int(std::floor(1 + radius)) - first + 1) {}
    int first, count;
};

// Weights of the tile's pixels in a row of the output: they depend on what is left of the row's position, which a zoom by
// a small ratio of whole numbers repeats.
struct RowWeights {
    float part = -1;            // for which these are; −1: none
    std::vector<float> values;  // those of the first row of samples, then those of the next
    std::vector<float> gains;   // one over the sums
};
constexpr size_t most_kept = 16;

simd::RadialWeights weights_of(const PolarJob& polar, const Footprint<float>& f) {
    return {polar.table, table_nodes, polar.radius, f.xx, f.xy, f.yy};
}

// Axis-aligned views: each row of samples under a row of pixels is filtered along itself, with weights of its own for each
// pixel, and these sums are added.
class PolarWriter final : public RowWriter {
public:
    PolarWriter(const PolarJob& polar, const simd::Kernels& kernels)
        : polar_(polar),
          kernels_(kernels),
          x_(Axis::x, polar.job),
          y_(Axis::y, polar.job),
          columns_(polar.radius / std::sqrt(polar.footprint.xx)),
          rows_(polar.radius * polar.footprint.reach_y),
          channels_(pixel_channels(polar.job.source.channels)),
          repeats_(channels_ == 2 ? 2 : 1),
          stride_((columns_.count + 7) / 8 * 8 * repeats_) {
        if (channels_ != 4 && stride_ > 8) stride_ = simd::stride_of(stride_);
        AxisTaps taps{columns_.count, {}, std::vector<float>(x_.whole.size() * size_t(columns_.count)), x_.places};
        for (const int whole : x_.whole) taps.first.push_back(whole + columns_.first);
        constexpr int most_weights = 1 << 14;  // of a tile: they fit the nearest cache but one several times
        tiles_ =
            column_tiles(polar.job.source, taps, std::clamp(most_weights / (stride_ * rows_.count) / 16 * 16, 32, 256));
        const std::set<float> parts(y_.part.begin(), y_.part.end());
        kept_ = parts.size() <= most_kept ? parts.size() : 1;
    }

    void write_rows(int first, int last) const override {
        for (const ColumnTile& tile : tiles_) {
            Work work(*this, tile);
            for (int j = first; j < last; ++j) write_tile_row(work, tile, j);
        }
    }

private:
    // Per thread, for a tile.
    struct Work {
        Work(const PolarWriter& writer, const ColumnTile& tile)
            : pixels(tile.slot.size()),
              numbers(pixels * size_t(writer.channels_)),
              part(pixels, writer.x_.part[size_t(tile.first + tile.count - 1)]),
              weights(writer.kept_),
              line_numbers((size_t(tile.texels) + size_t(writer.stride_)) * size_t(writer.channels_) + simd::padding),
              lines(size_t(writer.rows_.count)),
              sums(size_t(writer.rows_.count) * numbers),
              values(numbers + simd::padding),
              ones(size_t(writer.rows_.count), 1.0f) {
            std::copy_n(writer.x_.part.begin() + tile.first, tile.count, part.begin());
            std::map<float, size_t> places;
            for (const float each : part) {
                const auto [place, is_new] = places.try_emplace(each, different.size());
                if (is_new) different.push_back(each);
                as.push_back(place->second);
            }
        }

        // A stored row of the source as floats, in the tile's order.
        struct Line {
            int stored = -1;
            bool finite = true;
            std::vector<float> texels;
        };

        size_t pixels, numbers;        // padded to a multiple of 16
        std::vector<float> part;       // of the pixels' positions
        std::vector<float> different;  // of these, each once; and which of them a pixel's is
        std::vector<size_t> as;
        std::vector<float> of_different;
        std::vector<RowWeights> weights;
        size_t next_weights = 0;
        size_t line_numbers;
        std::vector<Line> lines;
        std::vector<float> sums, values, ones;
        std::vector<const void*> summed;
    };

    bool reaches(float dy) const { return polar_.footprint.yy * dy * dy < polar_.radius * polar_.radius; }

    const RowWeights& weights_at(Work& work, float part) const {
        for (const RowWeights& kept : work.weights)
            if (kept.part == part) return kept;
        RowWeights& made = work.weights[work.next_weights++ % work.weights.size()];
        made.part = part;
        const size_t stride = size_t(stride_), a_row = work.pixels * stride, different = work.different.size();
        made.values.resize(a_row * size_t(rows_.count));
        made.gains.assign(work.pixels, 0.0f);
        work.of_different.resize(different * stride);
        std::vector<float> sums(different);
        for (int k = 0; k < rows_.count; ++k) {
            const float dy = part - float(rows_.first + k);
            if (!reaches(dy)) continue;
            float* const row = made.values.data() + size_t(k) * a_row;
            float* const weights = different < work.pixels ? work.of_different.data() : row;
            kernels_.radial_weights(weights_of(polar_, polar_.footprint), work.different.data(), dy, columns_.first,
                                    int(different), stride_, repeats_, weights, sums.data());
            if (weights == row) continue;
            for (size_t n = 0; n < work.pixels; ++n)
                std::copy_n(weights + work.as[n] * stride, stride, row + n * stride);
        }
        for (size_t n = 0; n < work.pixels; ++n) {
            const float sum = sums[work.as[n]];
            made.gains[n] = sum != 0 ? 1 / sum : 0;
        }
        return made;
    }

    const typename Work::Line& line_of(Work& work, const ColumnTile& tile, int stored) const {
        typename Work::Line& line = work.lines[size_t(stored) % work.lines.size()];
        if (line.stored == stored) return line;
        const TexelArray& a = polar_.job.source;
        const size_t texel = size_t(a.channels) * size_t(bytes_per_sample(a.type));
        line.stored = stored;
        line.finite = true;
        line.texels.resize(work.line_numbers);
        const char* const texels = static_cast<const char*>(a.texels) + size_t(stored) * a.row_bytes;
        for (const ColumnTile::Run& run : tile.runs)
            line.finite &= convert_texels(kernels_, a, texels + size_t(run.stored) * texel, run.count,
                                          line.texels.data() + size_t(run.at) * size_t(channels_));
        return line;
    }

    void write_tile_row(Work& work, const ColumnTile& tile, int row) const {
        const ResampleJob& job = polar_.job;
        const RowWeights& weights = weights_at(work, y_.part[size_t(row)]);
        work.summed.clear();
        for (int k = 0; k < rows_.count; ++k) {
            if (!reaches(y_.part[size_t(row)] - float(rows_.first + k))) continue;
            const int stored =
                addressed(job.source.address.y, y_.whole[size_t(row)] + rows_.first + k, job.source.height);
            if (stored < 0) continue;
            const typename Work::Line& line = line_of(work, tile, stored);
            if (!line.finite) return write_one_by_one(tile, row);
            float* const sums = work.sums.data() + work.summed.size() * work.numbers;
            kernels_.filter_row[channels_ == 4 ? 2 : channels_ - 1](
                line.texels.data(), tile.slot.data(), weights.values.data() + size_t(k) * work.pixels * size_t(stride_),
                stride_, int(work.pixels), sums);
            work.summed.push_back(sums);
        }
        kernels_.sum_rows[int(SampleType::f32)](work.summed.data(), work.ones.data(), int(work.summed.size()),
                                                int(work.numbers), work.values.data());
        for (size_t n = 0; n < work.pixels; ++n)
            for (size_t c = 0; c < size_t(channels_); ++c) work.values[n * size_t(channels_) + c] *= weights.gains[n];
        store_values(kernels_, job, work.values.data(), x_.places, y_.places, tile.first, tile.count, row);
    }

    // A sample that is not finite counts only for pixels whose disc holds it.
    void write_one_by_one(const ColumnTile& tile, int row) const {
        detail::for_stored_type(polar_.job.source, [&]<class Sample, int C>() {
            using Source = LinearSource<Sample, C>;
            const Source source(polar_.job.source);
            for (int n = 0; n < tile.count; ++n)
                detail::polar_pixel<Source::channels>(source, polar_, tile.first + n, row);
        });
    }

    const PolarJob& polar_;
    const simd::Kernels& kernels_;
    AxisPositions x_, y_;
    Reach columns_, rows_;
    int channels_, repeats_;
    int stride_;   // weights of a pixel in a row of samples
    size_t kept_;  // sets of weights that a tile keeps
    std::vector<ColumnTile> tiles_;
};

// All other views, warps and points: pixel by pixel.
template <class Sample, int C> class PolarPixels {
public:
    static constexpr int channels = pixel_channels(C);

    PolarPixels(const PolarJob& polar, const simd::Kernels& kernels)
        : polar_(polar),
          source_(polar.job.source),
          patch_(kernels.radial_patch[int(polar.job.source.type)][C == 1 ? 0 : C - 2]) {}

    int columns() const { return simd::block; }
    void begin(int /*i*/, int /*count*/, int /*first*/, int /*last*/) const {}

    // The value at output pixel (i, j), which reads (x, y).
    void evaluate(int i, int j, double x, double y, float* value) const {
        const Footprint<float> f = footprint_at(polar_, i, j);
        if (from_image(f, x, y, value)) return;
        const auto sum = polar_sum(source_, polar_, f, x, y);
        std::copy_n(sum.v, channels, value);
    }

private:
    // False if samples under the disc are not stored side by side, or the sum is not finite.
    bool from_image(const Footprint<float>& f, double x, double y, float* value) const {
        const TexelArray& a = polar_.job.source;
        const Floored column = floored(x), row = floored(y);
        const float reach_x = polar_.radius * std::sqrt(f.yy / (f.xx * f.yy - f.xy * f.xy)),
                    reach_y = polar_.radius * f.reach_y;
        simd::PlaceOnSamples place{
            column.part, row.part, int(std::ceil(column.part - reach_x)), int(std::ceil(row.part - reach_y)), 0, 0};
        place.columns = int(std::floor(column.part + reach_x)) - place.left + 1;
        place.rows = int(std::floor(row.part + reach_y)) - place.top + 1;
        const int left = column.whole + place.left, top = row.whole + place.top;
        if (left < 0 || left + (place.columns + 7) / 8 * 8 + (C == 3 ? 1 : 0) > a.width || top < 0 ||
            top + place.rows > a.height)
            return false;
        const char* const texels =
            static_cast<const char*>(a.texels) + size_t(top) * a.row_bytes + size_t(left) * sizeof(Texel<Sample, C>);
        float sums[4];
        const float weights = patch_(weights_of(polar_, f), place, texels, a.row_bytes, sums);
        bool finite = weights != 0;
        for (int c = 0; c < channels; ++c) {
            value[c] = sums[c] / weights;
            finite &= value[c] * 0 == 0;
        }
        return finite;
    }

    const PolarJob& polar_;
    LinearSource<Sample, C> source_;
    float (*patch_)(const simd::RadialWeights&, const simd::PlaceOnSamples&, const void*, size_t, float*);
};

class PolarPixelWriter final : public RowWriter {
public:
    PolarPixelWriter(const PolarJob& polar, const simd::Kernels& kernels) : polar_(polar), kernels_(kernels) {}

    void write_rows(int first, int last) const override {
        detail::for_stored_type(polar_.job.source, [&]<class Sample, int C>() {
            if constexpr (C != 2)
                write_pixels<pixel_channels(C)>(kernels_, polar_.job, PolarPixels<Sample, C>(polar_, kernels_), first,
                                                last);
        });
    }

private:
    const PolarJob& polar_;
    const simd::Kernels& kernels_;
};

}  // namespace

std::unique_ptr<RowWriter> vector_rows(const PolarJob& polar, const simd::Kernels& kernels) {
    const ResampleJob& job = polar.job;
    const TexelArray& a = job.source;
    if (a.one_dimensional || a.margin_x != 0 || a.margin_y != 0) return nullptr;
    if (!job.points.x && job.positions.axis_aligned() && polar.kind != FootprintKind::points)
        return std::make_unique<PolarWriter>(polar, kernels);
    if (a.channels == 2) return nullptr;
    return std::make_unique<PolarPixelWriter>(polar, kernels);
}

}  // namespace texelscope
