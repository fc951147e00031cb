"""Campaigns: a command runs with each fault of a family, until a run reaches no fault any more."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from fault_injection.commands import Command
from fault_injection.promises import Clean, broken_promises
from fault_injection.running import Contents, Ended, Workplace, timeless
from fault_injection.shim import Fault

#: More calls than any command makes.
_MOST: Final = 1_000_000


@dataclass(frozen=True)
class Broken:
    """A fault with which a command has broken promises: the call that failed, and the promises."""

    command: str
    fault: Fault
    call: str
    promises: tuple[str, ...]
    errors: str

    def __str__(self) -> str:
        shown = "\n".join(f"    {line}" for line in self.errors.strip().splitlines()[-6:])
        return f"{self.command}: {self.fault} ({self.call}): {'; '.join(self.promises)}\n{shown}"


@dataclass
class Campaign:
    """The runs of one command. States of its folder from which a run without a fault ends as it should are `sound`."""

    place: Workplace
    command: Command
    clean: Clean
    sound: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, place: Workplace, command: Command) -> "Campaign":
        """Prepare a command, and run it without a fault."""
        before = place.prepare(command)
        place.run(command)  # which caches the bytecode of all its modules
        place.restore(before)
        ended = place.run(command)
        campaign = cls(place, command, Clean(before, ended))
        campaign.sound |= {_digest(before), _digest(ended.files)}
        return campaign

    def run(self, fault: Fault) -> tuple[Ended, Broken | None]:
        """Run the command with a fault; return how it ended, and the promises that it has broken, if any."""
        self.place.restore(self.clean.before)
        ended = self.place.run(self.command, fault)
        promises = tuple(broken_promises(self.command, fault, self.clean, ended)) + tuple(self._afterwards(ended))
        broken = Broken(self.command.name, fault, ended.counts.first, promises, ended.errors) if promises else None
        return ended, broken

    def _afterwards(self, ended: Ended) -> Iterator[str]:
        """Yield what the next run, which has no fault, does otherwise because of what this one has left."""
        state = _digest(ended.files)
        if self.command.serves or state in self.sound:
            return
        again = self.place.run(self.command)
        then = timeless(self.clean.ended.files)
        files = timeless(again.files)
        if (again.code, again.output) != (self.clean.ended.code, self.clean.ended.output):
            yield f"the next run ends with {again.code}, or reports something else"
        elif any(files.get(name) != then.get(name) for name in self.command.writes):
            yield "the next run writes something else"
        else:
            self.sound.add(state)


@dataclass
class Points:
    """How many calls of a family a command makes, how many of them have failed in turn, and the promises broken."""

    reached: int = 0
    tried: int = 0
    broken: list[Broken] = field(default_factory=list)


def every_point(
    campaign: Campaign, family: str, *, ever: bool, wanted: Callable[[int], bool], only: str = ""
) -> Points:
    """Fail each call of a family for which its number is `wanted`, until a run does not reach the number; if a pattern
    is given, `only` calls with such a description count."""
    points = Points()
    for number in range(1, _MOST):
        if not wanted(number):
            continue
        ended, broken = campaign.run(Fault(family, number, ever, only))
        if not ended.counts.failed:
            points.reached = ended.counts.reached
            return points
        points.tried += 1
        if broken:
            points.broken.append(broken)
    raise AssertionError("a command makes calls without end")


def _digest(files: Contents) -> int:
    return hash(frozenset(timeless(files).items()))
