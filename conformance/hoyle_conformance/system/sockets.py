"""Sockets: whether a server may take a port that was used a moment ago."""

import sys
from typing import Final

#: On Windows, this option would also let another program take the port while the server uses it.
REUSE_ADDRESS: Final = sys.platform != "win32"
