#pragma once

#include <string>
#include <vector>

namespace mgbench {

// JUnit's XML, which pipelines show: valid against the schemas of Ant and of Jenkins, whose common part it is.

struct TestCase {
  enum class Outcome { passed, failed, error, skipped };
  std::string name;
  Outcome outcome = Outcome::passed;
  std::string message;  ///< of a case that did not pass: why; of one that did: what was measured
};

/// One suite. `date` is ISO 8601; texts may hold anything: what XML cannot hold is left out.
std::string junit_xml(const std::string& suite, const std::string& date, const std::vector<TestCase>& cases);

}  // namespace mgbench
