"""results.py FILE MODULE: runs one of Python's own test modules; each test's name and result is a line of FILE."""
import sys
import unittest
from test import support

support.use_resources = []  # neither network nor gigabytes
lines = []


class Result(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        self.result = "ok"

    def end_as(self, word, test):
        self.result = word
        if not isinstance(test, unittest.TestCase):  # a module or class that could not be set up
            lines.append(f"{test} {word}")

    def addError(self, test, error):
        self.end_as("error", test)

    def addFailure(self, test, error):
        self.end_as("failed", test)

    def addSkip(self, test, reason):
        self.end_as("skipped", test)

    def addSubTest(self, test, subtest, error):
        if error:
            self.result = "failed"

    def stopTest(self, test):
        super().stopTest(test)
        lines.append(f"{test.id()} {self.result}")


try:
    unittest.defaultTestLoader.loadTestsFromName("test." + sys.argv[2]).run(Result())
except unittest.SkipTest:
    lines.append("skipped")
with open(sys.argv[1], "w") as file:
    file.write("".join(line + "\n" for line in sorted(lines)))
