"""A learner's loop: a linear estimate of each action, learnt from deals of Piquet that it plays against itself.

Run it: ``python environments/examples/learner.py 200`` learns from 200 deals, and then plays ten against
`RandomPlayer`. It needs no other package. A real learner has a better estimate, and the same loop.
"""

import sys
from random import Random

import hoyle
from hoyle_environments import NumberedGame, RandomPlayer, play_out

RULES = hoyle.rules("piquet-saunt-parlett")


class Learner:
    """A player with a weight for each action and each number of an observation."""

    def __init__(self, rng: Random, exploring: float, step: float) -> None:
        self.rng, self.exploring, self.step = rng, exploring, step
        start = NumberedGame(RULES)
        self.weights = [[0.0] * len(start.observation("A")) for _ in start.catalogue.names]

    def estimate(self, number: int, seen: list[int]) -> float:
        """Return the points that an action should bring."""
        return sum(weight * value for weight, value in zip(self.weights[number], seen, strict=True) if value)

    def choose(self, game: NumberedGame) -> int:
        legal, seen = game.legal_actions(), game.observation(game.current_player())
        if self.rng.random() < self.exploring:
            return self.rng.choice(legal)
        return max(legal, key=lambda number: self.estimate(number, seen))

    def learn(self, number: int, seen: list[int], points: int) -> None:
        """Move the estimate of an action towards the points that the deal has brought."""
        error = points / 30 - self.estimate(number, seen)
        length = 1 + sum(value * value for value in seen)
        weights = self.weights[number]
        for at, value in enumerate(seen):
            if value:
                weights[at] += self.step * error * value / length


def play_and_learn(learner: Learner, chance: Random) -> None:
    """Play one deal against itself, and learn from each choice."""
    game = NumberedGame(RULES, deals=1)
    choices = []
    while not game.is_terminal():
        game.sample_chance(chance)
        seat = game.current_player()
        if seat:
            number = learner.choose(game)
            choices.append((seat, number, game.observation(seat)))
            game.apply_action(number)
    returns = game.returns()
    for seat, number, seen in choices:
        learner.learn(number, seen, returns[seat])


def main(deals: int) -> None:
    learner = Learner(Random(1), exploring=0.2, step=0.2)
    for deal in range(deals):
        play_and_learn(learner, Random(deal))
    learner.exploring = 0
    lead = sum(
        play_out(NumberedGame(RULES, deals=1), {"A": learner, "B": RandomPlayer(Random(deal))}, Random(deal))["A"]
        for deal in range(10)
    )
    print(f"After {deals} deals, the learner leads by {lead} points in ten more.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
