#include "gpu/method/cpu_separable.h"

#include <algorithm>
#include <cmath>

#include "gpu/method/cpu_columns.h"
#include "gpu/method/cpu_texels.h"

namespace texelscope {

struct SeparableWriter::Work {
    Work(const ColumnTile& tile, int channels, int places)
        : line((size_t(tile.texels) + simd::max_taps) * size_t(channels) + simd::padding),
          held(size_t(places), -1),
          used_by(size_t(places), -1),
          row_numbers((tile.slot.size() * size_t(channels) + 15) / 16 * 16),
          filtered(row_numbers * size_t(places)),
          values(row_numbers + simd::padding) {}

    std::vector<float> line;   // the texels of a row, in the tile's order
    std::vector<int> held;     // the filtered row in each slot, −1: empty
    std::vector<int> used_by;  // the output row that last read it
    size_t row_numbers;
    std::vector<float> filtered, values;
    std::vector<const float*> rows;  // for an output row, with their weights
    std::vector<float> weights;
};

SeparableWriter::SeparableWriter(const ResampleJob& job, const AxisTaps& columns, AxisTaps rows,
                                 const simd::Kernels& kernels)
    : job_(job),
      kernels_(kernels),
      tiles_(column_tiles(job.source, columns)),
      places_(columns.places),
      rows_(std::move(rows)),
      stored_height_(job.source.height + 2 * job.source.margin_y) {}

void SeparableWriter::write_rows(int first, int last) const {
    for (const ColumnTile& tile : tiles_) {
        Work work(tile, pixel_channels(job_.source.channels), rows_.taps);
        for (int j = first; j < last; ++j) write_tile_row(work, tile, j);
    }
}

void SeparableWriter::write_tile_row(Work& work, const ColumnTile& tile, int row) const {
    work.rows.clear();
    work.weights.clear();
    for (int k = 0; k < rows_.taps; ++k) {
        const float weight = rows_.weights[size_t(row) * size_t(rows_.taps) + size_t(k)];
        const int stored = addressed(job_.source.address.y, rows_.first[size_t(row)] + k, stored_height_);
        if (weight == 0 || stored < 0) continue;  // not read: it may be NaN
        work.rows.push_back(filtered_row(work, tile, stored, row));
        work.weights.push_back(weight);
    }
    kernels_.sum_rows(work.rows.data(), work.weights.data(), int(work.rows.size()), int(work.row_numbers),
                      work.values.data());
    store(work, tile, row);
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
    if (work.held[place] != stored) filter(work, tile, stored, sums);
    work.held[place] = stored;
    work.used_by[place] = row;
    return sums;
}

void SeparableWriter::filter(Work& work, const ColumnTile& tile, int stored, float* sums) const {
    const TexelArray& a = job_.source;
    const char* texels = static_cast<const char*>(a.texels) + size_t(stored) * a.row_bytes;
    const int channels = pixel_channels(a.channels);
    const size_t texel = size_t(a.channels) * size_t(bytes_per_sample(a.type));
    bool finite = true;
    for (const ColumnTile::Run& run : tile.runs)
        finite &= convert_texels(kernels_, a, texels + size_t(run.stored) * texel, run.count,
                                 work.line.data() + size_t(run.at) * size_t(channels));
    if (!finite) return filter_carefully(work, tile, sums);
    kernels_.filter_row[channels == 4 ? 2 : channels - 1](work.line.data(), tile.slot.data(), tile.weights.data(),
                                                          tile.stride, int(tile.slot.size()), sums);
}

// Taps of weight zero are not read: a NaN there is outside the method's support.
void SeparableWriter::filter_carefully(const Work& work, const ColumnTile& tile, float* sums) const {
    const size_t channels = size_t(pixel_channels(job_.source.channels)), repeats = channels == 2 ? 2 : 1;
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

void SeparableWriter::store(const Work& work, const ColumnTile& tile, int row) const {
    const PixelPlace* columns = places_.empty() ? nullptr : places_.data() + tile.first;
    const PixelPlace of_row = rows_.places.empty() ? PixelPlace::inside : rows_.places[size_t(row)];
    if (of_row == PixelPlace::inside)
        return store_values(kernels_, job_, work.values.data(), columns, tile.first, tile.count, row);
    std::vector<PixelPlace> places(size_t(tile.count), of_row);
    for (int n = 0; columns && n < tile.count; ++n)
        if (columns[n] == PixelPlace::outside) places[size_t(n)] = PixelPlace::outside;
    store_values(kernels_, job_, work.values.data(), places.data(), tile.first, tile.count, row);
}

}  // namespace texelscope
