#include "gpu/core/parallel.h"

#include <omp.h>

namespace texelscope {

int thread_count() { return omp_get_max_threads(); }

void detail::in_every_thread(void (*share)(void* context), void* context) {
#pragma omp parallel
    share(context);
}

}  // namespace texelscope
