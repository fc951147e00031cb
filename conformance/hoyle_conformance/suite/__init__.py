"""The suite: files of a spec folder read, made into values, and held together in one."""
