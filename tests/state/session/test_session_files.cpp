// Files and sources of sessions.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "app/state/scene.h"
#include "app/state/session/session.h"

namespace texelscope::test {
namespace {

// Files of sessions: their names, and those included with the program.

TEST(SessionFiles, NamesOfSessionsEndInJson) {
    EXPECT_TRUE(is_session_name("a.json"));
    EXPECT_TRUE(is_session_name("/x/b.json"));
    EXPECT_FALSE(is_session_name("@a.json"));
    EXPECT_FALSE(is_session_name("a.png"));
    EXPECT_FALSE(is_session_name("json"));
}

// The sessions included with the program.
TEST(SessionFiles, TheExamplesCanBeOpened) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(TEXELSCOPE_SOURCE_DIR "/assets/sessions")) {
        const Session session = read_session(entry.path());
        EXPECT_GE(session.scene.panes.size(), 2u) << entry.path();
        for (const Document& document : session.scene.documents)
            EXPECT_FALSE(document.is_file()) << entry.path() << " needs " << document.source;
        ++count;
    }
    EXPECT_GE(count, 3);
}

// Session files: names that are not UTF-8, and levels, which belong to an image or are for all.

// A name is any bytes, and JSON is UTF-8: the others are in hexadecimal, in images, panes and references alike.
TEST(SessionSources, NamesThatAreNotUtf8ComeBack) {
    const std::string sources[] = {"/folder/caf\xe9 100%.png", "@shrunk:4:bspline:stored:/d/\xff.png",
                                   "/folder/bytes:a.png"};
    Session session;
    for (const std::string& source : sources) session.scene.documents.emplace_back().source = source;
    session.scene.current = 0;
    session.scene.panes.push_back(Pane{parse_spec("bspline")});
    session.scene.panes[0].source = sources[0];
    session.scene.reference = {Reference::Kind::image, {}, sources[1]};
    const std::string text = session_to_json(session, "/folder");
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["images"][0]["source"], "bytes:caf%e9%20100%25.png");
    EXPECT_EQ(json["images"][2]["source"], "./bytes:a.png");
    EXPECT_EQ(json["reference"]["image"], "bytes:@shrunk:4:bspline:stored:/d/%ff.png");
    const Scene read = session_from_json(text, "/folder").scene;
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(read.documents[i].source, sources[i]);
    EXPECT_EQ(read.panes[0].source, sources[0]);
    EXPECT_EQ(read.reference.source, sources[1]);
    for (const char* wrong : {"bytes:%", "bytes:%f", "bytes:%xy", "bytes:a%00b", "bytes:"})
        EXPECT_THROW(session_from_json(
                         fmt::format(R"({{"texelscope":1,"panes":[{{"spec":"bspline"}}],"image":"{}"}})", wrong), "/"),
                     Error)
            << wrong;
}

// Sessions from before images had levels of their own have one pair for all of them.
TEST(SessionSources, LevelsOfTheDisplayAreForAllImages) {
    const std::string head = R"({"texelscope":1,"panes":[{"spec":"bspline"}],"image":"@step:8")";
    const auto read = [&](const std::string& more) { return session_from_json(head + more + "}", "/").scene; };
    EXPECT_TRUE(read(R"(,"display":{"black":-1,"white":4})").levels_locked);
    EXPECT_FALSE(read(R"(,"display":{"black":0,"white":1})").levels_locked);
    EXPECT_FALSE(read("").levels_locked);
    EXPECT_TRUE(read(R"(,"levels_locked":true)").levels_locked);
    EXPECT_EQ(read(R"(,"levels":{"black":-1,"white":4})").documents[0].levels, (Levels{-1, 4}));
}

// Sources of shrunk pictures are read back as they were written, whatever the original is called.

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

// Sources of resized pictures likewise.

TEST(ResizedSources, AreReadBackAsWritten) {
    for (const char* original : {"/d/photo.png", "@basilica:160", "/d/a;b: c.png"})
        for (const char* changed : {"", "order of the axes"}) {
            const std::string towards = *changed ? "like:onnx/resize:mode=cubic,antialias=1" : "";
            for (const SampleRegion& part : {SampleRegion{}, SampleRegion{24, 6, 200, 90}}) {
                const ResizedSource source{{224, 96}, "like:torch/bicubic:antialias=true", towards, changed, original,
                                           part};
                EXPECT_EQ(parse_resized_source(source.text()), source) << source.text();
                EXPECT_EQ(original_source(source.text()), original);
            }
        }
}

TEST(ResizedSources, OthersAreNone) {
    for (const char* source :
         {"/d/photo.png", "@resized", "@resized:0x4;like:pillow/box;;;/p", "@resized:4;like:pillow/box;;;/p",
          "@resized:4x4;;;;/p", "@resized:4x4;like:pillow/box;;;", "@resized:4x4;like:pillow/box;like:opencv/area;;/p",
          "@resized:4x99999999;like:pillow/box;;;/p", "@resized:4x4,1,0,4x4;like:pillow/box;;;/p",
          "@resized:4x4,1;like:pillow/box;;;/p", "@resized:4x4,0,0,0x4;like:pillow/box;;;/p"})
        EXPECT_FALSE(parse_resized_source(source)) << source;
}

TEST(ResizedSources, AreNamedByTheirOriginal) {
    Document document;
    document.source = "@resized:224x96;like:pillow/bicubic;;;/d/photo.png";
    EXPECT_EQ(document.title(), "photo.png at 224×96");
}

}  // namespace
}  // namespace texelscope::test
