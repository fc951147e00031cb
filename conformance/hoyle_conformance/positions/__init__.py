"""Positions: from what a scenario gives to the message that is sent.

What is given is checked and the cards put in their places (`given`); the rest of the pack is filled in (`filling`, by
the one way of `drawn` or the other of `exchanged`: `complete`); position and steps make the message (`plan`). A message
can be taken through the reference interpreter (`trace`).
"""
