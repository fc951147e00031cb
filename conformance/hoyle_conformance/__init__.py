"""The conformance harness: it holds an implementation, in any language, against the suite."""

__version__ = "0.1.0"
