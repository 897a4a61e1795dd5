#pragma once
// The flags, numbers and choices of session files and of the settings: one table of (key, member, range) per object, for
// reading and for writing. Lists, optional objects and what depends on others (images, panes, references) are read by
// session_read.cpp and written by session.cpp.

#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/state/interface.h"
#include "app/state/scene.h"
#include "gpu/core/errors.h"
#include "gpu/core/names.h"

namespace texelscope::fields {

// A flag, or a number from `low` to `high`, both included.
template <class Object, class Value> struct Field {
    std::string_view key;
    Value Object::*member;
    double low = std::numeric_limits<double>::lowest(), high = std::numeric_limits<double>::max();
};

template <class Object, class Value, class... Range>
Field(const char*, Value Object::*, Range...) -> Field<Object, Value>;

// One of several values, each of which has a name.
template <class Object, class Choice> struct ChoiceField {
    std::string_view key;
    Choice Object::*member;
    std::span<const Choice> choices = all_values<Choice>;
};
template <class Object, class Choice, class... Choices>
ChoiceField(const char*, Choice Object::*, Choices...) -> ChoiceField<Object, Choice>;

// Calls visit(field) for each row of a table.
template <class Table, class Visit> constexpr void for_each(const Table& table, Visit visit) {
    std::apply([&](const auto&... field) { (visit(field), ...); }, table);
}

inline constexpr double far = 1e9, huge = 1e6;  // samples, and samples per pixel: beyond what any image needs

inline constexpr std::tuple point = {Field{"x", &Point::x, -far, far}, Field{"y", &Point::y, -far, far}};

inline constexpr std::tuple view = {
    Field{"translate_x", &View::translate_x, -far, far}, Field{"translate_y", &View::translate_y, -far, far},
    Field{"scale", &View::scale, 1 / huge, huge}, Field{"rotate", &View::rotate, -360.0, 360.0}};

inline constexpr std::tuple zoom = {Field{"from", &PlotZoom::from, -far, far}, Field{"to", &PlotZoom::to, -far, far}};

inline constexpr double furthest_level = 1e30;
inline constexpr std::tuple levels = {Field{"black", &Levels::black, -furthest_level, furthest_level},
                                      Field{"white", &Levels::white, -furthest_level, furthest_level}};

inline constexpr std::array outsides = {Outside::extend, Outside::background};
inline constexpr std::tuple scene = {
    ChoiceField{"outside", &Scene::outside, outsides}, Field{"antialias", &Scene::antialias},
    Field{"address_for_all", &Scene::address_for_all}, Field{"levels_locked", &Scene::levels_locked}};

inline constexpr std::tuple wipe = {Field{"horizontal", &Wipe::horizontal}, Field{"held", &Wipe::held},
                                    Field{"at", &Wipe::at, 0.0, 1.0}};

inline constexpr std::tuple display = {Field{"exposure", &DisplaySettings::exposure, -16.0, 16.0},
                                       Field{"gamma", &DisplaySettings::gamma, 0.1, 10.0},
                                       ChoiceField{"channel", &DisplaySettings::channel},
                                       ChoiceField{"complex", &DisplaySettings::complex},
                                       ChoiceField{"backdrop", &DisplaySettings::backdrop},
                                       Field{"mark_nonfinite", &DisplaySettings::mark_nonfinite},
                                       Field{"black", &DisplaySettings::black, -furthest_level, furthest_level},
                                       Field{"white", &DisplaySettings::white, -furthest_level, furthest_level},
                                       ChoiceField{"tone_curve", &DisplaySettings::curve},
                                       Field{"invert", &DisplaySettings::invert},
                                       ChoiceField{"map", &DisplaySettings::map},
                                       Field{"by_profile", &DisplaySettings::by_profile}};

inline constexpr std::tuple difference = {ChoiceField{"kind", &DifferenceSettings::kind},
                                          Field{"gain", &DifferenceSettings::gain, 1.0, double(1 << 24)},
                                          ChoiceField{"map", &DifferenceSettings::map},
                                          Field{"pixels_per_degree", &DifferenceSettings::pixels_per_degree,
                                                double(least_pixels_per_degree), double(most_pixels_per_degree)}};

inline constexpr std::tuple profile = {ChoiceField{"along", &ProfileLine::along},
                                       Field{"pinned", &ProfileLine::pinned}};

inline constexpr std::tuple overlays = {
    Field{"minimap", &Overlays::minimap}, Field{"pixel_grid", &Overlays::pixel_grid},
    Field{"pixel_values", &Overlays::pixel_values}, ChoiceField{"values", &Overlays::value_unit}};

// Dock::source is only for lessons.
inline constexpr auto kept_docks = std::span(all_values<Dock>).first<size_t(Dock::source)>();
inline constexpr std::tuple appearance = std::tuple_cat(
    std::tuple{Field{"panels", &Appearance::panels}, Field{"figures", &Appearance::figures},
               Field{"loupe", &Appearance::loupe},
               Field{"loupe_magnification", &Appearance::loupe_magnification, 2.0, 32.0}},
    overlays, std::tuple{Field{"taps", &Appearance::taps}, ChoiceField{"plot", &Appearance::dock, kept_docks}});

inline constexpr std::tuple inspect = {Field{"channel", &InspectUi::channel, -1.0, 3.0},
                                       Field{"histogram_logarithmic", &InspectUi::histogram_logarithmic},
                                       Field{"spectrum_windowed", &InspectUi::spectrum_windowed},
                                       Field{"spectrum_reach", &InspectUi::spectrum_reach, 0.0, 2.0}};

inline constexpr std::tuple preferences = {Field{"panel_width", &Preferences::panel_width, 240.0, 960.0},
                                           Field{"dock_width", &Preferences::dock_width, 320.0, 1600.0},
                                           Field{"lesson_width", &Preferences::lesson_width, 240.0, 960.0},
                                           Field{"toolbar", &Preferences::toolbar},
                                           Field{"animate", &Preferences::animate},
                                           Field{"hint_dismissed", &Preferences::hint_dismissed},
                                           ChoiceField{"folder_order", &Preferences::folder_order},
                                           Field{"folder_descending", &Preferences::folder_descending},
                                           Field{"filmstrip", &Preferences::filmstrip},
                                           Field{"upright", &Preferences::upright}};

}  // namespace texelscope::fields

namespace texelscope {

// Reading a JSON object field by field, with errors that give their location. Internal to this folder.

class JsonError : public Error {
public:
    JsonError(std::string at, const std::string& what) : Error(what), place(std::move(at)) {}
    std::string place;
};

// One value of a JSON file and its path: "panes[2].view".
class JsonValue {
public:
    // `asked` receives the paths of all members that are looked up, for complain_of_unknown.
    JsonValue(const nlohmann::json& value, std::string place, std::set<std::string>* asked = nullptr)
        : value_(&value), place_(std::move(place)), asked_(asked) {}

    // Throws JsonError "PLACE: what".
    [[noreturn]] void complain(std::string_view what) const;

    // Each throws Error if the value has another type or is out of range.
    bool boolean() const;
    double number(double low, double high) const;  // both ends included
    int integer(int low, int high) const;
    std::string text() const;
    std::vector<JsonValue> elements(size_t least, size_t most) const;
    template <class Choice> Choice choice(std::span<const Choice> choices) const;

    // Members of an object; an error for other values.
    std::optional<JsonValue> find(std::string_view key) const;
    JsonValue at(std::string_view key) const;  // an error if it is missing

    // Throws JsonError if it has a member that was never looked up.
    void complain_of_unknown() const;

private:
    [[noreturn]] void complain_of_choice(const std::vector<std::string_view>& names) const;

    const nlohmann::json* value_;
    std::string place_;
    std::set<std::string>* asked_;
};

template <class Choice> Choice JsonValue::choice(std::span<const Choice> choices) const {
    const std::string word = text();
    std::vector<std::string_view> names;
    for (const Choice choice : choices) {
        if (name_of(choice) == word) return choice;
        names.push_back(name_of(choice));
    }
    complain_of_choice(names);
}

}  // namespace texelscope

namespace texelscope::session_names {

// Names in a session file that are not those of an enumeration.

// Prefix of a source that is not UTF-8, whose other bytes are in hexadecimal: "bytes:caf%e9.png".
inline constexpr std::string_view bytes = "bytes:";

// The plots that have their own zoom.
struct NamedZoom {
    std::string_view name;
    PlotZoom& (*of)(InspectUi&);
};
inline constexpr NamedZoom zooms[] = {{"profile", [](InspectUi& ui) -> PlotZoom& { return ui.profile; }},
                                      {"weight", [](InspectUi& ui) -> PlotZoom& { return ui.curves[0]; }},
                                      {"spectrum", [](InspectUi& ui) -> PlotZoom& { return ui.curves[1]; }},
                                      {"step", [](InspectUi& ui) -> PlotZoom& { return ui.curves[2]; }},
                                      {"impulse", [](InspectUi& ui) -> PlotZoom& { return ui.curves[3]; }},
                                      {"fetches", [](InspectUi& ui) -> PlotZoom& { return ui.curves[4]; }},
                                      {"histogram", [](InspectUi& ui) -> PlotZoom& { return ui.histogram; }},
                                      {"stage", [](InspectUi& ui) -> PlotZoom& { return ui.stage; }},
                                      {"stage_spectrum", [](InspectUi& ui) -> PlotZoom& { return ui.stage_spectrum; }}};

}  // namespace texelscope::session_names
