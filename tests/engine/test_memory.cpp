// Memory of the backends: what is kept, what is given up, and what happens when there is none left.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

class Memory : public MemoryTest {
protected:
    void look_around(int frames);
};

// Prefilters, address modes and half floats that no two panes share.
std::vector<MethodSpec> sixteen_specs() {
    std::vector<MethodSpec> specs;
    for (int taps = 3; taps <= 31; taps += 4) specs.push_back(spec_of("bspline:prefilter=fir" + std::to_string(taps)));
    for (const char* text : {"bspline", "bspline:address=wrap", "bspline:address=mirror", "bspline:address=border",
                             "quintic", "omoms", "quintic:address=mirror/clamp"})
        specs.push_back(spec_of(text));
    specs.push_back(spec_of("bspline"));
    specs.back().prefilter.half_float = true;
    return specs;
}

// Whether the pictures have the same bits; if `nearest` on a GPU reads linear memory because there is no texture,
// integers are scaled by code instead of by the texture unit, to a unit in the last place.
bool is_same_picture(const Image& a, const Image& b, const MethodSpec& spec) {
    const bool any_source = spec.method->id == "nearest" && spec.path == FetchPath::automatic;
    return any_source ? between(a, b).error <= 0x1p-23 : same_bits(a, b);
}

TEST_P(Memory, SixteenPanesPrefilterOnceEach) {
    SourceImage source(backend_, noise(64, 48, 3, SampleType::u8, 1));
    const std::vector<MethodSpec> specs = sixteen_specs();
    ASSERT_EQ(specs.size(), 16u);
    for (int frame = 0; frame < 100; ++frame) {
        for (const MethodSpec& spec : specs) {
            RenderRequest request = request_of(spec, 32, 24);
            request.view.rotate = frame;
            source.render_to_rgba8(request);
        }
        memory().next_frame();
    }
    EXPECT_EQ(counts().prefilters, 16);
}

TEST_P(Memory, OfTwoImagesTheSetUsedLongestAgoGoes) {
    const auto a = std::make_unique<SourceImage>(backend_, noise(512, 512, 1, SampleType::f32, 2));
    const auto b = std::make_unique<SourceImage>(backend_, noise(512, 512, 1, SampleType::f32, 3));
    const MethodSpec one = spec_of("bspline"), two = spec_of("bspline:prefilter=fir15");
    a->prepared_for(one);
    const size_t set = memory().kept();
    EXPECT_GE(set, size_t(512 * 512 * 4));
    memory().set_limit(2 * set);
    b->prepared_for(one);
    a->prepared_for(one);
    EXPECT_EQ(counts().prefilters, 2);
    b->prepared_for(two);  // instead of b's first
    EXPECT_EQ(memory().kept(), 2 * set);
    a->prepared_for(one);
    EXPECT_EQ(counts().prefilters, 3);
    b->prepared_for(one);  // instead of its second
    a->prepared_for(one);
    EXPECT_EQ(counts().prefilters, 4);
}

TEST_P(Memory, WhatSomebodyHoldsIsNotGivenUp) {
    SourceImage source(backend_, noise(100, 100, 1, SampleType::f32, 4));
    auto held = source.prepared_for(spec_of("bspline"));
    const size_t taken = memory().taken();
    memory().set_limit(0);
    EXPECT_FALSE(memory().free_memory());
    EXPECT_EQ(memory().taken(), taken);
    held.reset();
    EXPECT_TRUE(memory().free_memory());
    EXPECT_EQ(memory().kept(), 0u);
    EXPECT_LE(memory().taken(), taken - 100 * 100 * 4);
}

TEST_P(Memory, AnImageGivesBackAllThatWasMadeOfIt) {
    SourceImage(backend_, noise(4, 4, 1, SampleType::u8, 5))
        .render_to_image(request_of(spec_of("bspline"), 4, 4));  // tables
    const size_t before = memory().taken(), kept = memory().kept();
    {
        SourceImage source(backend_, noise(300, 200, 3, SampleType::u8, 5));
        for (const char* text :
             {"bspline", "bspline:path=hardware", "nearest", "lanczos3:path=lookup", "quintic:address=wrap"}) {
            RenderRequest request = request_of(spec_of(text), 200, 100);
            source.render_to_rgba8(request);
            request.warp = {Warp::Kind::swirl, 90};
            source.render_to_image(request);
        }
        EXPECT_GT(memory().taken(), before + 4 * 300 * 200 * 4);
        EXPECT_GT(memory().kept(), kept);
    }
    EXPECT_EQ(memory().taken(), before);
    EXPECT_EQ(memory().kept(), kept);
}

// Nothing may be kept: every method still gives the same bits, also if it needs levels, coefficients or textures.
TEST_P(Memory, NothingKeptIsNothingMissing) {
    const Image image = noise(150, 120, 3, SampleType::u8, 6);
    SourceImage rich(shared_backend(GetParam()), image), poor(backend_, image);
    memory().set_limit(0);
    for (const MethodInfo* method : all_methods())
        for (const FetchPath path : all_fetch_paths) {
            MethodSpec spec = default_spec(*method);
            spec.path = path;
            RenderRequest request = beyond_borders(spec, 150, 120, 5);
            request.view.rotate = 20;
            ASSERT_TRUE(is_same_picture(rich.render_to_image(request), poor.render_to_image(request), spec))
                << to_string(spec);
            request.antialias = true;
            request.view.scale = 11;
            request.width = request.height = 20;
            ASSERT_TRUE(is_same_picture(rich.render_to_image(request), poor.render_to_image(request), spec))
                << to_string(spec);
            request.warp = {Warp::Kind::ripple, 3};
            ASSERT_TRUE(is_same_picture(rich.render_to_image(request), poor.render_to_image(request), spec))
                << to_string(spec);
        }
}

// Room for one set of coefficients and a half: the older makes room for the newer, without an error.
TEST_P(Memory, OlderSetsAreGivenUpWhereMemoryRunsOut) {
    const Image image = noise(512, 512, 1, SampleType::f32, 7);
    SourceImage rich(shared_backend(GetParam()), image), poor(backend_, image);
    poor.render_to_image(request_of(spec_of("bspline"), 64, 64));
    const size_t set = memory().kept();
    memory().free_memory();
    leave(set * 3 / 2);
    for (const MethodSpec& spec : sixteen_specs()) {
        const RenderRequest request = request_of(spec, 64, 64);
        ASSERT_TRUE(same_bits(rich.render_to_image(request), poor.render_to_image(request))) << to_string(spec);
    }
    EXPECT_EQ(counts().prefilters, 1 + 16);
    EXPECT_LE(memory().kept(), set * 3 / 2);
}

// A second copy of the image as a texture is faster, but not needed.
TEST_P(Memory, NearestNeedsNoSecondCopyOfTheImage) {
    const Image image = noise(700, 600, 4, SampleType::f32, 10);
    SourceImage rich(shared_backend(GetParam()), image), poor(backend_, image);
    const RenderRequest request = beyond_borders(spec_of("nearest"), 100, 100, 3);
    const Image expected = rich.render_to_image(request);
    poor.render_to_image(request_of(spec_of("bilinear"), 8, 8));
    leave(mebibyte);  // a tenth of the texture
    EXPECT_TRUE(same_bits(poor.render_to_image(request), expected));
    EXPECT_TRUE(same_bits(poor.render_to_image(request), expected));
    leave_all();
    EXPECT_TRUE(same_bits(poor.render_to_image(request), expected));
}

TEST_P(Memory, ATextureThatDoesNotFitIsRefusedAndNotKept) {
    if (GetParam() != BackendKind::cuda) GTEST_SKIP() << "there are no textures on the CPU";
    const Image image = noise(700, 600, 4, SampleType::f32, 11);
    SourceImage source(backend_, image);
    const RenderRequest request = beyond_borders(spec_of("bilinear:path=hardware"), 100, 100, 3);
    source.render_to_image(beyond_borders(spec_of("bilinear"), 100, 100, 3));
    leave(mebibyte);
    const size_t taken = memory().taken();
    for (int n = 0; n < 3; ++n) EXPECT_THROW(source.render_to_image(request), OutOfMemory);
    EXPECT_LE(memory().taken(), taken);
    leave_all();
    EXPECT_TRUE(same_bits(source.render_to_image(request),
                          SourceImage(shared_backend(GetParam()), image).render_to_image(request)));
}

// Coefficients are counted before they are taken, whatever the system would promise: 2^19 × 2^19 of them are 1 TiB.
TEST_P(Memory, TheCpuAsksBeforeItTakes) {
    if (GetParam() != BackendKind::cpu) GTEST_SKIP() << "a GPU grants what it has";
    const std::vector<uint8_t> few(1 << 20);
    SourceImage source(backend_, ImageView{few.data(), 1 << 19, 1 << 19, 1, SampleType::u8});  // never read
    try {
        source.prepared_for(spec_of("bspline"));
        ADD_FAILURE();
    } catch (const OutOfMemory& error) {
        const std::string text = error.what();
        EXPECT_EQ(text.find("no memory for the coefficients of an image of 524288×524288 pixels: 1024."), 0u) << text;
        EXPECT_NE(text.find(" GiB are needed, "), std::string::npos) << text;
        EXPECT_NE(text.find(" available"), std::string::npos) << text;
    }
    EXPECT_EQ(memory().most_taken(), 0u);
}

TEST_P(Memory, HalfFloatsAreCountedWithTheFloatsTheyAreRoundedFrom) {
    if (GetParam() != BackendKind::cpu) GTEST_SKIP() << "the GPU rounds as it writes";
    SourceImage source(backend_, noise(512, 512, 1, SampleType::f32, 12));
    MethodSpec spec = spec_of("bspline");
    spec.prefilter.half_float = true;
    source.prepared_for(spec);
    EXPECT_GE(memory().most_taken(), size_t(512 * 512 * (2 + 4)));
    EXPECT_LT(memory().taken(), size_t(512 * 512 * 4));
    memory().free_memory();
    leave(512 * 512 * 4);
    EXPECT_THROW(source.prepared_for(spec), OutOfMemory);
}

TEST_P(Memory, AnImageIsTakenOnceAndNoMore) {
    const bool on_cpu = GetParam() == BackendKind::cpu;
    const auto held = [&](auto&&... arguments) {
        const size_t before = memory().taken();
        const SourceImage source(backend_, std::forward<decltype(arguments)>(arguments)...);
        return memory().taken() - before;
    };
    constexpr size_t samples = 1024 * 800;  // rows of whole vectors, which need no padding
    const auto shared = [](int channels, SampleType type, Alpha alpha = Alpha::none) {
        return std::make_shared<const Image>(noise(1024, 800, channels, type, 13, alpha));
    };
    // In place on the CPU …
    EXPECT_EQ(held(shared(1, SampleType::u8)), on_cpu ? 0 : samples);
    EXPECT_EQ(held(shared(4, SampleType::u16, Alpha::premultiplied)), on_cpu ? 0 : 8 * samples);
    EXPECT_EQ(held(noise(1024, 800, 2, SampleType::f32, 14)), on_cpu ? 0 : 8 * samples);
    EXPECT_EQ(held(shared(3, SampleType::u8)), on_cpu ? 0 : 4 * samples) << "three channels become four on a GPU";
    // … unless alpha is multiplied into floats; …
    EXPECT_EQ(held(shared(4, SampleType::u8, Alpha::straight)), 16 * samples);
    // … and a caller's own image is copied.
    const Image own = noise(1024, 800, 1, SampleType::u8, 15);
    EXPECT_EQ(held(own), samples);
    EXPECT_EQ(held(view_of(own)), on_cpu ? 0 : samples);
    EXPECT_EQ(memory().most_taken(), 16 * samples);
}

// Strips of an image that is larger than one of them, in every form.
TEST_P(Memory, LargeImagesBecomeResidentInStrips) {
    for (const auto& [channels, alpha] :
         {std::pair(3, Alpha::none), std::pair(4, Alpha::straight), std::pair(2, Alpha::straight)}) {
        const Image image = noise(1500, 1100, channels, SampleType::u16, 16, alpha);
        SourceImage source(backend_, image);
        const Image out = source.render_to_image(request_of(spec_of("nearest:path=global"), 1500, 1100));
        const Image expected = converted(premultiplied(image), SampleType::f32);
        EXPECT_LE(between(out, expected).error, 1e-6) << channels;
    }
}

TEST_P(Memory, ScratchGrowsStaysAndIsGivenUp) {
    Scratch scratch;
    EXPECT_TRUE(scratch.empty());
    auto first = scratch.at_least(*backend_, mebibyte);
    EXPECT_EQ(scratch.at_least(*backend_, 1000), first);
    EXPECT_EQ(memory().kept(), mebibyte);
    EXPECT_FALSE(memory().free_memory());  // it is held
    first.reset();
    EXPECT_TRUE(memory().free_memory());
    EXPECT_TRUE(scratch.empty());
    EXPECT_EQ(memory().taken(), 0u);
    scratch.at_least(*backend_, 2 * mebibyte);
    scratch.at_least(*backend_, 3 * mebibyte);
    EXPECT_EQ(memory().taken(), 3 * mebibyte);
    scratch.at_least(*backend_, 600 * mebibyte);
    scratch.at_least(*backend_, mebibyte);
    EXPECT_EQ(memory().taken(), mebibyte);  // the large one was temporary
    Scratch small;
    small.at_least(*backend_, 1000);
    EXPECT_TRUE(memory().free_memory());
    EXPECT_FALSE(small.empty());
}

// Settings that a user tries one after another while exploring, over 1024² samples. The memory taken stays below what
// may be kept, what is idle, and what a single picture needs: no more than six times the largest set.
void Memory::look_around(int frames) {
    constexpr size_t largest_set = (1024 + 2 * 32) * (1024 + 2 * 32) * 4 * sizeof(float);
    constexpr size_t limit = 5 * largest_set;
    Random random(17);
    std::vector<SourceImage> sources;
    for (const Light light : {Light::stored, Light::linear})
        sources.emplace_back(backend_, noise(1024, 1024, 3, SampleType::u8, 18), light);
    const size_t images = memory().taken();
    memory().set_limit(limit);
    const std::vector<AddressPair> addresses = all_address_pairs();
    for (int frame = 0; frame < frames; ++frame) {
        for (int pane = random.integer(1, 3); pane > 0; --pane) {
            MethodSpec spec = default_spec(*random.pick(all_methods()));
            spec.path = random.pick(all_fetch_paths);
            spec.address = random.pick(addresses);
            const std::vector<Prefilter> prefilters = all_prefilters(*spec.method);
            spec.prefilter = random.pick(prefilters);
            if (spec.prefilter.kind != Prefilter::Kind::none) spec.prefilter.half_float = random.chance(0.3);
            RenderRequest request = request_of(spec, random.integer(1, 120), random.integer(1, 90));
            request.view = random_view(random, 1024, 1024);
            request.antialias = random.chance(0.5);
            if (random.chance(0.2)) request.warp = {Warp::Kind::swirl, random.between(-90, 90)};
            sources[random.chance(0.3)].render_to_rgba8(request);
            ASSERT_LE(memory().kept(), limit);
            ASSERT_LE(memory().taken(), images + limit + 6 * largest_set);
        }
        memory().next_frame();
    }
    EXPECT_LE(memory().taken(), images + limit + 6 * largest_set);
}

TEST_P(Memory, RandomSettingsDoNotPileUp) { look_around(80); }

// With all the memory there is, the needs of earlier frames are not kept for good.
TEST_P(Memory, IdleSetsDoNotPileUp) {
    SourceImage source(backend_, noise(1024, 1024, 1, SampleType::u8, 19));
    memory().set_limit(MemoryBudget::unlimited);
    size_t most = 0;
    for (const AddressPair& address : all_address_pairs())
        for (int taps = 3; taps <= 27; taps += 6) {
            MethodSpec spec = spec_of("bspline:prefilter=fir" + std::to_string(taps));
            spec.address = address;
            source.render_to_rgba8(request_of(spec, 16, 16));
            memory().next_frame();
            most = std::max(most, memory().kept());
        }
    EXPECT_GT(most, MemoryBudget::idle_bytes / 2);
    EXPECT_LE(most, MemoryBudget::idle_bytes + 32 * mebibyte);
}

ON_EVERY_BACKEND(Memory);

class SlowMemory : public Memory {};

TEST_P(SlowMemory, RandomSettingsDoNotPileUp) { look_around(300); }

ON_EVERY_BACKEND(SlowMemory);

}  // namespace
}  // namespace texelscope::test
