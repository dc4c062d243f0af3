// Times that no machine can reach: the check needs no measured ceiling.
#pragma once

#include <string>

#include "results/record/record.hpp"

namespace uotbench {

/// Why an `ok` record cannot be true: its work and its median exceed what any CPU core can load, store or
/// compute (the record's threads x ranks cores), or any GPU. Empty: it can be, or it says too little.
std::string why_impossible(const Record& record);

/// Makes such a record failed, with that reason.
void refuse_impossible(Record& record);

}  // namespace uotbench
