"""docs/examples/reframe against the real output of `mgbench run`: reframe_test.py EXAMPLE MGBENCH.

ReFrame is no package of Debian: what the example uses of it is rebuilt here, with the semantics that it documents (names
given to a test's body, patterns that match lines).
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

EXAMPLE, MGBENCH = sys.argv[1:3]


class SanityError(Exception):
    pass


def performance_function(unit):
    def mark(function):
        function.unit = unit
        return function

    return mark


class TestBody(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return {
            "variable": lambda kind, value: value,
            "sanity_function": lambda function: function,
            "performance_function": performance_function,
            "run_before": lambda stage: lambda function: function,
        }


class RunOnlyRegressionTest(metaclass=TestBody):
    pass


def matches(pattern, path):
    return list(re.finditer(pattern, Path(path).read_text(encoding="utf-8"), re.MULTILINE))


def assert_found(pattern, path):
    if not matches(pattern, path):
        raise SanityError(pattern)
    return True


def extractsingle(pattern, path, tag, conversion):
    found = matches(pattern, path)
    if not found:
        raise SanityError(pattern)
    return conversion(found[0].group(tag))


def load_example():
    reframe = types.ModuleType("reframe")
    reframe.simple_test = lambda test: test
    reframe.RunOnlyRegressionTest = RunOnlyRegressionTest
    sanity = types.ModuleType("reframe.utility.sanity")
    sanity.all, sanity.assert_found, sanity.extractsingle = all, assert_found, extractsingle
    utility = types.ModuleType("reframe.utility")
    utility.sanity, reframe.utility = sanity, utility
    sys.modules.update({"reframe": reframe, "reframe.utility": utility, "reframe.utility.sanity": sanity})
    specification = importlib.util.spec_from_file_location("example", EXAMPLE)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.MgbenchRun


class ReframeExample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.test = load_example()()
        cls.test.model, cls.test.budget = "tiny", 6
        cls.test.set_options()
        words = " ".join([MGBENCH, *cls.test.executable_opts, "-n 2"])
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.output = subprocess.run(
            words.split(), cwd=cls.folder.name, capture_output=True, text=True, check=True
        ).stdout

    def given(self, output):
        path = Path(self.folder.name) / "stdout"
        path.write_text(output, encoding="utf-8")
        self.test.stdout = str(path)
        return self.test

    def test_a_good_run_is_sane(self):
        self.assertTrue(self.given(self.output).sums_are_right())

    def test_a_failed_strategy_is_not(self):
        output = re.sub(r"(?m)^iteration/wfbp: .*\n", "", self.output)
        self.assertNotEqual(output, self.output)
        with self.assertRaises(SanityError):
            self.given(output).sums_are_right()

    def test_every_reference_has_its_figure_in_its_unit(self):
        test = self.given(self.output)
        for figures in test.reference.values():
            for name, (value, lower, upper, unit) in figures.items():
                function = getattr(test, name)
                self.assertEqual(function.unit, unit, name)
                self.assertIsNot(lower, upper, f"{name} is not bounded")
                self.assertGreater(value, 0)
                self.assertGreater(function(), 0, name)

    def test_a_figure_that_is_not_there_is_not_another_one(self):
        with self.assertRaises(SanityError):
            self.given("iteration/mg-wfbp-greedy: 0.1 s\nof iteration/mg-wfbp: 0.1 s\niteration/mg-wfbp: 0.1 ms\n").iteration()


unittest.main(argv=sys.argv[:1])
