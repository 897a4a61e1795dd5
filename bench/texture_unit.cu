// Records the values of the texture unit's linear-filtered fetches, as CSV, for docs/texture-unit.md.
//   texture_unit [FOLDER]
// fraction.csv    1-D ramp between two texels: position → value, at several texels, plain and normalised coordinates
// blend.csv       2×2 texels of every format at many fractions: returned value against the exact bilinear blend
// levels.csv      the level that an anisotropic fetch reads, by the sides of its footprint in texels and the largest anisotropy
// probes.csv      its response to one column of texels, of the level for the shorter side

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

__global__ void fetch(cudaTextureObject_t texture, const float2* at, float* values, int count) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) values[i] = tex2D<float>(texture, at[i].x, at[i].y);
}

template <class T> struct Texture {
    cudaArray_t array = nullptr;
    cudaTextureObject_t object = 0;

    Texture(const std::vector<T>& texels, int width, int height, cudaChannelFormatDesc format, bool normalised,
            cudaTextureAddressMode mode) {
        check(cudaMallocArray(&array, &format, size_t(width), size_t(height)), "array");
        check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), size_t(width) * sizeof(T), size_t(width) * sizeof(T),
                                  size_t(height), cudaMemcpyHostToDevice),
              "copy");
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = mode;
        description.filterMode = cudaFilterModeLinear;
        description.readMode =
            format.f == cudaChannelFormatKindUnsigned ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        description.normalizedCoords = normalised;
        check(cudaCreateTextureObject(&object, &resource, &description, nullptr), "texture");
    }
    ~Texture() {
        cudaDestroyTextureObject(object);
        cudaFreeArray(array);
    }
    std::vector<float> read(const std::vector<float2>& at) const {
        float2* positions = nullptr;
        float* values = nullptr;
        const int count = int(at.size());
        check(cudaMalloc(&positions, at.size() * sizeof(float2)), "positions");
        check(cudaMalloc(&values, at.size() * sizeof(float)), "values");
        check(cudaMemcpy(positions, at.data(), at.size() * sizeof(float2), cudaMemcpyHostToDevice), "positions");
        fetch<<<unsigned(count + 255) / 256, 256>>>(object, positions, values, count);
        std::vector<float> result(at.size());
        check(cudaMemcpy(result.data(), values, at.size() * sizeof(float), cudaMemcpyDeviceToHost), "values");
        cudaFree(positions);
        cudaFree(values);
        return result;
    }
};

// Texel t holds 0, texel t + 1 holds 1: the value is the fraction.
void probe_fraction(const std::string& folder) {
    std::FILE* out = std::fopen((folder + "/fraction.csv").c_str(), "w");
    std::fprintf(out, "width,normalised,mode,texel,coordinate,value\n");
    const auto f32 = cudaCreateChannelDesc<float>();
    for (const int width :
         {2,    3,    5,    7,    16,   33,   100,   255,   257,   500,   1000,  1025,  2000,   2049,
          3000, 4096, 4097, 6000, 8191, 9000, 16383, 17000, 30000, 33000, 50000, 65537, 100000, 131071})
        for (const int texel : {0, width / 2 - 1, width - 2}) {
            if (texel < 0) continue;
            std::vector<float> texels(size_t(width) * 2, 0.0f);
            for (int row = 0; row < 2; ++row)
                for (int i = texel + 1; i < width; ++i) texels[size_t(row) * size_t(width) + size_t(i)] = 1.0f;
            for (int mode = -1; mode < 4; ++mode) {  // −1: plain coordinates, clamp
                const bool normalised = mode >= 0;
                const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                                        cudaAddressModeMirror, cudaAddressModeBorder};
                const Texture<float> texture(texels, width, 2, f32, normalised, modes[normalised ? mode : 1]);
                std::vector<float2> at;
                constexpr int steps = 1024;  // 4 positions between neighbouring 8-bit fractions, ties among them
                for (int k = 0; k <= steps; ++k)
                    for (const double d : {0.0, -1e-5, 1e-5}) {
                        const double x = texel + 0.5 + (k + d) / steps;
                        at.push_back(normalised ? float2{float(x / width), 0.25f} : float2{float(x), 0.5f});
                    }
                const std::vector<float> values = texture.read(at);
                for (size_t i = 0; i < at.size(); ++i)
                    std::fprintf(out, "%d,%d,%d,%d,%.9g,%.9g\n", width, normalised, mode, texel, double(at[i].x),
                                 double(values[i]));
            }
        }
    std::fclose(out);
}

template <class T>
void probe_blend(std::FILE* out, const char* name, cudaChannelFormatDesc format, std::vector<T> texels,
                 const double (&stored)[4]) {
    const Texture<T> texture(texels, 2, 2, format, false, cudaAddressModeClamp);
    std::vector<float2> at;
    for (int b = 0; b <= 256; b += 3)
        for (int a = 0; a <= 256; a += 3) at.push_back({0.5f + float(a) / 256, 0.5f + float(b) / 256});
    const std::vector<float> values = texture.read(at);
    for (size_t i = 0; i < at.size(); ++i)
        std::fprintf(out, "%s,%.9g,%.9g,%.9g,%.9g,%g,%g,%.9g\n", name, stored[0], stored[1], stored[2], stored[3],
                     double((at[i].x - 0.5f) * 256), double((at[i].y - 0.5f) * 256), double(values[i]));
}

void probe_blends(const std::string& folder) {
    std::FILE* out = std::fopen((folder + "/blend.csv").c_str(), "w");
    std::fprintf(out, "format,t00,t10,t01,t11,a,b,value\n");
    std::mt19937 random(7);
    for (int round = 0; round < 3; ++round) {
        double stored[4];
        std::vector<uint8_t> u8(4);
        std::vector<uint16_t> u16(4), f16(4);
        std::vector<float> f32(4);
        const uint16_t halves[4] = {0x3555, 0x3b33, 0x2e66, 0x3c00};  // 0.333, 0.9, 0.1, 1
        for (int i = 0; i < 4; ++i) stored[i] = (u8[size_t(i)] = uint8_t(round ? random() : (i == 3) * 255u)) / 255.0;
        probe_blend(out, "u8", cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned), u8, stored);
        for (int i = 0; i < 4; ++i)
            stored[i] = (u16[size_t(i)] = uint16_t(round ? random() : (i == 3) * 65535u)) / 65535.0;
        probe_blend(out, "u16", cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindUnsigned), u16, stored);
        for (int i = 0; i < 4; ++i) {
            f16[size_t(i)] = halves[(i + round) % 4];
            const int bits = f16[size_t(i)];
            stored[i] = std::ldexp(1024.0 + (bits & 1023), (bits >> 10) - 25);
        }
        probe_blend(out, "f16", cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat), f16, stored);
        for (int i = 0; i < 4; ++i)
            stored[i] = f32[size_t(i)] = round ? float(random()) / 4294967296.0f : float(i == 3);
        probe_blend(out, "f32", cudaCreateChannelDesc<float>(), f32, stored);
    }
    std::fclose(out);
}

__global__ void fetch_footprint(cudaTextureObject_t texture, const float* at, float2 dx, float2 dy, float* values,
                                int count) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) values[i] = tex2DGrad<float>(texture, at[i], 0.5f, dx, dy);
}

// A square picture with all its mip levels, read by footprints.
class Mipmaps {
public:
    static constexpr int side = 1024, levels = 11;

    // value(level, column)
    template <class Value> Mipmaps(int most_anisotropic, Value value) {
        const auto f32 = cudaCreateChannelDesc<float>();
        check(cudaMallocMipmappedArray(&mipmaps_, &f32, make_cudaExtent(side, side, 0), levels), "mipmapped array");
        for (int level = 0; level < levels; ++level) {
            const size_t width = size_t(side >> level);
            std::vector<float> texels(width * width);
            for (size_t i = 0; i < texels.size(); ++i) texels[i] = value(level, int(i % width));
            cudaArray_t array = nullptr;
            check(cudaGetMipmappedArrayLevel(&array, mipmaps_, unsigned(level)), "level");
            check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(float), width * sizeof(float), width,
                                      cudaMemcpyHostToDevice),
                  "copy");
        }
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = mipmaps_;
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeWrap;
        description.filterMode = description.mipmapFilterMode = cudaFilterModeLinear;
        description.readMode = cudaReadModeElementType;
        description.normalizedCoords = true;
        description.maxAnisotropy = unsigned(most_anisotropic);
        description.maxMipmapLevelClamp = levels - 1;
        check(cudaCreateTextureObject(&object_, &resource, &description, nullptr), "texture");
    }
    ~Mipmaps() {
        cudaDestroyTextureObject(object_);
        cudaFreeMipmappedArray(mipmaps_);
    }
    // At these columns, in texels of level 0; steps to the next pixel to the right and below, too.
    std::vector<float> read(std::vector<float> columns, float2 dx, float2 dy) const {
        for (float& column : columns) column /= side;
        float *at = nullptr, *values = nullptr;
        const size_t bytes = columns.size() * sizeof(float);
        check(cudaMalloc(&at, bytes), "positions");
        check(cudaMalloc(&values, bytes), "values");
        check(cudaMemcpy(at, columns.data(), bytes, cudaMemcpyHostToDevice), "positions");
        const int count = int(columns.size());
        fetch_footprint<<<unsigned(count + 255) / 256, 256>>>(object_, at, {dx.x / side, dx.y / side},
                                                              {dy.x / side, dy.y / side}, values, count);
        std::vector<float> result(columns.size());
        check(cudaMemcpy(result.data(), values, bytes, cudaMemcpyDeviceToHost), "values");
        cudaFree(at);
        cudaFree(values);
        return result;
    }

private:
    cudaMipmappedArray_t mipmaps_ = nullptr;
    cudaTextureObject_t object_ = 0;
};

void probe_levels(const std::string& folder) {
    std::FILE* out = std::fopen((folder + "/levels.csv").c_str(), "w");
    std::fprintf(out, "most,longer,shorter,degrees,level\n");
    for (const int most : {1, 2, 4, 8, 16}) {
        const Mipmaps ramp(most, [](int level, int) { return float(level); });
        for (const double degrees : {0.0, 30.0, 45.0})
            for (const float shorter : {0.5f, 1.0f, 1.5f, 2.0f, 4.0f})
                for (float longer = shorter; longer <= 40; longer += 0.125f) {
                    const float c = float(std::cos(degrees * 0.017453292519943295)),
                                s = float(std::sin(degrees * 0.017453292519943295));
                    const float level = ramp.read({512}, {longer * c, longer * s}, {-shorter * s, shorter * c}).front();
                    std::fprintf(out, "%d,%g,%g,%g,%.9g\n", most, double(longer), double(shorter), degrees,
                                 double(level));
                }
    }
    std::fclose(out);
}

void probe_probes(const std::string& folder) {
    std::FILE* out = std::fopen((folder + "/probes.csv").c_str(), "w");
    std::fprintf(out, "most,longer,shorter,offset,value\n");
    for (const int most : {2, 4, 8, 16})
        for (int level = 0; level < 3; ++level) {
            const float shorter = float(1 << level);
            const Mipmaps column(
                most, [&](int of, int x) { return of == level && x == (Mipmaps::side >> (level + 1)) ? 1.0f : 0.0f; });
            for (const float ratio : {1.0f, 1.25f, 1.5f, 2.0f, 2.5f, 3.0f, 4.0f, 5.0f, 6.0f, 8.0f, 12.0f, 16.0f}) {
                std::vector<float> offsets, columns;
                for (float offset = -12; offset <= 12; offset += 1.0f / 32) {
                    offsets.push_back(offset);
                    columns.push_back(float(Mipmaps::side) / 2 + shorter * (0.5f + offset));
                }
                const std::vector<float> values = column.read(columns, {ratio * shorter, 0}, {0, shorter});
                for (size_t i = 0; i < offsets.size(); ++i)
                    std::fprintf(out, "%d,%g,%g,%g,%.9g\n", most, double(ratio * shorter), double(shorter),
                                 double(offsets[i]), double(values[i]));
            }
        }
    std::fclose(out);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string folder = argc > 1 ? argv[1] : ".";
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "no CUDA device");
    probe_fraction(folder);
    probe_blends(folder);
    probe_levels(folder);
    probe_probes(folder);
    std::printf(
        "texture unit of %s (compute capability %d.%d): wrote fraction.csv, blend.csv, levels.csv and probes.csv "
        "in %s\n",
        properties.name, properties.major, properties.minor, folder.c_str());
}
