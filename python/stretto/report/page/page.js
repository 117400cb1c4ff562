// Draws the page's plots in the colours of its theme, and redraws them when the theme or medium changes.
(() => {
  "use strict";
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const plots = [...document.querySelectorAll(".plot")].map((place) => ({
    place,
    spec: JSON.parse(place.parentElement.querySelector('script[type="application/json"]').textContent),
  }));

  // Colours of plots are variables of the style sheet, so plots follow the theme.
  const themed = (value, style) => {
    if (typeof value === "string") {
      const name = /^var\((--[a-z0-9-]+)\)$/.exec(value);
      return name ? style.getPropertyValue(name[1]).trim() : value;
    }
    if (Array.isArray(value)) return value.map((item) => themed(item, style));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, themed(item, style)]));
    }
    return value;
  };

  // Plotly shows all given tick labels, so labels are removed on narrow pages.
  const thinned = (axis, width) => {
    if (!axis || !axis.ticktext || !axis.ticktext.length) return;
    const step = Math.ceil((axis.ticktext.length * 54) / Math.max(width - 76, 60));
    axis.ticktext = axis.ticktext.map((text, index) => (index % step ? "" : text));
  };

  // A plot in a closed fold has no width; it is drawn when the fold opens.
  const draw = (plot) => {
    const { place, spec } = plot;
    if (!window.Plotly || !place.clientWidth) return null;
    const shown = themed(spec, getComputedStyle(root));
    thinned(shown.layout.xaxis, place.clientWidth);
    const size = { width: place.clientWidth, height: place.clientHeight };
    plot.width = size.width;
    return window.Plotly.react(place, shown.data, { ...shown.layout, ...size }, { displayModeBar: false });
  };
  const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const drawAll = () => {
    button.textContent = isDark() ? "light" : "dark";
    return Promise.all(plots.map(draw));
  };
  const storedTheme = (theme) => {
    // Storage may be unavailable for file:// pages.
    try {
      if (theme) localStorage.setItem("stretto-theme", theme);
      return localStorage.getItem("stretto-theme");
    } catch {
      return null;
    }
  };

  const before = storedTheme();
  if (before === "light" || before === "dark") root.dataset.theme = before;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    storedTheme(root.dataset.theme);
    drawAll();
  });
  dark.addEventListener("change", drawAll);
  // Each plot observes its own size, which changes with the window, a fold or the orientation.
  const watcher = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      const plot = plots.find(({ place }) => place === target);
      if (plot.width !== target.clientWidth) draw(plot);
    }
  });

  // A link to a folded part opens it.
  const unfold = () => {
    const aim = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = aim && aim.querySelector(":scope > details");
    if (fold) fold.open = true;
  };
  window.addEventListener("hashchange", unfold);

  // Paper is white, and what is folded on the screen is wanted there, except the tables behind the pictures.
  let screenTheme;
  window.addEventListener("beforeprint", () => {
    screenTheme = root.dataset.theme;
    root.dataset.theme = "light";
    document.querySelectorAll("details:not([open])").forEach((fold) => {
      if (fold.closest(".data")) return;
      fold.open = true;
      fold.dataset.folded = "";
    });
    drawAll();
  });
  window.addEventListener("afterprint", () => {
    if (screenTheme) root.dataset.theme = screenTheme;
    else delete root.dataset.theme;
    document.querySelectorAll("details[data-folded]").forEach((fold) => {
      fold.open = false;
      delete fold.dataset.folded;
    });
    drawAll();
  });

  // The plotting library lies in the page compressed.
  const unpack = async () => {
    const packed = document.getElementById("plotly").textContent;
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.head.append(script);
  };

  unfold();
  button.textContent = isDark() ? "light" : "dark";
  (plots.length ? unpack() : Promise.resolve())
    .then(drawAll)
    .then(() => {
      plots.forEach(({ place }) => watcher.observe(place));
      root.setAttribute("data-drawn", String(plots.length));
    })
    .catch(() => {
      document.getElementById("no-plots").hidden = false;
    });
})();
