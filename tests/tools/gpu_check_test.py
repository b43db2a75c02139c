"""What scripts/gpu_check.py makes of what its stages found: figures worked out by hand, and targets missed on purpose."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import gpu_check


def found(iteration=0.1, with_messages=0.1005, theirs=0.1, predicted=0.104):
    return {"models": {"resnet50, nccl": {"page": "a.html", "strategies": {
                "wfbp": {"iteration": 0.1, "predicted": predicted}}}},
            "precision": {"bf16, batch 32": {"page": "b.html", "layout": "channels-last, measured",
                                                  "iteration": iteration, "with_messages": with_messages}},
            "pytorch": {"version": "9.9", "bf16, batch 32": {"iteration": theirs}}}


def missed(**changed):
    return [figure[0] for figure in gpu_check.judge(found(**changed))[0] if not figure[3]]


class Judge(unittest.TestCase):
    def test_figures_are_those_of_the_stages(self):
        figures, missing = gpu_check.judge(found(theirs=0.125))
        self.assertEqual([figure[0] for figure in figures], [
            "prediction of resnet50, nccl, wfbp", "engine, bf16, batch 32", "of PyTorch's time, bf16, batch 32"])
        for figure, value in zip(figures, (0.04, 0.005, 0.8)):
            self.assertAlmostEqual(figure[1], value)
        self.assertEqual(missing, [])

    def test_each_target_can_be_missed(self):
        self.assertEqual(missed(), [])
        self.assertEqual(missed(with_messages=0.102), ["engine, bf16, batch 32"])
        self.assertEqual(missed(theirs=0.099), ["of PyTorch's time, bf16, batch 32"])
        for predicted in (0.094, 0.106):
            self.assertEqual(missed(predicted=predicted), ["prediction of resnet50, nccl, wfbp"])

    def test_what_has_no_figures_is_named(self):
        stages = found()
        stages["pytorch"] = {"skipped": "none"}
        stages["precision"]["fp16, batch 32"] = {"not_measured": "mgbench ended with 3"}
        stages["models"]["resnet50, nccl"]["not_measured"] = "ddp: wrong sums"
        figures, missing = gpu_check.judge(stages)
        self.assertEqual(len(figures), 2)
        self.assertEqual(missing, ["models: resnet50, nccl: ddp: wrong sums",
                                   "precision: fp16, batch 32: mgbench ended with 3"])

    def test_a_strategy_with_too_few_rounds_has_no_times(self):
        self.assertEqual(gpu_check.lack({"failure": "", "rounds": 6}), "")
        self.assertEqual(gpu_check.lack({"failure": "", "rounds": 5}), "5 rounds that count")
        self.assertEqual(gpu_check.lack({"failure": "wrong sums", "rounds": 0}), "wrong sums")

    def test_the_page_has_every_figure_once(self):
        stages = found(theirs=0.08)
        about = {"host": "h", "date": "2026-01-01", "timed model": "resnet50"}
        text = gpu_check.page(about, stages, *gpu_check.judge(stages))
        for line in ("2 of 3 figures meet their targets.", "| of PyTorch's time, bf16, batch 32 | 1.2500 | 1.0 |",
                     "| [resnet50, nccl](a.html) | wfbp | 100.000 | 104.000 | +4.0 |",
                     "| [bf16, batch 32](b.html) | channels-last, measured | 100.000 | 80.000 | 1.250 | +0.50 |"):
            self.assertEqual(text.splitlines().count(line), 1, text)

    def test_stages_together_stay_under_ten_minutes(self):
        self.assertLess(sum(gpu_check.LIMITS.values()), 600)


if __name__ == "__main__":
    unittest.main()
