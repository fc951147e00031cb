"""An example adapter for an engine behind HTTP: it sends each question to the engine, and translates the answer.

The engine, `settlement_engine.py`, settles a partie of Rubicon Piquet. The adapter starts it, or uses one that runs::

    hoyle check python conformance/adapters/http/settlement.py
    hoyle check python conformance/adapters/http/settlement.py http://localhost:8000
"""

import http.client
import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

SEATS = "AB"
ENGINE = Path(__file__).parent / "settlement_engine.py"
READY = {
    "type": "ready",
    "protocol": 1,
    "name": "example: settlement over HTTP",
    "version": "1.0",
    "language": "Python",
    "rulesets": ["piquet-rubicon-parlett", "piquet-rubicon-hoyle"],
    "claims": ["settlement"],
}


def settlement(connection, score):
    """Return the engine's answer in the words of the protocol: the engine knows the players by their places."""
    body = json.dumps({"totals": [score[seat] for seat in SEATS]})
    connection.request("POST", "/settle", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    text = response.read().decode()
    if response.status != http.client.OK:
        return {"error": f"the engine answered {response.status} {response.reason}"}
    said = json.loads(text)
    winner = None if said["winner"] is None else SEATS[said["winner"]]
    return {"answer": {"winner": winner, "points": said["points"]}}


def observe(connection, step):
    """Return the observation for one step."""
    if step.get("ask") == "settlement":
        return settlement(connection, step["score"])
    return {"unsupported": "this engine settles games only"}


def converse(connection):
    """Answer the messages of Hoyle until the last."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        if message["type"] == "hello":
            answer = READY
        else:
            steps = [observe(connection, step) for step in message["steps"]]
            answer = {"type": "observed", "seq": message["seq"], "steps": steps}
        print(json.dumps(answer), flush=True)


def main():
    if len(sys.argv) > 1:
        converse(http.client.HTTPConnection(urlsplit(sys.argv[1]).netloc))
        return
    with subprocess.Popen([sys.executable, ENGINE, "0"], stdout=subprocess.PIPE, text=True) as engine:
        try:
            url = engine.stdout.readline().strip()
            converse(http.client.HTTPConnection(urlsplit(url).netloc))
        finally:
            engine.terminate()


if __name__ == "__main__":
    main()
