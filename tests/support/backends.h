#pragma once
// One test body, every backend: suites are value-parameterised and instantiated as Cpu/… and Cuda/…; the latter skip
// with the reason on machines without CUDA.

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "gpu/backend/backend.h"

namespace texelscope {  // how GoogleTest prints the parameters of a suite

inline void PrintTo(BackendKind kind, std::ostream* out) { *out << name_of(kind); }
inline void PrintTo(FetchPath path, std::ostream* out) { *out << name_of(path); }
inline void PrintTo(const MethodInfo* method, std::ostream* out) { *out << method->id; }
inline void PrintTo(const MethodSpec& spec, std::ostream* out) {
    *out << to_string(spec) << ", " << to_string(spec.prefilter);
}

}  // namespace texelscope

namespace test_support {

// One backend of each kind for the whole test program; null if it cannot be made.
std::shared_ptr<texelscope::Backend> shared_backend(texelscope::BackendKind kind);

// A CUDA backend that keeps to the limits of one of known_cards(); null without CUDA.
std::shared_ptr<texelscope::Backend> backend_like(const texelscope::KnownCard& card);

// A suite with TEST_P bodies that take only the backend.
class OnBackend : public ::testing::TestWithParam<texelscope::BackendKind> {
protected:
    void SetUp() override;
    std::shared_ptr<texelscope::Backend> backend_;
};

// A suite with TEST_P bodies that take a backend, a method and a fetch path.
using MethodCase = std::tuple<texelscope::BackendKind, const texelscope::MethodInfo*, texelscope::FetchPath>;

class OnMethod : public ::testing::TestWithParam<MethodCase> {
protected:
    void SetUp() override;
    const texelscope::MethodInfo& method() const { return *std::get<1>(GetParam()); }
    texelscope::FetchPath path() const { return std::get<2>(GetParam()); }
    texelscope::MethodSpec spec() const;  // the method's default settings on this path
    std::shared_ptr<texelscope::Backend> backend_;
};

std::vector<const texelscope::MethodInfo*> every_method();
std::vector<texelscope::FetchPath> every_path();   // global, lookup, hardware; auto is one of the exact paths
std::vector<texelscope::FetchPath> exact_paths();  // auto, global, lookup: each has its own kernels on a GPU
std::vector<texelscope::FetchPath> auto_and_every_path();
std::vector<texelscope::FetchPath> hardware_path();
std::vector<texelscope::FetchPath> auto_path();  // for facts that another suite carries over to the other paths
std::string backend_name(const ::testing::TestParamInfo<texelscope::BackendKind>& info);
std::string method_case_name(const ::testing::TestParamInfo<MethodCase>& info);

std::vector<texelscope::AddressPair> all_address_pairs();

// none, fir3 … fir31, iir for a method with poles; only none for the others.
std::vector<texelscope::Prefilter> all_prefilters(const texelscope::MethodInfo& method);

texelscope::Prefilter fir(int taps);

// "bspline:…" as in SPEC; short for tests.
texelscope::MethodSpec spec_of(std::string_view text);

}  // namespace test_support

#define ON_EVERY_BACKEND(Suite)                                                                                        \
    INSTANTIATE_TEST_SUITE_P(Cpu, Suite, ::testing::Values(texelscope::BackendKind::cpu), test_support::backend_name); \
    INSTANTIATE_TEST_SUITE_P(Cuda, Suite, ::testing::Values(texelscope::BackendKind::cuda), test_support::backend_name)

// paths: every_path(), exact_paths(), hardware_path() or auto_path(); evaluated once the methods have registered themselves.
#define ON_EVERY_BACKEND_AND_METHOD(Suite, paths)                                                          \
    INSTANTIATE_TEST_SUITE_P(                                                                              \
        Cpu, Suite,                                                                                        \
        ::testing::Combine(::testing::Values(texelscope::BackendKind::cpu),                                \
                           ::testing::ValuesIn(test_support::every_method()), ::testing::ValuesIn(paths)), \
        test_support::method_case_name);                                                                   \
    INSTANTIATE_TEST_SUITE_P(                                                                              \
        Cuda, Suite,                                                                                       \
        ::testing::Combine(::testing::Values(texelscope::BackendKind::cuda),                               \
                           ::testing::ValuesIn(test_support::every_method()), ::testing::ValuesIn(paths)), \
        test_support::method_case_name)
