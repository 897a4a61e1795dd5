// The machine that carries out the instructions of interpreted kernels, and those that are no operators.

#include <algorithm>
#include <cstring>
#include <new>

#include "gpu/core/errors.h"
#include "gpu/kernels/kernel_interpreter.h"

namespace texelscope {
namespace {

template <class T> void copied(KernelMachine& m, const KernelInstruction& s) {
    std::memcpy(m.at<T>(s.d), m.at<T>(s.a), kernel_lanes * sizeof(T));
}

template <class T> void stored(KernelMachine& m, const KernelInstruction& s) {
    if (m.all()) return copied<T>(m, s);
    T* __restrict const d = m.at<T>(s.d);
    const T* __restrict const a = m.at<T>(s.a);
    const int32_t* __restrict const mask = m.mask();
    for (int l = 0; l < kernel_lanes; ++l) d[l] = mask[l] != 0 ? a[l] : d[l];
}

template <class T, class Use> void for_elements(KernelMachine& m, const KernelInstruction& s, Use use) {
    const int32_t *const mask = m.mask(), *const offset = m.at<int32_t>(s.b);
    for (int l = 0; l < kernel_lanes; ++l)
        if (mask[l] != 0) use(m.at<T>(s.d)[l], m.at<T>(size_t(int64_t(s.a) + offset[l]))[l]);
}
template <class T> void gathered(KernelMachine& m, const KernelInstruction& s) {
    for_elements<T>(m, s, [](T& d, const T& element) { d = element; });
}
template <class T> void scattered(KernelMachine& m, const KernelInstruction& s) {
    for_elements<T>(m, s, [](const T& d, T& element) { element = d; });
}

template <class T> void chosen(KernelMachine& m, const KernelInstruction& s) {
    T* __restrict const d = m.at<T>(s.d);
    const int32_t* __restrict const a = m.at<int32_t>(s.a);
    const T* __restrict const b = m.at<T>(s.b);
    const T* __restrict const c = m.at<T>(s.c);
    for (int l = 0; l < kernel_lanes; ++l) d[l] = a[l] != 0 ? b[l] : c[l];
}

}  // namespace

namespace kernel_steps {

void copy(KernelMachine& m, const KernelInstruction& s) { copied<float>(m, s); }
void copy_wide(KernelMachine& m, const KernelInstruction& s) { copied<double>(m, s); }
void store(KernelMachine& m, const KernelInstruction& s) { stored<int32_t>(m, s); }
void store_wide(KernelMachine& m, const KernelInstruction& s) { stored<double>(m, s); }
void zero(KernelMachine& m, const KernelInstruction& s) {
    std::memset(m.at<float>(s.d), 0, size_t(s.a) * kernel_lanes * sizeof(float));
}
void check(KernelMachine& m, const KernelInstruction& s) {
    const int32_t *const mask = m.mask(), *const index = m.at<int32_t>(s.a);
    uint32_t wrong = 0;
    for (int l = 0; l < kernel_lanes; ++l) wrong |= uint32_t(mask[l]) & (uint32_t(index[l]) >= s.b ? 1u : 0u);
    for (int l = 0; wrong != 0 && l < kernel_lanes; ++l)
        if (mask[l] != 0 && uint32_t(index[l]) >= s.b) return m.stop(KernelStop::index, l);
}
void gather(KernelMachine& m, const KernelInstruction& s) { gathered<int32_t>(m, s); }
void gather_wide(KernelMachine& m, const KernelInstruction& s) { gathered<double>(m, s); }
void scatter(KernelMachine& m, const KernelInstruction& s) { scattered<int32_t>(m, s); }
void scatter_wide(KernelMachine& m, const KernelInstruction& s) { scattered<double>(m, s); }
void tap(KernelMachine& m, const KernelInstruction& s) {
    m.taps().read(m.at<int32_t>(s.a), m.at<int32_t>(s.b), m.mask(), m.at<float>(s.d));
}
void choose(KernelMachine& m, const KernelInstruction& s) { chosen<int32_t>(m, s); }
void choose_wide(KernelMachine& m, const KernelInstruction& s) { chosen<double>(m, s); }

void begin_if(KernelMachine& m, const KernelInstruction& s) {
    m.push();
    m.narrow(m.at<int32_t>(s.a), false);
    if (m.none()) m.jump(s.c);
}
void otherwise(KernelMachine& m, const KernelInstruction& s) {
    m.renew();
    m.narrow(m.at<int32_t>(s.a), true);
    if (m.none()) m.jump(s.c);
}
void end_if(KernelMachine& m, const KernelInstruction&) { m.pop(); }
void push(KernelMachine& m, const KernelInstruction&) { m.push(); }
void pop(KernelMachine& m, const KernelInstruction&) { m.pop(); }
void leave(KernelMachine& m, const KernelInstruction& s) { m.leave(int(s.a)); }
void jump(KernelMachine& m, const KernelInstruction& s) { m.jump(s.c); }
void jump_if_none(KernelMachine& m, const KernelInstruction& s) {
    if (m.none()) m.jump(s.c);
}
void begin_loop(KernelMachine& m, const KernelInstruction&) {
    m.push();
    m.push();
}
void turn(KernelMachine& m, const KernelInstruction& s) {
    m.renew();
    if (m.none()) m.jump(s.c);
    else m.turn();
}
void test(KernelMachine& m, const KernelInstruction& s) {
    m.keep(m.at<int32_t>(s.a));
    if (m.none()) m.jump(s.c);
}
void renew(KernelMachine& m, const KernelInstruction&) { m.renew(); }
void end_loop(KernelMachine& m, const KernelInstruction&) {
    m.pop();
    m.pop();
}
void begin_switch(KernelMachine& m, const KernelInstruction&) {
    m.push();
    m.push();
    m.clear();
}
void enter(KernelMachine& m, const KernelInstruction& s) { m.add(m.at<int32_t>(s.a)); }

}  // namespace kernel_steps

namespace {

std::unique_ptr<float, void (*)(float*)> rows_of(size_t count) {
    constexpr std::align_val_t alignment{64};
    const size_t numbers = std::max<size_t>(count, 1) * kernel_lanes;
    float* const rows = static_cast<float*>(::operator new(numbers * sizeof(float), alignment));
    std::memset(rows, 0, numbers * sizeof(float));
    return {rows, [](float* p) { ::operator delete (p, std::align_val_t{64}); }};
}

}  // namespace

KernelMachine::KernelMachine(std::shared_ptr<const InterpretedKernel> kernel, const KernelTaps& taps,
                             const KernelPicture& picture, std::stop_token stop)
    : kernel_(std::move(kernel)),
      taps_(taps),
      stop_token_(std::move(stop)),
      rows_(rows_of(kernel_->rows)),
      masks_(size_t(kernel_->depth) + 1, Lanes(kernel_lanes, -1)),
      turns_(kernel_lanes) {
    for (const InterpretedKernel::Constant& c : kernel_->constants) {
        if (c.wide) std::fill_n(at<uint64_t>(c.place), kernel_lanes, c.bits);
        else std::fill_n(at<uint32_t>(c.place), kernel_lanes, uint32_t(c.bits));
    }
    const InterpretedKernel::Inputs& to = kernel_->inputs;
    const auto give = [&]<class T>(uint32_t place, T value) {
        if (kernel_->rows > 0) std::fill_n(at<T>(place), kernel_lanes, value);
    };
    give(to.width, picture.width);
    give(to.height, picture.height);
    give(to.output_width, picture.output_width);
    give(to.output_height, picture.output_height);
    give(to.scale, picture.scale);
    for (size_t k = 0; k < KernelFile::most_parameters; ++k) give(to.parameters[k], picture.parameters[k]);
    count();
}

std::shared_ptr<const InterpretedKernel> KernelMachine::with_rows(size_t rows) {
    auto kernel = std::make_shared<InterpretedKernel>();
    kernel->rows = uint32_t(rows);
    return kernel;
}

const KernelTaps& KernelMachine::no_taps() {
    static const struct None final : KernelTaps {
        void read(const int*, const int*, const int*, float*) const override {}
    } none;
    return none;
}

KernelStop KernelMachine::run() {
    using Clock = std::chrono::steady_clock;
    until_ =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kernel_block_seconds));
    depth_ = 0;
    block_turns_ = 0;
    reason_ = KernelStop::none;
    count();
    std::fill(turns_.begin(), turns_.end(), KernelFile::loop_turns);
    const KernelInstruction* const code = kernel_->code.data();
    const size_t end = kernel_->code.size();
    for (pc_ = 0; pc_ < end;) {
        const KernelInstruction& next = code[pc_++];
        next.run(*this, next);
    }
    return {reason_, reason_ == KernelStop::none ? 0 : i()[stopped_lane_],
            reason_ == KernelStop::none ? 0 : j()[stopped_lane_]};
}

void KernelMachine::stop(KernelStop::Reason reason, int lane) {
    reason_ = reason;
    stopped_lane_ = lane;
    pc_ = kernel_->code.size();
}

void KernelMachine::count() {
    const int32_t* const m = mask();
    int sum = 0;
    for (int l = 0; l < kernel_lanes; ++l) sum -= m[l];
    count_ = sum;
}

void KernelMachine::push() {
    ++depth_;
    std::copy_n(masks_[size_t(depth_) - 1].data(), kernel_lanes, mask());
}

void KernelMachine::pop() {
    --depth_;
    count();
}

void KernelMachine::leave(int from) {
    const int32_t* __restrict const leaving = mask();
    for (int level = from; level < depth_; ++level) {
        int32_t* __restrict const m = masks_[size_t(level)].data();
        for (int l = 0; l < kernel_lanes; ++l) m[l] &= ~leaving[l];
    }
    clear();
}

void KernelMachine::narrow(const int32_t* condition, bool negated) {
    int32_t* const m = mask();
    for (int l = 0; l < kernel_lanes; ++l) m[l] &= negated ? condition[l] - 1 : -condition[l];
    count();
}

void KernelMachine::renew() {
    std::copy_n(masks_[size_t(depth_) - 1].data(), kernel_lanes, mask());
    count();
}

void KernelMachine::add(const int32_t* condition) {
    int32_t* const m = mask();
    const int32_t* const all = masks_[size_t(depth_) - 1].data();
    for (int l = 0; l < kernel_lanes; ++l) m[l] |= all[l] & -condition[l];
    count();
}

void KernelMachine::keep(const int32_t* condition) {
    int32_t* const loop = masks_[size_t(depth_) - 1].data();
    for (int l = 0; l < kernel_lanes; ++l) loop[l] &= -condition[l];
    renew();
}

void KernelMachine::clear() {
    std::fill_n(mask(), kernel_lanes, 0);
    count_ = 0;
}

void KernelMachine::turn() {
    constexpr int look_every = 64;
    int32_t* const left = turns_.data();
    const int32_t* const m = mask();
    for (int l = 0; l < kernel_lanes; ++l) left[l] += m[l];
    ++block_turns_;
    for (int l = 0; block_turns_ >= KernelFile::loop_turns && l < kernel_lanes; ++l)
        if (m[l] != 0 && left[l] <= 0) return stop(KernelStop::turns, l);
    if (block_turns_ % look_every != 0) return;
    if (stop_token_.stop_requested()) throw Cancelled("the computation was cancelled");
    if (std::chrono::steady_clock::now() > until_) stop(KernelStop::block, int(std::find(m, m + kernel_lanes, -1) - m));
}

}  // namespace texelscope
