#include "app/studies/bench/memory.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "gpu/backend/source_image.h"
#include "gpu/core/half.h"

namespace texelscope {
namespace {

template <class Sample, class Convert> std::vector<std::byte> noise_bytes(size_t bytes, Convert convert) {
    std::vector<std::byte> tile(bytes);
    std::minstd_rand random(1);
    std::uniform_real_distribution<float> uniform(0, 1);
    for (size_t i = 0; i + sizeof(Sample) <= bytes; i += sizeof(Sample)) {
        const Sample sample = convert(uniform(random));
        std::memcpy(&tile[i], &sample, sizeof sample);
    }
    return tile;
}

std::vector<std::byte> noise_tile(SampleType type, size_t bytes) {
    switch (type) {
        case SampleType::u8: return noise_bytes<uint8_t>(bytes, [](float v) { return uint8_t(v * 255); });
        case SampleType::u16: return noise_bytes<uint16_t>(bytes, [](float v) { return uint16_t(v * 65535); });
        case SampleType::f16: return noise_bytes<uint16_t>(bytes, [](float v) { return float_to_half(v); });
        default: return noise_bytes<float>(bytes, [](float v) { return v; });
    }
}

}  // namespace

std::string name_of(const PixelFormat& format) { return fmt::format("{}x{}", name_of(format.type), format.channels); }

size_t bytes_in_turn(BackendKind kind) { return size_t(kind == BackendKind::cuda ? 256 : 64) << 20; }

int copies_in_turn(BackendKind kind, size_t bytes_of_each) {
    const size_t wanted = (bytes_in_turn(kind) + bytes_of_each - 1) / std::max<size_t>(bytes_of_each, 1);
    return int(std::clamp<size_t>(wanted, 1, most_in_turn));
}

std::shared_ptr<void> noise_memory(BackendMemory& backend, SampleType type, size_t bytes) {
    std::shared_ptr<void> memory = backend.allocate(bytes);
    auto* begin = static_cast<std::byte*>(memory.get());
    const std::vector<std::byte> tile = noise_tile(type, std::min(bytes, size_t(1) << 20));
    backend.write(begin, tile.data(), tile.size());
    for (size_t filled = tile.size(); filled < bytes;) {
        const size_t more = std::min(filled, bytes - filled);
        backend.copy(begin + filled, begin, more);
        filled += more;
    }
    backend.synchronize();
    return memory;
}

void BenchOutputs::make(size_t bytes, int copies) {
    bytes_ = (bytes + 255) / 256 * 256;
    copies_ = copies;
    const size_t needed = bytes_ * size_t(copies);
    if (needed <= all_) return;
    memory_.reset();
    all_ = 0;
    memory_ = noise_memory(*backend_, SampleType::u8, needed);
    all_ = needed;
}

BenchSources::BenchSources(const std::shared_ptr<Backend>& backend, PixelFormat format, int width, int height,
                           int copies) {
    const size_t bytes = size_t(width) * size_t(height) * format.texel_bytes();
    for (int k = 0; k < copies; ++k) {
        try {
            memory_.push_back(noise_memory(*backend, format.type, bytes));
        } catch (const OutOfMemory&) {
            if (k == 0) throw;
            return;
        }
        const ImageView view{memory_.back().get(), width, height, format.channels, format.type};
        sources_.push_back(std::make_unique<SourceImage>(backend, view));
    }
}

}  // namespace texelscope
