#pragma once
// Loops whose iterations the CPU's threads share.

#include <algorithm>
#include <atomic>
#include <exception>
#include <stop_token>

#include "gpu/core/errors.h"
#include "gpu/core/timing.h"

namespace texelscope {

// How many threads there are.
int thread_count();

// This thread, and the loops that it begins for the first time after this, give way to others that have something to do.
void lower_priority();

// As lower_priority(), but they give way even to threads that have called that: for what nobody waits for yet.
void lowest_priority();

// The niceness of this thread, as setpriority counts: 0, or above if it gives way.
int niceness();
void set_niceness(int niceness);

// As long as it lives, loops that this thread begins end early, by Cancelled, once a stop is requested.
class StoppableLoops {
public:
    explicit StoppableLoops(std::stop_token stop);
    ~StoppableLoops();
    StoppableLoops(const StoppableLoops&) = delete;
    StoppableLoops& operator=(const StoppableLoops&) = delete;

    // The stop token of this thread's loops; one that is never requested if it has none.
    static std::stop_token of_this_thread();

private:
    std::stop_token before_;
};

// As long as it lives, loops that this thread begins are left to it alone: for what takes less time than to wake others.
class LoopsAlone {
public:
    LoopsAlone();
    ~LoopsAlone();
    LoopsAlone(const LoopsAlone&) = delete;
    LoopsAlone& operator=(const LoopsAlone&) = delete;

private:
    int before_;
};

namespace detail {

// Calls share(context) in every thread at the same time, and returns when all have finished; within a share, only in
// the calling thread. A share must not throw.
void in_every_thread(void (*share)(void* context), void* context);

}  // namespace detail

// Calls body(scratch, i) for i = 0 … n − 1, where each thread has a Scratch of its own: whichever is free takes the next
// `chunk` indices. A single chunk, and a loop within such a loop, is left to the calling thread. Throws what was thrown
// first; chunks that were not begun by then are left out. May be stopped (StoppableLoops).
template <class Scratch, class Index, class Body>
void parallel_for_with(const WorkName& work, Index n, long long chunk, Body body) {
    const ProfilerRange range(work);
    const auto count = (long long)n;
    std::atomic<long long> next = 0;
    std::atomic_flag failed;
    std::exception_ptr failure;
    const std::stop_token stop = StoppableLoops::of_this_thread();
    auto share = [&] {
        try {
            Scratch scratch;
            for (long long first = next.fetch_add(chunk); first < count; first = next.fetch_add(chunk)) {
                if (stop.stop_requested()) throw Cancelled("the computation was cancelled");
                const long long last = std::min(first + chunk, count);
                for (long long i = first; i < last; ++i) body(scratch, Index(i));
            }
        } catch (...) {
            next = count;
            if (!failed.test_and_set()) failure = std::current_exception();
        }
    };
    if (count <= chunk) share();
    else detail::in_every_thread([](void* context) { (*static_cast<decltype(share)*>(context))(); }, &share);
    if (failure) std::rethrow_exception(failure);
}

// A parallel loop without scratch: body(i).
template <class Index, class Body> void parallel_for(const WorkName& work, Index n, long long chunk, Body body) {
    struct None {};
    parallel_for_with<None>(work, n, chunk, [&](None&, Index i) { body(i); });
}

}  // namespace texelscope
