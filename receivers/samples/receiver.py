"""SECRET='whsec_...' PORT=9000 python3 receiver.py   (during a rotation: both secrets, a space between)"""

import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STANDARD = ("webhook-id", "webhook-timestamp", "webhook-signature")
MAX_BYTES = 1_048_576
# Keep these in your database: the ids of the events that came.
KNOWN = set()


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


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,7}", length) or int(length) > MAX_BYTES:
            return self.answer(413)
        body = self.rfile.read(int(length))
        # A repeated header is joined into one value, which matches nothing.
        headers = {name.lower(): ", ".join(self.headers.get_all(name)) for name in self.headers}
        reason = refusal(body, headers, SECRETS)
        if reason is not None:
            return self.answer(401, reason)
        # An ordered endpoint names the event before. If that never came, ask for it.
        previous = headers.get("webhook-previous-id")
        if previous and KNOWN and previous not in KNOWN:
            print("missing", previous, flush=True)
        # Answer at once and work afterwards; the same webhook-id may come again.
        print("genuine", headers.get("webhook-id"), json.loads(body)["event"], flush=True)
        KNOWN.add(headers.get("webhook-id"))
        self.answer(204)

    def answer(self, status, text=""):
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_arguments):
        pass


if __name__ == "__main__":
    SECRETS = os.environ.get("SECRET", "").split()
    if not SECRETS or any(not secret.removeprefix("whsec_") for secret in SECRETS):
        sys.exit("Set SECRET to the signing secret of the endpoint.")
    try:
        server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
    except (ValueError, OverflowError, OSError) as error:
        sys.exit(f"Set PORT to a free port, such as 9000: {error}")
    print("listening", json.dumps({"port": server.server_port}), flush=True)
    server.serve_forever()
