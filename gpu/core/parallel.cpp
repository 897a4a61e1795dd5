#include "gpu/core/parallel.h"

#include <utility>

#if TEXELSCOPE_WITH_OPENMP
#include <omp.h>
#else
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include <sched.h>
#endif
#include <sys/resource.h>

namespace texelscope {
namespace {

thread_local std::stop_token stop_of_loops;

}  // namespace

StoppableLoops::StoppableLoops(std::stop_token stop) : before_(std::exchange(stop_of_loops, std::move(stop))) {}
StoppableLoops::~StoppableLoops() { stop_of_loops = std::move(before_); }
std::stop_token StoppableLoops::of_this_thread() { return stop_of_loops; }

void lower_priority() { set_niceness(10); }
void lowest_priority() { set_niceness(19); }

int niceness() { return ::getpriority(PRIO_PROCESS, 0); }

// The kernel counts it for each thread; threads that one starts inherit it.
void set_niceness(int niceness) { ::setpriority(PRIO_PROCESS, 0, niceness); }

#if TEXELSCOPE_WITH_OPENMP

int thread_count() { return omp_get_max_threads(); }

LoopsAlone::LoopsAlone() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
LoopsAlone::~LoopsAlone() { omp_set_num_threads(before_); }

void detail::in_every_thread(void (*share)(void* context), void* context) {
#pragma omp parallel
    share(context);
}

#else

namespace {

thread_local bool in_loop = false;  // a loop within a loop stays in its thread

// The threads that help one thread with its loops, as an OpenMP runtime has them.
class Helpers {
public:
    explicit Helpers(int count) {
        for (int i = 0; i < count; ++i) threads_.emplace_back([this] { help(); });
    }
    ~Helpers() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        began_.notify_all();
    }

    void run(void (*share)(void*), void* context) {
        {
            const std::lock_guard lock(mutex_);
            share_ = share;
            context_ = context;
            busy_ = threads_.size();
            ++loop_;
        }
        began_.notify_all();
        in_loop = true;
        share(context);
        in_loop = false;
        std::unique_lock lock(mutex_);
        ended_.wait(lock, [this] { return busy_ == 0; });
    }

private:
    void help() {
        in_loop = true;
        for (unsigned done = 0;;) {
            std::unique_lock lock(mutex_);
            began_.wait(lock, [&] { return ending_ || loop_ != done; });
            if (ending_) return;
            done = loop_;
            lock.unlock();
            share_(context_);
            lock.lock();
            if (--busy_ == 0) ended_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable began_, ended_;
    void (*share_)(void*) = nullptr;
    void* context_ = nullptr;
    unsigned loop_ = 0;
    size_t busy_ = 0;
    bool ending_ = false;
    std::vector<std::jthread> threads_;  // last: they end before what they use
};

// OMP_NUM_THREADS counts here too, so that one setting limits every build.
int usable_threads() {
    if (const char* wanted = std::getenv("OMP_NUM_THREADS"))
        if (const int count = std::atoi(wanted); count > 0) return count;
    cpu_set_t set;
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : int(std::thread::hardware_concurrency());
}

}  // namespace

LoopsAlone::LoopsAlone() : before_(std::exchange(in_loop, true)) {}
LoopsAlone::~LoopsAlone() { in_loop = before_ != 0; }

int thread_count() {
    static const int count = std::max(1, usable_threads());
    return count;
}

void detail::in_every_thread(void (*share)(void* context), void* context) {
    if (in_loop || thread_count() == 1) return share(context);
    thread_local Helpers helpers(thread_count() - 1);
    helpers.run(share, context);
}

#endif

}  // namespace texelscope
