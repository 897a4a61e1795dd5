#include "gpu/backend/cuda_memory.h"

#include <fmt/format.h>

namespace texelscope {
namespace {

cudaChannelFormatDesc channel_format(SampleType type, int channels) {
    const int bits = 8 * bytes_per_sample(type);
    const auto kind =
        type == SampleType::u8 || type == SampleType::u16 ? cudaChannelFormatKindUnsigned : cudaChannelFormatKindFloat;
    return cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind);
}

cudaTextureAddressMode cuda_address_mode(AddressMode mode) {
    switch (texture_address(mode)) {
        case AddressMode::clamp: return cudaAddressModeClamp;
        case AddressMode::border: return cudaAddressModeBorder;
        case AddressMode::wrap: return cudaAddressModeWrap;
        case AddressMode::mirror: return cudaAddressModeMirror;
        case AddressMode::reflect101: break;
    }
    return cudaAddressModeClamp;
}

cudaTextureReadMode read_mode(SampleType type) {
    return type == SampleType::u8 || type == SampleType::u16 ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
}

}  // namespace

CudaImage::CudaImage(const Copied& samples, MemoryBudget& budget, std::shared_ptr<DeviceHeap> heap)
    : ResidentImage(samples.image.width, samples.image.height, samples.image.channels,
                    samples.image.alpha == Alpha::none ? Alpha::none : Alpha::premultiplied,
                    samples.image.one_dimensional),
      texels_(resident_array(samples.image, ThreeChannels::padded)),
      holds_coefficients_(false),
      budget_(&budget),
      heap_(std::move(heap)) {
    texels_.row_bytes = aligned_row(texels_.row_bytes);
    allocate();
}

void CudaImage::copy_rows(const ImageView& image, int begin, int end, cudaStream_t stream) {
    const auto copy = [&](const void* rows, size_t stride, int first, int count) {
        cuda_check(cudaMemcpy2DAsync(static_cast<std::byte*>(linear_.get()) + size_t(first) * texels_.row_bytes,
                                     texels_.row_bytes, rows, stride, stored_row(), size_t(count),
                                     cudaMemcpyHostToDevice, stream),
                   "cannot copy the image to the GPU");
        cuda_check(cudaStreamSynchronize(stream), "cannot copy the image to the GPU");
    };
    const ImageView rows = rows_of(image, begin, end);
    if (is_resident_form(image, ThreeChannels::padded)) copy(rows.samples, rows.stride(), begin, rows.height);
    else
        for_resident_strips(rows, [&](int first, const Image& strip) {
            copy(strip.data(), strip.row_bytes(), begin + first, strip.height());
        });
}

CudaImage::CudaImage(const ImageView& view, MemoryBudget& budget, std::shared_ptr<DeviceHeap> heap)
    : ResidentImage(view.width, view.height, view.channels, view.alpha, view.one_dimensional),
      texels_(texels_of(view)),
      holds_coefficients_(false),
      budget_(&budget),
      heap_(std::move(heap)) {}

CudaImage::~CudaImage() {
    if (array_ || linear_memory_texture_) wait_for_readers();
}

// Any enqueued work may still read the textures, whose destruction, unlike that of linear memory, is not enqueued.
void CudaImage::wait_for_readers() const {
    const OnDevice device(heap_->device(), std::nothrow);
    cuda_ignore(cudaDeviceSynchronize());  // a lost device no longer reads anything
}

CudaImage::CudaImage(const CudaImage& source, const TexelArray& array, bool holds_coefficients)
    : ResidentImage(array.width, array.height, source.channels(), source.alpha(), source.one_dimensional()),
      texels_(array),
      holds_coefficients_(holds_coefficients),
      budget_(source.budget_),
      heap_(source.heap_) {
    allocate();
}

void CudaImage::hand_over(MemoryBudget& budget, const std::shared_ptr<DeviceHeap>& heap) const {
    kept_array_ = {};
    array_.reset();
    array_refused_ = false;
    if (linear_) linear_.hand_over(budget.count(size_bytes_), heap);
    budget_ = &budget;
    heap_ = heap;
}

size_t CudaImage::stored_row() const {
    return stored_width() * size_t(texels_.channels) * size_t(bytes_per_sample(texels_.type));
}

void CudaImage::allocate() {
    size_bytes_ = texels_.row_bytes * stored_height() * size_t(texels_.images);
    linear_ = take_device_memory(*budget_, heap_, size_bytes_);
    texels_.texels = linear_.get();
}

void CudaImage::check_limits(const DeviceLimits& limits) const {
    const size_t w = stored_width(), h = stored_height();
    if (one_dimensional_ && w > size_t(limits.texture_1d))
        throw Error(fmt::format(
            "a signal of {} samples is longer than this GPU's one-dimensional textures ({}): choose path global", w,
            limits.texture_1d));
    if (!one_dimensional_ && !fits_texture(limits))
        throw Error(
            fmt::format("an image of {}×{} texels is larger than this GPU's textures ({}×{}): choose path global", w, h,
                        limits.texture_width, limits.texture_height));
}

// Leaves nothing behind if the copy cannot be enqueued.
std::shared_ptr<CudaImage::Array> CudaImage::made_array(cudaStream_t stream) const {
    const size_t w = stored_width(), h = stored_height();
    const char* const no_memory = "no memory on the GPU for the image as a texture";
    auto made = std::make_shared<Array>();
    made->taken = budget_->take(stored_row() * h, no_memory);
    const auto format = channel_format(texels_.type, texels_.channels);
    cudaArray_t array = nullptr;
    cuda_check(cudaMallocArray(&array, &format, w, one_dimensional_ ? 0 : h), no_memory);
    made->array = CudaArray(array);
    cuda_check(cudaMemcpy2DToArrayAsync(array, 0, 0, texels_.texels, texels_.row_bytes, stored_row(), h,
                                        cudaMemcpyDeviceToDevice, stream),
               "cannot copy the image into a texture");
    return made;
}

void CudaImage::keep_array(std::shared_ptr<Array> array) const {
    kept_array_ = budget_->keep(stored_row() * stored_height(), [this] {
        if (array_.use_count() > 1) return;
        wait_for_readers();
        array_.reset();
        kept_array_ = {};
    });
    array_ = std::move(array);
}

bool CudaImage::can_have_array(const DeviceLimits& limits, cudaStream_t stream) const {
    if (array_) return true;
    if (array_refused_ || texels_.images > 1 || !fits_texture(limits) ||
        stored_row() * stored_height() > budget_->room())
        return false;
    try {
        keep_array(made_array(stream));
    } catch (const OutOfMemory&) {
        array_refused_ = true;
    }
    return !array_refused_;
}

CudaTexture CudaImage::make_linear_memory_texture(const DeviceLimits& limits) const {
    if (stored_width() > size_t(limits.texture_1d_linear))
        throw Error(
            fmt::format("a signal of {} samples is longer than tex1Dfetch reaches on this GPU ({}): choose path global",
                        stored_width(), limits.texture_1d_linear));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void*>(texels_.texels);
    resource.res.linear.desc = channel_format(texels_.type, texels_.channels);
    resource.res.linear.sizeInBytes = stored_row();
    cudaTextureDesc description{};
    description.readMode = read_mode(texels_.type);
    cudaTextureObject_t texture = 0;
    cuda_check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr),
        "cannot create a texture over the signal's memory, whose address may not be aligned enough; choose path global");
    return CudaTexture(texture);
}

CudaTexture CudaImage::make_texture(const AddressPair& address, bool normalised, cudaTextureFilterMode filter) const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_->array.get();
    cudaTextureDesc description{};
    description.addressMode[0] = cuda_address_mode(address.x);
    // tex1D filters along y as well, half of it beyond the only row.
    description.addressMode[1] = cuda_address_mode(one_dimensional_ ? AddressMode::clamp : address.y);
    description.filterMode = filter;
    description.readMode = read_mode(texels_.type);
    description.normalizedCoords = normalised;
    cudaTextureObject_t texture = 0;
    cuda_check(cudaCreateTextureObject(&texture, &resource, &description, nullptr), "cannot create a texture");
    return CudaTexture(texture);
}

std::shared_ptr<const void> CudaImage::attach_textures(TexelArray& array, FetchPath path, const DeviceLimits& limits,
                                                       cudaStream_t stream) const {
    if (texels_.images > 1) throw Error("textures hold single images: choose path global for a batch");
    if (one_dimensional_ && path == FetchPath::lookup) {
        if (!linear_memory_texture_) linear_memory_texture_ = make_linear_memory_texture(limits);
        array.point_texture = linear_memory_texture_.get();
        return {};
    }
    if (!array_) {
        check_limits(limits);
        keep_array(budget_->obtain(stored_row() * stored_height(), [&] { return made_array(stream); }));
    }
    kept_array_.use();
    array.normalised = needs_normalised_coordinates(array);
    Textures& textures = array_->textures[int(array.address.x) * int(all_address_modes.size()) + int(array.address.y)];
    if (!textures.point) {
        textures.linear = make_texture(array.address, array.normalised, cudaFilterModeLinear);
        textures.point = make_texture(array.address, array.normalised, cudaFilterModePoint);
    }
    array.point_texture = textures.point.get();
    array.linear_texture = textures.linear.get();
    return array_;
}

}  // namespace texelscope
