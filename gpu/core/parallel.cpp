#include "gpu/core/parallel.h"

#include <utility>

#include <omp.h>
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

int thread_count() { return omp_get_max_threads(); }

void detail::in_every_thread(void (*share)(void* context), void* context) {
#pragma omp parallel
    share(context);
}

}  // namespace texelscope
