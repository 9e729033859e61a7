"""Interprets cases.json with passerelle.py: python3 -m unittest test_cases."""

import json
import re
import unittest

from passerelle import Stub, StubError


class Cases(unittest.TestCase):
    """A case starts with `stub`, and a new `world` of it. A step calls a method, and compares what it gives or how it fails."""

    @classmethod
    def setUpClass(cls):
        cls.stub = Stub.start("cohesion")

    @classmethod
    def tearDownClass(cls):
        cls.stub.close()

    def play(self, steps):
        world = self.stub.world()
        self.addCleanup(world.close)
        named = {"stub": self.stub, "world": world}
        for step in steps:
            target, verb = step["do"].split(".")
            try:
                given = call(named[target], verb, [filled(one, named) for one in step.get("with", [])])
            except StubError as error:
                if "fails" not in step:
                    raise
                for words in step["fails"]:
                    self.assertIn(filled(words, named), str(error))
                continue
            self.assertNotIn("fails", step)
            self.assert_shows(plain(given), filled(step.get("gives"), named))
            named[step.get("as")] = given

    def assert_shows(self, given, expected):
        if isinstance(expected, dict):
            for name, value in expected.items():
                self.assert_shows(given[name], value)
        elif isinstance(expected, list):
            self.assertEqual(len(given), len(expected))
            for one, other in zip(given, expected):
                self.assert_shows(one, other)
        elif expected is not None:
            self.assertEqual(given, expected)


def call(target, verb, given):
    if verb in ("start", "connect"):
        return Stub.start(*given) if verb == "start" else Stub(*given)
    if verb == "world":
        return target.world(**given[0])
    if verb.startswith("waitFor"):
        wait = target.wait_for_call if verb == "waitForCall" else target.wait_for_delivery
        return wait(*given[1:], **given[0])
    found = getattr(target, verb)(*given)
    return {"status": found[0], "body": found[1]} if verb == "request" else found


def plain(value):
    return {"url": value.url, "credentials": value.credentials, "secret": value.secret} if isinstance(value, Stub) else value


def filled(value, named):
    """Replaces `{stub.url}` in texts; alone, by the value itself."""
    if isinstance(value, dict):
        return {name: filled(one, named) for name, one in value.items()}
    if isinstance(value, list):
        return [filled(one, named) for one in value]
    if not isinstance(value, str):
        return value
    alone = re.fullmatch(r"\{([\w.-]+)\}", value)
    return found(alone[1], named) if alone else re.sub(r"\{([\w.-]+)\}", lambda match: found(match[1], named), value)


def found(path, named):
    name, *rest = path.split(".")
    value = plain(named[name])
    for step in rest:
        value = value[int(step) if isinstance(value, list) else step]
    return value


with open("cases.json", encoding="utf-8") as file:
    for case in json.load(file):
        setattr(Cases, "test " + case["name"], lambda self, steps=case["steps"]: self.play(steps))
