"""What has happened at the table, under the names of the chapters. A state is a fold of these."""
