// A told size is doubtful where no processor has so much for a core; what was probed settles it.
#include "harness/host/facts/cache_doubts.hpp"

#include <gmock/gmock.h>

#include "harness/host/facts/isa.hpp"
#include "harness/host/findings/findings.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Cores without hardware threads that share one L3.
ordered_json machine_of(double mebibytes, int cores, bool is_virtual) {
  return {{"logical_cpus", cores},
          {"physical_cores", cores},
          {"caches",
           {{{"level", 1}, {"bytes", 32768}, {"shared_by", 1}, {"count", cores}},
            {{"level", 3}, {"bytes", mebibytes * (1 << 20)}, {"shared_by", cores}, {"count", 1}}}},
          {"hypervisor", is_virtual ? ordered_json("KVM") : ordered_json(nullptr)}};
}

TEST(DoubtfulCaches, AreLargerThanAnyProcessors) {
  const auto doubtful = doubtful_caches(machine_of(480, 2, true));
  ASSERT_THAT(doubtful, SizeIs(1));
  EXPECT_EQ(doubtful[0].level, 3);
  EXPECT_EQ(doubtful[0].bytes, 480. * (1 << 20));
  EXPECT_EQ(doubtful[0].why,
            "480 MiB for 2 cores: reported by the hypervisor; the cache is shared with other guests");
  EXPECT_EQ(doubtful_caches(machine_of(480, 2, false)).at(0).why,
            "480 MiB for 2 cores, more than any processor has");
}

TEST(DoubtfulCaches, AreNotThoseThatAreSold) {
  EXPECT_THAT(doubtful_caches(machine_of(32, 2, true)), IsEmpty());
  EXPECT_THAT(doubtful_caches(machine_of(96, 2, false)), IsEmpty()) << "EPYC 7373X: 48 MiB a core";
  EXPECT_THAT(doubtful_caches(machine_of(504, 128, false)), IsEmpty());
  EXPECT_THAT(doubtful_caches(machine_of(96, 2, true)), SizeIs(1));
}

TEST(DoubtfulCaches, CountCoresAndNotTheirThreads) {
  ordered_json machine = machine_of(480, 16, true);
  EXPECT_THAT(doubtful_caches(machine), SizeIs(1));
  machine["caches"][1]["bytes"] = 16. * 16 * (1 << 20);
  EXPECT_THAT(doubtful_caches(machine), IsEmpty());
  machine["physical_cores"] = 8;
  EXPECT_THAT(doubtful_caches(machine), SizeIs(1));
}

TEST(DoubtfulCaches, AreNoneWhereNothingIsTold) {
  for (const ordered_json& machine :
       {ordered_json(), ordered_json::object(), ordered_json{{"caches", nullptr}},
        ordered_json{{"caches", {{{"level", 3}, {"bytes", nullptr}}}}}})
    EXPECT_THAT(doubtful_caches(machine), IsEmpty());
}

TEST(Doctor, SendsWhoseCacheIsDoubtfulToAProbe) {
  const ordered_json machine = machine_of(480, 2, true);
  const auto told = cache_findings(machine, nullptr);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].level, Finding::Level::warning);
  EXPECT_EQ(told[0].mend, "uotbench machine");
  const auto probed = cache_findings(machine, {{{"level", 3}, {"bytes", 28. * (1 << 20)}}});
  EXPECT_EQ(probed.at(0).level, Finding::Level::ok);
  EXPECT_THAT(probed[0].what, HasSubstr("; probed: 28.0 MiB"));
  EXPECT_EQ(probed[0].mend, "");
  const auto failed = cache_findings(machine, {{{"level", 3}, {"bytes", nullptr}}});
  EXPECT_EQ(failed.at(0).level, Finding::Level::warning);
  EXPECT_EQ(failed[0].mend, "uotbench machine --probe");
  EXPECT_THAT(cache_findings(machine_of(32, 2, true), nullptr), IsEmpty());
}

TEST(Isa, OfAnotherKindOfProcessorIsNotMissing) {
  EXPECT_TRUE(is_isa_of_this_kind(""));
  EXPECT_TRUE(is_isa_of_this_kind(best_isa()));
  EXPECT_FALSE(is_isa_of_this_kind("made-up"));
#ifdef __x86_64__
  EXPECT_TRUE(is_isa_of_this_kind("x86-64-v4")) << "whether this one has it or not";
  EXPECT_FALSE(is_isa_of_this_kind("aarch64"));
#endif
}

}  // namespace
}  // namespace uotbench
