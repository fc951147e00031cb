"""The screens on which a page is looked at for what stands in anybody's way."""

import os

PHONE, DESK = 390, 1280
#: A phone and a desk, light and dark; on the gate each of these once.
EVERYWHERE = [(PHONE, "dark"), (DESK, "light")]
if not os.environ.get("HOYLE_GATE"):
    EVERYWHERE += [(PHONE, "light"), (DESK, "dark")]
