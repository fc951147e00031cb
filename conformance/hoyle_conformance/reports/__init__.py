"""Reports: a run or its record as terminal text, HTML, JUnit, CTRF, Markdown and a badge."""
