"""A scenario that is being written: understood as it is said, laid out as the files of the suite are, and looked at."""
