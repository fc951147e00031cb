"""A small engine behind HTTP: it settles a partie of Rubicon Piquet.

It has an interface of its own, and does not know Hoyle. `settlement.py` is the adapter, which starts it. To run it by
itself, and to ask it something::

    python conformance/adapters/http/settlement_engine.py 8000
    curl --data '{"totals": [120, 98]}' http://localhost:8000/settle
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

#: The total with which a loser has crossed the rubicon, and what the winner is paid for the partie itself.
RUBICON, BONUS = 100, 100


def settle(totals):
    """Return the place of the winner and the points that the loser pays; there is no winner if the totals are equal."""
    loser, winner = sorted(range(2), key=lambda place: totals[place])
    low, high = totals[loser], totals[winner]
    if low == high:
        return {"winner": None, "points": 0}
    return {"winner": winner, "points": BONUS + (high - low if low >= RUBICON else high + low)}


class Engine(BaseHTTPRequestHandler):
    """Answers ``POST /settle`` with JSON."""

    protocol_version = "HTTP/1.1"  # one connection serves many requests
    disable_nagle_algorithm = True  # answer at once: the headers and the body are two small packets

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path != "/settle":
            self.send_error(404)
            return
        answer = json.dumps(settle(json.loads(body)["totals"])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_words):
        """Write no log."""


def main():
    with HTTPServer(("127.0.0.1", int(sys.argv[1])), Engine) as server:
        # With port 0 the system chooses a free one, so the adapter reads it here.
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
