// What the viewer begins with: scene, settings, title, sessions of files.

#include <unistd.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/desktop/folders.h"
#include "app/files/test_images/test_images.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/settings.h"
#include "app/viewer/loop/viewer_window.h"
#include "gpu/backend/source_image.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

TEST(FirstScene, IsMeasuredAgainstTheDefaultReference) {
    EXPECT_EQ(first_scene({}).reference, default_reference());
    EXPECT_EQ(Scene{}.reference, Reference{}) << "sessions that name none open as before";
}

TEST(FirstScene, PanesDifferOnlyInTheirMethod) {
    ViewerOptions options;
    for (const char* spec : {"bspline", "nearest:address=mirror"}) {
        options.spec = parse_spec(spec);
        const Scene scene = first_scene(options);
        ASSERT_EQ(scene.panes.size(), 2u);
        MethodSpec b = scene.panes[1].spec;
        EXPECT_NE(b.method, options.spec->method);
        b.method = options.spec->method;
        EXPECT_EQ(b, *options.spec);
    }
}

Document opened(const std::string& source, std::shared_ptr<const Image> image) {
    Document document;
    document.source = source;
    document.image = std::move(image);
    return document;
}

// An open image, and its first picture in a window of this size.
class FirstPicture {
public:
    explicit FirstPicture(const std::string& source)
        : document_(opened(source, std::make_shared<const Image>(make_test_image(source)))),
          source_(make_cpu_backend(), *document_.image) {}

    std::optional<Region> region() const { return first_region(document_); }
    View view(Extent window) const {
        const Extent image{document_.image->width(), document_.image->height()};
        return region() ? zoomed_to(*region(), 0, image, window) : fitted(0, image, window);
    }
    Image by(const MethodInfo& method, Extent window) {
        RenderRequest request;
        request.spec = default_spec(method);
        request.view = view(window);
        request.width = window.width;
        request.height = window.height;
        return source_.render_to_image(request);
    }

private:
    Document document_;
    SourceImage source_;
};

// The root mean square difference of values clipped to the screen's range, in grey levels.
double difference(const Image& a, const Image& b) {
    const auto level = [](float v) { return 255 * double(std::clamp(v, 0.0f, 1.0f)); };
    double sum = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            for (int c = 0; c < a.channels(); ++c) {
                const double d = level(a.value(x, y, c)) - level(b.value(x, y, c));
                sum += d * d;
            }
    return std::sqrt(sum / a.width() / a.height() / a.channels());
}

// The four that come nearest to the ideal agree best: between them a third of a level is left.
TEST(FirstScene, EachOfTheMethodsWithAKeyChangesThePicture) {
    constexpr Extent window{320, 240};
    constexpr double visible = 1, among_the_best = 1.0 / 3;
    FirstPicture picture(default_source);
    std::vector<std::pair<std::string_view, Image>> shown;
    for (const MethodInfo* method : all_methods())
        if (method->rank <= 9) shown.emplace_back(method->id, picture.by(*method, window));
    ASSERT_EQ(shown.size(), 9u);
    const auto best = [](std::string_view id) {
        return id == "bspline" || id == "lanczos3" || id == "omoms" || id == "quintic";
    };
    for (size_t i = 0; i < shown.size(); ++i)
        for (size_t k = 0; k < i; ++k) {
            const auto& [a, of_a] = shown[i];
            const auto& [b, of_b] = shown[k];
            EXPECT_GT(difference(of_a, of_b), best(a) && best(b) ? among_the_best : visible) << a << " and " << b;
        }
}

TEST(FirstScene, IsEnlargedInAWindowOfAnySize) {
    const FirstPicture picture(default_source);
    for (const auto& [window, zoom] : {std::pair{Extent{320, 240}, 3.75},
                                       {Extent{940, 720}, 11.25},
                                       {Extent{1580, 1000}, 15.625},
                                       {Extent{2200, 1500}, 23.4375}})
        EXPECT_NEAR(picture.view(window).zoom(), zoom, 1e-9) << window.width;
}

TEST(FirstScene, EveryBuiltInImageWithDetailShowsIt) {
    for (const TestImage& test : test_images()) {
        FirstPicture picture("@" + std::string(test.id));
        const View view = picture.view({480, 360});
        if (!picture.region()) {
            const bool small = test.width <= 160 && test.height <= 128;
            EXPECT_TRUE(small || test.id == "parabola" || test.id == "alpha") << test.id;
            continue;
        }
        const Region part = *picture.region();
        EXPECT_GE(std::min(part.x0, part.y0), -0.5) << test.id;
        EXPECT_LE(part.x1, test.width - 0.5) << test.id;
        EXPECT_LE(part.y1, test.height - 0.5) << test.id;
        EXPECT_GT(view.zoom(), 5) << test.id;
        const auto by = [&](const char* id) { return picture.by(*find_method(id), {160, 120}); };
        const Image nearest = by("nearest"), bilinear = by("bilinear"), cubic = by("bspline");
        EXPECT_GT(difference(nearest, bilinear), 3) << test.id;
        EXPECT_GT(difference(bilinear, cubic), 1) << test.id;
    }
}

TEST(FirstScene, PhotographsAreFitted) {
    const auto image = std::make_shared<const Image>(4000, 3000, 3, SampleType::u8);
    EXPECT_FALSE(first_region(opened("/home/someone/photo.jpg", image)));
}

// Nearest neighbour is chosen for A, which B already has.
TEST(FirstScene, SideBySideItNeverShowsOnePictureTwice) {
    for (const char* arrange : {"compare.arrange", "compare.wipe"}) {
        AppState state;
        state.scene = first_scene({});
        find_action("method.nearest")->run(state);
        ASSERT_EQ(state.scene.panes[0].spec, state.scene.panes[1].spec);
        find_action(arrange)->run(state);
        EXPECT_EQ(state.scene.panes[0].spec.method->id, "nearest");
        EXPECT_EQ(state.scene.panes[1].spec.method->id, "bspline");
        // What is chosen side by side stays, also in the next arrangement.
        state.scene.active = 1;
        find_action("method.nearest")->run(state);
        find_action("compare.rows")->run(state);
        EXPECT_EQ(state.scene.panes[1].spec.method->id, "nearest");
    }
}

namespace fs = std::filesystem;

// The data that outlives the program.

class SettingsFile : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(path_.parent_path()); }
    void write(const char* text) { std::ofstream(path_) << text; }

    const Folder folder_;
    const fs::path path_ = folder_ / "texelscope/settings.json";
};

TEST_F(SettingsFile, ComesBackAsWritten) {
    const Preferences preferences{.panel_width = 400,
                                  .dock_width = 500,
                                  .animate = false,
                                  .hint_dismissed = true,
                                  .recent = {"/a/b.png", "/with \"quotes\" and ü.tif"},
                                  .allowed_commands = {"convert {in} -resize \"200%\" {out}"},
                                  .answered = {{"half-texel#3", 2}, {"order#1", -1}}};
    const Overlays overlays{.minimap = false, .pixel_grid = false, .pixel_values = false, .value_unit = ValueUnit::hex};
    const Settings settings{{preferences}, {overlays}, 1600, 900};
    ASSERT_TRUE(save_settings(settings, path_));
    std::string problem;
    EXPECT_EQ(load_settings(path_, &problem), settings);
    EXPECT_EQ(problem, "");
}

TEST_F(SettingsFile, NoFileIsNoProblem) {
    std::string problem;
    EXPECT_EQ(load_settings(folder_ / "none.json", &problem), Settings{});
    EXPECT_EQ(problem, "");
}

TEST_F(SettingsFile, BrokenFilesAreIgnoredAndNamed) {
    for (const char* text : {"", "{", "[1, 2]", "null", "\x80\xff", "{\"window_width\": 1e999}"}) {
        write(text);
        std::string problem;
        EXPECT_EQ(load_settings(path_, &problem), Settings{}) << text;
        EXPECT_NE(problem.find("settings.json"), std::string::npos) << text;
    }
}

TEST_F(SettingsFile, WrongTypesAndSizesAreTheStandardOnesOrTheLimits) {
    write(
        R"({"window_width": "wide", "window_height": -5, "panel_width": 1e9, "animate": 1, "recent": [1, "/x", null]})");
    std::string problem;
    const Settings settings = load_settings(path_, &problem);
    EXPECT_EQ(problem, "");
    EXPECT_EQ(settings.window_width, Settings{}.window_width);
    EXPECT_EQ(settings.window_height, 64);
    EXPECT_EQ(settings.panel_width, 960);
    EXPECT_EQ(settings.animate, Settings{}.animate);
    EXPECT_EQ(settings.recent, std::vector<std::string>{"/x"});
}

TEST_F(SettingsFile, NamesThatAreNotUtf8DoNotLoseTheRest) {
    Settings settings;
    settings.recent = {"/\xff.png", "/good.png"};
    ASSERT_TRUE(save_settings(settings, path_));
    EXPECT_EQ(load_settings(path_).recent.at(1), "/good.png");
}

TEST_F(SettingsFile, SavingReportsAFileThatCannotBeWritten) {
    EXPECT_FALSE(save_settings({}, fs::path("/proc/none/settings.json")));
    EXPECT_FALSE(save_settings({}, {}));
}

TEST(Recent, LatestFirstWithoutDoubles) {
    std::vector<std::string> recent;
    for (int i = 0; i < 20; ++i) remember_recent(recent, std::to_string(i));
    EXPECT_EQ(recent.size(), max_recent);
    remember_recent(recent, "15");
    EXPECT_EQ(recent.front(), "15");
    EXPECT_EQ(std::count(recent.begin(), recent.end(), "15"), 1);
}

// The title names what keys act on.

TEST(WindowTitle, NamesTheActivePaneWhateverTheMouseIsOver) {
    AppState state;
    EXPECT_EQ(window_title(state), "texelscope");
    state.scene.panes = {{default_spec(*find_method("bilinear"))}, {default_spec(*find_method("nearest"))}};
    state.scene.panes[1].own_view = View{0, 0, 0.25, 0};
    Document& document = state.scene.documents.emplace_back();
    document.source = "/photos/photo.png";
    document.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.current = 0;
    state.scene.arrangement = Arrangement::columns;
    state.places.picture = {0, 0, 200, 100};
    state.pointer.inside = true;
    state.pointer.pane = 1;
    ASSERT_EQ(focused_pane(state), 1);
    EXPECT_EQ(window_title(state), "photo.png – Bilinear – 100 % (1:1)");
    state.scene.active = 1;
    state.pointer.pane = 0;
    EXPECT_EQ(window_title(state), "photo.png – Nearest neighbour – 400 % (4:1)");
    state.report.recording.active = true;
    state.report.recording.path = "/videos/one.mp4";
    EXPECT_EQ(window_title(state), "● REC one.mp4 – photo.png – Nearest neighbour – 400 % (4:1)");
    state.report.recording = {};
    state.folder.folder = "/home/ann/alps";
    state.folder.files = std::make_shared<const std::vector<FolderEntry>>(31);
    state.folder.position = 1;
    EXPECT_EQ(window_title(state), "photo.png (2/31 in alps) – Nearest neighbour – 400 % (4:1)");
    Document& other = state.scene.documents.emplace_back();
    other.source = "/photos/other.png";
    other.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.panes[1].source = other.source;
    EXPECT_EQ(window_title(state), "other.png – Nearest neighbour – 400 % (4:1)") << "what the pane shows";
}

// Files of sessions: their names, and those included with the program.

TEST(SessionFiles, FilesAreKnownByTheirEndings) {
    using enum FileKind;
    const std::pair<const char*, FileKind> names[] = {
        {"a.json", session},   {"/x/b.json", session},   {"@a.json", picture},    {"a.png", picture},
        {"json", picture},     {"01-pixels.md", lesson}, {"my.weights", weights}, {"mine.cu", kernel},
        {"@zone.md", picture}, {"a.json.png", picture}};
    for (const auto& [name, kind] : names) EXPECT_EQ(kind_of_file(name), kind) << name;
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
            for (const Light light : {Light::stored, Light::linear})
                for (const char* filter : {"bspline", "like:pillow/bicubic", "like:torch/bicubic:antialias=true"})
                    for (const bool antialias : {true, false}) {
                        const ShrunkSource given{factor, filter, light, original, antialias};
                        EXPECT_EQ(parse_shrunk_source(given.text()), given) << given.text();
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
