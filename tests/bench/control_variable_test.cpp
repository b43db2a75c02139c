// Under mpiexec: variables of the MPI library at hand.
#include "bench/calibration/control_variable.h"

#include <gtest/gtest.h>

#include <set>

#include "bench/mpi/mpi_session.h"

namespace mgbench {
namespace {

TEST(ControlVariable, OfNoSuchNameDoesNotExist) {
  const ControlVariable variable("no_such_variable");
  EXPECT_FALSE(variable.exists());
  EXPECT_TRUE(variable.choices().empty());
}

TEST(ControlVariable, NamesItsChoicesAndKeepsWhatIsWritten) {
  if (!mpi_library_version().starts_with("Open MPI")) GTEST_SKIP() << "the variable is Open MPI's";
  ControlVariable variable("coll_tuned_allreduce_algorithm");
  ASSERT_TRUE(variable.exists());
  std::set<int> values;
  std::set<std::string> names;
  for (const auto& [name, value] : variable.choices()) {
    values.insert(value);
    names.insert(name);
  }
  EXPECT_GE(values.size(), 5U);
  EXPECT_EQ(values.size(), variable.choices().size());
  EXPECT_EQ(names.size(), variable.choices().size());
  EXPECT_TRUE(values.contains(0));
  EXPECT_TRUE(names.contains("recursive_doubling"));

  const int before = variable.value();
  variable.write(3);
  EXPECT_EQ(variable.value(), 3);
  EXPECT_EQ(ControlVariable(variable.name()).value(), 3) << "the library does not know";
  variable.restore();
  EXPECT_EQ(variable.value(), before);
  EXPECT_EQ(ControlVariable(variable.name()).value(), before);
}

}  // namespace
}  // namespace mgbench
