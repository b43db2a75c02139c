"""The schema of results is a valid one of draft 2020-12, and takes the files given: result_schema_test.py SCHEMA RESULT..."""

import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: no jsonschema (Debian: apt-get install python3-jsonschema)")
    sys.exit(77)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


schema = load(sys.argv[1])
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for path in sys.argv[2:]:
    result = load(path)
    validator.validate(result)
    del result["seed"]
    assert not validator.is_valid(result), f"{path} passes without its seed"
print(f"{len(sys.argv) - 2} results are valid")
