#include "gpu/method/kernel_method.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/resample_job.h"

namespace texelscope {
namespace {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

KernelPicture kernel_picture(const ResampleJob& job) {
    const Affine& p = job.positions;
    KernelPicture picture;
    picture.width = job.source.width;
    picture.height = job.source.height;
    picture.output_width = job.output.width;
    picture.output_height = job.output.height;
    picture.scale = job.source.one_dimensional ? std::abs(p.xx) : std::sqrt(std::abs(p.xx * p.yy - p.xy * p.yx));
    for (size_t k = 0; k < KernelFile::most_parameters; ++k)
        picture.parameters[k] = float(job.spec.parameters.value[k]);
    return picture;
}

KernelMethod::KernelMethod(std::string text) : text_(std::move(text)) {
    ParsedKernel parsed = parse_kernel(text_);
    if (!parsed.problems.empty()) throw KernelError(std::move(parsed.problems));
    file_ = std::move(parsed.file);
    id = kernel_id;
    family = kernel_id;
    name = file_.name;
    summary = "A CUDA function of one's own.";
    paper = "docs/kernels.md";
    rank = 1001;
    taps = 1;
    for (const WeightParameter& parameter : file_.parameters)
        parameters.push_back({parameter.id, parameter.id, "", parameter.minimum, parameter.maximum, parameter.standard,
                              "A parameter of the kernel."});
}

template <class Code, class Make>
std::shared_ptr<const Code> KernelMethod::once(Outcome<Code>& outcome, Make make) const {
    if (!outcome.code && !outcome.problem) {
        try {
            outcome.code = make();
        } catch (...) {
            outcome.problem = std::current_exception();
        }
    }
    if (outcome.problem) std::rethrow_exception(outcome.problem);
    return outcome.code;
}

std::shared_ptr<const KernelCode> KernelMethod::code(int compute_capability) const {
    const std::lock_guard<std::mutex> lock(one_at_a_time_);
    return once(codes_[compute_capability], [&] { return compile_kernel(file_, compute_capability); });
}

std::shared_ptr<const InterpretedKernel> KernelMethod::interpreted() const {
    const std::lock_guard<std::mutex> lock(one_at_a_time_);
    return once(interpreted_, [&] { return interpret_kernel(file_, text_); });
}

double KernelMethod::cpu_ns() const {
    constexpr double turns = 30;  // of a loop
    if (cpu_ns_ > 0) return cpu_ns_;
    const auto kernel = interpreted();
    return double(kernel->code.size()) * (kernel->has_loops ? turns : 1);
}

void KernelMethod::note_stop(const MethodParameters& with, const KernelStop& stop) const {
    constexpr size_t most = 16;
    const std::lock_guard<std::mutex> lock(one_at_a_time_);
    std::erase_if(stopped_, [&](const Stopped& s) { return s.parameters == with; });
    if (stopped_.size() >= most) stopped_.erase(stopped_.begin());
    stopped_.push_back({with, stop, seconds_now()});
}

std::string KernelMethod::why_not(int compute_capability, const MethodParameters& with) const {
    try {
        if (compute_capability == 0) interpreted();
        else code(compute_capability);
    } catch (const Error& error) {
        return fmt::format("the kernel '{}': {}", name, error.what());
    }
    return why_stopped(with);
}

std::string KernelMethod::why_stopped(const MethodParameters& with) const {
    constexpr double busy_seconds = 2;
    const std::lock_guard<std::mutex> lock(one_at_a_time_);
    for (const Stopped& s : stopped_)
        if (s.parameters == with && (s.stop.reason == KernelStop::turns || s.stop.reason == KernelStop::index ||
                                     seconds_now() - s.when < busy_seconds))
            return stop_sentence(s.stop, file_.name);
    return {};
}

const KernelMethod* kernel_of(const MethodInfo& method) {
    return method.id == kernel_id ? static_cast<const KernelMethod*>(&method) : nullptr;
}

const MethodInfo& kernel_method(const std::string& text) {
    static std::mutex one_at_a_time;
    static std::map<std::string, std::unique_ptr<const KernelMethod>, std::less<>> all;
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    const auto found = all.find(text);
    if (found != all.end()) return found->second->info();
    if (all.size() >= most_kernel_methods)
        throw Error(fmt::format("{} kernels have been tried: start the program again for more", all.size()));
    auto method = std::make_unique<const KernelMethod>(text);
    return all.emplace(text, std::move(method)).first->second->info();
}

const MethodInfo& kernel_method_of_file(const std::string& path) {
    const std::string text = read_text_file(path, KernelFile::most_bytes);
    try {
        return kernel_method(text);
    } catch (const KernelError& error) {
        throw FileError(path, error.what());
    }
}

const MethodInfo& own_method_of_file(const std::string& path) {
    const std::string text = read_text_file(path, KernelFile::most_bytes);
    return is_kernel_text(text) ? kernel_method_of_file(path) : custom_method_of_file(path);
}

}  // namespace texelscope
