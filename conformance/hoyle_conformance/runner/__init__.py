"""The runner: select checks, send them to an adapter, judge the responses and record the results."""
