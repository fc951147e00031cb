"""Reports: a run or its record as terminal text, HTML, JUnit, Markdown and a badge."""
