// Session files: names that are not UTF-8, and levels, which belong to an image or are for all.

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/state/session/session.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
