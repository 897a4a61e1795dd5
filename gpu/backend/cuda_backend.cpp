// The CUDA backend: one device, one stream, everything enqueued in order.
#include "gpu/backend/cuda_memory.h"

#include <memory>
#include <vector>

#include "gpu/backend/cuda_passes.h"
#include "gpu/backend/job.h"
#include "gpu/backend/least_squares.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/timing.h"
#include "gpu/display/display.h"
#include "gpu/method/cuda_shrink.h"
#include "gpu/method/long_taps.h"
#include "gpu/prefilter/prefilter.h"

namespace texelscope {
namespace {

class CudaBackend final : public Backend, public LongTapsRenderer, public LevelReader {
public:
    // Its device must be current.
    explicit CudaBackend(const CudaOptions& options)
        : info_(info_of_device(options.device, options.limits)),
          heap_(std::make_shared<DeviceHeap>(options.stream ? CudaStream() : make_stream(), options.stream)),
          stream_(heap_->stream()),
          memory_(memory_plan({.available = heap_->available(), .total = info_.limits.memory_bytes}).kept,
                  {.available = [heap = heap_.get()] { return heap->available(); },
                   .reclaim = [heap = heap_.get()] { return heap->reclaim(); }}) {}
    ~CudaBackend() override { heap_->leave_stream(); }

    const BackendInfo& info() const override { return info_; }
    CUstream_st* stream() const override { return stream_; }
    MemoryBudget& memory() override { return memory_; }

    std::shared_ptr<const ResidentImage> upload(const Image& image) override {
        check_image(image);
        return copied(view_of(image));
    }
    std::shared_ptr<const ResidentImage> upload(const std::shared_ptr<const Image>& image) override {
        check_image(image);
        return copied(view_of(*image));
    }

    Upload begin_upload(const Image& image) override {
        const OnDevice device(info_.device_index);
        check_image(image);
        const ImageView view = view_of(image);
        auto result = made(std::make_shared<CudaImage>(CudaImage::Copied{view}, memory_, heap_));
        const int rows = int(std::min(strip_bytes / result->texels().row_bytes + 1, size_t(view.height)));
        return {result, [this, result, view, rows, begin = 0](int end) mutable {
                    if (end < view.height && end - begin < rows) return;
                    const OnDevice current(info_.device_index);
                    result->copy_rows(view, begin, end, stream_);
                    begin = end;
                }};
    }

    std::shared_ptr<const ResidentImage> adopt(const ImageView& image) override {
        const OnDevice device(info_.device_index);
        check_view(image);  // what cannot be read in place is refused, also in host memory
        if (memory_kind(image.samples, info_.device_index, "the samples") == MemoryKind::host) return copied(image);
        return made(std::make_shared<CudaImage>(image, memory_, heap_));
    }

    void take_over(const ResidentImage& image) override {
        const auto& made_elsewhere = of_same_kind<CudaImage>(image);
        if (!made_elsewhere.is_on(info_.device_index)) throw Error("the image is in another GPU's memory");
        made_elsewhere.hand_over(memory_, heap_);
        adopt_made(image);
    }

    std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) override {
        const ProfilerRange range(work::prefilter);
        const OnDevice device(info_.device_index);
        check_spec(spec);
        const CudaImage& source = own_samples(samples);
        const PrefilterKernels filter(spec);
        auto result = made(std::make_shared<CudaImage>(source, coefficient_array(source.texels(), spec), true));
        prefilter_watch_.start(stream_);
        enqueue([&] {
            prefilter_on_cuda(source.texels(), spec.address, filter, result->texels(), result->computed(), queue());
        });
        prefilter_watch_.stop(stream_);
        return result;
    }

    bool prefilter_into(const ResidentImage& samples, const MethodSpec& spec, const RenderTarget& target) override {
        const OnDevice device(info_.device_index);
        const CudaImage& source = own_samples(samples);
        const std::optional<TexelArray> array = coefficients_in(source.texels(), spec, target, row_alignment);
        if (!array) return false;
        check_memory(target.pixels, "the target's pixels");
        const PrefilterKernels filter(spec);
        enqueue([&] { prefilter_on_cuda(source.texels(), spec.address, filter, *array, target.pixels, queue()); });
        return true;
    }

    std::shared_ptr<const ResidentImage> reduce(const ResidentImage& samples, const AddressPair& address,
                                                Reduction axes) override {
        const OnDevice device(info_.device_index);
        const CudaImage& source = own_samples(samples);
        auto result = made(std::make_shared<CudaImage>(source, reduced_array(source.texels(), axes), false));
        start(reduction_job(source.texels(), address, result->texels(), result->computed()));
        return result;
    }

    std::shared_ptr<const ResidentImage> minus(const ResidentImage& samples, const BorderPixel& border) override {
        const OnDevice device(info_.device_index);
        const CudaImage& source = own_samples(samples);
        auto result = made(std::make_shared<CudaImage>(source, reduced_array(source.texels(), {}), false));
        enqueue([&] { launch_minus({source.texels(), result->texels(), result->computed(), border}, stream_); });
        return result;
    }

    void add_border(const ResidentImage& image, const Resampling& request, const BorderTerm& term,
                    const RenderTarget& target) override {
        const OnDevice device(info_.device_index);
        check_resampling(*this, image, request, target);
        enqueue([&] { launch_add_border({job_for(image, own(image).texels(), request, target), term}, stream_); });
    }

    std::shared_ptr<const ResidentImage> reduce_part(const ResidentImage& region, const AddressPair& region_address,
                                                     const AddressPair& address, Reduction axes,
                                                     const ReducedPart& part) override {
        const OnDevice device(info_.device_index);
        const CudaImage& source = own_samples(region);
        auto result = made(std::make_shared<CudaImage>(source, reduced_part_array(source.texels(), part), false));
        start(
            reduction_job(source.texels(), region_address, address, axes, part, result->texels(), result->computed()));
        return result;
    }

    void resample(const ResidentImage& image, const Resampling& request, const RenderTarget& target) override {
        const ProfilerRange range(work::render);
        const OnDevice device(info_.device_index);
        const CudaImage& source = own(image);
        check_resampling(*this, image, request, target);
        check_batch(source.texels().images, image.channels(), request, target);
        if (source.holds_coefficients()) check_coefficients(source.texels(), request.address());
        ResampleJob job = job_for(image, source.texels(), request, target);
        if (!source.holds_coefficients()) job.source.address = request.address();
        const WeightsFrom weights = weights_of(request);
        if (weights == WeightsFrom::table)
            return start(tabulated_job(job, request.reading), request.spec, target.timer);
        const KernelChoice choice =
            choose({job, weights}, device_facts([&] { return source.can_have_array(info_.limits, stream_); }));
        if (weights == WeightsFrom::own_kernel)
            return start(target.timer, choice, [&] { kernels_.run(job, request.border, queue()); });
        if (weights == WeightsFrom::distance) {
            PolarJob polar = polar_job(job, request.reading);
            tables_.set(polar, request.spec);
            return start(target.timer, choice, [&] { launch_polar(polar, queue()); });
        }
        job.spec.path = choice.path;
        std::shared_ptr<const void> textures;  // held until they are in the launch
        if (job.path() != FetchPath::global)
            textures = source.attach_textures(job.source, job.path(), info_.limits, stream_);
        start(target.timer, choice,
              [&] { request.spec.method->launch(job, choice, tables_.weights(request.spec), queue()); });
    }

    void resample_levels(std::span<const LevelImage> levels, const Resampling& request,
                         const RenderTarget& target) override {
        const ProfilerRange range(work::render);
        const OnDevice device(info_.device_index);
        const ResidentImage& image = *levels.front().image;
        const ResampleJob job = checked_job(*this, image, own_samples(image).texels(), request, target);
        if (job.source.images > 1) throw Error("mip levels of a batch are rendered one image after the other");
        const MipJob mip =
            mip_job(job, levels, [&](const ResidentImage& level) { return own_samples(level).texels(); });
        start(target.timer, chosen_for_mip_levels, [&] { launch_mip(mip, queue()); });
    }

    void resample_by_taps(const ResidentImage& image, const Resampling& request, const LongTaps& x, const LongTaps& y,
                          const LongPasses& passes, const RenderTarget& target) override {
        const ProfilerRange range(work::render);
        const OnDevice device(info_.device_index);
        ResampleJob job = checked_job(*this, image, own_samples(image).texels(), request, target);
        const LongTaps rows = passes.plain() ? leave_rows_read(job, y) : y;
        check_batch(job.source.images, image.channels(), request, target);
        const LongTapsOfJob taps{x, rows, passes};
        const KernelChoice choice = choose(KernelQuestion::of(job, taps), device_facts());
        if (choice.kernel == ResampleKernel::box) {
            const DeviceSpans spans = spans_.get(*choice.boxes, choice.boxes->pixels());
            return start(target.timer, choice,
                         [&] { launch_boxes(job, spans.view, BoxRule(passes, job.source.type), choice.box, queue()); });
        }
        const DeviceTaps along_x = taps_.get(x, x.weights.size()), along_y = taps_.get(rows, rows.weights.size());
        const size_t floats =
            BetweenPasses(job, passes.y_first).floats(job.source.channels) * size_t(job.source.images);
        const std::shared_ptr<void> between = allocate(floats * sizeof(float));
        start(target.timer, choice, [&] {
            const SumsOfPasses sums(passes, passes.y_first ? y : x, passes.y_first ? x : y);
            launch_long_taps(job, along_x.view, along_y.view, passes, sums, static_cast<float*>(between.get()),
                             queue());
        });
    }

    void resample_points_by_taps(const ResidentImage& image, const Resampling& request, const LongTaps& x,
                                 const LongTaps& y, const LongPasses& passes, const RenderTarget& target) override {
        const OnDevice device(info_.device_index);
        ResampleJob job = checked_job(*this, image, own_samples(image).texels(), request, target);
        const DeviceTaps on_x = device_taps(*this, x), on_y = device_taps(*this, y);
        const SumsOfPasses sums(passes, passes.y_first ? y : x, passes.y_first ? x : y);
        start(target.timer, chosen_for_long_taps,
              [&] { launch_point_taps(job, on_x.view, on_y.view, passes, sums, queue()); });
    }

    void resample_reference(const ResidentImage& image, const Resampling& request, double* values) override {
        const OnDevice device(info_.device_index);
        const CudaImage& source = own_samples(image);
        check_reference(*this, image, request, values);
        ReferenceJob job = reference_job(image, source.texels(), request, values);
        tables_.set(job, request.spec);
        const std::vector<ReferenceTile> tiles = reference_tiles(job, request.tile_bytes.value_or(tile_bytes_on_cuda));
        const std::shared_ptr<void> memory = scratch_.at_least(*this, largest_patch_bytes(tiles, job.job.source));
        for (const ReferenceTile& tile : tiles) {
            set_tile(job, tile, memory.get());
            enqueue([&] { launch_reference(job, stream_); });
        }
    }

    void display(DisplayJob job) override {
        const OnDevice device(info_.device_index);
        check_display(*this, job);
        if (job.against.values || job.map || job.display.map != ColourMap::channels)
            job.colours = colours_.get(colour_map_of(job));
        enqueue([&] { launch_display(job, stream_); });
    }

    void compare(const MeasureJob& job, ComparisonSums* sums) override {
        const OnDevice device(info_.device_index);
        check_comparison(*this, job, sums);
        const std::shared_ptr<void> parts = parts_.at_least(*this, comparison_scratch_bytes(job));
        enqueue([&] { compare_on_cuda(job, sums, parts.get(), stream_); });
    }

    void map_errors(const ErrorMapJob& job, float* map) override {
        const OnDevice device(info_.device_index);
        check_error_map(*this, job, map);
        const std::shared_ptr<void> parts = parts_.at_least(*this, error_map_scratch_bytes(job));
        enqueue([&] { error_map_on_cuda(job, map, parts.get(), stream_); });
    }

    void sum_map(const MapSumJob& job, BothMapSums* sums) override {
        const OnDevice device(info_.device_index);
        check_map_sums(*this, job, sums);
        const std::shared_ptr<void> parts = parts_.at_least(*this, map_sum_scratch_bytes());
        enqueue([&] { sum_map_on_cuda(job, sums, parts.get(), stream_); });
    }

    void write_warped_points(const WarpedGrid& grid, double* points) override {
        const OnDevice device(info_.device_index);
        check_warped_grid(*this, grid, points);
        enqueue([&] { launch_warped_points(grid, points, stream_); });
    }

    std::string why_lost() override {
        const OnDevice device(info_.device_index, std::nothrow);
        const cudaError_t state = cudaStreamQuery(stream_);
        cuda_ignore(state);
        return is_device_lost(state) ? cudaGetErrorString(state) : "";
    }

    void synchronize() override {
        const OnDevice device(info_.device_index);
        cuda_check(cudaStreamSynchronize(stream_), "the GPU stopped with an error");
        if (const std::string why = kernels_.take_stop(); !why.empty()) throw Error(why);
    }
    std::string take_kernel_stop() override { return kernels_.take_stop(); }

    std::shared_ptr<void> allocate(size_t bytes) override {
        const OnDevice device(info_.device_index);
        auto memory = std::make_shared<DeviceMemory>(take_device_memory(memory_, heap_, bytes));
        return std::shared_ptr<void>(memory, memory->get());
    }

    void write(void* memory, const void* host, size_t bytes) override {
        check_transfer(*this, memory, host, bytes);
        transfer(memory, host, bytes, cudaMemcpyHostToDevice, "cannot copy to the GPU");
    }
    void read_back(void* host, const void* memory, size_t bytes) override {
        check_transfer(*this, memory, host, bytes);
        transfer(host, memory, bytes, cudaMemcpyDeviceToHost, "cannot copy the picture from the GPU");
    }

    void copy(void* to, const void* from, size_t bytes) override {
        const OnDevice device(info_.device_index);
        check_copy(*this, to, from, bytes);
        cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "cannot copy on the GPU");
    }

    double time_ms(const std::function<void()>& enqueue) override {
        const OnDevice device(info_.device_index);
        CudaStopWatch watch;
        synchronize();
        watch.start(stream_);
        enqueue();
        watch.stop(stream_);
        synchronize();
        return watch.last_ms().value_or(-1);
    }

    void timed(int timer, const std::function<void()>& enqueue) override {
        const OnDevice device(info_.device_index);
        watches_.start(timer, stream_);
        enqueue();
        watches_.stop(timer, stream_);
        note_newest(timer);
    }

    std::optional<double> last_render_ms(int timer) override {
        const OnDevice device(info_.device_index);
        return watches_.last_ms(timer);
    }
    std::optional<double> last_prefilter_ms() override {
        const OnDevice device(info_.device_index);
        return prefilter_watch_.last_ms();
    }

    void check_memory(const void* memory, std::string_view name) const override {
        check_device_memory(memory, info_.device_index, name);
    }
    void check_host_memory(const void* memory, std::string_view name) const override {
        check_not_device_memory(memory, name);
    }

private:
    std::shared_ptr<CudaImage> copied(const ImageView& view) {
        const OnDevice device(info_.device_index);
        auto result = made(std::make_shared<CudaImage>(CudaImage::Copied{view}, memory_, heap_));
        result->copy_rows(view, 0, view.height, stream_);
        return result;
    }

    const CudaImage& own(const ResidentImage& image) const {
        check_own(image);
        return static_cast<const CudaImage&>(image);
    }

    const CudaImage& own_samples(const ResidentImage& image) const {
        const CudaImage& samples = own(image);
        check_are_samples(samples.holds_coefficients());
        return samples;
    }

    void transfer(void* to, const void* from, size_t bytes, cudaMemcpyKind way, const char* what) {
        const OnDevice device(info_.device_index);
        cuda_check(cudaMemcpyAsync(to, from, bytes, way, stream_), what);
        synchronize();
    }

    DeviceQueue queue() const { return {info_.limits, stream_}; }
    DeviceFacts device_facts(std::function<bool()> has_texture = {}) const {
        return {&info_.limits, std::move(has_texture), rotated_is_compiled};
    }

    // A kernel's first launch loads its code, which may need memory that is kept for other things.
    template <class Launch> void enqueue(Launch launch) { memory_.obtain(code_bytes, launch); }
    static constexpr size_t code_bytes = size_t(16) << 20;

    // Enqueues the launch as the rendering of this timer.
    template <class Launch> void start(int timer, const ChosenKernel& kernel, Launch launch) {
        note(timer, kernel);
        watches_.start(timer, stream_);
        enqueue(launch);
        watches_.stop(timer, stream_);
    }
    void start(TabulatedJob tabulated, const MethodSpec& spec = default_spec(reduction_method()),
               int timer = no_timer) {
        tables_.set(tabulated, spec);
        const KernelChoice choice = choose(KernelQuestion::of(tabulated), device_facts());
        start(timer, choice, [&] { launch_tabulated(tabulated, choice, queue()); });
    }

    BackendInfo info_;
    std::shared_ptr<DeviceHeap> heap_;
    CUstream_st* stream_;
    MemoryBudget memory_;
    MethodTables tables_{*this};
    KernelRunner kernels_{*this};
    KeptOnDevice<LongTaps, DeviceTaps> taps_{*this, device_taps};
    KeptOnDevice<Boxes, DeviceSpans> spans_{*this, device_spans};
    DeviceColours colours_{*this};
    Scratch scratch_, parts_;  // for reference and comparison: one launch after another
    RenderWatches watches_;
    CudaStopWatch prefilter_watch_;
};

}  // namespace

std::shared_ptr<Backend> make_cuda_backend(const CudaOptions& options) {
    const OnDevice device(options.device);
    return std::make_shared<CudaBackend>(options);
}

}  // namespace texelscope
