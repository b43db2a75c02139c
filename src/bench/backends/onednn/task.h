#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <utility>
#include <vector>

namespace mgbench::onednn {

/// A piece of work of the timed region with all its arguments bound: a primitive, or a loop of our own.
using Task = std::function<void()>;

using Arguments = std::vector<std::pair<int, dnnl::memory>>;

/// Runs the primitive. The arguments are laid out once, in the form of the C interface:
/// dnnl::primitive::execute builds a map and a vector on each call.
Task primitive_task(const dnnl::primitive& primitive, const dnnl::stream& stream, Arguments arguments);

}  // namespace mgbench::onednn
