#include <algorithm>
#include <cmath>

#include "gpu/method/cpu_vector.h"

namespace texelscope {
namespace {

// Columns of a tile: so few that the filtered rows of a cubic fit the nearest cache; or, where none are kept, so many that
// stored rows are read in long runs, but those of four output rows and the sums stay in the second cache.
int columns_of_tile(const ResampleJob& job, bool rows_first) {
    const TexelArray& a = job.source;
    if (!rows_first) return 1024 / pixel_channels(a.channels);
    const double texels = std::min(12288.0 / (a.channels * bytes_per_sample(a.type)), 4096.0);
    return int(std::clamp(texels / std::max(std::abs(job.positions.xx), 1.0), 64.0, 1024.0));
}

bool filters_pairs(const TexelArray& texels, int taps) { return texels.channels == 1 && taps == 2; }

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
    const double conversion = converting * texels * numbers,
                 filter = filters_pairs(a, taps_x) ? filtering : each_pixel + filtering * taps_x * numbers;
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
      tiles_(column_tiles(job.source, columns, columns_of_tile(job, rows_first_),
                          !rows_first_ && filters_pairs(job.source, columns.taps))),
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
    float* const to = places_.empty() && rows_.places.empty() ? row_of_floats(job_, row) : nullptr;
    kernels_.sum_rows[int(SampleType::f32)](work.rows.data(), work.weights.data(), int(work.rows.size()),
                                            to ? tile.count * work.channels : int(work.row_numbers),
                                            to ? to + tile.first * work.channels : work.values.data());
    if (to) return;
    store_values(kernels_, job_, work.values.data(), places_, rows_.places, tile.first, tile.count, row);
}

template <class Visit> void SeparableWriter::for_taps(int row, Visit visit) const {
    for (int k = 0; k < rows_.taps; ++k) {
        const float weight = rows_.weights[size_t(row) * size_t(rows_.taps) + size_t(k)];
        const int stored = addressed(job_.source.address.y, rows_.first[size_t(row)] + k, stored_height_);
        if (weight != 0 && stored >= 0) visit(stored, weight);  // else it is not read: it may be NaN
    }
}

// The taps of a row without those at both ends that are 0; nothing if one of them is not stored.
SeparableWriter::TapRange SeparableWriter::stored_taps(int row) const {
    const float* w = rows_.weights.data() + size_t(row) * size_t(rows_.taps);
    int begin = 0, end = rows_.taps;
    while (begin < end && w[begin] == 0) ++begin;
    while (end > begin && w[end - 1] == 0) --end;
    for (int k = begin; k < end; ++k)
        if (addressed(job_.source.address.y, rows_.first[size_t(row)] + k, stored_height_) < 0) return {};
    return {rows_.first[size_t(row)] + begin, rows_.first[size_t(row)] + end, w + begin};
}

// Taps of as many rows, from `first` to last − 1, as can be added together; none if the first row cannot.
simd::SharedSums SeparableWriter::sums_together(Work& work, int first, int last) const {
    simd::SharedSums sums;
    work.rows.clear();
    int begin = 0;
    TapRange newest;
    const auto add_rows_to = [&](int end) {
        for (int row = newest.end; row < end; ++row)
            work.rows.push_back(stored_row(addressed(job_.source.address.y, row, stored_height_)));
    };
    for (; sums.count < simd::SharedSums::most && first + sums.count < last; ++sums.count) {
        const TapRange taps = stored_taps(first + sums.count);
        if (!taps.weights) break;
        if (sums.count == 0) begin = newest.end = taps.begin;
        else if (taps.begin < newest.begin || taps.end < newest.end) break;
        add_rows_to(taps.end);
        sums.first[sums.count] = taps.begin - begin;
        sums.taps[sums.count] = taps.end - taps.begin;
        sums.weights[sums.count] = taps.weights;
        sums.sums[sums.count] = work.sums_of[sums.count];
        newest = taps;
    }
    const int next = std::min(first + 2 * sums.count, last) - 1;
    if (sums.count > 0 && next >= first + sums.count &&
        sums.end() <= sums.count * rows_.taps) {  // and none is left out
        if (const TapRange taps = stored_taps(next); taps.weights && taps.end > newest.end) {
            add_rows_to(taps.end);
            sums.ahead = taps.end - newest.end;
        }
    }
    return sums;
}

// Adds work.rows along the tile's runs. Are all sums finite?
bool SeparableWriter::add_stored(Work& work, const ColumnTile& tile, simd::SharedSums sums) const {
    const TexelArray& a = job_.source;
    const size_t channels = size_t(a.channels), texel = channels * size_t(bytes_per_sample(a.type));
    sums.rows = work.rows.data();
    bool finite = true;
    size_t column = 0;  // to which the rows were moved
    for (const ColumnTile::Run& run : tile.runs) {
        for (const void*& row : work.rows)
            row = static_cast<const char*>(row) + (ptrdiff_t(run.stored) - ptrdiff_t(column)) * ptrdiff_t(texel);
        column = size_t(run.stored);
        simd::SharedSums part = sums;
        part.numbers = run.count * a.channels;
        for (int n = 0; n < sums.count; ++n) part.sums[n] += size_t(run.at) * channels;
        finite &= kernels_.sum_shared_rows[int(a.type)](part);
    }
    return finite;
}

void SeparableWriter::filter_lines(const ColumnTile& tile, const float* const* lines, int count,
                                   float* const* values) const {
    kernels_.filter_lines[job_.source.channels - 1]({.slot = tile.slot.data(),
                                                     .used = tile.used.data(),
                                                     .weights = tile.weights.data(),
                                                     .stride = tile.stride,
                                                     .count = int(tile.slot.size())},
                                                    lines, count, values);
}

// Rows of weight 0 are not read: they may hold a NaN.
void SeparableWriter::filter_sum_alone(Work& work, const ColumnTile& tile, int row, float* values) const {
    work.rows.clear();
    work.weights.clear();
    for_taps(row, [&](int stored, float weight) {
        work.rows.push_back(stored_row(stored));
        work.weights.push_back(weight);
    });
    simd::SharedSums sum;
    sum.count = 1;
    sum.taps[0] = int(work.rows.size());
    sum.weights[0] = work.weights.data();
    sum.sums[0] = work.sums_of[0];
    if (add_stored(work, tile, sum)) return filter_lines(tile, work.sums_of, 1, &values);
    TexelArray as_floats = job_.source;
    as_floats.type = SampleType::f32;
    work.make_line(tile);
    convert_texels(kernels_, as_floats, work.sums_of[0], tile.texels, work.line.data());
    filter_carefully(work, tile, values);
}

// Writes some of the rows first … last − 1, and returns how many.
int SeparableWriter::write_sums(Work& work, const ColumnTile& tile, int first, int last) const {
    const simd::SharedSums sums = sums_together(work, first, last);
    const int count = std::max(sums.count, 1);
    if (sums.count > 0 && add_stored(work, tile, sums)) filter_lines(tile, work.sums_of, count, work.values_of);
    else
        for (int n = 0; n < count; ++n) filter_sum_alone(work, tile, first + n, work.values_of[n]);
    for (int n = 0; n < count; ++n)
        store_values(kernels_, job_, work.values_of[n], places_, rows_.places, tile.first, tile.count, first + n);
    return count;
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
    const bool as_stored = tile.stride == 2 && a.type == SampleType::f32 && tile.runs.size() == 1 &&
                           tile.runs.front().count == tile.texels;
    if (as_stored && kernels_.filter_pairs(reinterpret_cast<const float*>(texels) + tile.runs.front().stored,
                                           tile.slot.data(), tile.weights.data(), int(tile.slot.size()), sums))
        return;
    bool finite = true;
    for (const ColumnTile::Run& run : tile.runs)
        finite &= convert_texels(kernels_, a, texels + size_t(run.stored) * texel, run.count,
                                 work.line.data() + size_t(run.at) * size_t(work.channels));
    filter(work, tile, finite, sums);
}

// The line, along x.
void SeparableWriter::filter(const Work& work, const ColumnTile& tile, bool finite, float* sums) const {
    const int count = int(tile.slot.size());
    if (finite && tile.stride == 2)
        finite = kernels_.filter_pairs(work.line.data(), tile.slot.data(), tile.weights.data(), count, sums);
    if (!finite) return filter_carefully(work, tile, sums);
    if (tile.stride == 2) return;
    kernels_.filter_row[work.channels == 4 ? 2 : work.channels - 1](work.line.data(), tile.slot.data(),
                                                                    tile.weights.data(), tile.stride, count, sums);
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
