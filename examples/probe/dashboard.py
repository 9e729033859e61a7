"""Tests of a dashboard in Python, without packages. It parses dates by position, and reads each list as one page:
    npx --no -- passerelle probe cohesion -- python3 dashboard.py
"""
import json
import os
import unittest
import urllib.error
import urllib.request

ROOT = os.environ.get("PASSERELLE_COHESION_URL", "http://127.0.0.1:4020")
TOKEN = os.environ.get("PASSERELLE_COHESION_TOKEN", "")


def get(path):
    """Returns the status and the body. A refusal has a body too."""
    request = urllib.request.Request(f"{ROOT}/api/v1{path}", headers={"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.loads(refusal.read() or b"null")


class Dashboard(unittest.TestCase):
    def test_shows_every_structure(self):
        status, body = get("/structures?per_page=100")
        self.assertEqual(status, 200)
        self.assertEqual(len(body["data"]), body["meta"]["total"])

    def test_shows_the_year_of_each_validation(self):
        status, body = get("/interventions?per_page=100")
        self.assertEqual(status, 200)
        for row in body["data"]:
            for value in row.values():
                if isinstance(value, str) and value[4:5] == "-" and value[7:8] == "-":
                    self.assertGreater(int(value[0:4]), 2000)
                    self.assertIn(int(value[5:7]), range(1, 13))

    def test_shows_when_the_token_was_used(self):
        status, body = get("/me")
        self.assertEqual(status, 200)
        at = body["data"]["token"]["last_used_at"]
        self.assertIn(int(at[20:23]), range(0, 1000))
        self.assertEqual(at[23:], "Z")

    def test_asks_for_a_page_that_is_not_there(self):
        status, body = get("/indicateurs?page=1000")
        self.assertEqual(status, 200)
        self.assertEqual(body["data"], [])


if __name__ == "__main__":
    unittest.main()
