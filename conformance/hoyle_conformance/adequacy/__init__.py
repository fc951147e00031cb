"""Adequacy: how good the suite is, measured by wrong engines that it must notice.

Every cell of every table is changed, every refusal dropped, everything that an event writes forgotten, one at a time;
each such engine is held against the checks as any implementation is (`noticing`): its reasons for refusing are not
compared, and it may follow any reading. What nobody notices is missing, or stands with its reason in `reasons`.
"""
