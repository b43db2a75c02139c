#!/usr/bin/env python3
"""Profiles the training of a PyTorch module: when each parameter's gradient becomes ready, forward and update times.

Prints CSV for mgbench: rows `name,bytes,backward_us` in the order in which gradients become ready, where backward_us is the
time since the gradient before it (since the begin of backward for the first), and `# key=value` lines for the rest.

    profile_torch.py resnet18 --batch 4 --image-size 224
    profile_torch.py my_training:example       # example() returns (module, inputs[, loss[, optimizer]])

`inputs` is what the module is called with: a tensor, a tuple of arguments or a dict of keywords; `loss` takes its output and
returns a scalar (default: the sum of the means of its tensors). From Python: profile(module, inputs, loss, optimizer).
"""

import argparse
import csv
import dataclasses
import difflib
import importlib
import os
import re
import statistics
import sys
import time


class InputError(Exception):
    """What a user can put right; one line."""


@dataclasses.dataclass
class Gradient:
    name: str
    bytes: int
    backward_us: float


@dataclasses.dataclass
class Profile:
    gradients: list  # of Gradient, in ready order
    forward_us: float
    update_us: float  # None without an optimizer
    without_gradient: list  # names of trainable parameters that the loss does not reach


class CpuClock:
    def mark(self):
        return time.perf_counter()

    def finish(self):
        pass

    def microseconds(self, begin, end):
        return 1e6 * (end - begin)


class CudaClock:
    """Events in the stream that computes, read after it has ended."""

    def __init__(self, device):
        self.device = device

    def mark(self):
        import torch

        event = torch.cuda.Event(enable_timing=True)
        event.record(torch.cuda.current_stream(self.device))
        return event

    def finish(self):
        import torch

        torch.cuda.synchronize(self.device)

    def microseconds(self, begin, end):
        return 1e3 * begin.elapsed_time(end)


class ReadyHooks:
    """Calls ready(name) once the gradient of a parameter has been accumulated."""

    def __init__(self, parameters, ready):
        self.handles = []
        self.nodes = []  # a node lives as long as somebody holds it
        for name, parameter in parameters.items():
            if hasattr(parameter, "register_post_accumulate_grad_hook"):
                self.handles.append(
                    parameter.register_post_accumulate_grad_hook(lambda _, name=name: ready(name)))
            else:
                node = parameter.expand_as(parameter).grad_fn.next_functions[0][0]
                self.nodes.append(node)
                self.handles.append(node.register_hook(lambda *_, name=name: ready(name)))

    def remove(self):
        for handle in self.handles:
            handle.remove()


def mean_of_outputs(output):
    """A scalar that depends on every floating-point tensor in `output`."""
    import torch

    if isinstance(output, torch.Tensor):
        return output.float().mean() if output.is_floating_point() else 0.0
    if isinstance(output, dict):
        output = list(output.values())
    if isinstance(output, (list, tuple)):
        return sum(mean_of_outputs(part) for part in output if part is not None)
    raise InputError(f"the module returns {type(output).__name__}, which has no loss of its own; expected a loss function")


def call(module, inputs):
    if isinstance(inputs, dict):
        return module(**inputs)
    return module(*inputs) if isinstance(inputs, (list, tuple)) else module(inputs)


def profile(module, inputs, loss=None, optimizer=None, iterations=20, warmup=3):
    """Trains for `warmup` + `iterations` iterations; times are medians over the latter. Returns a Profile."""
    parameters = {name: parameter for name, parameter in module.named_parameters() if parameter.requires_grad}
    if not parameters:
        raise InputError("the module has no parameter that requires a gradient")
    devices = {parameter.device for parameter in parameters.values()}
    if len(devices) > 1:
        raise InputError(f"parameters lie on {len(devices)} devices; expected one")
    device = devices.pop()
    clock = CudaClock(device) if device.type == "cuda" else CpuClock()

    marks = {}
    hooks = ReadyHooks(parameters, lambda name: marks.__setitem__(name, clock.mark()))
    ready = {name: [] for name in parameters}
    forward, update = [], []
    try:
        for iteration in range(warmup + iterations):
            module.zero_grad(set_to_none=True)
            marks.clear()
            clock.finish()
            begin = clock.mark()
            output = call(module, inputs)
            result = mean_of_outputs(output) if loss is None else loss(output)
            backward_begin = clock.mark()
            result.backward()
            update_begin = clock.mark()
            if optimizer is not None:
                optimizer.step()
            end = clock.mark()
            clock.finish()
            if iteration < warmup:
                continue
            forward.append(clock.microseconds(begin, backward_begin))
            update.append(clock.microseconds(update_begin, end))
            for name, mark in marks.items():
                ready[name].append(clock.microseconds(backward_begin, mark))
    finally:
        hooks.remove()

    for name, parameter in parameters.items():
        if parameter.grad is not None and parameter.grad.is_sparse:
            raise InputError(f"the gradient of '{name}' is sparse; expected dense ones, which are allreduced")
    reached = [name for name in parameters if ready[name]]
    medians = {name: statistics.median(ready[name]) for name in reached}
    gradients, before = [], 0.0
    for name in sorted(reached, key=medians.get):
        gradient = parameters[name].grad
        gradients.append(Gradient(name, gradient.numel() * gradient.element_size(), max(medians[name] - before, 0.0)))
        before = max(medians[name], before)
    if not gradients:
        raise InputError("no gradient became ready: does the loss depend on the module's parameters?")
    return Profile(gradients, statistics.median(forward), statistics.median(update) if optimizer is not None else None,
                   [name for name in parameters if not ready[name]])


def write_csv(result, stream, model, batch=None):
    """The CSV; nothing in it needs quotes. `model` is of letters, digits, '-' and '_'."""
    for gradient in result.gradients:
        if any(character in gradient.name for character in ',"\r\n'):
            raise InputError(f"the name {gradient.name!r} holds a comma, a quote or a line break, which the CSV has no place for")
    stream.write(f"# model={model}\n")
    if batch is not None:
        stream.write(f"# batch={batch}\n")
    stream.write(f"# forward_us={result.forward_us:.3f}\n")
    if result.update_us is not None:
        stream.write(f"# update_us={result.update_us:.3f}\n")
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(["name", "bytes", "backward_us"])
    for gradient in result.gradients:
        rows.writerow([gradient.name, gradient.bytes, f"{gradient.backward_us:.3f}"])


def nearest(name, choices):
    close = difflib.get_close_matches(name, choices, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def torchvision_example(name, batch, image_size):
    """A model of torchvision with random images."""
    import torch

    try:
        from torchvision import models
    except ImportError:
        raise InputError(f"'{name}' would be a model of torchvision, which is not installed; expected module:callable") from None
    choices = models.list_models(module=models) if hasattr(models, "list_models") else \
        [key for key, value in vars(models).items() if key.islower() and callable(value)]
    if name not in choices:
        raise InputError(f"torchvision has no model '{name}'{nearest(name, choices)} expected one of its names or module:callable")
    return getattr(models, name)(weights=None), torch.randn(batch, 3, image_size, image_size)


def own_example(target):
    """What module:callable returns: (module, inputs, loss, optimizer), the last two None where they are left out."""
    module_name, _, function_name = target.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise InputError(f"'{target}': {error}") from None
    if not hasattr(module, function_name):
        raise InputError(f"'{module_name}' has no '{function_name}'{nearest(function_name, dir(module))}")
    example = getattr(module, function_name)()
    if not isinstance(example, tuple) or not 2 <= len(example) <= 4:
        raise InputError(f"{target}() returned {type(example).__name__}; expected (module, inputs[, loss[, optimizer]])")
    return example + (None,) * (4 - len(example))


def batch_of(inputs):
    """The first dimension of the first tensor, None where there is none."""
    parts = inputs.values() if isinstance(inputs, dict) else inputs if isinstance(inputs, (list, tuple)) else [inputs]
    for part in parts:
        if hasattr(part, "shape") and len(part.shape) > 0:
            return int(part.shape[0])
    return None


def make_optimizer(name, module):
    """With a learning rate of zero, so that repeated steps on one batch lead nowhere."""
    import torch

    parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
    if not parameters:
        return None
    if name == "sgd":
        return torch.optim.SGD(parameters, lr=0.0, momentum=0.9)
    return torch.optim.Adam(parameters, lr=0.0) if name == "adam" else None


def moved(inputs, device):
    if isinstance(inputs, dict):
        return {key: moved(value, device) for key, value in inputs.items()}
    if isinstance(inputs, (list, tuple)):
        return type(inputs)(moved(value, device) for value in inputs)
    return inputs.to(device) if hasattr(inputs, "to") else inputs


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", help="a model of torchvision, or module:callable")
    parser.add_argument("--batch", type=int, default=1, help="images, for models of torchvision (default: 1)")
    parser.add_argument("--image-size", type=int, default=224, help="for models of torchvision (default: 224)")
    parser.add_argument("--optimizer", choices=["sgd", "adam", "none"], default="sgd",
                        help="whose step is timed (default: sgd with momentum), unless the callable gives one")
    parser.add_argument("--device", help="cpu or cuda[:N] (default: where the module is)")
    parser.add_argument("--threads", type=int, help="of a CPU (default: PyTorch's)")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("-o", "--output", help="file (default: standard output)")
    arguments = parser.parse_args(words)
    for name, least in [("batch", 1), ("image_size", 1), ("iterations", 1), ("warmup", 0), ("threads", 1)]:
        value = getattr(arguments, name)
        if value is not None and value < least:
            raise InputError(f"--{name.replace('_', '-')} {value}: expected at least {least}")
    return arguments


def main(words=None):
    arguments = parse(words)
    try:
        import torch
    except ImportError:
        raise InputError(f"{sys.executable} has no torch; on Debian: apt-get install python3-torch, and /usr/bin/python3") from None
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    if ":" in arguments.target:
        module, inputs, loss, optimizer = own_example(arguments.target)
    else:
        module, inputs = torchvision_example(arguments.target, arguments.batch, arguments.image_size)
        loss, optimizer = None, None
    if arguments.device:
        if optimizer is not None:
            raise InputError("--device would move parameters away from the optimizer that the callable gives")
        module, inputs = module.to(arguments.device), moved(inputs, arguments.device)
    module.train()
    if optimizer is None:
        optimizer = make_optimizer(arguments.optimizer, module)
    result = profile(module, inputs, loss, optimizer, arguments.iterations, arguments.warmup)
    if result.without_gradient:
        print(f"profile_torch: left out, as the loss does not reach them: {', '.join(result.without_gradient)}", file=sys.stderr)
    model = re.sub(r"[^A-Za-z0-9_-]", "_", arguments.target)
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as stream:
            write_csv(result, stream, model, batch_of(inputs))
    else:
        write_csv(result, sys.stdout, model, batch_of(inputs))


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        print(f"profile_torch: {error}", file=sys.stderr)
        sys.exit(2)
