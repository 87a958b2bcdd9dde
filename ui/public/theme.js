// Before the first paint: the theme that was chosen last, so that a dark window never flashes white.
// The setting itself lives in settings.toml; this is only its shadow.
(function () {
  try {
    var theme = localStorage.getItem("plimsoll.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (_) {
    // No storage: the system's theme holds.
  }
})();
