// Light or dark, as in the reader's system or as chosen. Without the script the page follows the system.
const KEY = "hoyle-colours";
const chosen = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // no storage where the reader allows none
  }
};
const isDark = () => (document.documentElement.dataset.colours ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
if (chosen()) document.documentElement.dataset.colours = chosen();

document.fonts.load('1em "Source Serif 4"'); // before the text that needs it

document.addEventListener("DOMContentLoaded", () => {
  const button = document.querySelector("button.dark");
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.hidden = false;
  name();
  button.addEventListener("click", () => {
    const colours = isDark() ? "light" : "dark";
    document.documentElement.dataset.colours = colours;
    try {
      localStorage.setItem(KEY, colours);
    } catch {
      // the choice still applies to this page
    }
    name();
  });
});
