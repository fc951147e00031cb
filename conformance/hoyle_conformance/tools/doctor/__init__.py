"""The doctor: find out what is wrong with an adapter in a few short conversations."""
