"""Positions: from what a scenario gives to the message that is sent.

What is given (`given`) is laid out on a table (`laid`); the rest of the pack is filled in (`filling`, by the one way of
`drawn` or the other of `exchanged`), and the table written as a position (`complete`); position and steps make the
message (`plan`). A message can be taken through the reference interpreter (`trace`).
"""
