// What many pictures say together: the sentence, tables, plots and a strip of the pictures.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/many_pictures.h"
#include "app/text/text.h"

namespace texelscope {
namespace {

constexpr size_t most_named = 4;         // of methods that cannot be told apart, in a sentence
constexpr size_t most_thumbnails = 120;  // on a page
constexpr double thumbnail_side = 160;   // pixels

std::string pictures_words(size_t count) { return fmt::format("{} picture{}", count, count == 1 ? "" : "s"); }

std::vector<RestoredMethod> averages_of(const PicturesResult& result) {
    std::vector<RestoredMethod> averages;
    for (const MethodSummary& summary : result.methods) averages.push_back(summary.average);
    return averages;
}

std::string in_a_row(const std::vector<std::string>& names) {
    std::string text;
    for (size_t k = 0; k < names.size(); ++k) text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " and ") + names[k];
    return text;
}

std::string behind_words(const MethodSummary& summary, Judge judge) {
    const ValueRange& range = summary.behind_range;
    if (judge == Judge::psnr) return fmt::format("{:.2f} dB ({:.2f} to {:.2f})", summary.behind, range.low, range.high);
    return fmt::format("{:.4f} ({:.4f} to {:.4f})", summary.behind, range.low, range.high);
}

std::string unit_of(Judge judge) { return judge == Judge::psnr ? "dB" : ""; }

// "PSNR (dB)".
std::string heading_of(Judge judge) {
    const std::string unit = unit_of(judge);
    return std::string(row_of(judge).label()) + (unit.empty() ? "" : " (" + unit + ")");
}

const RestoredMethod& best_of(const JudgedPicture& picture, Judge judge) {
    return *std::min_element(picture.methods.begin(), picture.methods.end(),
                             [&](const auto& a, const auto& b) { return better(a, b, judge); });
}

// As the tables of one picture have it: what its figures are measured against, and which pixels.
RestoringResult as_one(const PicturesResult& result) {
    RestoringResult one;
    one.plan.restoration = result.restoration;
    one.plan.judges = result.judges;
    one.methods = averages_of(result);
    return one;
}

std::string spec_in_table(const MethodSpec& spec, const PicturesResult& result) {
    if (is_outside(spec)) return std::string(spec.method->id);
    const MethodSpec defaults = restoring_defaults(result.restoration);
    const bool standard = find_method(spec.method->id) && spec == parse_spec(spec.method->id, &defaults);
    return standard ? std::string(spec.method->id) : shown_spec_text(spec);
}

std::string picture_name(const std::string& source) {
    return source.starts_with('@') ? source : std::filesystem::path(source).filename().string();
}

// A row for each method of each picture: for other programs.
ResultTable figures_table(const PicturesResult& result) {
    ResultTable table{.title = "Figures of each picture"};
    table.columns = {{"picture"}, {"spec"},           {"PSNR", "dB", 4},  {"SSIM", "", 4}, {"RMSE"},
                     {"max"},     {"worst x", "", 0}, {"worst y", "", 0}, {"time", "ms"},  {"fetches"}};
    std::vector<Judge> more;  // what not every test has
    for (const Judge judge : result.judges)
        if (judge != Judge::psnr && judge != Judge::ssim) more.push_back(judge);
    for (const Judge judge : more) table.columns.push_back({std::string(row_of(judge).label()), "", 4});
    for (const JudgedPicture& picture : result.pictures)
        for (const RestoredMethod& method : picture.methods) {
            const Metrics& m = method.inside.metrics;
            table.rows.push_back({picture.source, full_spec_text(method.spec), m.psnr, m.ssim, m.rmse, m.max_abs,
                                  double(m.worst_x), double(m.worst_y), method.milliseconds, method.fetches});
            for (const Judge judge : more) table.rows.back().emplace_back(figure_of(method, judge));
        }
    return table;
}

ResultTable by_picture(const PicturesResult& result) {
    const Judge judge = result.judge();
    ResultTable table{.title = fmt::format("{} of each picture", heading_of(judge)),
                      .columns = {{"picture"}, {"best method"}}};
    for (const MethodSummary& s : result.methods)
        table.columns.push_back({std::string(s.average.spec.method->name), "", 4});
    for (const JudgedPicture& picture : result.pictures) {
        auto& row = table.rows.emplace_back();
        row.emplace_back(picture_name(picture.source));
        if (!picture.judged()) {
            row.emplace_back("left out: " + picture.problem);
            row.resize(table.columns.size());
            continue;
        }
        if (picture.not_finite > 0)
            row.back() = fmt::format("{}: {} samples not finite", picture_name(picture.source), picture.not_finite);
        row.emplace_back(std::string(best_of(picture, judge).spec.method->name));
        for (const MethodSummary& s : result.methods)
            for (const RestoredMethod& method : picture.methods)
                if (method.spec == s.average.spec)
                    row.emplace_back(judge == Judge::psnr ? method.inside.metrics.psnr : figure_of(method, judge));
    }
    return table;
}

// Pictures of different kinds in different folders: the mean of each.
ResultTable by_folder(const PicturesResult& result) {
    std::map<std::string, std::vector<const JudgedPicture*>> folders;
    for (const JudgedPicture& picture : result.pictures)
        if (picture.judged()) folders[std::filesystem::path(picture.source).parent_path().string()].push_back(&picture);
    ResultTable table{.title = fmt::format("Mean {} by folder", heading_of(result.judge())), .columns = {{"method"}}};
    if (folders.size() < 2) return table;
    std::set<std::filesystem::path> last;  // their last names, if these differ
    for (const auto& [folder, pictures] : folders) last.insert(std::filesystem::path(folder).filename());
    for (const auto& [folder, pictures] : folders) {
        const std::string name =
            last.size() == folders.size() ? std::filesystem::path(folder).filename().string() : folder;
        table.columns.push_back({fmt::format("{}, {}", name.empty() ? "." : name, pictures.size()), "", 4});
    }
    for (const MethodSummary& s : result.methods) {
        auto& row = table.rows.emplace_back();
        row.emplace_back(std::string(s.average.spec.method->name));
        for (const auto& [folder, pictures] : folders) {
            double sum = 0;
            for (const JudgedPicture* picture : pictures)
                for (const RestoredMethod& method : picture->methods)
                    if (method.spec == s.average.spec) sum += figure_of(method, result.judge());
            row.emplace_back(sum / double(pictures.size()));
        }
    }
    return table;
}

Plot box_plot(const PicturesResult& result) {
    Series boxes{.name = "half of the pictures"}, whiskers{.name = "all", .ink = Ink::grey},
        medians{.name = "median", .ink = Ink::orange},
        means{.name = "mean", .style = Series::Style::dots, .ink = Ink::green};
    const auto path = [](Series& series, std::initializer_list<Point> points) {
        for (const Point& point : points) series.x.push_back(point.x), series.y.push_back(point.y);
        series.x.push_back(NAN), series.y.push_back(NAN);
    };
    constexpr double half = 0.3;
    double number = 0, low = INFINITY, high = -INFINITY;
    Plot plot{.title = "Quality over the pictures", .width = 640, .height = 420};
    for (const MethodSummary& s : result.methods) {
        const double at = ++number, left = at - half, right = at + half;
        path(whiskers, {{at, s.least}, {at, s.low}});
        path(whiskers, {{at, s.high}, {at, s.most}});
        path(boxes, {{left, s.low}, {right, s.low}, {right, s.high}, {left, s.high}, {left, s.low}});
        path(medians, {{left, s.median}, {right, s.median}});
        means.x.push_back(at), means.y.push_back(s.mean);
        means.words.push_back({std::string(s.average.spec.method->name), figure_text(result.judge(), s.mean)});
        low = std::min(low, s.least);
        high = std::max(high, s.most);
        plot.x.ticks.push_back({at, fmt::format("{:.0f}", at)});
    }
    plot.series = {whiskers, boxes, medians, means};
    plot.x.label = "method, by its number in the table";
    plot.x.minimum = 0.4;
    plot.x.maximum = number + 0.6;
    const double room = std::max(result.judge() == Judge::psnr ? 0.05 : 1e-6, 0.05 * (high - low));
    plot.y = {.label = fmt::format("{} against {}", heading_of(result.judge()), reference_name(result.restoration)),
              .minimum = low - room,
              .maximum = high + room};
    return plot;
}

std::vector<ResultPicture> strip_of(const PicturesResult& result) {
    std::vector<ResultPicture> strip;
    const std::shared_ptr<Backend> backend = make_cpu_backend();
    for (const JudgedPicture& picture : result.pictures) {
        if (!picture.judged() || strip.size() == most_thumbnails) continue;
        try {
            RestoringPlan plan;
            plan.image = std::make_shared<const Image>(load_image(picture.source));
            plan.restoration.factor =
                std::max(1.0, std::max(plan.image->width(), plan.image->height()) / thumbnail_side);
            plan.restoration.filter = parse_spec("bilinear");
            const Image colours = shown(shrunk_picture(plan, backend), *plan.image);
            Image small(colours.width(), colours.height(), 3, SampleType::u8);
            for (int y = 0; y < small.height(); ++y)
                for (int x = 0; x < small.width(); ++x)
                    std::copy_n(colours.row_as<uint8_t>(y) + 4 * x, 3, small.row_as<uint8_t>(y) + 3 * x);
            const RestoredMethod& best = best_of(picture, result.judge());
            const Metrics& m = best.inside.metrics;
            strip.push_back(
                {picture_name(picture.source),
                 fmt::format("{}, {}; largest error at {}, {}", best.spec.method->name,
                             figure_text(result.judge(), figure_of(best, result.judge())), m.worst_x, m.worst_y),
                 std::move(small)});
        } catch (const Error&) {  // merged results may be of pictures that are elsewhere
        }
    }
    return strip;
}

std::string done_to(const PicturesResult& result) {
    if (result.methods.empty()) return "nothing";  // it is not known
    const Restoration& r = result.restoration;
    std::string text = fmt::format("--restore {}", to_string(r));
    if (r.kind == Restoration::Kind::shrink)
        text += fmt::format(" --shrink-with {}{}", to_string(r.filter), r.antialias ? "" : " --antialias off");
    if (result.judges != std::vector{Judge::psnr})
        text += fmt::format(" --judge {}", fmt::join(names_of<Judge>(result.judges), ","));
    return text + (result.linear_light ? " --linear-light" : "");
}

// What other figures say, if they prefer another method: " By PSNR it is quintic B-spline (32.1 dB)."
std::string other_judges(const PicturesResult& result, const std::vector<RestoredMethod>& averages) {
    std::string text;
    for (const Judge judge : result.judges) {
        const auto best = std::min_element(averages.begin(), averages.end(),
                                           [&](const auto& a, const auto& b) { return better(a, b, judge); });
        if (best == averages.begin() || std::isnan(figure_of(*best, judge))) continue;
        text += fmt::format(" By {} {} is best on average ({}).", row_of(judge).label(), name_among(*best, averages),
                            figure_text(judge, figure_of(*best, judge)));
    }
    return text;
}

// Pictures, and samples of pictures, that do not count.
std::string left_out_words(const PicturesResult& result) {
    std::string text;
    const auto add = [&](size_t count, const std::string& one, const std::string& more) {
        if (count > 0) text += fmt::format(" {} {}.", pictures_words(count), count == 1 ? one : more);
    };
    add(result.pictures.size() - result.judged(), "could not be judged and is left out",
        "could not be judged and are left out");
    const auto has_holes = [](const JudgedPicture& picture) { return picture.judged() && picture.not_finite > 0; };
    constexpr const char* holes = "samples that are not finite: they and what they reach are left out of the figures";
    add(size_t(std::count_if(result.pictures.begin(), result.pictures.end(), has_holes)), fmt::format("has {}", holes),
        fmt::format("have {}", holes));
    return text;
}

// By the first judge.
std::string ranking_words(const PicturesResult& result, const std::vector<RestoredMethod>& averages) {
    const size_t count = result.judged();
    const Judge judge = result.judge();
    const std::string best = capitalised(name_among(averages[0], averages));
    const std::string does = result.restoration.kind == Restoration::Kind::reduce ? "reduces" : "restores";
    const std::string mean =
        fmt::format("{}{} against {}", judge == Judge::psnr ? "" : fmt::format("{} ", row_of(judge).label()),
                    figure_text(judge, result.methods[0].mean), reference_name(result.restoration));
    if (count == 1)
        return fmt::format("{} {} this picture best: {}. One picture says nothing about others.", best, does, mean);
    if (averages.size() == 1)
        return fmt::format("{} {} {} with {} on average.", best, does, pictures_words(count), mean);
    if (count < least_for_order)
        return fmt::format(
            "{} {} {} best on average: {}. With fewer than {} pictures nothing is said about how sure that is.", best,
            does, pictures_words(count), mean, least_for_order);
    std::vector<std::string> alike = {best};
    const MethodSummary* next = nullptr;
    for (size_t k = 1; k < averages.size(); ++k) {
        if (!result.methods[k].apart) alike.push_back(name_among(averages[k], averages));
        else if (!next) next = &result.methods[k];
    }
    const std::string follows =
        next ? fmt::format("{} is behind by {}", name_among(next->average, averages), behind_words(*next, judge)) : "";
    if (alike.size() == 1)
        return fmt::format("{} {} {} best: {} on average; {}.", best, does, pictures_words(count), mean, follows);
    if (alike.size() > most_named) {
        const size_t others = alike.size() - most_named + 1;
        alike.resize(most_named - 1);
        alike.push_back(fmt::format("{} others", others));
    }
    return fmt::format("{} cannot be told apart with {}: {} on average{}.", in_a_row(alike), pictures_words(count),
                       mean, follows.empty() ? "" : "; " + follows);
}

}  // namespace

ResultTable summary_table(const PicturesResult& result) {
    ResultTable table{.title = fmt::format("Methods over {}, the best mean first", pictures_words(result.judged()))};
    const Judge judge = result.judge();
    const std::string name(row_of(judge).label()), unit = unit_of(judge);
    table.columns = {{"method"},
                     {"spec"},
                     {"#", "", 0},
                     {"mean " + name, unit, 4},
                     {"median", unit, 4},
                     {"spread", unit},
                     {"SSIM", "", 4},
                     {"wins", "", 0},
                     {"rank"},
                     {"behind", unit},
                     {"from", unit},
                     {"to", unit},
                     {"apart"},
                     {"time", "ms"},
                     {"fetches"},
                     {"best picture"},
                     {"worst picture"}};
    double number = 0;
    for (const MethodSummary& s : result.methods) {
        const RestoredMethod& average = s.average;
        const Metrics& m = average.inside.metrics;
        table.rows.push_back({std::string(average.spec.method->name), spec_in_table(average.spec, result), ++number,
                              s.mean, s.median, s.spread, m.ssim, double(s.wins), s.rank, s.behind, s.behind_range.low,
                              s.behind_range.high, std::string(s.apart ? "yes" : "no"), average.milliseconds,
                              average.fetches, picture_name(result.pictures[s.best].source),
                              picture_name(result.pictures[s.worst].source)});
    }
    table.rows.front()[12] = std::string("–");  // the best one is behind nothing
    table.note = fmt::format(
        "{} against {} over the interior. Spread is the standard deviation over the pictures. Wins are pictures that no "
        "other method restores better. Behind: how much worse the mean is than that of the first method, and what 95 % of "
        "{} samples of pictures, drawn with replacement, give for that; it is apart if all of that is above 0 and there "
        "are at least {} pictures.",
        name, reference_name(result.restoration), bootstrap_draws, least_for_order);
    return table;
}

std::string verdict(const PicturesResult& result) {
    if (result.judged() == 0) return "No picture could be judged.";
    const std::vector<RestoredMethod> averages = averages_of(result);
    return ranking_words(result, averages) + other_judges(result, averages);
}

std::string pictures_text(const PicturesResult& result) {
    if (result.methods.empty()) return verdict(result) + "\n";
    std::string text = fmt::format("pictures   {}\ndone       {}\n", result.pictures.size(), done_to(result));
    text += fmt::format("device     {} ({})\n\n", result.device, result.backend);
    const ResultTable table = summary_table(result);
    std::vector<TextRow> rows(1);
    for (const ResultColumn& column : table.columns) rows[0].push_back(heading(column));
    for (const auto& row : table.rows) {
        rows.emplace_back();
        for (size_t c = 0; c < row.size(); ++c) rows.back().push_back(cell_text(row[c], table.columns[c]));
    }
    const std::string displacement = displacement_words(averages_of(result));
    return text + fmt::format("{}\n{}{}\n{}{}", aligned(rows, 2), verdict(result), left_out_words(result), displacement,
                              displacement.empty() ? "" : "\n");
}

std::string pictures_csv(const PicturesResult& result) { return table_as_csv(figures_table(result)); }

ExperimentResult pictures_report(const PicturesResult& result) {
    ExperimentResult report;
    report.experiment = "restoring";
    report.title = fmt::format("Which method is best for {}?", pictures_words(result.pictures.size()));
    report.question =
        fmt::format("Each picture was changed ({}), restored by each method, and the result compared with {}.",
                    done_to(result), reference_name(result.restoration));
    report.expectation = verdict(result) + left_out_words(result);
    if (const std::string displacement = displacement_words(averages_of(result)); !displacement.empty())
        report.expectation += " " + displacement;
    report.facts = {{"program", "texelscope " TEXELSCOPE_VERSION}};
    if (result.methods.empty()) return report;
    report.tables = {summary_table(result), by_picture(result)};
    if (ResultTable folders = by_folder(result); !folders.rows.empty()) report.tables.push_back(std::move(folders));
    report.plots = {box_plot(result)};
    for (const Cost cost : {Cost::time, Cost::fetches})
        if (std::optional<Plot> plot = quality_plot(as_one(result), cost)) report.plots.push_back(std::move(*plot));
    report.pictures = strip_of(result);
    report.facts.insert(report.facts.end(),
                        {{"backend", result.backend}, {"device", result.device}, {"done", done_to(result)}});
    return report;
}

}  // namespace texelscope
