"""docs/words.md is about this code: what it names is declared, and what is never said is not said in documents and messages."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs" / "words.md").read_text().splitlines() if line.startswith("| ")]
HEADERS = "\n".join(path.read_text() for path in (ROOT / "src").rglob("*.h"))


class Words(unittest.TestCase):
    def test_every_word_is_explained_once(self):
        words = [row[0] for row in ROWS if row[0] != "word"]
        self.assertGreater(len(words), 30)
        self.assertEqual(len(words), len(set(words)))

    def test_what_is_in_code_is_declared(self):
        for name in {name for row in ROWS for name in re.findall(r"`(\w+)[`:]", row[2])}:
            self.assertRegex(HEADERS, rf"\b(class|struct|enum class|using) {name}\b|\b{name}\(", name)

    def test_what_is_never_said_is_not_said(self):
        never = [word for row in ROWS for word in row[3].split(", ") if word and word != "never"]
        self.assertIn("epoch", never)
        texts = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
        said = {path: path.read_text() for path in texts if path.name != "words.md"}
        for path in (ROOT / "src").rglob("*.cpp"):
            said[path] = "\n".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', path.read_text()))
        for path, text in said.items():
            for word in never:
                self.assertIsNone(re.search(rf"\b{word}s?\b", text, re.IGNORECASE), f"{path}: {word}")


if __name__ == "__main__":
    unittest.main()
