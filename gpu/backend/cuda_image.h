#pragma once
// An image in device memory: linear for the path `global`, an array with textures for `lookup` and `hardware`.

#include <map>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/backend/cuda_handles.h"
#include "gpu/backend/job.h"

namespace texelscope {

// True where the device can read the memory. Throws Error where it is another device's.
bool is_device_memory(const void* memory, int device);

class CudaImage final : public ResidentImage {
public:
    // Samples: copied to the device before the constructor returns.
    CudaImage(const Image& image, cudaStream_t stream);

    // Over the caller's device memory.
    explicit CudaImage(const ImageView& view);
    ~CudaImage() override;

    // Room for texels that are computed from those of `source`.
    CudaImage(const CudaImage& source, const TexelArray& array, bool holds_coefficients);

    bool holds_coefficients() const { return holds_coefficients_; }
    const TexelArray& texels() const { return texels_; }
    void* computed() { return linear_.get(); }
    size_t size_bytes() const { return texels_.row_bytes * stored_height(); }

    // Whether a two-dimensional image is within the texture unit's limits.
    bool fits_texture(const DeviceLimits& limits) const {
        return stored_width() <= size_t(limits.texture_width) && stored_height() <= size_t(limits.texture_height);
    }

    // Fills in the texture handles for these address modes. The array is made at the first call, enqueued on the
    // stream after whatever writes the linear memory there. Throws Error where the texture unit's limits forbid it.
    void attach_textures(TexelArray& array, FetchPath path, const DeviceLimits& limits, cudaStream_t stream) const;

private:
    struct Textures {
        CudaTexture point, linear;
    };

    size_t stored_width() const { return size_t(width_) + 2 * size_t(texels_.margin_x); }
    size_t stored_height() const { return size_t(height_) + 2 * size_t(texels_.margin_y); }
    void make_array(const DeviceLimits& limits, cudaStream_t stream) const;
    CudaTexture make_texture(const AddressPair& address, bool normalised, cudaTextureFilterMode filter) const;
    CudaTexture make_linear_memory_texture(const DeviceLimits& limits) const;

    TexelArray texels_;
    bool holds_coefficients_;
    CudaMemory linear_;  // empty over the caller's memory
    // Made when a path first needs them; the image itself does not change.
    mutable CudaArray array_;
    mutable CudaTexture linear_memory_texture_;  // of a signal, for tex1Dfetch
    mutable std::map<int, Textures> textures_;  // by address pair
};

}  // namespace texelscope
