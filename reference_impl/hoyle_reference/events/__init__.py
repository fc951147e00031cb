"""The events at the table, under the names of the chapters. A state is a fold of events."""
