"""Broken adapters for the doctor: an adapter that answers `winner`, healthy, and with one classic fault each.

Run as ``python -S -E tests/tools/doctor/broken_adapters.py NAME``: it imports nothing that takes time.
"""

import json
import os
import sys
import time

FOR_EVER = 3600  # seconds
BROKEN_ADAPTERS = {}


def broken_adapter(change):
    """Adds an adapter with this fault; it is given what a healthy one would be, and changes it."""
    BROKEN_ADAPTERS[change.__name__.replace("_", "-")] = change
    return change


class Adapter:
    """A healthy one."""

    ready = {  # noqa: RUF012 -- each process has one adapter
        "type": "ready",
        "protocol": 1,
        "name": "adapter",
        "version": "1",
        "language": "Python",
        "rulesets": ["bezique-hoyle"],
        "claims": ["winner"],
    }

    def __init__(self):
        self.runs = 0

    def main(self):
        for line in self.lines():
            if self.hear(line) is False:
                break
        self.at_the_end()

    def lines(self):
        return sys.stdin

    def hear(self, line):
        message = json.loads(line)
        if message["type"] == "bye":
            return False
        self.write(self.text(self.answer(message)))
        return True

    def answer(self, message):
        if message["type"] == "hello":
            return self.ready
        self.runs += 1
        return self.observed(message)

    def observed(self, message):
        steps = [self.step(step, message["position"]) for step in message["steps"]]
        return {"type": "observed", "seq": message["seq"], "steps": steps}

    def step(self, step, position):
        cards, trumps = step["cards"], step.get("trumps", position.get("trumps"))
        ranks = ["ATKQJ987".index(card[0]) for card in cards]
        best = 0
        for at, card in enumerate(cards):
            beats = ranks[at] < ranks[best] if card[1] == cards[best][1] else card[1] == trumps
            best = at if beats else best
        return {"answer": "AB"[("AB".index(step["by"]) + best) % 2]}

    def text(self, answer):
        return json.dumps(answer) + "\n"

    def write(self, text):
        sys.stdout.write(text)
        sys.stdout.flush()

    def at_the_end(self):
        pass


def raw(text):
    """Bytes, written as they are."""
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


@broken_adapter
def healthy(adapter):
    pass


@broken_adapter
def not_flushed(adapter):
    adapter.write = sys.stdout.write


@broken_adapter
def reads_all_before_it_answers(adapter):
    adapter.lines = sys.stdin.readlines


@broken_adapter
def flushes_only_ready(adapter):
    flushed = adapter.write

    def write(text):
        (sys.stdout.write if adapter.runs else flushed)(text)

    adapter.write = write


@broken_adapter
def no_line_feed(adapter):
    adapter.text = json.dumps


@broken_adapter
def noise_before_ready(adapter):
    print("Loading the engine \x1b[32m100 %\x1b[0m", flush=True)


@broken_adapter
def noise_between(adapter):
    observed = adapter.observed

    def noisy(message):
        print("DEBUG run", message["seq"], flush=True)
        return observed(message)

    adapter.observed = noisy


@broken_adapter
def noise_at_the_end(adapter):
    adapter.at_the_end = lambda: print("Goodbye!")


@broken_adapter
def byte_order_mark(adapter):
    raw(b"\xef\xbb\xbf")


@broken_adapter
def carriage_returns(adapter):
    adapter.text = lambda answer: json.dumps(answer) + "\r\n"


@broken_adapter
def pretty_printed(adapter):
    adapter.text = lambda answer: json.dumps(answer, indent=2) + "\n"


@broken_adapter
def prints_no_json(adapter):
    adapter.text = lambda answer: f"{answer}\n"


@broken_adapter
def latin_1(adapter):
    adapter.ready["name"] = "Bézique"
    adapter.write = lambda text: raw(text.encode("latin-1"))
    adapter.text = lambda answer: json.dumps(answer, ensure_ascii=False) + "\n"


@broken_adapter
def utf_16(adapter):
    adapter.write = lambda text: raw(text.encode("utf-16"))


@broken_adapter
def wrong_seq(adapter):
    observed = adapter.observed
    adapter.observed = lambda message: {**observed(message), "seq": adapter.runs}


@broken_adapter
def too_few_steps(adapter):
    observed = adapter.observed

    def fewer(message):
        answer = observed(message)
        answer["steps"].pop()
        return answer

    adapter.observed = fewer


@broken_adapter
def another_kind(adapter):
    step = adapter.step
    adapter.step = lambda asked, position: {"answer": "AB".index(step(asked, position)["answer"])}


@broken_adapter
def a_key_twice(adapter):
    text = adapter.text
    adapter.text = lambda answer: text(answer).replace('{"type": "observed"', '{"type": "skipped", "type": "observed"')


@broken_adapter
def answers_twice(adapter):
    text = adapter.text
    adapter.text = lambda answer: text(answer) * (2 if answer["type"] == "observed" else 1)


@broken_adapter
def claims_and_declines(adapter):
    adapter.observed = lambda message: {"type": "unsupported", "seq": message["seq"], "reason": "not written yet"}


@broken_adapter
def declines_a_step(adapter):
    adapter.step = lambda _step, _position: {"error": "no such thing"}


@broken_adapter
def dies_of_a_ruleset(adapter):
    observed = adapter.observed

    def knowing(message):
        return (
            observed(message) if message["ruleset"] == "bezique-hoyle" else sys.exit(f"KeyError: {message['ruleset']}")
        )

    adapter.observed = knowing


@broken_adapter
def silent_about_a_ruleset(adapter):
    hear = adapter.hear
    adapter.hear = lambda line: True if "no-such-game" in line else hear(line)


@broken_adapter
def starts_slowly(adapter):
    time.sleep(0.2)


@broken_adapter
def remembers_the_run_before(adapter):
    step, other = adapter.step, {"A": "B", "B": "A"}

    def remembering(asked, position):
        answer = step(asked, position)["answer"]
        return {"answer": other[answer] if adapter.runs > 1 else answer}

    adapter.step = remembering


@broken_adapter
def another_name_every_time(adapter):
    adapter.ready["version"] = f"pid-{os.getpid():07}"


@broken_adapter
def stays_at_bye(adapter):
    adapter.at_the_end = lambda: time.sleep(FOR_EVER)


@broken_adapter
def ends_with_exit_code_3(adapter):
    adapter.at_the_end = lambda: sys.exit(3)


@broken_adapter
def stumbles_over_the_end(adapter):
    def lines():
        try:
            while True:
                yield input()
        except EOFError:
            sys.exit("EOFError")

    adapter.lines = lines


@broken_adapter
def dies_at_once(adapter):
    sys.exit("No module named 'bezique'")


@broken_adapter
def says_nothing(adapter):
    time.sleep(FOR_EVER)


@broken_adapter
def writes_without_end(adapter):
    while True:
        sys.stdout.write("spinning\n" * 1000)


@broken_adapter
def dies_of_a_run(adapter):
    adapter.observed = lambda _message: sys.exit("KeyError: 'trump'")


@broken_adapter
def silent_when_asked(adapter):
    adapter.observed = lambda message: time.sleep(FOR_EVER)


@broken_adapter
def writes_a_line_without_end(adapter):
    adapter.observed = lambda message: raw(b"x" * 2_000_000)


@broken_adapter
def cuts_long_lines(adapter):
    hear, room = adapter.hear, 700

    def cut(line):
        if len(line) > room:
            sys.exit(f"cannot read {line[room - 20 : room]!r}")
        return hear(line)

    adapter.hear = cut


@broken_adapter
def speaks_another_version(adapter):
    adapter.ready["protocol"] = 2


@broken_adapter
def claims_what_there_is_not(adapter):
    adapter.ready["claims"] = ["winer"]


@broken_adapter
def claims_no_ruleset_that_there_is(adapter):
    adapter.ready["rulesets"] = ["bezique-hoile"]


@broken_adapter
def claims_one_ruleset_too_many(adapter):
    adapter.ready["rulesets"] = ["bezique-hoyle", "rubicon-hoile"]


@broken_adapter
def claims_acts_without_a_position(adapter):
    adapter.ready["claims"] = ["draw"]


@broken_adapter
def is_written_in_rust(adapter):
    adapter.ready["language"] = "Rust"
    print("thread 'main'", flush=True)


if __name__ == "__main__":
    made = Adapter()
    BROKEN_ADAPTERS[sys.argv[1]](made)
    made.main()
