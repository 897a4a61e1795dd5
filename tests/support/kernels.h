#pragma once
// Kernels of one's own in tests: texts, and backends that can run them.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/kernels/kernel_code.h"
#include "gpu/method/kernel_method.h"
#include "tests/support/backends.h"
#include "tests/support/tools.h"

namespace texelscope::test {

inline std::string kernel_text(const std::string& body, const std::string& before = "") {
    return before + "float4 sample(Source s, double x, double y, Params p) {\n" + body + "\n}\n";
}

inline const std::string bilinear_kernel = kernel_text(
    "    int i = whole(x), j = whole(y);\n"
    "    float t = part(x), u = part(y);\n"
    "    return (1 - u) * ((1 - t) * s.tap(i, j) + t * s.tap(i + 1, j)) +\n"
    "           u * ((1 - t) * s.tap(i, j + 1) + t * s.tap(i + 1, j + 1));",
    "//! name = My bilinear\n");

// The names of assets/kernels.
inline std::vector<std::string> example_kernels() {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(TEXELSCOPE_SOURCE_DIR) + "/assets/kernels"))
        names.push_back(entry.path().stem());
    return names;
}
inline std::string example_kernel(const std::string& name) {
    std::ifstream file(std::string(TEXELSCOPE_SOURCE_DIR) + "/assets/kernels/" + name + ".cu");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Why there is no compiler for the GPU; empty if there is one.
inline std::string why_no_nvrtc() {
    return refusal<Unavailable>([] { nvrtc(); });
}

// A suite whose TEST_P bodies render by kernels. A GPU needs the compiler.
class OnKernels : public OnBackend {
protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (IsSkipped() || GetParam() == BackendKind::cpu) return;
        if (const std::string why = why_no_nvrtc(); !why.empty()) GTEST_SKIP() << why;
    }

    static MethodSpec spec(const std::string& text) { return default_spec(kernel_method(text)); }

    Image rendered(const Image& image, const RenderRequest& request, Light light = Light::stored) {
        return SourceImage(backend_, image, light).render_to_image(request);
    }

    // The largest difference from a built-in method: both are within 2e-6 of float64.
    static constexpr double same_picture = 2e-6;
};

}  // namespace texelscope::test
