"""python3 till.py STUB_URL: a till that sells once, although the API fails twice, and sells the same sale only once."""

import json
import os
import sys
import time
import urllib.error
import urllib.request


def call(url, body, headers={}):
    """Makes a call. Waits and repeats it if the API is down. Returns the status and the parsed body."""
    for attempt in range(1, 6):
        sent = {"Content-Type": "application/json", **headers}
        request = urllib.request.Request(url, json.dumps(body).encode(), sent)
        try:
            with urllib.request.urlopen(request) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            if error.code < 500 or attempt == 5:
                return error.code, json.load(error)
        time.sleep(0.01 * attempt)


base = sys.argv[1]
_, reply = call(f"{base}/api/auth", {"api_key": os.environ["API_KEY"], "api_secret": os.environ["API_SECRET"]})
sale = {
    "store_id": "STORE-ABJ-01",
    "items": [{"product_id": "PRD-0001", "quantity": 2, "price": 750}],
    "payment_method": "cash",
    "total": 1500,
}
status, sold = call(f"{base}/api/v1/sales", sale, {"Authorization": f"Bearer {reply['token']}", "Idempotency-Key": "till-1"})
print(status, sold["data"]["status"])
