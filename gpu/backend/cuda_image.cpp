#include "gpu/backend/cuda_image.h"

#include <fmt/format.h>

namespace texelscope {
namespace {

cudaChannelFormatDesc channel_format(SampleType type, int channels) {
    const int bits = 8 * bytes_per_sample(type);
    const auto kind = type == SampleType::u8 || type == SampleType::u16 ? cudaChannelFormatKindUnsigned
                                                                        : cudaChannelFormatKindFloat;
    return cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind);
}

cudaTextureAddressMode cuda_address_mode(AddressMode mode) {
    switch (mode) {
        case AddressMode::clamp: return cudaAddressModeClamp;
        case AddressMode::border: return cudaAddressModeBorder;
        case AddressMode::wrap: return cudaAddressModeWrap;
        case AddressMode::mirror: return cudaAddressModeMirror;
    }
    return cudaAddressModeClamp;
}

}  // namespace

CudaImage::CudaImage(const Image& image, cudaStream_t stream)
    : ResidentImage(image.width(), image.height(), image.channels(),
                    image.alpha() == Alpha::none ? Alpha::none : Alpha::premultiplied),
      holds_coefficients_(false) {
    const Image samples = resident_form(image);
    texels_.row_bytes = samples.row_bytes();
    texels_.type = samples.type();
    texels_.channels = samples.channels();
    texels_.width = width_;
    texels_.height = height_;
    linear_ = allocate_device_memory(samples.size_bytes());
    texels_.texels = linear_.get();
    cuda_check(cudaMemcpyAsync(linear_.get(), samples.data(), samples.size_bytes(), cudaMemcpyHostToDevice, stream),
               "cannot copy the image to the GPU");
    cuda_check(cudaStreamSynchronize(stream), "cannot copy the image to the GPU");
}

CudaImage::CudaImage(const CudaImage& samples, const AddressPair& address)
    : ResidentImage(samples.width(), samples.height(), samples.channels(), samples.alpha()),
      texels_(coefficient_array(width_, height_, channels_, address)), holds_coefficients_(true),
      linear_(allocate_device_memory(size_bytes())) {
    texels_.texels = linear_.get();
}

void CudaImage::make_array(const BackendInfo& limits, cudaStream_t stream) const {
    const size_t w = stored_width(), h = stored_height();
    if (w > size_t(limits.max_texture_width) || h > size_t(limits.max_texture_height))
        throw Error(fmt::format("an image of {}×{} texels is larger than this GPU's textures ({}×{}): choose path global",
                                w, h, limits.max_texture_width, limits.max_texture_height));
    const auto format = channel_format(texels_.type, texels_.channels);
    cudaArray_t array = nullptr;
    cuda_check(cudaMallocArray(&array, &format, w, h), "no memory on the GPU for the image as a texture");
    array_ = CudaArray(array);
    const size_t row = w * size_t(texels_.channels) * size_t(bytes_per_sample(texels_.type));
    cuda_check(cudaMemcpy2DToArrayAsync(array, 0, 0, linear_.get(), texels_.row_bytes, row, h,
                                        cudaMemcpyDeviceToDevice, stream),
               "cannot copy the image into a texture");
}

CudaTexture CudaImage::make_texture(const AddressPair& address, bool normalised, cudaTextureFilterMode filter) const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_.get();
    cudaTextureDesc description{};
    description.addressMode[0] = cuda_address_mode(address.x);
    description.addressMode[1] = cuda_address_mode(address.y);
    description.filterMode = filter;
    const bool integer = texels_.type == SampleType::u8 || texels_.type == SampleType::u16;
    description.readMode = integer ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    description.normalizedCoords = normalised;
    cudaTextureObject_t texture = 0;
    cuda_check(cudaCreateTextureObject(&texture, &resource, &description, nullptr), "cannot create a texture");
    return CudaTexture(texture);
}

void CudaImage::attach_textures(TexelArray& array, const BackendInfo& limits, cudaStream_t stream) const {
    if (!array_) make_array(limits, stream);
    array.normalised = is_periodic(array.address.x) || is_periodic(array.address.y);
    Textures& textures = textures_[int(array.address.x) * 4 + int(array.address.y)];
    if (!textures.point) {
        textures.linear = make_texture(array.address, array.normalised, cudaFilterModeLinear);
        textures.point = make_texture(array.address, array.normalised, cudaFilterModePoint);
    }
    array.point_texture = textures.point.get();
    array.linear_texture = textures.linear.get();
}

}  // namespace texelscope
