"""A till in Python with requests: token, a sale that is retried with one Idempotency-Key, and the sale in the report.
The address and the credentials are those that `npx --no -- passerelle stub pos` prints.
"""
import os
import secrets
import sys

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

ROOT = os.environ["PASSERELLE_POS_URL"]
CREDENTIALS = {"api_key": os.environ["PASSERELLE_POS_API_KEY"], "api_secret": os.environ["PASSERELLE_POS_API_SECRET"]}
SALE = {
    "store_id": "STORE-ABJ-01",
    "items": [{"product_id": "PRD-0001", "quantity": 1, "price": 2500}],
    "payment_method": "cash",
    "total": 2500,
}

session = requests.Session()
# The key makes it safe to repeat a POST.
retry = Retry(total=4, status_forcelist=[503], allowed_methods=None, backoff_factor=0.1)
session.mount(ROOT, HTTPAdapter(max_retries=retry))


def read(reply):
    reply.raise_for_status()
    return reply.json()


token = read(session.post(f"{ROOT}/api/auth", json=CREDENTIALS, timeout=30))["token"]
session.headers.update({"Authorization": f"Bearer {token}", "Idempotency-Key": f"till-py-{secrets.token_hex(8)}"})

def sales():
    report = read(session.get(f"{ROOT}/api/v1/reports/sales", params={"store_id": SALE["store_id"]}, timeout=30))
    return report["data"]["totals"]["sales"]


before = sales()
# A stub fails the next two sales.
requests.post(f"{ROOT}/_stub/faults", json={"rule": "createSale:status=503,times=2"}, timeout=30).raise_for_status()
sent = session.post(f"{ROOT}/api/v1/sales", json=SALE, timeout=30)
sold = read(sent)["data"]
print("sale:", [attempt.status for attempt in sent.raw.retries.history])
again = read(session.post(f"{ROOT}/api/v1/sales", json=SALE, timeout=30))["data"]
if again["id"] != sold["id"]:
    sys.exit(f"One key made two sales: {sold['id']} and {again['id']}.")

if sales() != before + 1:
    sys.exit(f"The report has {sales()} sales, not one more than {before}.")
print(f"sale: {sold['id']}, {sold['status']}, in the report")
