"""Tests of tools/profile_torch.py: what is in the CSV and in which order, never how long anything takes."""

import csv
import io
import os
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, TOOLS)

import torch
from torch import nn

import profile_torch

EXAMPLES = '''
import torch
from torch import nn


class OutOfOrder(nn.Module):
    """Registered a, b, c; run c, a, b: gradients become ready in the order b, a, c."""

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 6)
        self.b = nn.Linear(6, 5, bias=False)
        self.c = nn.Linear(4, 8)

    def forward(self, x):
        return self.b(torch.relu(self.a(torch.relu(self.c(x)))))


def example():
    return OutOfOrder(), torch.randn(3, 4)


def with_all():
    module = OutOfOrder()
    return module, (torch.randn(7, 4),), lambda output: output.square().sum(), torch.optim.Adam(module.parameters())


def nothing():
    return None


def frozen():
    module = OutOfOrder()
    module.requires_grad_(False)
    return module, torch.randn(3, 4)


def sparse():
    return nn.Embedding(10, 4, sparse=True), torch.tensor([1, 2])
'''


def parse(text):
    """({key: value}, rows) of a CSV as mgbench reads it."""
    lines = text.splitlines()
    comments = dict(line[2:].split("=", 1) for line in lines if line.startswith("# "))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return comments, rows


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        with open(os.path.join(cls.folder.name, "examples.py"), "w") as stream:
            stream.write(EXAMPLES)
        sys.path.insert(0, cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_tool(self, *words):
        return subprocess.run([sys.executable, os.path.join(TOOLS, "profile_torch.py"), *words], cwd=self.folder.name,
                              capture_output=True, text=True)

    def test_csv_is_well_formed(self):
        result = self.run_tool("examples:example", "--iterations", "5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        comments, rows = parse(result.stdout)
        self.assertEqual(list(comments), ["model", "batch", "forward_us", "update_us"])
        self.assertEqual(comments["model"], "examples_example")
        self.assertEqual(comments["batch"], "3")
        for key in ("forward_us", "update_us"):
            self.assertGreater(float(comments[key]), 0)
        self.assertEqual(list(rows[0]), ["name", "bytes", "backward_us"])
        sizes = {row["name"]: int(row["bytes"]) for row in rows}
        self.assertEqual(len(sizes), len(rows), "names are unique")
        self.assertEqual(sizes, {"a.weight": 192, "a.bias": 24, "b.weight": 120, "c.weight": 128, "c.bias": 32})
        for row in rows:
            self.assertGreaterEqual(float(row["backward_us"]), 0)

    def test_order_is_that_of_execution_and_not_that_of_registration(self):
        result = self.run_tool("examples:example", "--iterations", "5", "--optimizer", "none")
        comments, rows = parse(result.stdout)
        self.assertNotIn("update_us", comments)
        layers = [row["name"].split(".")[0] for row in rows]
        self.assertEqual(layers, ["b", "a", "a", "c", "c"])

    def test_callable_may_give_loss_and_optimizer(self):
        result = self.run_tool("examples:with_all", "--iterations", "2", "--optimizer", "none")
        self.assertEqual(result.returncode, 0, result.stderr)
        comments, _ = parse(result.stdout)
        self.assertEqual(comments["batch"], "7")
        self.assertIn("update_us", comments)

    def test_writes_a_file(self):
        path = os.path.join(self.folder.name, "out.csv")
        result = self.run_tool("examples:example", "--iterations", "2", "-o", path)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        with open(path) as stream:
            self.assertEqual(len(parse(stream.read())[1]), 5)

    def test_torchvision_model(self):
        try:
            import torchvision  # noqa: F401
        except ImportError:
            self.skipTest("torchvision is not installed")
        result = self.run_tool("resnet18", "--batch", "2", "--image-size", "32", "--iterations", "2", "--warmup", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        comments, rows = parse(result.stdout)
        self.assertEqual(comments["batch"], "2")
        self.assertEqual(len(rows), 62)
        self.assertEqual(sum(int(row["bytes"]) for row in rows), 4 * 11689512)
        self.assertEqual({row["name"].split(".")[0] for row in rows[:2]}, {"fc"})
        self.assertEqual(rows[-1]["name"], "conv1.weight")

    def test_wrong_input_is_one_clear_line_and_exit_code_two(self):
        for words, expected in [
                (["examples:exampel"], "'examples' has no 'exampel'; did you mean 'example'?"),
                (["no_such_module:x"], "No module named 'no_such_module'"),
                (["examples:nothing"], "returned NoneType; expected (module, inputs[, loss[, optimizer]])"),
                (["examples:frozen"], "no parameter that requires a gradient"),
                (["examples:sparse"], "the gradient of 'weight' is sparse"),
                (["examples:example", "--iterations", "0"], "--iterations 0: expected at least 1"),
                (["examples:with_all", "--device", "cpu"], "--device"),
                (["resnet81"], "resnet81")]:
            with self.subTest(words=words):
                result = self.run_tool(*words)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(expected, result.stderr)


class Function(unittest.TestCase):
    def test_tensors_ready_together_have_no_time_after_the_first(self):
        class StoppedClock(profile_torch.CpuClock):
            def mark(self):
                return 0.0

        clock, profile_torch.CpuClock = profile_torch.CpuClock, StoppedClock
        try:
            result = profile_torch.profile(nn.Linear(3, 2), torch.randn(4, 3), iterations=3)
        finally:
            profile_torch.CpuClock = clock
        self.assertEqual([gradient.backward_us for gradient in result.gradients], [0.0, 0.0])

    def test_times_are_differences_of_median_ready_times(self):
        class CountingClock(profile_torch.CpuClock):
            ticks = 0

            def mark(self):
                CountingClock.ticks += 1
                return CountingClock.ticks * 1e-6

        clock, profile_torch.CpuClock = profile_torch.CpuClock, CountingClock
        try:
            result = profile_torch.profile(nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2)), torch.randn(4, 3), iterations=3)
        finally:
            profile_torch.CpuClock = clock
        for gradient in result.gradients:
            self.assertAlmostEqual(gradient.backward_us, 1)
        self.assertAlmostEqual(result.forward_us, 1)

    def test_parameters_without_gradient_are_named_and_left_out(self):
        class Unused(nn.Module):
            def __init__(self):
                super().__init__()
                self.used = nn.Linear(2, 2, bias=False)
                self.unused = nn.Linear(2, 2)

            def forward(self, x):
                return {"out": self.used(x), "extra": None}

        result = profile_torch.profile(Unused(), {"x": torch.randn(1, 2)}, iterations=2)
        self.assertEqual([gradient.name for gradient in result.gradients], ["used.weight"])
        self.assertEqual(result.without_gradient, ["unused.weight", "unused.bias"])

    def test_shared_parameters_count_once_when_their_last_use_is_done(self):
        class Tied(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = nn.Linear(2, 2, bias=False)
                self.middle = nn.Linear(2, 2, bias=False)
                self.last = nn.Linear(2, 2, bias=False)
                self.last.weight = self.first.weight

            def forward(self, x):
                return self.last(self.middle(self.first(x)))

        result = profile_torch.profile(Tied(), torch.randn(1, 2), iterations=2)
        self.assertEqual([gradient.name for gradient in result.gradients], ["middle.weight", "first.weight"])

    def test_bytes_follow_the_element_type(self):
        result = profile_torch.profile(nn.Linear(3, 2).double(), torch.randn(4, 3).double(), iterations=1)
        self.assertEqual(sorted(gradient.bytes for gradient in result.gradients), [16, 48])

    def test_leaves_no_hooks_behind(self):
        module = nn.Linear(3, 2)
        profile_torch.profile(module, torch.randn(4, 3), iterations=1)
        called = []
        hooks = profile_torch.ReadyHooks(dict(module.named_parameters()), called.append)
        hooks.remove()
        module(torch.randn(1, 3)).sum().backward()
        self.assertEqual(called, [])

    def test_refuses_names_that_csv_has_no_place_for(self):
        result = profile_torch.Profile([profile_torch.Gradient("a,b", 4, 0.0)], 1.0, None, [])
        with self.assertRaisesRegex(profile_torch.InputError, "a,b"):
            profile_torch.write_csv(result, io.StringIO(), "model")


if __name__ == "__main__":
    unittest.main()
