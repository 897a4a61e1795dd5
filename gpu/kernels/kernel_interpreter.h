#pragma once
// Kernels of one's own without a GPU: a text becomes instructions, which an interpreter carries out for a block of pixels
// at a time. Plain C++, so that it works wherever the program does.

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/kernels/kernel_code.h"

namespace texelscope {

// The kernel_lanes pixels of a block are the lanes of all vectors: so many that the cost of an instruction is shared, so few
// that the registers fit in a cache.

// Samples as s.tap(i, j) gives them.
class KernelTaps {
public:
    virtual ~KernelTaps() = default;
    // x, y, z, w of each lane whose `active` is not 0, each number in kernel_lanes of a row; the others may stay.
    virtual void read(const int* i, const int* j, const int* active, float* to) const = 0;
};

class KernelMachine;

// `d` is written, `a`, `b`, `c` are read: registers, places in the code, or numbers.
struct KernelInstruction {
    void (*run)(KernelMachine&, const KernelInstruction&) = nullptr;
    uint32_t d = 0, a = 0, b = 0, c = 0;
};

// A text as instructions. Registers are numbered by rows of kernel_lanes numbers of four bytes; a double takes two rows.
struct InterpretedKernel {
    struct Constant {
        uint32_t place;
        bool wide;
        uint64_t bits;
    };
    // What a block is given.
    struct Inputs {
        uint32_t x = 0, y = 0, i = 0, j = 0;
        uint32_t width = 0, height = 0, output_width = 0, output_height = 0, scale = 0;
        uint32_t parameters[KernelFile::most_parameters] = {};
    };

    std::vector<KernelInstruction> code;
    std::vector<Constant> constants;
    Inputs inputs;
    uint32_t result[4] = {};
    uint32_t rows = 0;  // of registers
    int depth = 0;      // of masks
    bool has_loops = false;
    size_t bytes_for_pixel = 0;  // without constants
};

// Checks the whole text, which parse_kernel() has accepted as `file`. Throws KernelError with one problem for each function
// at most: what is no C++, and what is not understood on the CPU.
std::shared_ptr<const InterpretedKernel> interpret_kernel(const KernelFile& file, std::string_view text);

// What is the same for all pixels of a picture.
struct KernelPicture {
    int width = 1, height = 1, output_width = 1, output_height = 1;
    double scale = 1;
    float parameters[KernelFile::most_parameters] = {};
};

// Runs a kernel, in one thread.
class KernelMachine {
public:
    using Lanes = std::vector<int32_t>;  // of kernel_lanes: −1 if a lane takes part, 0 if not

    KernelMachine(std::shared_ptr<const InterpretedKernel> kernel, const KernelTaps& taps, const KernelPicture& picture,
                  std::stop_token stop);
    // For the compiler, which computes constants: `rows` registers and nothing else.
    explicit KernelMachine(size_t rows) : KernelMachine(with_rows(rows), no_taps(), {}, {}) {}

    // What the lanes are given. `taking_part` is −1 or 0; x and y must be numbers everywhere.
    double* x() { return at<double>(kernel_->inputs.x); }
    double* y() { return at<double>(kernel_->inputs.y); }
    int32_t* i() { return at<int32_t>(kernel_->inputs.i); }
    int32_t* j() { return at<int32_t>(kernel_->inputs.j); }
    int32_t* taking_part() { return masks_.front().data(); }

    // Returns the pixel and the reason if one of the lanes was stopped. Throws Cancelled.
    KernelStop run();

    // Channel 0 … 3 of the lanes' values.
    const float* value(int channel) { return at<float>(kernel_->result[channel]); }

    // For instructions.
    template <class T> T* at(size_t row) { return reinterpret_cast<T*>(rows_.get() + row * kernel_lanes); }
    int32_t* mask() { return masks_[size_t(depth_)].data(); }
    bool all() const { return count_ == kernel_lanes; }
    bool none() const { return count_ == 0; }
    const KernelTaps& taps() const { return taps_; }
    void jump(size_t to) { pc_ = to; }
    void push();           // the same lanes, to be narrowed
    void pop();            // those of before, without the ones that have left
    void leave(int from);  // the lanes that take part leave all levels from this one on
    void narrow(const int32_t* condition, bool negated);
    void renew();  // the level below, again
    void add(const int32_t* condition);
    void keep(const int32_t* condition);
    void clear();
    void turn();  // counts one of a loop
    void stop(KernelStop::Reason reason, int lane);

private:
    static std::shared_ptr<const InterpretedKernel> with_rows(size_t rows);
    static const KernelTaps& no_taps();
    void count();

    std::shared_ptr<const InterpretedKernel> kernel_;
    const KernelTaps& taps_;
    std::stop_token stop_token_;
    std::unique_ptr<float, void (*)(float*)> rows_;
    std::vector<Lanes> masks_;
    Lanes turns_;  // that are left
    int depth_ = 0, count_ = 0;
    size_t pc_ = 0;
    int64_t block_turns_ = 0;
    std::chrono::steady_clock::time_point until_;
    KernelStop::Reason reason_ = KernelStop::none;
    int stopped_lane_ = 0;
};

// What instructions there are: the operators and functions of the dialect that act on each lane, found by their names and
// the letters of their types: those of the result and of each operand.
//   B bool   I int   U unsigned   F float   D double
struct KernelOperation {
    std::string_view name, types;
    void (*run)(KernelMachine&, const KernelInstruction&);
};
const std::vector<KernelOperation>& kernel_operations();

// Steps that do something else: named as they are used by the compiler.
namespace kernel_steps {
using Step = void(KernelMachine&, const KernelInstruction&);
Step copy, copy_wide;                          // d = a, in all lanes
Step store, store_wide;                        // d = a, in those that take part
Step zero;                                     // `a` rows from d on
Step check;                                    // stops unless a < b, an index and a number
Step gather, gather_wide;                      // d = the register that lies as many rows after a as b says
Step scatter, scatter_wide;                    // that register = d
Step tap;                                      // four rows from d on = the sample (a, b)
Step choose, choose_wide;                      // d = a ? b : c
Step begin_if, otherwise, end_if;              // of a; to c if no lane is left
Step push, pop, leave, jump, jump_if_none;     // levels of masks, a; to c
Step begin_loop, turn, test, renew, end_loop;  // of a loop: its lanes, and those in its body
Step begin_switch, enter;                      // as a loop that lanes enter at their case a
}  // namespace kernel_steps

}  // namespace texelscope
