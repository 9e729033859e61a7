"""Written from docs/spec/social-cohesion.md, section 6, alone: it knows no webhook-* header."""

import hashlib
import hmac
import os
from http.server import BaseHTTPRequestHandler, HTTPServer


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        expected = "sha256=" + hmac.new(os.environ["SECRET"].encode(), body, hashlib.sha256).hexdigest()
        matches = hmac.compare_digest(expected, self.headers.get("x-service-signature", ""))
        self.send_response(200 if matches else 401)
        self.end_headers()


server = HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
print("listening", flush=True)
server.serve_forever()
