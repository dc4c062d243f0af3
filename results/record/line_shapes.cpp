#include "results/record/line_shapes.hpp"

#include "results/base/shape.hpp"

namespace uotbench {
namespace {

constexpr Shape case_shapes[]{
    {"id", Form::text, Shape::needed},
    {"variant", Form::text, Shape::needed},
    {"worker", Form::text, Shape::needed},
    {"point", Form::object, Shape::needed},
    {"status", Form::text, Shape::needed},
    {"reason", Form::text, Shape::may_be_null},
    {"repeat", Form::text, Shape::may_be_null},
    {"machine", Form::text, Shape::may_be_null},
    {"input_files", Form::object},
    {"input_files/*", Form::text},
    {"check", Form::object, Shape::may_be_null},
    {"check/kind", Form::text},
    {"check/tolerance", Form::number, Shape::needed},
    {"check/oracle", Form::text},
    {"check/worst", Form::text},
    {"check/items", Form::object},
    {"check/items/count", Form::integer, Shape::needed},
    {"check/items/wrong", Form::integer, Shape::needed},
    {"check/items/first", Form::integers},
    {"check/items/worst", Form::object},
    {"check/items/worst/index", Form::integer, Shape::needed},
    {"time", Form::object, Shape::may_be_null},
    {"time/per", Form::text, Shape::needed},
    {"time/clock", Form::text, Shape::needed},
    {"time/inner", Form::integer, Shape::needed},
    {"time/stopped_by", Form::text, Shape::needed},
    {"time/iterations", Form::integer, Shape::may_be_null},
    {"time/warnings", Form::texts},
    {"time/processes", Form::list, Shape::needed},
    {"time/processes/*", Form::object},
    {"time/processes/*/start", Form::number, Shape::needed},
    {"time/processes/*/first_sample", Form::number, Shape::may_be_null},
    {"time/processes/*/arm", Form::text, Shape::may_be_null},
    {"time/processes/*/samples", Form::numbers, Shape::needed},
    {"time/processes/*/busy", Form::number, Shape::may_be_null},
    {"time/processes/*/phases", Form::list},
    {"time/processes/*/phases/*", Form::object},
    {"time/processes/*/phases/*/name", Form::text, Shape::needed},
    {"time/processes/*/phases/*/seconds", Form::numbers, Shape::needed},
    {"time/processes/*/phases/*/entered", Form::number},
    {"reach", Form::list},
    {"reach/*", Form::object},
    {"reach/*/of", Form::text, Shape::needed},
    {"reach/*/target", Form::number, Shape::needed},
    {"reach/*/reason", Form::text},
    {"reach/*/iterations", Form::integer},
    {"reach/*/found", Form::number},
    {"reach/*/samples", Form::numbers},
    {"work", Form::object, Shape::may_be_null},
    {"work/flops", Form::number},
    {"work/bytes_read", Form::number},
    {"work/bytes_written", Form::number},
    {"work/write_allocate", Form::number},
    {"work/bytes_nontemporal", Form::number},
    {"work/working_set", Form::number},
    {"work/element", Form::object},
    {"work/element/*", Form::number},
    {"work/operations", Form::object},
    {"work/operations/*", Form::number},
    {"work/from", Form::text},
    {"work/repeats", Form::yes_or_no},
    {"env", Form::object},
};

}  // namespace

std::string misfit_of_case(const Json& line) { return misfit(line, case_shapes); }

}  // namespace uotbench
