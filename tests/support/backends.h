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

namespace texelscope::test {

// One backend of each kind for the whole test program; null if it cannot be made.
std::shared_ptr<Backend> shared_backend(BackendKind kind);

// A CUDA backend that keeps to the limits of one of known_cards(); null without CUDA.
std::shared_ptr<Backend> backend_like(const KnownCard& card);

// A suite with TEST_P bodies that take only the backend.
class OnBackend : public ::testing::TestWithParam<BackendKind> {
protected:
    void SetUp() override;
    std::shared_ptr<Backend> backend_;
};

// A suite with TEST_P bodies that take a backend, a method and a fetch path.
using MethodCase = std::tuple<texelscope::BackendKind, const texelscope::MethodInfo*, texelscope::FetchPath>;

class OnMethod : public ::testing::TestWithParam<MethodCase> {
protected:
    void SetUp() override;
    const MethodInfo& method() const { return *std::get<1>(GetParam()); }
    FetchPath path() const { return std::get<2>(GetParam()); }
    MethodSpec spec() const;  // the method's default settings on this path
    std::shared_ptr<Backend> backend_;
};

// All methods. With the address sanitizer, which takes fifteen times as long: one of each kind of taps, fetches, weight
// function and prefilter, as the others run the same code with other weights.
std::vector<const MethodInfo*> every_method();
std::vector<FetchPath> every_path();   // global, lookup, hardware; auto is one of the exact paths
std::vector<FetchPath> exact_paths();  // auto, global, lookup: each has its own kernels on a GPU
std::vector<FetchPath> auto_and_every_path();
std::vector<FetchPath> hardware_path();
std::vector<FetchPath> auto_path();  // for facts that another suite carries over to the other paths
std::string backend_name(const ::testing::TestParamInfo<BackendKind>& info);
std::string method_case_name(const ::testing::TestParamInfo<MethodCase>& info);

std::vector<AddressPair> all_address_pairs();

// none, fir3 … fir31, iir for a method with poles; only none for the others.
std::vector<Prefilter> all_prefilters(const MethodInfo& method);

Prefilter fir(int taps);

// "bspline:…" as in SPEC; short for tests.
MethodSpec spec_of(std::string_view text);

}  // namespace texelscope::test

#define ON_EVERY_BACKEND(Suite)                                                             \
    INSTANTIATE_TEST_SUITE_P(Cpu, Suite, ::testing::Values(texelscope::BackendKind::cpu),   \
                             texelscope::test::backend_name);                               \
    INSTANTIATE_TEST_SUITE_P(Cuda, Suite, ::testing::Values(texelscope::BackendKind::cuda), \
                             texelscope::test::backend_name)

// paths: every_path(), exact_paths(), hardware_path() or auto_path(); evaluated once the methods have registered themselves.
#define ON_EVERY_BACKEND_AND_METHOD(Suite, paths)                                                              \
    INSTANTIATE_TEST_SUITE_P(                                                                                  \
        Cpu, Suite,                                                                                            \
        ::testing::Combine(::testing::Values(texelscope::BackendKind::cpu),                                    \
                           ::testing::ValuesIn(texelscope::test::every_method()), ::testing::ValuesIn(paths)), \
        texelscope::test::method_case_name);                                                                   \
    INSTANTIATE_TEST_SUITE_P(                                                                                  \
        Cuda, Suite,                                                                                           \
        ::testing::Combine(::testing::Values(texelscope::BackendKind::cuda),                                   \
                           ::testing::ValuesIn(texelscope::test::every_method()), ::testing::ValuesIn(paths)), \
        texelscope::test::method_case_name)
