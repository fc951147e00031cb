"""The requests of a suite's checks, each planned once, or read from the cache.

Nothing here imports the interpreter before a request must be planned.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.suite.model import Check, Relabelling, Scenario
from hoyle_conformance.suite.suite import Suite


@dataclass
class Planner:
    """Requests for checks of a suite, and of scenarios that are not in it.

    `sound` is set once the positions of all its checks are known to be valid; `cache_key` is the key of the suite in
    the cache, or empty if it is not cached; `request_keys` are the keys of the requests of its scenarios there, and
    `cached_requests` those requests that were read, relabelled, by the checks' ids; `linted` are the scenarios that
    have them, and so have valid positions.
    """

    suite: Suite = field(repr=False)
    sound: bool = False
    cache_key: str = ""
    request_keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    linted: frozenset[str] = frozenset()
    cached_requests: Mapping[str, RunRequest] = field(default_factory=dict, repr=False)
    #: The checks whose requests are cached, relabelled as in these, by id.
    relabelled_checks: dict[str, Check] = field(default_factory=dict, init=False, repr=False)
    _planned: dict[tuple[str, Relabelling], tuple[Check, RunRequest]] = field(
        default_factory=dict, init=False, repr=False
    )

    def request(self, check: Check) -> RunRequest:
        """Return the request for a check; raises CannotSetUp where its position cannot be completed."""
        known, request = self._planned.get((check.id, check.turned), (None, None))
        if request is None or known != check:  # a file meant for the suite may have the id of one that is in it
            cached = self.cached_requests[check.id] if self.relabelled_checks.get(check.id) is check else None
            request = cached or self._plan(check)
            self._planned[check.id, check.turned] = check, request
        return request

    def can_set_up(self, check: Check) -> bool:
        """Whether the position of a check can be completed."""
        try:
            self.request(check)
        except CannotSetUp:
            return False
        return True

    def cached_request(self, check: Check) -> RunRequest | None:
        """Return the cached request of a check of the suite, relabelled as it is sent, or None."""
        cached, name = self.cached_requests, check.id
        return cached[name] if name in cached and self.suite.index.checks[name] is check else None

    def is_linted(self, scenario: Scenario) -> bool:
        """Whether the position of a scenario of the suite is known to be valid."""
        return self.sound or scenario.id in self.linted

    def note_relabelled(self, check: Check, relabelled: Check) -> None:
        """Remember the relabelled form of a check of the suite if its cached request is relabelled likewise."""
        cached = self.cached_request(check)
        if cached and cached.turned == relabelled.turned:
            self.relabelled_checks[relabelled.id] = relabelled

    def share(self, other: "Planner") -> None:
        """Use the cached requests of the planner of another suite with the same checks and more."""
        self.sound, self.cached_requests = other.sound, other.cached_requests
        self.linted, self.relabelled_checks = other.linted, other.relabelled_checks

    def _plan(self, check: Check) -> RunRequest:
        """Return a new request. Its message is validated once, here, unless the position was when the suite was
        linted."""
        from hoyle_conformance.checks.plan import plan

        request = plan(check, self.suite.rules.of(check.ruleset), self.suite.capabilities)
        if not self._was_linted(check):
            complaint = self.suite.schemas.complaint("message-run", {"type": "run", "seq": 1, **request.message})
            if complaint:
                raise ValueError(f"Hoyle built an invalid message: {complaint}")
        return request

    def _was_linted(self, check: Check) -> bool:
        """Whether a check is one of those whose positions are known to be valid."""
        if not self.sound or check.computed or check.origins:
            return False
        own = self.suite.scenarios.get(check.scenario.id)  # another file may have the id of one in the suite
        return own is not None and own.document is check.scenario.document


def planner_of(suite: Suite) -> Planner:
    """Return the planner of a suite, made once: most of the harness has a suite at hand, and one planner must serve all
    that is done with it."""
    return suite.derived(Planner)
