"""What a careful person would write instead: an asyncio script that prices and creates the orders of a CSV sheet, and
keeps what it did in SQLite, so that it can be run again. Usage: baseline.py URL AT_ONCE SHEET LEDGER"""

import asyncio
import csv
import itertools
import sqlite3
import sys

import aiohttp

ADDRESS = ["name", "phone", "address1", "city", "province", "province_code", "zip", "country", "country_code"]


class Ledger:
    """Each change is committed and synced before the script goes on."""

    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.execute("CREATE TABLE IF NOT EXISTS sent (order_id TEXT PRIMARY KEY, pw_order_id TEXT, total TEXT)")

    def intend(self, order_id, total):
        """False where the order is known already."""
        sql = "INSERT INTO sent (order_id, total) VALUES (?, ?) ON CONFLICT DO NOTHING"
        return self.db.execute(sql, (order_id, str(total))).rowcount == 1

    def created(self, order_id, pw_order_id):
        self.db.execute("UPDATE sent SET pw_order_id = ? WHERE order_id = ?", (pw_order_id, order_id))


async def post(session, path, body):
    async with session.post(path, json=body) as answer:
        answer.raise_for_status()
        return await answer.json()


async def one(session, ledger, order_id, rows):
    first = rows[0]
    items = [
        {
            "made_in_location": "",
            "product_name": "Tee",
            "item_sku": row["item_sku"],
            "quantity": int(row["quantity"]),
            "variant_note": "",
            "artwork_front": row["artwork_front"],
        }
        for row in rows
    ]
    place = {key: first[key] for key in ("shipping_province_code", "shipping_country_code")}
    quote = await post(session, "/api/v2/orders/calculate-price-order", {**place, "order_items": items})
    if not ledger.intend(order_id, quote["data"]["totalFee"]):
        return
    address = {f"shipping_{key}": first[f"shipping_{key}"] for key in ADDRESS}
    order = {"order_id": order_id, **address, "shipping_address2": "", "order_items": items}
    answer = await post(session, "/api/v2/orders/create-new-order", order)
    ledger.created(order_id, answer["data"]["pwOrderId"])


async def main(url, at_once, sheet, ledger):
    connector = aiohttp.TCPConnector(limit=at_once)
    async with aiohttp.ClientSession(url, connector=connector) as session:
        login = {"email": "shop@example.com", "password": "sandbox"}
        answer = await post(session, "/api/v2/auth/token", login)
        session.headers["pw-access-token"] = answer["result"]["access_token"]
        with open(sheet, newline="", encoding="utf-8") as file:
            groups = itertools.groupby(csv.DictReader(file), key=lambda row: row["order_id"])
            orders = ((order_id, list(rows)) for order_id, rows in groups)

            async def worker():
                for order_id, rows in orders:
                    await one(session, ledger, order_id, rows)

            await asyncio.gather(*(worker() for _ in range(at_once)))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], Ledger(sys.argv[4])))
