"""The requests of a suite's checks, each planned once or read from the cache.

This module does not import the interpreter until a request must be planned.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.suite.model import Check, Relabelling, Scenario
from hoyle_conformance.suite.suite import Suite


@dataclass
class Planner:
    """Requests for the checks of a suite, and for scenarios outside it.

    `sound` is set once the positions of all its checks are known to be valid. `cache_key` is the key of the suite in
    the cache, or empty if it is not cached, and `request_keys` are the keys there of the requests of each scenario.
    `cached_requests` are the relabelled requests read from the cache, by check id. `linted` are the scenarios with such
    requests, whose positions are therefore valid.
    """

    suite: Suite = field(repr=False)
    sound: bool = False
    cache_key: str = ""
    request_keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    linted: frozenset[str] = frozenset()
    cached_requests: Mapping[str, RunRequest] = field(default_factory=dict, repr=False)
    #: The checks of the cached requests, relabelled in the same way, by id.
    relabelled_checks: dict[str, Check] = field(default_factory=dict, init=False, repr=False)
    #: The requests planned so far, each with its check, by check id and relabelling.
    planned: dict[tuple[str, Relabelling], tuple[Check, RunRequest]] = field(
        default_factory=dict, init=False, repr=False
    )

    def request(self, check: Check) -> RunRequest:
        """Return the request for a check; raises CannotSetUp if its position cannot be completed."""
        known, request = self.planned.get((check.id, check.turned), (None, None))
        if request is None or known != check:  # a file outside the suite may use the id of a check in it
            cached = self.cached_requests[check.id] if self.relabelled_checks.get(check.id) is check else None
            request = cached or self._plan(check)
            self.planned[check.id, check.turned] = check, request
        return request

    def can_set_up(self, check: Check) -> bool:
        """Return whether the position of a check can be completed."""
        try:
            self.request(check)
        except CannotSetUp:
            return False
        return True

    def cached_request(self, check: Check) -> RunRequest | None:
        """Return the cached request of a check of the suite, relabelled as it is sent; None if there is none."""
        cached, name = self.cached_requests, check.id
        return cached[name] if name in cached and self.suite.index.checks[name] is check else None

    def is_linted(self, scenario: Scenario) -> bool:
        """Return whether the position of a scenario of the suite is known to be valid."""
        return self.sound or scenario.id in self.linted

    def note_relabelled(self, check: Check, relabelled: Check) -> None:
        """Record the relabelled form of a check of the suite if its cached request is relabelled in the same way."""
        cached = self.cached_request(check)
        if cached and cached.turned == relabelled.turned:
            self.relabelled_checks[relabelled.id] = relabelled

    def share(self, other: "Planner") -> None:
        """Use the cached requests of the planner of another suite that has all these checks."""
        self.sound, self.cached_requests = other.sound, other.cached_requests
        self.linted, self.relabelled_checks = other.linted, other.relabelled_checks

    def _plan(self, check: Check) -> RunRequest:
        """Return a new request. Its message is validated here, once, unless the position was validated when the suite
        was linted."""
        from hoyle_conformance.checks.plan import plan

        request = plan(check, self.suite.rules.of(check.ruleset), self.suite.capabilities)
        own = self.suite.scenarios.get(check.scenario.id)  # another file may use the id of a scenario in the suite
        is_of_suite = own is not None and own.document is check.scenario.document
        if not (self.sound and is_of_suite) or check.computed or check.origins:
            complaint = self.suite.schemas.complaint("message-run", {"type": "run", "seq": 1, **request.message})
            if complaint:
                raise ValueError(f"Hoyle built an invalid message: {complaint}")
        return request


def planner_of(suite: Suite) -> Planner:
    """Return the planner of a suite, made once, because all work on a suite must share one planner."""
    return suite.derived(Planner)
