// Sources of shrunk pictures are read back as they were written, whatever the original is called.

#include "app/state/shrunk_source.h"

#include <gtest/gtest.h>

#include "app/state/scene.h"

namespace texelscope::test {
namespace {

TEST(ShrunkSources, AreReadBackAsWritten) {
    for (const char* original : {"/d/photo.png", "@basilica:160", "/d/a:b: c.png"})
        for (const double factor : {1.0, 2.5, 1.0 / 3 + 1})
            for (const Light light : {Light::stored, Light::linear}) {
                const ShrunkSource source{factor, "bspline", light, original};
                EXPECT_EQ(parse_shrunk_source(source.text()), source) << source.text();
            }
}

TEST(ShrunkSources, OthersAreNone) {
    for (const char* source :
         {"/d/photo.png", "@basilica", "@shrunk", "@shrunk:4:bspline:stored:", "@shrunk:x:bspline:stored:/p",
          "@shrunk:0.5:bspline:stored:/p", "@shrunk:4:bspline:dim:/p"})
        EXPECT_FALSE(parse_shrunk_source(source)) << source;
}

TEST(ShrunkSources, AreNamedByTheirOriginal) {
    Document document;
    document.source = "@shrunk:4:bspline:stored:/d/photo.png";
    EXPECT_EQ(document.title(), "photo.png shrunk by 4");
}

}  // namespace
}  // namespace texelscope::test
