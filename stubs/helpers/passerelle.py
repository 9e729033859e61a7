"""Controls a Passerelle stub from tests in Python 3.9 or newer. Copy this file; it needs no package.

    stub = Stub.start("pos")            # in setUpModule, or a fixture of the session
    with stub.world() as world:
        world.fault("createSale:status=503,times=1")
        ...                             # your program calls stub.url with world.credentials
        world.wait_for_call(operation="createSale", status=201)
    stub.close()
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

HOW_TO_START = (
    "`npx --no -- passerelle run pos -- COMMAND` starts a stub for a suite. Stub.start does if PASSERELLE_POS_URL is not set, "
    "by `npx --no -- passerelle` or the command in PASSERELLE_COMMAND."
)
# How many seconds a request may take, and a stub to start.
LIMIT = float(os.environ.get("PASSERELLE_TIMEOUT") or 30)
ADDRESS = r"(https?://(?:[\w.-]+|\[[\da-fA-F:]+\])(?::\d+)?(?:/_stub/worlds/[\w-]+)?)/*"
# A stub is not behind the proxy of http_proxy.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
STANDARD = ("webhook-id", "webhook-timestamp", "webhook-signature")


class StubError(Exception):
    """Says what is wrong: in the stub's own words, if it replied."""


class Stub:
    """A stub, or a world of one. `url`, `credentials`, `secret` are its address, what it accepts, and what signs its webhooks."""

    def __init__(self, url):
        """Connects to a stub that runs."""
        address = re.fullmatch(ADDRESS, str(url))
        if not address:
            raise StubError(f'"{url}" is no address of a stub: write it as http://127.0.0.1:4744, without a path')
        self.url = address[1]
        self._process = None
        self._is_world = False
        self._headers = {}
        about = self.control("GET", "/_stub")
        self.credentials, self.secret = about["credentials"], about["secret"]
        self._headers = {"Authorization": "Bearer " + about["operatorToken"]}

    @classmethod
    def start(cls, service):
        """Starts a stub of `pos` or `cohesion`. It ends with `close`, or with this process.

        If PASSERELLE_POS_URL (PASSERELLE_COHESION_URL) is set, as by `passerelle run`, connects to that one.
        PASSERELLE_COMMAND replaces `npx --no -- passerelle`; its words are separated by spaces.
        """
        running = os.environ.get(f"PASSERELLE_{service.upper()}_URL")
        if running:
            return cls(running)
        command = os.environ.get("PASSERELLE_COMMAND", "npx --no -- passerelle").split()
        command += ["stub", service, "--port", "0", "--quiet", "--until-input-ends"]
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True)
        except OSError as error:
            raise StubError(f"Cannot run {' '.join(command)}: {error}. Is Node installed? {HOW_TO_START}") from error
        printed = []

        def read():
            for line in process.stdout:
                printed.append(line)
                if line.startswith("http"):
                    break

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        reader.join(LIMIT)
        if printed and printed[-1].startswith("http"):
            stub = cls(printed[-1].strip())
            stub._process = process
            return stub
        why = f"did not say its address within {LIMIT:g} s; its output so far"
        if reader.is_alive():
            process.kill()
            process.stdin.close()
        else:
            process.communicate()
            why = f"ended with {process.returncode}; its output"
        raise StubError(f"{' '.join(command)} {why}: {''.join(printed).strip() or 'nothing'}")

    def close(self):
        """Stops the stub that `start` started, or ends the world. A stub that ran before stays."""
        if self._is_world:
            self.control("DELETE", "")
        if self._process:
            self._process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()

    def reset(self):
        """Puts data, endpoints, clock, limits, faults and calls back to the start."""
        self.control("POST", "/_stub/reset")

    def world(self, **options):
        """Starts a world: a stub inside this one, with its own credentials. Options: `name`, `seed`, `clock`, `faults`, `webhooks`..."""
        world = Stub(self.control("POST", "/_stub/worlds", options)["url"])
        world._is_world = True
        return world

    def fault(self, rule):
        """Adds a fault: a rule such as `createSale:status=503,times=1`, or a dict."""
        return self.control("POST", "/_stub/faults", {"rule": rule})

    def advance(self, by):
        """Advances the clock by a duration such as `72h`, and runs what falls due. Returns the new time."""
        return self.control("POST", "/_stub/clock/advance", {"by": by})["now"]

    def wait_for_call(self, timeout=4, **filters):
        """Returns the oldest call that matches, now or within `timeout` seconds. Filters: `operation`, `method`, `path`, `status`."""
        return self._wait("call", "/_stub/calls", filters, timeout)

    def wait_for_delivery(self, timeout=4, **filters):
        """Returns the oldest delivery that was attempted and matches. Filters: `event_type`, `status`, `endpoint_id`, `event_id`."""
        found = self._wait("delivery", "/manage/v1/deliveries", filters, timeout)
        return self.control("GET", "/manage/v1/deliveries/" + found["id"])

    def verify(self, body, headers, *secrets):
        """Raises if the signature of a webhook is not genuine. `body`: its bytes as received. Default: the stub's secret."""
        lower = {name.lower(): value for name, value in (headers or {}).items()}
        reason = refusal(body if isinstance(body, bytes) else body.encode(), lower, list(secrets) or [self.secret])
        if reason:
            raise StubError("The webhook is not genuine: " + reason)

    def control(self, method, path, body=None):
        """Calls another route of the control or manage API. Returns its `data`; raises with the words of a refusal."""
        status, reply = self.request(method, path, body, self._headers)
        if status == 204:
            return None
        reply = reply if isinstance(reply, dict) else {"text": reply}
        if "data" in reply:
            return reply["data"]
        words = reply["error"]["message"] if "error" in reply else str(reply)[:200]
        raise StubError(f"{method} {path} got {status}: {words}")

    def request(self, method, path, body=None, headers=None):
        """Makes a call, also of the API that the stub serves. Returns the status and the reply's JSON, or text."""
        data, headers = None, dict(headers or {})
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            try:
                reply = DIRECT.open(request, timeout=LIMIT)
            except urllib.error.HTTPError as refused:
                reply = refused
            with reply:
                text = reply.read()
        except (OSError, OverflowError, UnicodeError, http.client.HTTPException) as error:
            if isinstance(getattr(error, "reason", error), socket.timeout):
                raise StubError(f"{self.url}{path} did not answer within {LIMIT:g} s") from error
            raise StubError(f"No stub answers at {self.url} ({error}). {HOW_TO_START}") from error
        try:
            return reply.status, json.loads(text) if text else None
        except ValueError:
            return reply.status, text.decode(errors="replace")

    def _wait(self, what, path, filters, timeout):
        query, end = "?" + urllib.parse.urlencode(filters), time.monotonic() + timeout
        while True:
            found = self.control("GET", path + query)
            if what == "delivery":
                # The manage API lists the newest first, also those that were not attempted yet.
                found = [one for one in reversed(found) if one["attempts"] or one["status"] != "pending"]
            if found:
                return found[0]
            if time.monotonic() > end:
                break
            time.sleep(0.02)
        names = ("method", "path", "status") if what == "call" else ("event_type", "status")
        there = [" ".join(str(one[name]) for name in names) for one in self.control("GET", path)]
        listed = f"{len(there)}: {', '.join(there)}" if there else "none"
        raise StubError(f"Waited {timeout} s for a {what} with {query}. There are {listed}")


# From receivers/samples/receiver.py:
def refusal(body, headers, secrets, tolerance_seconds=300):
    """Returns why these bytes must be rejected; None if they are genuine. `headers` maps lower-case names to values."""
    if any(name in headers for name in STANDARD):
        event_id, timestamp, signatures = (headers.get(name, "") for name in STANDARD)
        # Without a dot in the id, the signed text can be cut in one way only.
        if not re.fullmatch(r"[A-Za-z0-9_-]+", event_id) or not re.fullmatch(r"[0-9]{1,12}", timestamp):
            return "missing or malformed webhook-* header"
        signed = f"{event_id}.{timestamp}.".encode() + body
        keys = [base64.b64decode(secret.removeprefix("whsec_"), validate=True) for secret in secrets]
        expected = ["v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode() for key in keys]
        if not any_equal(signatures.split(" "), expected):
            return "wrong webhook-signature"
        if abs(time.time() - int(timestamp)) > tolerance_seconds:
            return "webhook-timestamp too old or too new"
        return None
    if "x-service-signature" not in headers:
        return "no signature header: neither webhook-* nor x-service-signature"
    expected = ["sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest() for secret in secrets]
    return None if any_equal([headers.get("x-service-signature", "")], expected) else "wrong x-service-signature"


def any_equal(given, expected):
    """In constant time. As bytes: compare_digest refuses text that is not ASCII."""
    return any([hmac.compare_digest(one.encode(), other.encode()) for one in given for other in expected])

# Until here.
