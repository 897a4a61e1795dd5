#include <algorithm>
#include <cmath>

#include "gpu/method/cpu_vector.h"

namespace texelscope {
namespace {

// Columns of a tile: so few that the filtered rows of a cubic fit the nearest cache; or, where none are kept, so many that
// stored rows are read in long runs, but their sums stay in the second cache.
int columns_of_tile(const ResampleJob& job, bool rows_first) {
    if (!rows_first) return 256;
    constexpr double texels = 4096;
    return int(std::clamp(texels / std::max(std::abs(job.positions.xx), 1.0), 64.0, 1024.0));
}

}  // namespace

// In instructions for each pixel of the output, as measured: columns first, rows are converted and filtered as often as
// there are new ones, and filtered ones are added; rows first, all that a row's pixels read are added, then filtered once,
// with those of other rows.
bool adds_rows_first(const ResampleJob& job, int taps_x, int taps_y) {
    const TexelArray& a = job.source;
    if (a.one_dimensional) return false;
    constexpr double lanes = 16, converting = 4, adding = 2, adding_stored = 1.6, filtering = 3, each_pixel = 10;
    const double filtering_sums = a.channels >= 3 ? 7 : 14;
    const double numbers = pixel_channels(a.channels) / lanes, stored = a.channels / lanes;
    const double texels = std::abs(job.positions.xx), new_rows = std::min(std::abs(job.positions.yy), double(taps_y));
    const double conversion = converting * texels * numbers, filter = each_pixel + filtering * taps_x * numbers;
    const double columns_first = new_rows * (conversion + filter) + adding * taps_y * numbers;
    return adding_stored * taps_y * texels * stored + filtering_sums < columns_first;
}

struct SeparableWriter::Work {
    Work(const ColumnTile& tile, int stored_channels, int places)
        : channels(pixel_channels(stored_channels)),
          held(size_t(places), -1),
          used_by(size_t(places), -1),
          row_numbers((tile.slot.size() * size_t(channels) + 15) / 16 * 16),
          filtered(row_numbers * size_t(places)) {
        const bool rows_first = places == 0;
        const int together = rows_first ? simd::SharedSums::most : 1;
        if (!rows_first) make_line(tile);
        else line_numbers = size_t(tile.texels + simd::max_taps) * size_t(stored_channels) + simd::padding;
        sums.resize(line_numbers * size_t(together));
        values.resize((row_numbers + simd::padding) * size_t(together));
        for (int n = 0; n < together; ++n) {
            sums_of[n] = sums.data() + line_numbers * size_t(n);
            values_of[n] = values.data() + (row_numbers + simd::padding) * size_t(n);
        }
    }

    void make_line(const ColumnTile& tile) {
        line.resize((size_t(tile.texels) + simd::max_taps) * size_t(channels) + simd::padding);
    }

    int channels;              // of a pixel
    std::vector<float> line;   // the texels of a row, or of a sum of rows, in the tile's order
    std::vector<int> held;     // the filtered row in each slot, −1: empty
    std::vector<int> used_by;  // the output row that last read it
    size_t row_numbers, line_numbers = 0;
    std::vector<float> filtered;
    std::vector<float> sums, values;  // of rows that are computed together
    float *sums_of[simd::SharedSums::most] = {}, *values_of[simd::SharedSums::most] = {};
    std::vector<const void*> rows;  // for an output row, with their weights
    std::vector<float> weights;
};

SeparableWriter::SeparableWriter(const ResampleJob& job, const AxisTaps& columns, AxisTaps rows,
                                 const simd::Kernels& kernels, bool any_order)
    : job_(job),
      kernels_(kernels),
      rows_first_(any_order && adds_rows_first(job, columns.taps, rows.taps)),
      tiles_(column_tiles(job.source, columns, columns_of_tile(job, rows_first_))),
      places_(columns.places),
      rows_(std::move(rows)),
      stored_height_(job.source.height + 2 * job.source.margin_y) {}

void SeparableWriter::write_rows(int first, int last) const {
    for (const ColumnTile& tile : tiles_) {
        Work work(tile, job_.source.channels, rows_first_ ? 0 : rows_.taps);
        if (!rows_first_)
            for (int j = first; j < last; ++j) write_tile_row(work, tile, j);
        else
            for (int j = first; j < last;) j += write_sums(work, tile, j, last);
    }
}

int SeparableWriter::rows_read(int first, int last) const {
    int end = 0;
    for (int j = first; j < last; ++j)
        for (int k = 0; k < rows_.taps; ++k)
            end = std::max(end, addressed(job_.source.address.y, rows_.first[size_t(j)] + k, stored_height_) + 1);
    return end;
}

void SeparableWriter::write_tile_row(Work& work, const ColumnTile& tile, int row) const {
    work.rows.clear();
    work.weights.clear();
    for_taps(row, [&](int stored, float weight) {
        work.rows.push_back(filtered_row(work, tile, stored, row));
        work.weights.push_back(weight);
    });
    kernels_.sum_rows[int(SampleType::f32)](work.rows.data(), work.weights.data(), int(work.rows.size()),
                                            int(work.row_numbers), work.values.data());
    store_values(kernels_, job_, work.values.data(), places_, rows_.places, tile.first, tile.count, row);
}

template <class Visit> void SeparableWriter::for_taps(int row, Visit visit) const {
    for (int k = 0; k < rows_.taps; ++k) {
        const float weight = rows_.weights[size_t(row) * size_t(rows_.taps) + size_t(k)];
        const int stored = addressed(job_.source.address.y, rows_.first[size_t(row)] + k, stored_height_);
        if (weight != 0 && stored >= 0) visit(stored, weight);  // else it is not read: it may be NaN
    }
}

// The taps of a row that are not 0 lie side by side: those without the ends that are. A zero between two others is one of them if
// nothing that is stored can be a NaN.
SeparableWriter::TapRange SeparableWriter::taps_side_by_side(int row) const {
    const float* w = rows_.weights.data() + size_t(row) * size_t(rows_.taps);
    int begin = 0, end = rows_.taps;
    while (begin < end && w[begin] == 0) ++begin;
    while (end > begin && w[end - 1] == 0) --end;
    const bool whole_numbers = job_.source.type == SampleType::u8 || job_.source.type == SampleType::u16;
    for (int k = begin; k < end; ++k) {
        const int stored = addressed(job_.source.address.y, rows_.first[size_t(row)] + k, stored_height_);
        if (stored < 0 || (w[k] == 0 && !whole_numbers)) return {};
    }
    return {rows_.first[size_t(row)] + begin, rows_.first[size_t(row)] + end, w + begin};
}

// Writes as many of the rows first … last − 1 as have taps that can be added together, and returns how many these are.
int SeparableWriter::write_sums(Work& work, const ColumnTile& tile, int first, int last) const {
    simd::SharedSums sums;
    work.rows.clear();
    work.weights.clear();
    TapRange newest;
    const auto follows = [](const TapRange& a, const TapRange& b) { return a.begin <= b.begin && a.end <= b.end; };
    for (int begin = 0; sums.count < simd::SharedSums::most && first + sums.count < last; ++sums.count) {
        const TapRange taps = taps_side_by_side(first + sums.count);
        if (!taps.weights || (sums.count > 0 && !follows(newest, taps))) break;
        if (sums.count == 0) begin = taps.begin;
        sums.first[sums.count] = taps.begin - begin;
        sums.taps[sums.count] = taps.end - taps.begin;
        sums.weights[sums.count] = taps.weights;
        for (int row = sums.count == 0 ? begin : newest.end; row < taps.end; ++row)
            work.rows.push_back(stored_row(addressed(job_.source.address.y, row, stored_height_)));
        newest = taps;
    }
    if (sums.count == 0) {
        for_taps(first, [&](int stored, float weight) {
            work.rows.push_back(stored_row(stored));
            work.weights.push_back(weight);
        });
        sums.count = 1;
        sums.taps[0] = int(work.rows.size());
        sums.weights[0] = work.weights.data();
    } else if (const int next = std::min(first + 2 * sums.count, last) - 1;
               next >= first + sums.count && sums.end() <= sums.count * rows_.taps) {  // and no row is left out
        const TapRange taps = taps_side_by_side(next);
        for (int row = newest.end; taps.weights && row < taps.end; ++row, ++sums.ahead)
            work.rows.push_back(stored_row(addressed(job_.source.address.y, row, stored_height_)));
    }
    filter_sums(work, tile, sums);
    for (int n = 0; n < sums.count; ++n)
        store_values(kernels_, job_, work.values_of[n], places_, rows_.places, tile.first, tile.count, first + n);
    return sums.count;
}

const void* SeparableWriter::stored_row(int stored) const {
    return static_cast<const char*>(job_.source.texels) + size_t(stored) * job_.source.row_bytes;
}

// Consecutive rows have different slots; if wrapped or mirrored ones collide, another slot that this output row does
// not use is taken. There are as many slots as taps.
const float* SeparableWriter::filtered_row(Work& work, const ColumnTile& tile, int stored, int row) const {
    const size_t places = work.held.size();
    size_t place = size_t(stored) % places;
    if (work.held[place] != stored) {
        while (work.used_by[place] == row) {
            place = (place + 1) % places;
            if (work.held[place] == stored) break;
        }
    }
    float* sums = work.filtered.data() + place * work.row_numbers;
    if (work.held[place] != stored) filter_stored(work, tile, stored, sums);
    work.held[place] = stored;
    work.used_by[place] = row;
    return sums;
}

void SeparableWriter::filter_stored(Work& work, const ColumnTile& tile, int stored, float* sums) const {
    const TexelArray& a = job_.source;
    const char* texels = static_cast<const char*>(stored_row(stored));
    const size_t texel = size_t(a.channels) * size_t(bytes_per_sample(a.type));
    bool finite = true;
    for (const ColumnTile::Run& run : tile.runs)
        finite &= convert_texels(kernels_, a, texels + size_t(run.stored) * texel, run.count,
                                 work.line.data() + size_t(run.at) * size_t(work.channels));
    filter(work, tile, finite, sums);
}

// Filters sums of work.rows, into work.values.
void SeparableWriter::filter_sums(Work& work, const ColumnTile& tile, simd::SharedSums& sums) const {
    const TexelArray& a = job_.source;
    const size_t channels = size_t(a.channels), texel = channels * size_t(bytes_per_sample(a.type));
    bool finite = true;
    size_t column = 0;  // to which the rows were moved
    for (const ColumnTile::Run& run : tile.runs) {
        for (const void*& row : work.rows)
            row = static_cast<const char*>(row) + (ptrdiff_t(run.stored) - ptrdiff_t(column)) * ptrdiff_t(texel);
        column = size_t(run.stored);
        sums.rows = work.rows.data();
        sums.numbers = run.count * a.channels;
        for (int n = 0; n < sums.count; ++n) sums.sums[n] = work.sums_of[n] + size_t(run.at) * channels;
        finite &= kernels_.sum_shared_rows[int(a.type)](sums);
    }
    const simd::ColumnTaps taps{.slot = tile.slot.data(),
                                .used = tile.used.data(),
                                .weights = tile.weights.data(),
                                .stride = tile.stride,
                                .count = int(tile.slot.size())};
    const auto filter_lines = [&](int first, int count) {
        kernels_.filter_lines[channels - 1](taps, work.sums_of + first, count, work.values_of + first);
    };
    if (finite) return filter_lines(0, sums.count);
    TexelArray as_floats = a;
    as_floats.type = SampleType::f32;
    work.make_line(tile);
    for (int n = 0; n < sums.count; ++n) {
        if (convert_texels(kernels_, as_floats, work.sums_of[n], tile.texels, work.line.data())) filter_lines(n, 1);
        else filter_carefully(work, tile, work.values_of[n]);
    }
}

// The line, along x.
void SeparableWriter::filter(const Work& work, const ColumnTile& tile, bool finite, float* sums) const {
    if (!finite) return filter_carefully(work, tile, sums);
    kernels_.filter_row[work.channels == 4 ? 2 : work.channels - 1](
        work.line.data(), tile.slot.data(), tile.weights.data(), tile.stride, int(tile.slot.size()), sums);
}

// Taps of weight zero are not read: a NaN there is outside the method's support.
void SeparableWriter::filter_carefully(const Work& work, const ColumnTile& tile, float* sums) const {
    const size_t channels = size_t(work.channels), repeats = channels == 2 ? 2 : 1;
    for (size_t n = 0; n < tile.slot.size(); ++n) {
        const float* w = tile.weights.data() + n * size_t(tile.stride);
        for (size_t c = 0; c < channels; ++c) {
            const float* texel = work.line.data() + size_t(tile.slot[n]) * channels + c;
            float sum = 0;
            for (size_t k = 0; k < size_t(tile.stride) / repeats; ++k)
                if (w[k * repeats] != 0) sum += w[k * repeats] * texel[k * channels];
            sums[n * channels + c] = sum;
        }
    }
}

}  // namespace texelscope
