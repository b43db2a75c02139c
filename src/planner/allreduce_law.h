#pragma once

#include <map>
#include <string>
#include <vector>

#include "planner/cost_model.h"
#include "planner/line_fit.h"

namespace mgbench {

/// How an allreduce algorithm's line depends on the number of ranks P: a = startup(P) alpha, b = transfer(P) beta, with
/// alpha one link's latency and beta a byte's time on it and in its reduction. docs/method.md has the table.
struct AllreduceLaw {
  std::string name;
  double (*startup)(double ranks);
  double (*transfer)(double ranks);
};

/// recursive-doubling (a binary tree grows like it: no measurement of whole allreduces can tell them apart),
/// halving-doubling, double-binary-tree, ring.
const std::vector<AllreduceLaw>& allreduce_laws();

/// Throws Error naming the choices and the nearest one.
const AllreduceLaw& find_law(const std::string& name);

/// A line at a number of ranks, measured or extrapolated.
struct ScaledLine {
  Line line;
  Line low;  ///< 95 %: equal to `line` where it was measured
  Line high;
  std::string basis;  ///< one sentence: measured, by which law, or whose guess
};

/// The cost at any number of ranks from lines at some.
class AllreduceScaling {
 public:
  /// `lines` by ranks >= 2. Throws Error when there is none. `law`: the one to go by, whatever the lines say.
  explicit AllreduceScaling(std::map<int, Line> lines, const AllreduceLaw* law = nullptr);

  /// Measured where `ranks` was; else by the law that explains the lines best. The interval holds that law's misfit, as
  /// if each doubling of the distance to the nearest measured number of ranks added one of its own, and the same of
  /// every other law that explains the lines about as well. From a single number of ranks every law explains the line:
  /// then halving and doubling, which lies between the others, is mgbench's guess, and the interval holds them all.
  /// Throws Error unless ranks >= 2.
  ScaledLine at(int ranks) const;

  /// The chosen law; none where it is a guess.
  const AllreduceLaw* law() const { return chosen_; }

 private:
  struct Fit {
    const AllreduceLaw* law = nullptr;
    double alpha = 0;
    double beta = 0;
    double squares = 0;  ///< of relative residuals of a and b
  };
  static Fit fit(const AllreduceLaw& law, const std::map<int, Line>& lines);
  ScaledLine by(const Fit& fit, int ranks) const;

  std::map<int, Line> lines_;
  std::vector<Fit> plausible_;  ///< the best first
  const AllreduceLaw* chosen_ = nullptr;
  bool asked_for_ = false;
};

}  // namespace mgbench
