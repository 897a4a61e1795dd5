// The CPU backend: vector code, or else the methods' own code, over host memory; threads over rows.

#include "gpu/backend/cpu_backend.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gpu/backend/interfaces.h"
#include "gpu/backend/job.h"
#include "gpu/backend/least_squares.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/machine.h"
#include "gpu/core/timing.h"
#include "gpu/display/display.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/prefilter/prefilter.h"

namespace texelscope {
namespace {

class CpuBackend final : public Backend, public Folding, public LongTapsRenderer, public LevelReader {
public:
    explicit CpuBackend(simd::Instructions instructions) : kernels_(simd::kernels(instructions)) {
        info_.kind = BackendKind::cpu;
        info_.device = processor_name();
        info_.detail = fmt::format("{} threads, {}", thread_count(), kernels_.name);
    }

    const BackendInfo& info() const override { return info_; }

    std::shared_ptr<const ResidentImage> upload(const Image& image) override {
        check_image(image);
        auto result = made(std::make_shared<CpuImage>(view_of(image), memory_));
        result->copy_rows(view_of(image), 0, image.height());
        return result;
    }

    std::shared_ptr<const ResidentImage> upload(const std::shared_ptr<const Image>& image) override {
        check_image(image);
        if (!reads_in_place(*image)) return upload(*image);
        return made(std::make_shared<CpuImage>(image));
    }

    bool reads_in_place(const Image& image) const override {
        return is_resident_form(view_of(image), ThreeChannels::stored);
    }

    Upload begin_upload(const Image& image) override {
        check_image(image);
        if (reads_in_place(image)) {
            const auto arriving = std::make_shared<RowsToArrive>(image.height());
            const auto same = std::make_shared<const Image>(image.over_same_samples());
            return {made(std::make_shared<CpuImage>(same, arriving->rows)),
                    [arriving](int end) { arriving->rows->arrived(end); }};
        }
        const ImageView view = view_of(image);
        auto result = made(std::make_shared<CpuImage>(view, memory_));
        return {result, [result, view, begin = 0](int end) mutable {
                    result->copy_rows(view, begin, end);
                    begin = end;
                }};
    }

    std::shared_ptr<const ResidentImage> adopt(const ImageView& image) override {
        if (image.images != 1) throw Error("the CPU reads images one by one: adopt each image of a batch");
        return made(std::make_shared<CpuImage>(image));
    }

    void take_over(const ResidentImage& image) override {
        of_same_kind<CpuImage>(image).count_by(memory_);
        adopt_made(image);
    }

    std::shared_ptr<const ResidentImage> share(const std::shared_ptr<const ResidentImage>& image) override {
        const auto other = std::dynamic_pointer_cast<const CpuImage>(image);
        if (!other) throw Error("the image was made by another kind of backend");
        return made(std::make_shared<CpuImage>(other));
    }

    std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) override {
        const ProfilerRange range(work::prefilter);
        const StopWatch watch;
        check_spec(spec);
        const CpuImage& source = own_samples(samples);
        TexelArray array = coefficient_array(source.texels, spec);
        array.row_bytes = apart(array.row_bytes);
        auto result = made(std::make_shared<CpuImage>(source, array, true, memory_));
        // Half floats are rounded from the same number of floats, which the prefilter allocates itself.
        const size_t floats = result->texels.type == SampleType::f16 ? 2 * result->size_bytes() : 0;
        const auto room = memory_.obtain(floats, [&] { return memory_.take(floats, "no memory for the prefilter"); });
        prefilter_on_cpu(source.texels, spec.address, PrefilterKernels(spec), result->texels, result->computed(),
                         kernels_);
        prefilter_ms_ = watch.ms();
        return result;
    }

    bool prefilter_into(const ResidentImage& samples, const MethodSpec& spec, const RenderTarget& target) override {
        const CpuImage& source = own_samples(samples);
        const std::optional<TexelArray> array = coefficients_in(source.texels, spec, target, sizeof(float));
        if (!array) return false;
        prefilter_on_cpu(source.texels, spec.address, PrefilterKernels(spec), *array, target.pixels, kernels_);
        return true;
    }

    std::shared_ptr<const ResidentImage> reduce(const ResidentImage& samples, const AddressPair& address,
                                                Reduction axes) override {
        const CpuImage& source = own_samples(samples);
        auto result = made(std::make_shared<CpuImage>(source, reduced_array(source.texels, axes), false, memory_));
        TabulatedJob tabulated = reduction_job(source.texels, address, result->texels, result->computed());
        tables_.set(tabulated, default_spec(reduction_method()));
        compute(tabulated, source);
        return result;
    }

    std::shared_ptr<const ResidentImage> minus(const ResidentImage& samples, const BorderPixel& border) override {
        const CpuImage& source = own_samples(samples);
        auto result = made(std::make_shared<CpuImage>(source, reduced_array(source.texels, {}), false, memory_));
        minus_on_cpu({source.texels, result->texels, result->computed(), border});
        return result;
    }

    void add_border(const ResidentImage& image, const Resampling& request, const BorderTerm& term,
                    const RenderTarget& target) override {
        check_resampling(*this, image, request, target);
        add_border_on_cpu({job_for(image, own_arriving(image).texels, request, target), term});
    }

    std::shared_ptr<const ResidentImage> reduce_part(const ResidentImage& region, const AddressPair& region_address,
                                                     const AddressPair& address, Reduction axes,
                                                     const ReducedPart& part) override {
        const CpuImage& source = own_samples(region);
        auto result = made(std::make_shared<CpuImage>(source, reduced_part_array(source.texels, part), false, memory_));
        TabulatedJob tabulated =
            reduction_job(source.texels, region_address, address, axes, part, result->texels, result->computed());
        tables_.set(tabulated, default_spec(reduction_method()));
        compute(tabulated, source);
        return result;
    }

    void resample(const ResidentImage& image, const Resampling& request, const RenderTarget& target) override {
        const ProfilerRange range(work::render);
        const StopWatch watch;
        const CpuImage& source = own_arriving(image);
        check_resampling(*this, image, request, target);
        const WeightsFrom weights = weights_of(request);
        if (weights != WeightsFrom::table) own(image);  // waits for all of it
        if (source.holds_coefficients) check_coefficients(source.texels, request.address());
        ResampleJob job = job_for(image, source.texels, request, target);
        if (!source.holds_coefficients) job.source.address = request.address();
        // The emulated texture unit takes the same coordinates as a real one for these address modes.
        job.source.normalised = needs_normalised_coordinates(job.source);
        if (weights == WeightsFrom::own_kernel) {
            note(target.timer, choose({job, weights}, {}));
            if (std::string why = resample_by_kernel_on_cpu(job, request.border); !why.empty()) kernel_stop_ = why;
        } else if (weights == WeightsFrom::distance) {
            note(target.timer, choose({job, weights}, {}));
            PolarJob polar = polar_job(job, request.reading);
            tables_.set(polar, request.spec);
            const auto fast = vector_rows(polar, kernels_);
            for_pieces_of_rows(work::polar, request.height, [&](int first, int last) {
                if (fast) fast->write_rows(first, last);
                else resample_polar_rows(polar, first, last);
            });
        } else if (weights == WeightsFrom::method) {
            const AxisWeights& own_weights = tables_.weights(request.spec);
            const KernelChoice choice = choose({job, weights, own_weights.taps}, {});
            note(target.timer, choice);
            const auto fast = vector_rows(job, choice.kernel, own_weights, kernels_);
            for_pieces_of_rows(fast ? work::vectors : work::pixels, request.height, [&](int first, int last) {
                if (fast) fast->write_rows(first, last);
                else request.spec.method->resample_rows(job, first, last);
            });
        } else {
            TabulatedJob tabulated = tabulated_job(job, request.reading);
            tables_.set(tabulated, request.spec);
            compute(tabulated, source, target.timer);
        }
        if (target.timer != no_timer) render_ms_[size_t(target.timer)] = watch.ms();
    }

    void resample_levels(std::span<const LevelImage> levels, const Resampling& request,
                         const RenderTarget& target) override {
        const ProfilerRange range(work::render);
        const StopWatch watch;
        const ResidentImage& image = *levels.front().image;
        ResampleJob job = checked_job(*this, image, own_samples(image).texels, request, target);
        note(target.timer, chosen_for_mip_levels);
        const MipJob mip = mip_job(job, levels, [&](const ResidentImage& level) { return own_samples(level).texels; });
        for_pieces_of_rows(work::mip, request.height,
                           [&](int first, int last) { resample_mip_rows(mip, first, last); });
        if (target.timer != no_timer) render_ms_[size_t(target.timer)] = watch.ms();
    }

    bool folds(const ResidentImage& image, const Resampling& request) const override {
        return is_folded(own_arriving_samples(image).texels, request);
    }

    void resample_folded(const ResidentImage& image, const Resampling& request, const RenderTarget& target) override {
        const ProfilerRange range(work::render);
        const StopWatch watch;
        const CpuImage& source = own_arriving_samples(image);
        const TexelArray& samples = source.texels;
        TabulatedJob view = tabulated_job(checked_job(*this, image, samples, request, target), request.reading);
        tables_.set(view, request.spec);
        const TexelArray level = reduced_array(samples, {.x = true, .y = true});
        TabulatedJob reduction = reduction_job(samples, request.spec.address, level, nullptr);
        tables_.set(reduction, default_spec(reduction_method()));
        const auto taps = [&](Axis axis) { return folded_taps(axis, view, request.reading, reduction, kernels_); };
        const SeparableWriter writer(view.job, taps(Axis::x), taps(Axis::y), kernels_);
        note(target.timer,
             {ResampleKernel::separable, "shrunk: one axis after the other, from the picture's own samples"});
        write_as_rows_arrive(source.arriving, writer, request.height);
        if (target.timer != no_timer) render_ms_[size_t(target.timer)] = watch.ms();
    }

    void resample_reference_by_strips(const ResidentImage& image, const Resampling& request, double* values) override {
        const TexelArray& samples = own_samples(image).texels;
        check_reference(*this, image, request, values);
        const TexelArray level = reduced_array(samples, {.x = true, .y = true});
        TabulatedJob reduction = reduction_job(samples, request.spec.address, level, nullptr);
        tables_.set(reduction, default_spec(reduction_method()));
        ReferenceJob job = reference_job(image, level, request, values);
        tables_.set(job, request.spec);
        reference_by_strips(job, reduction, memory_, kernels_);
    }

    void resample_by_taps(const ResidentImage& image, const Resampling& request, const LongTaps& x, const LongTaps& y,
                          const LongPasses& passes, const RenderTarget& target) override {
        const ProfilerRange range(work::render);
        const StopWatch watch;
        const TexelArray& samples = own_samples(image).texels;
        ResampleJob job = checked_job(*this, image, samples, request, target);
        const LongTaps rows = passes.plain() ? leave_rows_read(job, y) : y;
        const LongTapsOfJob taps{x, rows, passes};
        const KernelChoice choice = choose(KernelQuestion::of(job, taps), {});
        note(target.timer, choice);
        if (choice.kernel == ResampleKernel::box) {
            const BoxWriter writer(job, *choice.boxes, passes, kernels_);
            for_pieces_of_rows(work::tabulated, request.height,
                               [&](int first, int last) { writer.write_rows(first, last); });
        } else if (passes.plain()) {
            resample_by_taps_on_cpu(job, x, rows, passes.any_order, memory_, kernels_);
        } else {
            resample_by_passes_on_cpu(job, x, y, passes, memory_, kernels_);
        }
        if (target.timer != no_timer) render_ms_[size_t(target.timer)] = watch.ms();
    }

    void resample_points_by_taps(const ResidentImage& image, const Resampling& request, const LongTaps& x,
                                 const LongTaps& y, const LongPasses& passes, const RenderTarget& target) override {
        const TexelArray& samples = own_samples(image).texels;
        ResampleJob job = checked_job(*this, image, samples, request, target);
        note(target.timer, chosen_for_long_taps);
        resample_points_by_taps_on_cpu(job, x, y, passes);
    }

    void resample_reference(const ResidentImage& image, const Resampling& request, double* values) override {
        const CpuImage& source = own_samples(image);
        check_reference(*this, image, request, values);
        ReferenceJob job = reference_job(image, source.texels, request, values);
        tables_.set(job, request.spec);
        reference_by_tiles(job, request.tile_bytes.value_or(tile_bytes_on_cpu), memory_);
    }

    void display(DisplayJob job) override {
        check_display(*this, job);
        job.colours = colour_table(colour_map_of(job)).data();
        for_pieces_of_rows(work::display, job.height, [&](int first, int last) { display_rows(job, first, last); });
    }

    void compare(const MeasureJob& job, ComparisonSums* sums) override {
        check_comparison(*this, job, sums);
        *sums = compare_on_cpu(job);
    }

    void map_errors(const ErrorMapJob& job, float* map) override {
        check_error_map(*this, job, map);
        error_map_on_cpu(job, map);
    }

    void sum_map(const MapSumJob& job, BothMapSums* sums) override {
        check_map_sums(*this, job, sums);
        sum_map_on_cpu(job, sums);
    }

    void write_warped_points(const WarpedGrid& grid, double* points) override {
        check_warped_grid(*this, grid, points);
        write_warped_points_on_cpu(grid, points);
    }

    void synchronize() override {
        if (const std::string why = take_kernel_stop(); !why.empty()) throw Error(why);
    }
    std::string take_kernel_stop() override { return std::exchange(kernel_stop_, {}); }

    MemoryBudget& memory() override { return memory_; }

    std::shared_ptr<void> allocate(size_t bytes) override {
        auto memory = std::make_shared<HostMemory>(memory_, bytes, "no memory for a picture or a table");
        return std::shared_ptr<void>(memory, memory->get());
    }

    void write(void* memory, const void* host, size_t bytes) override {
        check_transfer(*this, memory, host, bytes);
        if (bytes > 0) std::memcpy(memory, host, bytes);
    }
    void read_back(void* host, const void* memory, size_t bytes) override {
        check_transfer(*this, memory, host, bytes);
        synchronize();
        if (bytes > 0) std::memcpy(host, memory, bytes);
    }

    void copy(void* to, const void* from, size_t bytes) override {
        check_copy(*this, to, from, bytes);
        copy_on_cpu(to, from, bytes);
    }

    double time_ms(const std::function<void()>& enqueue) override {
        const StopWatch watch;
        enqueue();
        synchronize();
        return watch.ms();
    }

    void timed(int timer, const std::function<void()>& enqueue) override {
        check_timer(timer);
        if (const double ms = time_ms(enqueue); timer != no_timer) render_ms_[size_t(timer)] = ms;
        note_newest(timer);
    }

    std::optional<double> last_render_ms(int timer) override {
        check_timer(timer);
        return timer == no_timer ? std::nullopt : render_ms_[size_t(timer)];
    }
    std::optional<double> last_prefilter_ms() override { return prefilter_ms_; }

    void check_memory(const void* memory, std::string_view name) const override { check_host_memory(memory, name); }
    void check_host_memory(const void* memory, std::string_view name) const override {
        if (!memory) throw Error(fmt::format("{} are null: give memory of the host", name));
    }

private:
    // Rows of it may not be there yet.
    const CpuImage& own_arriving(const ResidentImage& image) const {
        check_own(image);
        return static_cast<const CpuImage&>(image);
    }

    const CpuImage& own(const ResidentImage& image) const {
        const CpuImage& whole = own_arriving(image);
        if (whole.arriving) whole.arriving->wait_for(whole.height());
        return whole;
    }

    const CpuImage& own_samples(const ResidentImage& image) const {
        check_are_samples(own(image).holds_coefficients);
        return own(image);
    }
    const CpuImage& own_arriving_samples(const ResidentImage& image) const {
        check_are_samples(own_arriving(image).holds_coefficients);
        return own_arriving(image);
    }

    void compute(const TabulatedJob& tabulated, const CpuImage& source, int timer = no_timer) {
        const int rows = tabulated.job.output.height;
        const KernelChoice choice = choose(KernelQuestion::of(tabulated), {});
        note(timer, choice);
        if (const auto fast = vector_rows(tabulated, choice.kernel, kernels_))
            return write_as_rows_arrive(source.arriving, *fast, rows);
        own(source);
        for_pieces_of_rows(work::tabulated, rows,
                           [&](int first, int last) { resample_tabulated_rows(tabulated, first, last); });
    }

    const simd::Kernels& kernels_;
    BackendInfo info_;
    MemoryBudget memory_ = host_budget();
    MethodTables tables_{*this};
    std::array<std::optional<double>, timer_count> render_ms_;
    std::optional<double> prefilter_ms_;
    std::string kernel_stop_;  // of a kernel of one's own, until somebody asks
};

}  // namespace

std::shared_ptr<Backend> make_cpu_backend() { return make_cpu_backend(simd::best_instructions()); }

std::shared_ptr<Backend> make_cpu_backend(simd::Instructions instructions) {
    return std::make_shared<CpuBackend>(instructions);
}

}  // namespace texelscope
