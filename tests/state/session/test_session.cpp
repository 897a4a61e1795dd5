// Session files: what is written is read back as the same, and errors are reported with their location.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include <nlohmann/json.hpp>

#include "app/state/session/session.h"
#include "gpu/core/colour.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    bool coin() { return random_() % 2 == 0; }
    int below(int n) { return int(random_() % unsigned(n)); }
    // Any magnitude, all 53 bits of it in use.
    double number() {
        return std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random_), below(65) - 35);
    }  // below 2²⁹, within the format's 1e9
    double from(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    template <class Range> auto one_of(const Range& all) { return all[size_t(below(int(std::size(all))))]; }

private:
    std::mt19937_64 random_;
};

View random_view(Dice& dice) {
    return {dice.number(), dice.number(), std::exp(dice.from(-8, 8)), dice.from(-180, 180)};
}

MethodSpec random_spec(Dice& dice) {
    MethodSpec spec = default_spec(*dice.one_of(all_methods()));
    for (size_t i = 0; i < spec.method->parameters.size(); ++i)
        spec.parameters.value[i] = dice.from(spec.method->parameters[i].minimum, spec.method->parameters[i].maximum);
    spec.path = dice.one_of(all_fetch_paths);
    spec.address = {dice.one_of(all_address_modes), dice.one_of(all_address_modes)};
    if (spec.address.has_border() && dice.coin()) spec.address.border = {{0.1f, -2.5f, 1.0f / 3}, 3};
    spec.prefilter = {Prefilter::Kind(dice.below(3)), 3 + 2 * dice.below(15)};
    return spec;
}

std::string random_source(Dice& dice) {
    static const std::string sources[] = {"/folder/photo.png", "/folder/sub/x y.tif", "/elsewhere/ä.npy", "@step:8",
                                          "/folder/@odd.png"};
    return dice.one_of(sources);
}

Pane random_pane(Dice& dice, int panes) {
    Pane pane;
    pane.spec = random_spec(dice);
    if (dice.coin()) pane.label = "„Größe“ \"1\" \\ \n";
    if (dice.coin()) pane.source = random_source(dice);
    if (dice.coin()) pane.offset = random_view(dice);
    if (dice.coin()) pane.own_view = random_view(dice);
    if (dice.coin()) pane.antialias = dice.coin();
    if (dice.coin()) pane.light = dice.coin() ? Light::linear : Light::stored;
    pane.difference = dice.coin();
    pane.against = dice.below(panes + 1) - 1;
    return pane;
}

Region random_region(Dice& dice) {
    const Point corner{dice.number(), dice.number()};
    return {corner.x, corner.y, corner.x + 1e3, corner.y + 1e3};
}

std::array<PlotZoom*, 7> zooms_of(Session& session) {
    InspectUi& ui = session.appearance.inspect;
    return {&ui.profile, &ui.curves[0], &ui.curves[1], &ui.curves[2], &ui.curves[3], &ui.curves[4], &ui.histogram};
}

void randomise_looks(Dice& dice, Scene& scene) {
    scene.arrangement = dice.one_of(all_arrangements);
    scene.wipe = {dice.coin(), dice.coin(), dice.from(0, 1)};
    scene.difference = {dice.one_of(all_difference_kinds), float(dice.from(1, 1 << 24)), dice.one_of(all_colour_maps)};
    scene.levels_locked = dice.coin();
    const Levels all;
    const float black = scene.levels_locked ? float(dice.from(-1, 1)) : all.black;
    scene.display = {float(dice.from(-16, 16)),
                     float(dice.from(0.1001, 10)),
                     ChannelView(dice.below(6)),
                     ComplexView(dice.below(5)),
                     Backdrop(dice.below(2)),
                     dice.coin(),
                     black,
                     scene.levels_locked ? black + float(dice.from(0.01, 2)) : all.white,
                     dice.one_of(all_tone_curves),
                     dice.coin(),
                     dice.one_of(all_colour_maps),
                     dice.coin()};
    scene.profile = {
        ProfileLine::Along(dice.below(3)), dice.coin(), {dice.number(), dice.number()}, {dice.number(), dice.number()}};
    scene.outside = dice.coin() ? Outside::extend : Outside::background;
    scene.antialias = dice.coin();
    scene.light = dice.coin() ? Light::linear : Light::stored;
    const Warp::Kind warp = dice.one_of(all_warps);
    scene.warp = {warp, dice.from(info_of(warp).minimum, info_of(warp).maximum)};
    scene.address_for_all = dice.coin();
    if (dice.coin()) scene.selection = random_region(dice);
}

void randomise_plots(Dice& dice, Session& session) {
    session.appearance.loupe_magnification = 2 + dice.below(31);
    session.appearance.inspect.channel = dice.below(5) - 1;
    session.appearance.inspect.histogram_logarithmic = dice.coin();
    session.appearance.inspect.spectrum_windowed = dice.coin();
    session.appearance.inspect.spectrum_reach = dice.coin() ? 0 : 1;
    for (PlotZoom* zoom : zooms_of(session)) {
        const double from = dice.number();
        if (dice.coin()) *zoom = {from, from + 1e3};
    }
    if (dice.coin()) session.appearance.cursor = Point{dice.number(), dice.number()};
}

Session random_session(unsigned seed) {
    Dice dice(seed);
    Session session;
    Scene& scene = session.scene;
    for (int i = dice.below(4); i > 0; --i) {
        Document document;
        document.source = random_source(dice);
        document.view = random_view(dice);
        document.keep_fit = dice.coin();
        if (dice.coin()) document.region = random_region(dice);
        if (dice.coin()) document.levels = Levels{float(dice.from(-2, 0)), float(dice.from(0.1, 300))};
        scene.documents.push_back(document);
    }
    scene.current = scene.documents.empty() ? -1 : dice.below(int(scene.documents.size()));
    const int panes = 1 + dice.below(max_panes);
    for (int i = 0; i < panes; ++i) scene.panes.push_back(random_pane(dice, panes));
    scene.active = dice.below(panes);
    scene.reference.kind = Reference::Kind(dice.below(4));
    scene.reference.spec = random_spec(dice);
    scene.reference.source = "/folder/b.png";
    randomise_looks(dice, scene);
    session.appearance.panels = dice.coin();
    session.appearance.figures = dice.coin();
    session.appearance.loupe = dice.coin();
    session.appearance.minimap = dice.coin();
    session.appearance.pixel_grid = dice.coin();
    session.appearance.pixel_values = dice.coin();
    session.appearance.value_unit = dice.one_of(all_value_units);
    session.appearance.taps = dice.coin();
    session.appearance.dock = Dock(dice.below(5));
    randomise_plots(dice, session);
    return session;
}

bool same(const Document& a, const Document& b) {
    return a.source == b.source && a.view == b.view && a.keep_fit == b.keep_fit && a.region == b.region &&
           a.levels == b.levels;
}

void expect_same(const Session& a, const Session& b) {
    const Scene &x = a.scene, &y = b.scene;
    ASSERT_EQ(x.documents.size(), y.documents.size());
    for (size_t i = 0; i < x.documents.size(); ++i) EXPECT_TRUE(same(x.documents[i], y.documents[i])) << i;
    EXPECT_EQ(x.current, y.current);
    ASSERT_EQ(x.panes.size(), y.panes.size());
    for (size_t i = 0; i < x.panes.size(); ++i) EXPECT_TRUE(x.panes[i] == y.panes[i]) << i;
    EXPECT_EQ(x.active, y.active);
    EXPECT_EQ(x.arrangement, y.arrangement);
    EXPECT_TRUE(x.wipe == y.wipe);
    EXPECT_TRUE(x.reference == y.reference);
    EXPECT_TRUE(x.difference == y.difference);
    EXPECT_TRUE(x.display == y.display);
    EXPECT_EQ(x.levels_locked, y.levels_locked);
    EXPECT_TRUE(x.profile.along == y.profile.along && x.profile.pinned == y.profile.pinned);
    EXPECT_TRUE(x.profile.a.x == y.profile.a.x && x.profile.a.y == y.profile.a.y);
    EXPECT_TRUE(x.profile.b.x == y.profile.b.x && x.profile.b.y == y.profile.b.y);
    EXPECT_EQ(x.outside, y.outside);
    EXPECT_EQ(x.antialias, y.antialias);
    EXPECT_EQ(x.light, y.light);
    EXPECT_TRUE(x.warp == y.warp);
    EXPECT_EQ(x.address_for_all, y.address_for_all);
    EXPECT_EQ(x.selection, y.selection);
    EXPECT_TRUE(a.appearance == b.appearance);
}

TEST(Session, WhatIsWrittenIsReadAgainAsTheSame) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        const Session session = random_session(seed);
        expect_same(session_from_json(session_to_json(session, "/folder"), "/folder"), session);
    }
}

TEST(Session, FilesMoveWithTheirFolderAndOthersStay) {
    Session session = random_session(1);
    session.scene.documents.clear();
    for (const char* source : {"/data/a/photo.png", "/data/a/sub/b.png", "/data/c.png", "@step:8", "/data/a/@odd"}) {
        Document document;
        document.source = source;
        session.scene.documents.push_back(document);
    }
    session.scene.current = 0;
    const std::string text = session_to_json(session, "/data/a");
    EXPECT_EQ(nlohmann::json::parse(text)["images"][0]["source"], "photo.png");
    const Session moved = session_from_json(text, "/home/b");
    const char* expected[] = {"/home/b/photo.png", "/home/b/sub/b.png", "/data/c.png", "@step:8", "/home/b/@odd"};
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(moved.scene.documents[i].source, expected[i]);
}

// The smallest possible file describes what a new window shows.
TEST(Session, MissingKeysAreAsInANewWindow) {
    const Session session =
        session_from_json(R"({"texelscope": 1, "panes": [{"spec": "lanczos3"}], "later": {}})", "/");
    Session expected;
    expected.scene.panes = {Pane{parse_spec("lanczos3")}};
    expect_same(session, expected);
}

struct Wrong {
    const char *text, *place, *reason;
};

TEST(Session, WrongInputIsToldWithItsPlace) {
    const std::string head = R"({"texelscope":1,"panes":[{"spec":"bspline"},{"spec":"nearest"}])";
    const Wrong wrongs[] = {
        {R"({"panes":[]})", "\"texelscope\"", "is missing"},
        {R"({"texelscope":2,"panes":[]})", "texelscope", "version 2"},
        {R"({"texelscope":"1"})", "texelscope", "whole number"},
        {R"({"texelscope":1})", "\"panes\"", "is missing"},
        {R"([1])", "must be an object", "a list"},
        {"{\"texelscope\": 1,\n \"panes\": ]}", "line 2, column 11", "not JSON"},
        {"", "line 1", "not JSON"},
        {R"({"texelscope":1,"panes":[]})", "panes", "1 to 16 elements, not 0"},
        {R"({"texelscope":1,"panes":[{}]})", "panes[0]", "\"spec\" is missing"},
        {R"({"texelscope":1,"panes":[{"spec":"bspline"},{"spec":"bicubix"}]})", "panes[1].spec",
         "unknown method 'bicubix'"},
        {R"({"texelscope":1,"panes":[{"spec":"bspline","against":1}]})", "panes[0].against", "from -1 to 0"},
        {R"({"texelscope":1,"panes":[{"spec":"bspline","view":{"scale":0}}]})", "panes[0].view.scale",
         "from 1e-06 to 1000000"},
        {R"({"texelscope":1,"panes":[{"spec":"bspline","antialias":"on"}]})", "panes[0].antialias", "true or false"},
        {R"({"texelscope":1,"panes":[{"spec":"bspline"}],"images":[{"view":{}}]})", "images[0]",
         "\"source\" is missing"},
        {R"({"texelscope":1,"panes":[{"spec":"bspline"}],"images":[{"source":""}]})", "images[0].source",
         "name a file"},
        {R"({"texelscope":1,"panes":[{"spec":"bspline"}],"current":0})", "current", "from -1 to -1"},
    };
    for (const Wrong& wrong : wrongs) {
        try {
            session_from_json(wrong.text, "/");
            ADD_FAILURE() << wrong.text;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(wrong.place), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find(wrong.reason), std::string::npos) << error.what();
        }
    }
    for (const char* more : {R"("active":2)",
                             R"("arrangement":"pile")",
                             R"("wipe":{"at":1.5})",
                             R"("wipe":[])",
                             R"("reference":{"kind":"method"})",
                             R"("reference":{"kind":"image"})",
                             R"("difference":{"gain":0.5})",
                             R"("display":{"exposure":17})",
                             R"("display":{"gamma":null})",
                             R"("display":{"black":0.5,"white":0.5})",
                             R"("image":"@step:8","levels":{"black":1,"white":1})",
                             R"("levels":{"black":0,"white":2})",
                             R"("display":{"tone_curve":"film"})",
                             R"("outside":"nan")",
                             R"("warp":{"kind":"swirl","strength":721})",
                             R"("selection":{"x0":1,"y0":0,"x1":1,"y1":4})",
                             R"("selection":{"x0":1})",
                             R"("interface":{"plot":"pie"})",
                             R"("profile":{"a":[1,2]})",
                             R"("panes":7)",
                             R"("interface":{"zoom":{"weight":{"from":1,"to":1}}})",
                             R"("interface":{"loupe_magnification":1})",
                             R"("interface":{"channel":4})",
                             R"("interface":{"cursor":[1,2]})",
                             R"("images":[{"source":"a","view":{"rotate":1e999}}])"})
        EXPECT_THROW(session_from_json(head + "," + more + "}", "/"), Error) << more;
    EXPECT_NO_THROW(session_from_json(head + "}", "/"));
}

class SessionFile : public testing::Test {
protected:
    const Folder folder_;
};

TEST_F(SessionFile, IsThereWholeAndItsErrorsNameIt) {
    const fs::path path = folder_ / "s.json";
    const Session session = random_session(7);
    write_session(session, path);
    expect_same(read_session(path), session);
    std::ofstream(path) << "{";
    try {
        read_session(path);
        ADD_FAILURE();
    } catch (const FileError& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with(path.string())) << error.what();
    }
    EXPECT_THROW(read_session(folder_ / "none.json"), FileError);
    EXPECT_THROW(write_session(session, folder_ / "none" / "s.json"), FileError);
}

TEST(Session, RestoringKeepsWhatIsOpen) {
    AppState state;
    Document open;
    open.source = "@step:8";
    open.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    state.scene.documents = {open};
    state.scene.current = 0;
    state.scene.panes = {Pane{parse_spec("bspline")}};
    state.ui.dock = Dock::curves;
    Session session = session_of(state.scene, state.ui);
    EXPECT_EQ(session.scene.documents[0].image, nullptr);
    session.scene.documents.emplace_back();
    session.scene.documents.back().source = "@noise:4";
    session.scene.panes.push_back(Pane{parse_spec("nearest")});
    AppState other = state;
    other.ui.dock = Dock::none;
    other.transition = Transition{};
    restore(other, session);
    EXPECT_EQ(other.scene.documents[0].image, open.image);
    EXPECT_EQ(other.scene.documents[1].image, nullptr);
    EXPECT_EQ(other.scene.panes.size(), 2u);
    EXPECT_EQ(other.ui.dock, Dock::curves);
    EXPECT_FALSE(other.transition);
}

std::string documentation() {
    std::ifstream file(TEXELSCOPE_SOURCE_DIR "/docs/session.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Session, TheDocumentedExampleIsOne) {
    const std::string page = documentation(), begin = "```json\n";
    const size_t at = page.find(begin) + begin.size();
    const Session session = session_from_json(page.substr(at, page.find("```", at) - at), "/folder");
    EXPECT_EQ(session.scene.documents.at(0).source, "/folder/photo.png");
    EXPECT_EQ(session.scene.panes.at(1).label, "four fetches");
    EXPECT_EQ(session.scene.arrangement, Arrangement::columns);
}

void collect_keys(const nlohmann::json& json, std::set<std::string>& keys) {
    for (const auto& item : json.items()) {
        if (json.is_object()) keys.insert(item.key());
        if (item.value().is_structured()) collect_keys(item.value(), keys);
    }
}

TEST(Session, EveryKeyIsDocumented) {
    std::set<std::string> keys;
    for (unsigned seed = 0; seed < 50; ++seed)
        collect_keys(nlohmann::json::parse(session_to_json(random_session(seed), "/folder")), keys);
    EXPECT_GT(keys.size(), 50u);
    const std::string page = documentation();
    // Coordinates of points are named in the text of their line.
    for (const std::string& key : keys)
        EXPECT_TRUE(key == "x" || key == "y" || page.find("`" + key + "`") != std::string::npos) << key;
}

TEST(Session, AnImageInShort) {
    const std::string head = R"({"texelscope":1,"panes":[{"spec":"nearest"}])";
    const Scene all = session_from_json(head + R"(,"image":"@step:8"})", "/").scene;
    ASSERT_EQ(all.documents.size(), 1u);
    EXPECT_EQ(all.documents[0].source, "@step:8");
    EXPECT_TRUE(all.documents[0].keep_fit);
    const Scene placed = session_from_json(head + R"(,"image":"@step:8","view":{"scale":0.25}})", "/").scene;
    EXPECT_FALSE(placed.documents[0].keep_fit);
    EXPECT_EQ(placed.documents[0].view.scale, 0.25);
    const Scene part =
        session_from_json(head + R"(,"image":"@step:8","view":{"rotate":20},"region":{"x0":1,"y0":2,"x1":3,"y1":4}})",
                          "/")
            .scene;
    EXPECT_TRUE(part.documents[0].keep_fit);
    EXPECT_EQ(part.documents[0].view.rotate, 20);
    EXPECT_EQ(part.documents[0].region, (Region{1, 2, 3, 4}));
    for (const char* wrong : {R"(,"image":"@step:8","images":[]})", R"(,"view":{"scale":2}})",
                              R"(,"image":"a","region":{"x0":1,"y0":2,"x1":1,"y1":4}})"})
        EXPECT_THROW(session_from_json(head + wrong, "/"), Error) << wrong;
}

}  // namespace
}  // namespace texelscope::test
