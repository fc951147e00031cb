"""How soon the search of the site answers on a slow processor: `make site browser`, then run this.

It prints, for the site in ``site/``, in milliseconds: how long the index takes to be read, and the longest and the
middle time from a letter typed to the answers shown; as fast as the machine is, and slowed down six times, with the
ratio.
"""

import sys
from pathlib import Path
from shutil import which

from playwright.sync_api import sync_playwright

SITE = Path(__file__).resolve().parents[2] / "site"
SLOWER = 6
ASKED = ["does a queen marry twice", "both pass 1000", "exchange the seven and declare", "carte blanche", "Q♠ J♦"]
MEASURE = """async (asked) => {
  const input = document.querySelector("#search"), times = [];
  const start = performance.now();
  input.focus();
  await window.hoyleSearch.loaded();
  const loaded = performance.now() - start;
  for (const text of asked)
    for (let end = 1; end <= text.length; end += 1) {
      const typed = performance.now();
      input.value = text.slice(0, end);
      input.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((done) => setTimeout(done));
      times.push(performance.now() - typed);
    }
  return [loaded, Math.max(...times), times.sort((a, b) => a - b)[times.length >> 1]];
}"""


def main() -> None:
    """Measure twice, and print."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium") or which("google-chrome"), args=["--no-sandbox"]
        )
        middle = []
        for slower in (1, SLOWER):
            page = browser.new_page(viewport={"width": 390, "height": 844})
            page.goto((SITE / "scenarios/index.html").as_uri())
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
            loaded, longest, of_all = page.evaluate(MEASURE, ASKED)
            middle.append(of_all)
            sys.stdout.write(f"{slower}x slower: read in {loaded:.0f}, longest {longest:.0f}, middle {of_all:.0f} ms\n")
        sys.stdout.write(f"ratio of the middles: {middle[1] / middle[0]:.1f}\n")
        browser.close()


if __name__ == "__main__":
    main()
