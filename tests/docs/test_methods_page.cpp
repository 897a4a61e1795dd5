// docs/methods.md matches the registry, and shows every method.

#include "app/studies/methods_page/methods_page.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/files/reading/image_files.h"
#include "tests/docs/markdown.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* remedy = "; build make_methods_page and run it from the project's root";
constexpr uintmax_t largest_picture = 31'000, largest_folder = 1'500'000;  // bytes

std::set<std::string> file_names(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
}

// Decoded, since encoders differ; by at most one level, since rounding may.
void expect_same_picture(const fs::path& kept, const fs::path& fresh) {
    const Image a = read_image(kept), b = read_image(fresh);
    ASSERT_EQ(describe(a), describe(b)) << kept << remedy;
    int worst = 0;
    for (size_t i = 0; i < a.size_bytes(); ++i) worst = std::max(worst, std::abs(int(a.data()[i]) - int(b.data()[i])));
    EXPECT_LE(worst, 1) << kept << " is stale" << remedy;
}

TEST(MethodsPage, IsWhatTheRegistrySaysNow) {
    const fs::path fresh = fs::path(testing::TempDir()) / "texelscope_methods_page";
    fs::remove_all(fresh);
    fs::create_directories(fresh);
    write_methods_page(fresh);
    // Not compared by EXPECT_EQ, which would print both.
    EXPECT_TRUE(read_text(docs_folder() / "methods.md") == read_text(fresh / "methods.md"))
        << "methods.md is stale" << remedy;
    EXPECT_EQ(file_names(docs_folder() / "methods"), file_names(fresh / "methods")) << remedy;
    for (const std::string& name : file_names(fresh / "methods")) {
        const fs::path kept = docs_folder() / "methods" / name, made = fresh / "methods" / name;
        if (!fs::exists(kept)) continue;
        if (kept.extension() == ".png") expect_same_picture(kept, made);
        else EXPECT_TRUE(read_text(kept) == read_text(made)) << kept << " is stale" << remedy;
    }
    fs::remove_all(fresh);
}

TEST(MethodsPage, HasASectionAndThreePicturesForEveryMethod) {
    const std::string page = read_text(docs_folder() / "methods.md");
    for (const MethodInfo* method : all_methods()) {
        EXPECT_THAT(page, testing::HasSubstr(fmt::format("<a id=\"{}\"></a>\n\n## {}\n", method->id, method->name)));
        EXPECT_THAT(page, testing::HasSubstr(fmt::format("| [{}](#{}) |", method->name, method->id)));
        EXPECT_THAT(page, testing::HasSubstr(std::string(method->paper)));
        for (const char* picture : {"weight.svg", "spectrum.svg", "plate.png"}) {
            EXPECT_THAT(page, testing::HasSubstr(fmt::format("src=\"methods/{}-{}\"", method->id, picture)));
            EXPECT_TRUE(fs::exists(docs_folder() / "methods" / fmt::format("{}-{}", method->id, picture)));
        }
        for (const ParameterInfo& parameter : method->parameters)
            EXPECT_THAT(page, testing::HasSubstr(fmt::format("| `{}` | {} |", parameter.id, parameter.name)));
    }
}

TEST(MethodsPage, PicturesAreSmall) {
    uintmax_t sum = 0;
    for (const auto& entry : fs::directory_iterator(docs_folder() / "methods")) {
        sum += entry.file_size();
        if (entry.path().extension() == ".png") {
            EXPECT_LE(entry.file_size(), largest_picture) << entry.path();
        }
    }
    EXPECT_LE(sum, largest_folder);
}

TEST(Docs, EveryLinkLeadsSomewhere) {
    for (const fs::path& folder : {docs_folder(), fs::path(TEXELSCOPE_SOURCE_DIR)})
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".md") {
                EXPECT_THAT(broken_links(entry.path()), testing::IsEmpty()) << entry.path();
            }
}

}  // namespace
}  // namespace texelscope::test
