"""A server that judges games: it answers a game in the text notation with the score, or with the rule that it breaks.

Run it: ``python docs/examples/judge_server.py 8080``, and send it a game:

    curl --data 'bezique-hoyle; cut KS 7H' http://127.0.0.1:8080
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import hoyle

LONGEST = 100_000


def judge(text: str) -> dict[str, object]:
    """Return how a game stands, or why it is none."""
    try:
        game = hoyle.Game.from_text(text)
    except hoyle.HoyleError as error:
        clauses = error.clauses if isinstance(error, hoyle.IllegalActionError) else ()
        return {"error": error.code, "message": str(error), "clauses": list(clauses)}
    return {"scores": game.scores(), "over": game.is_terminal(), "to_act": game.current_player()}


class Judge(BaseHTTPRequestHandler):
    """The handler of one request: the body is a game, and the answer is JSON."""

    def do_POST(self) -> None:
        length = min(int(self.headers.get("Content-Length", 0)), LONGEST)
        answer = json.dumps(judge(self.rfile.read(length).decode("utf-8", "replace").strip())).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(answer)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Judge).serve_forever()
