"""Access control of the local server: it answers only browsers on this machine, and only its own page.

Any page in a browser can send requests to a port of this machine, and so can every user of the machine. So a request
must use our own host name, come from our own page, be JSON, and come from a browser with the server's token. The token
is in the address that the command prints. A browser that opens this address receives the token as a cookie and is
redirected to an address without it, so that the token stays out of histories and shared links.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http import HTTPStatus
from secrets import compare_digest, token_urlsafe
from typing import Final
from urllib.parse import parse_qs

#: The parameter of the printed address that holds the token.
TOKEN: Final = "token"  # noqa: S105 -- the name of a parameter
#: The remedy for a browser without the token.
OPEN_THE_ADDRESS: Final = "Open the address that 'hoyle table' printed in the terminal."
#: The maximum size of a request, in bytes.
LONGEST: Final = 1_000_000
_JSON: Final = "application/json"
_USUAL: Final = 80  # the port that browsers omit
#: The values of the browser's fetch-site header for pages of other sites.
_OTHERS: Final = frozenset({"cross-site", "same-site"})
_BYTES: Final = re.compile(r"\d{1,9}")


class RequestRefused(Exception):
    """A refused request: the status, and the reason, in a sentence."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """The host names of the server, the token that a browser must have, and the name of its cookie."""

    hosts: frozenset[str]
    token: str
    cookie: str

    @property
    def set_cookie(self) -> str:
        """The header value that gives a browser the token in a cookie that scripts cannot read and other sites cannot
        use."""
        return f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"

    def is_opened_by(self, query: str) -> bool:
        """Whether the query of an address has the token."""
        return self._is_token(parse_qs(query).get(TOKEN, [""])[-1])

    def is_known(self, headers: Mapping[str, str]) -> bool:
        """Whether a browser has the token in its cookie."""
        pairs = (each.strip().partition("=") for each in headers.get("Cookie", "").split(";"))
        return any(name == self.cookie and self._is_token(value) for name, _, value in pairs)

    def _is_token(self, given: str) -> bool:
        return compare_digest(given.encode(errors="replace"), self.token.encode())

    def check_origin(self, headers: Mapping[str, str]) -> None:
        """Raise RequestRefused if the host name is foreign, or another site's page sent the browser here or fetches
        something; links to this server's pages are allowed anywhere."""
        if headers.get("Host", "") not in self.hosts:
            raise RequestRefused(HTTPStatus.FORBIDDEN, f"This server answers only at http://{min(self.hosts)}/.")
        if headers.get("Sec-Fetch-Site") in _OTHERS and headers.get("Sec-Fetch-Mode") != "navigate":
            raise RequestRefused(
                HTTPStatus.FORBIDDEN, f"This request came from another page: open http://{min(self.hosts)}/ itself."
            )

    def length_of(self, headers: Mapping[str, str]) -> int:
        """Return the length of a request in bytes; raise RequestRefused if another page may have sent it, or it is too
        long.

        A page of another origin can neither use the cookie of this one, nor send JSON here without being refused first.
        Pages at other ports of this machine can use the cookie, but the browser names their origin.
        """
        self.check_origin(headers)
        origin = headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in self.hosts}:
            raise RequestRefused(
                HTTPStatus.FORBIDDEN, "This request came from another page: open the table at its own address."
            )
        if not self.is_known(headers):
            why = f"The server was started again, or this browser has no access to it. {OPEN_THE_ADDRESS}"
            raise RequestRefused(HTTPStatus.FORBIDDEN, why)
        if "Transfer-Encoding" in headers:
            raise RequestRefused(HTTPStatus.LENGTH_REQUIRED, "The request must not be sent in chunks.")
        if headers.get("Content-Type", "").partition(";")[0].strip() != _JSON:
            raise RequestRefused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The request must be JSON.")
        length = headers.get("Content-Length", "")
        if not _BYTES.fullmatch(length):
            raise RequestRefused(HTTPStatus.LENGTH_REQUIRED, "The header Content-Length is missing or invalid.")
        if int(length) > LONGEST:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The request is longer than {LONGEST:,} bytes.")
        return int(length)


def headers_of(message: Message) -> Mapping[str, str]:
    """Return the headers of a request by their usual names; a repeated header has an empty value."""
    found = {name.title(): message.get_all(name) or [] for name in message}
    return {name: values[0] if len(values) == 1 else "" for name, values in found.items()}


def new_policy(port: int) -> AccessPolicy:
    """Return the policy of a server at a port of this machine, with a new token."""
    names = ("127.0.0.1", "localhost", "[::1]")
    plain = names if port == _USUAL else ()
    hosts = frozenset({*(f"{name}:{port}" for name in names), *plain})
    return AccessPolicy(hosts, token_urlsafe(24), f"hoyle-{port}")
