#include "results/record/run_file/line_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/rules.hpp"
#include "results/record/record.hpp"

namespace uotbench {
namespace {

// From JSON and to it, by type. Null is the empty value.

template <class T>
struct Codec {
  static T from(const Json& json) { return json.get<T>(); }
  static Json to(const T& value) { return value; }
};

template <class T>
concept IsDocument = std::is_base_of_v<Document, T>;

template <IsDocument T>
struct Codec<T> {
  static T from(const Json& json) { return T(json); }
  static Json to(const T& value) { return value.json(); }
};

template <class T>
struct Codec<std::optional<T>> {
  static std::optional<T> from(const Json& json) { return Codec<T>::from(json); }
  static Json to(const std::optional<T>& value) { return value ? Codec<T>::to(*value) : Json(nullptr); }
};

template <class T>
struct Codec<Named<T>> {
  static Named<T> from(const Json& json) {
    Named<T> all;
    for (const auto& [name, value] : json.items()) all[name] = Codec<T>::from(value);
    return all;
  }
  static Json to(const Named<T>& all) {
    Json json = Json::object();
    for (const auto& [name, value] : all) json[name] = Codec<T>::to(value);
    return json;
  }
};

enum class FieldKind {
  plain,
  of_plan,  ///< a later start may have another one
  always,   ///< written as null where there is none
};

/// A member of a struct S under its key.
template <class S>
struct Field {
  const char* key;
  void (*read)(S& object, const Json& value);
  Json (*write)(const S& object);  ///< null: there is none
  FieldKind kind;
};

template <class T>
bool is_absent(const T& value) {
  if constexpr (IsDocument<T>)
    return value.is_null();
  else if constexpr (requires { value.has_value(); })
    return !value.has_value();
  else if constexpr (requires { value.empty(); })
    return value.empty();
  else
    return value == T();
}

template <auto member>
constexpr auto field(const char* key, FieldKind kind = FieldKind::plain) {
  return []<class S, class T>(const char* name, FieldKind of, T S::*) {
    return Field<S>{
        name,
        [](S& object, const Json& value) { object.*member = value.is_null() ? T() : Codec<T>::from(value); },
        [](const S& object) {
          const T& value = object.*member;
          return is_absent(value) ? Json(nullptr) : Codec<T>::to(value);
        },
        of};
  }(key, kind, member);
}

template <class S>
S read_fields(const Json& json, std::span<const Field<S>> fields) {
  S object;
  Json extra = Json::object();
  for (const auto& [key, value] : json.items()) {
    const auto known =
        std::ranges::find_if(fields, [&, &name = key](const auto& one) { return name == one.key; });
    if (known != fields.end())
      known->read(object, value);
    else
      extra[key] = value;
  }
  if (!extra.empty()) object.extra = extra;
  return object;
}

template <class S>
void write_fields(Json& json, const S& object, std::span<const Field<S>> fields) {
  for (const auto& one : fields)
    if (Json value = one.write(object); !value.is_null() || one.kind == FieldKind::always)
      json[one.key] = std::move(value);
  if (!object.extra.is_null())
    for (const auto& [key, value] : object.extra.json().items()) json[key] = value;
}

constexpr Field<HeaderOptions> option_fields[]{
    field<&HeaderOptions::rounds>("rounds"),
    field<&HeaderOptions::min_samples>("min_samples"),
    field<&HeaderOptions::max_noise>("max_noise"),
    field<&HeaderOptions::max_time>("max_time"),
    field<&HeaderOptions::case_timeout>("case_timeout"),
    field<&HeaderOptions::verify_only>("verify_only"),
    field<&HeaderOptions::counters>("counters"),
    field<&HeaderOptions::cpus>("cpus"),
    field<&HeaderOptions::device>("device"),
    field<&HeaderOptions::worker_counters>("worker_counters"),
    field<&HeaderOptions::caches>("caches"),
};

template <>
struct Codec<HeaderOptions> {
  static HeaderOptions from(const Json& json) { return read_fields<HeaderOptions>(json, option_fields); }
  static Json to(const HeaderOptions& options) {
    Json json = Json::object();
    write_fields<HeaderOptions>(json, options, option_fields);
    return json;
  }
};

template <>
struct Codec<RunShard> {
  static RunShard from(const Json& json) {
    return {.index = json.at("index"),
            .of = json.at("of"),
            .order = json.at("order").get<std::vector<std::size_t>>()};
  }
  static Json to(const RunShard& shard) {
    return {{"index", shard.index}, {"of", shard.of}, {"order", shard.order}};
  }
};

template <>
struct Codec<MergedPart::Shard> {
  static MergedPart::Shard from(const Json& json) { return {.index = json.at("index"), .of = json.at("of")}; }
  static Json to(const MergedPart::Shard& shard) { return {{"index", shard.index}, {"of", shard.of}}; }
};

constexpr Field<MergedPart> part_fields[]{
    field<&MergedPart::file>("file"),
    field<&MergedPart::started>("started", FieldKind::always),
    field<&MergedPart::machine>("machine"),
    field<&MergedPart::cpu>("cpu", FieldKind::always),
    field<&MergedPart::shard>("shard", FieldKind::always),
    field<&MergedPart::other_workers>("other_workers"),
};

template <>
struct Codec<std::vector<MergedPart>> {
  static std::vector<MergedPart> from(const Json& json) {
    std::vector<MergedPart> parts;
    for (const auto& part : json) parts.push_back(read_fields<MergedPart>(part, part_fields));
    return parts;
  }
  static Json to(const std::vector<MergedPart>& parts) {
    Json json = Json::array();
    for (const auto& part : parts)
      write_fields<MergedPart>(json.emplace_back(Json::object()), part, part_fields);
    return json;
  }
};

constexpr Field<RunHeader> header_fields[]{
    // What kind of line it is: to_json() and resume_line() write it.
    {"kind", [](RunHeader&, const Json&) {}, [](const RunHeader&) { return Json(nullptr); },
     FieldKind::plain},
    field<&RunHeader::schema>("schema"),
    field<&RunHeader::uotbench>("uotbench"),
    field<&RunHeader::started>("started"),
    field<&RunHeader::sweep>("sweep", FieldKind::of_plan),
    field<&RunHeader::options>("options", FieldKind::of_plan),
    field<&RunHeader::machine>("machine"),
    field<&RunHeader::ceilings>("ceilings", FieldKind::always),
    field<&RunHeader::workers>("workers"),
    field<&RunHeader::problem_axes>("problem_axes", FieldKind::of_plan),
    field<&RunHeader::axis_roles>("axis_roles", FieldKind::of_plan),
    field<&RunHeader::plan>("plan", FieldKind::of_plan),
    field<&RunHeader::environment>("environment"),
    field<&RunHeader::shard>("shard", FieldKind::of_plan),
    field<&RunHeader::metrics>("metrics", FieldKind::of_plan),
    field<&RunHeader::caches>("caches"),
    field<&RunHeader::rerun_of>("rerun_of"),
    field<&RunHeader::command>("command", FieldKind::of_plan),
    field<&RunHeader::gate>("gate"),
    field<&RunHeader::merged>("merged"),
    field<&RunHeader::machines>("machines"),
};

}  // namespace

std::string header_violation(const Json& line) { return line_violation("header", line); }

RunHeader header_from(const Json& line) { return read_fields<RunHeader>(line, header_fields); }

Json to_json(const RunHeader& header) {
  Json json{{"kind", "run"}};
  write_fields<RunHeader>(json, header, header_fields);
  return json;
}

Json to_json(const HeaderOptions& options) { return Codec<HeaderOptions>::to(options); }
Json to_json(const Named<WorkerBuild>& workers) { return Codec<Named<WorkerBuild>>::to(workers); }
Json to_json(const Named<std::string>& texts) { return Codec<Named<std::string>>::to(texts); }

LaterStart later_start_from(const Json& line) {
  const RunHeader said = header_from(line);
  LaterStart start{.started = said.started, .has_plan = said.plan.has_value()};
  if (line.contains("machine")) start.machine = said.machine;
  if (line.contains("workers")) start.workers = said.workers;
  return start;
}

void replace_parts(RunHeader& header, const Json& line) {
  for (const auto& one : header_fields)
    if (const auto found = line.find(one.key); one.kind == FieldKind::of_plan && found != line.end())
      one.read(header, *found);
}

Json resume_line(const RunHeader& now, const RunHeader& before) {
  Json line{{"kind", "resume"}};
  const auto has = [&](const char* key) {
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"started", "options", "machine", "workers", "environment"},
        [&](std::string_view one) { return one == key; });
  };
  for (const auto& one : header_fields) {
    const Json is = one.write(now);
    if ((has(one.key) && !is.is_null()) || (one.kind == FieldKind::of_plan && is != one.write(before)))
      line[one.key] = is;
  }
  return line;
}

Json resume_line(const std::string& started, const std::vector<std::string>& plan) {
  return {{"kind", "resume"}, {"started", started}, {"plan", plan}};
}

std::vector<OptionDifference> differing(const std::optional<HeaderOptions>& a,
                                        const std::optional<HeaderOptions>& b) {
  std::vector<OptionDifference> all;
  const Json of_a = to_json(a.value_or(HeaderOptions())), of_b = to_json(b.value_or(HeaderOptions()));
  for (const auto& [name, value] : of_a.items())
    if (const Json other = value_in(of_b, name.c_str()); other != value)
      all.push_back({name, to_line(value), to_line(other)});
  return all;
}

// What the lines of a run file must look like.

std::string line_violation(const std::string& definition, const Json& line) {
  static const Rules rules(line_schema());
  const auto found = rules.disagreement(definition, line);
  if (!found) return "";
  if (found->missing.empty())
    return (found->place.empty() ? "" : found->place + ": ") + found->violation.text;
  std::string place = found->place;
  append_to(place, found->missing);
  return fmt::format("{}: missing; expected {}", place, found->violation.expected);
}

// A case's line of a run file, read.

namespace {

Status status_in(const Json& json) {
  const std::string name = json.at("status");
  return name == not_verified ? Status::ok : status_from(name);
}

}  // namespace

Record record_from(Json json) try {
  Record record{.id = json.at("id"),
                .variant = json.at("variant"),
                .worker = json.at("worker"),
                .arm = arm_of(json.at("id")),
                .status = status_in(json),
                .has_oracle = json.value("oracle", true) && json.at("status") != not_verified,
                .reason = optional_from<std::string>(json, "reason"),
                .repeat = optional_from<std::string>(json, "repeat"),
                .machine = optional_from<std::string>(json, "machine"),
                .input_files = json.value("input_files", InputContents{}),
                .check = {},
                .time = {},
                .work = {},
                .counters = counters_from(json.value("counters", Json::object()))};
  if (!json.at("point").is_object()) throw Error("not a case record: its point is no object");
  const auto present = [&](const char* key) { return json.contains(key) && !json.at(key).is_null(); };
  if (present("check")) record.check = check_from(json.at("check"));
  if (present("time")) record.time = timing_from(json.at("time"));
  if (record.time) require_sound(*record.time);
  if (present("work")) record.work = work_from(json.at("work"));
  if (present("reach")) record.reach = reach_from(json.at("reach"));
  for (const auto& reach : record.reach) {
    require_sound(reach.samples);
    if (reach.reason.empty() && reach.samples.empty())
      throw Error("not a case record: a target is reached in no time");
  }
  record.point = std::move(json.at("point"));  // nothing that throws comes after it
  if (const auto env = json.find("env"); env != json.end()) record.env = CaseFacts(std::move(*env));
  return record;
} catch (const Json::Exception& error) {
  const std::string wrong = line_violation("case", json);
  throw Error(fmt::format("not a case record: {}", wrong.empty() ? std::string(error.what()) : wrong));
}

}  // namespace uotbench
