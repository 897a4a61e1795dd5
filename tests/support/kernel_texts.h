#pragma once
// Texts of kernels that tests use.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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

}  // namespace texelscope::test
