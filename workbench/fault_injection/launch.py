"""Run `hoyle` with the words of this script; count its calls, but not those of Python's start and first imports."""

import ctypes
import signal
import sys
from importlib import import_module

from hoyle_conformance import cli

signal.signal(signal.SIGINT, signal.default_int_handler)  # a script starts commands in the background without it
import_module(f"hoyle_conformance.cli.{sys.argv[1]}")
ctypes.CDLL(None).begin_faults()
cli.run()
