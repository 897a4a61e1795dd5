#include "tests/support/backends.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "gpu/method/polar_method.h"
#include "tests/support/tools.h"

#if TEXELSCOPE_WITH_CUDA
#include <cuda_runtime.h>
#endif

namespace texelscope::test {

using namespace texelscope;

std::shared_ptr<Backend> shared_backend(BackendKind kind) {
    static std::array<std::shared_ptr<Backend>, 2> made;
    std::shared_ptr<Backend>& backend = made[kind == BackendKind::cuda];
    if (!backend && kind == BackendKind::cpu) backend = make_cpu_backend();
    if (!backend && kind == BackendKind::cuda && why_no_cuda().empty()) backend = make_backend(BackendChoice::cuda);
    return backend;
}

std::shared_ptr<Backend> backend_like(const KnownCard& card) {
    static std::map<std::string_view, std::shared_ptr<Backend>> made;
    std::shared_ptr<Backend>& backend = made[card.name];
    if (!backend && why_no_cuda().empty()) backend = make_backend(BackendChoice::cuda, {.limits = card.limits});
    return backend;
}

void OnBackend::SetUp() {
    backend_ = shared_backend(GetParam());
    if (!backend_) GTEST_SKIP() << "no CUDA here: " << why_no_cuda();
}

void OnMethod::SetUp() {
    backend_ = shared_backend(std::get<0>(GetParam()));
    if (!backend_) GTEST_SKIP() << "no CUDA here: " << why_no_cuda();
    if (spec().effective_path() != path()) GTEST_SKIP() << method().id << " has no such path";
}

MethodSpec OnMethod::spec() const {
    MethodSpec spec = default_spec(method());
    spec.path = path();
    return spec;
}

namespace {

struct ByKind {
    std::vector<const MethodInfo*> first, others;  // of each kind
};

ByKind methods_by_kind() {
    ByKind methods;
    std::set<std::tuple<int, int, bool, bool>> kinds;
    for (const MethodInfo* method : all_methods()) {
        const std::tuple kind(method->taps, method->hardware_fetches, is_polar(*method), method->has_prefilter());
        (kinds.insert(kind).second ? methods.first : methods.others).push_back(method);
    }
    return methods;
}

}  // namespace

std::vector<const MethodInfo*> one_of_each_kind() { return methods_by_kind().first; }
std::vector<const MethodInfo*> all_others() {
    return sanitized ? std::vector<const MethodInfo*>() : methods_by_kind().others;
}
std::vector<const MethodInfo*> every_method() {
    if (sanitized) return one_of_each_kind();
    return {all_methods().begin(), all_methods().end()};
}
std::vector<FetchPath> every_path() { return {FetchPath::global, FetchPath::lookup, FetchPath::hardware}; }
std::vector<FetchPath> auto_and_every_path() {
    if (sanitized) return every_path();
    return {all_fetch_paths.begin(), all_fetch_paths.end()};
}
std::vector<FetchPath> exact_paths() {
    if (sanitized) return {FetchPath::global, FetchPath::lookup};
    return {FetchPath::automatic, FetchPath::global, FetchPath::lookup};
}
std::vector<FetchPath> hardware_path() { return {FetchPath::hardware}; }
std::vector<FetchPath> auto_path() { return {FetchPath::automatic}; }

std::string backend_name(const ::testing::TestParamInfo<BackendKind>& info) { return std::string(name_of(info.param)); }

std::string method_case_name(const ::testing::TestParamInfo<MethodCase>& info) {
    std::string name = std::string(std::get<1>(info.param)->id) + "_" + std::string(name_of(std::get<2>(info.param)));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::vector<AddressPair> all_address_pairs() {
    std::vector<AddressPair> pairs;
    for (const AddressMode x : all_address_modes)
        for (const AddressMode y : all_address_modes) pairs.push_back({x, y});
    return pairs;
}

std::vector<Prefilter> all_prefilters(const MethodInfo& method) {
    std::vector<Prefilter> prefilters = {{Prefilter::Kind::none}};
    if (!method.has_prefilter()) return prefilters;
    for (int taps = Prefilter::min_taps; taps <= Prefilter::max_taps; taps += 2) prefilters.push_back(fir(taps));
    prefilters.push_back({Prefilter::Kind::iir});
    return prefilters;
}

Prefilter fir(int taps) { return {Prefilter::Kind::fir, taps}; }

MethodSpec spec_of(std::string_view text) { return parse_spec(text); }

#if TEXELSCOPE_WITH_CUDA

namespace {

bool works(cudaError_t error) {
    EXPECT_EQ(error, cudaSuccess) << cudaGetErrorString(error);
    return error == cudaSuccess;
}

std::shared_ptr<void> registered(size_t bytes) {
    constexpr size_t page = 4096;
    const size_t whole = (bytes + page - 1) / page * page;
    void* memory = std::aligned_alloc(page, whole);
    std::memset(memory, 0, whole);
    if (works(cudaHostRegister(memory, whole, cudaHostRegisterDefault)))
        return {memory, [](void* p) { works(cudaHostUnregister(p)), std::free(p); }};
    std::free(memory);
    return nullptr;
}

}  // namespace

std::shared_ptr<void> cuda_memory(CudaMemoryKind kind, size_t bytes, int device) {
    if (kind == CudaMemoryKind::registered) return registered(bytes);
    const int before = current_cuda_device();
    set_current_cuda_device(device);
    void* memory = nullptr;
    const cudaError_t error = kind == CudaMemoryKind::device    ? cudaMalloc(&memory, bytes)
                              : kind == CudaMemoryKind::managed ? cudaMallocManaged(&memory, bytes)
                                                                : cudaMallocHost(&memory, bytes);
    std::shared_ptr<void> owner;
    if (works(error) && kind == CudaMemoryKind::pinned) {
        std::memset(memory, 0, bytes);
        owner = {memory, [](void* p) { works(cudaFreeHost(p)); }};
    } else if (error == cudaSuccess) {
        works(cudaMemset(memory, 0, bytes));
        works(cudaDeviceSynchronize());
        owner = {memory, [](void* p) { works(cudaFree(p)); }};
    }
    set_current_cuda_device(before);
    return owner;
}

int cuda_devices() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

int current_cuda_device() {
    int device = -1;
    works(cudaGetDevice(&device));
    return device;
}

void set_current_cuda_device(int device) { works(cudaSetDevice(device)); }

std::string pending_cuda_error() {
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) return cudaGetErrorString(error);
    const cudaError_t error = cudaPeekAtLastError();
    return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

#else

std::shared_ptr<void> cuda_memory(CudaMemoryKind, size_t, int) { return nullptr; }
int cuda_devices() { return 0; }
int current_cuda_device() { return 0; }
void set_current_cuda_device(int) {}
std::string pending_cuda_error() { return ""; }

#endif

}  // namespace texelscope::test
