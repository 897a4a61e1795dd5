#pragma once
// Methods that are CUDA functions of one's own (gpu/kernels): their record, and their code for the CPU and each kind of GPU. They have
// no weight function: MethodInfo::weight and all that is made of it is null.

#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/kernels/kernel_interpreter.h"
#include "gpu/method/method_info.h"

namespace texelscope {

inline constexpr std::string_view kernel_id = "kernel";

struct ResampleJob;

// What a kernel is told of a job.
KernelPicture kernel_picture(const ResampleJob& job);

// A record with more.
class KernelMethod : private MethodInfo {
public:
    // Throws KernelError for a text that leaves the dialect. It is not compiled.
    explicit KernelMethod(std::string text);

    const std::string& text() const { return text_; }
    const KernelFile& file() const { return file_; }
    const MethodInfo& info() const { return *this; }

    // Compiled at its first use, and refused for the same reason from then on. From any thread. Throws KernelError or Unavailable.
    std::shared_ptr<const KernelCode> code(int compute_capability) const;

    // For the CPU, likewise. Throws KernelError.
    std::shared_ptr<const InterpretedKernel> interpreted() const;

    // About so many nanoseconds of a thread for each pixel: as in the last picture, or guessed before the first.
    double cpu_ns() const;
    void note_cpu_ns(double ns) const { cpu_ns_ = ns; }

    // With these parameters a backend has stopped it. Then it is not started again, but after a while if it took too long:
    // the machine may have been busy.
    void note_stop(const MethodParameters& with, const KernelStop& stop) const;
    std::string why_stopped(const MethodParameters& with) const;  // empty: it was not

    // Why it does not run: its text does not compile, or it was stopped. Empty: it does. 0: on the CPU.
    std::string why_not(int compute_capability, const MethodParameters& with) const;

private:
    friend const KernelMethod* kernel_of(const MethodInfo& method);

    template <class Code> struct Outcome {
        std::shared_ptr<const Code> code;
        std::exception_ptr problem;  // if there is none
    };
    template <class Code, class Make> std::shared_ptr<const Code> once(Outcome<Code>& outcome, Make make) const;
    struct Stopped {
        MethodParameters parameters;
        KernelStop stop;
        double when = 0;  // seconds
    };

    std::string text_;
    KernelFile file_;
    mutable std::mutex one_at_a_time_;
    mutable std::map<int, Outcome<KernelCode>> codes_;  // by compute capability
    mutable Outcome<InterpretedKernel> interpreted_;
    mutable std::vector<Stopped> stopped_;
    mutable std::atomic<double> cpu_ns_ = 0;
};

// The kernel that a method is; null for all others.
const KernelMethod* kernel_of(const MethodInfo& method);

// The method of a text, made at its first use; the same text has the same record, for the life of the program. Throws
// KernelError. At most most_kernel_methods: an Error says so.
inline constexpr size_t most_kernel_methods = 1024;
const MethodInfo& kernel_method(const std::string& text);

// A kernel method from a file of at most KernelFile::most_bytes. Throws FileError, with line and column of a problem.
const MethodInfo& kernel_method_of_file(const std::string& path);

// A weight function or a kernel, by what the file holds. Throws FileError.
const MethodInfo& own_method_of_file(const std::string& path);

}  // namespace texelscope
