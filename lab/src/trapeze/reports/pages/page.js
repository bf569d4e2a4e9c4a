// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
// Draws the charts of a page in the page's colours, and again when the theme changes.
"use strict";
(() => {
  // Okabe and Ito's palette, which people with any colour vision can tell apart; two lighter ones on dark paper.
  const palettes = {
    light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#5b6675", "#7b4fb3"],
    dark: ["#56b4e9", "#ff9e5e", "#2fd0a0", "#e6a3c8", "#f0e442", "#3f8fd6", "#aab4c2", "#b695ea"],
  };
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const narrow = () => innerWidth < 640;
  const asked = new URLSearchParams(location.search).get("theme");
  let chosen = ["dark", "light"].includes(asked) ? asked : null;

  const theme = () => chosen ?? (system.matches ? "dark" : "light");
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  function dressed(chart) {
    const palette = palettes[theme()];
    const data = chart.data.map((series, index) => {
      const place = typeof series.meta === "number" ? series.meta : index;
      const own = series.meta === "published" ? colour("--published") : palette[place % palette.length];
      const marker = { ...series.marker, color: own };
      if (marker.line) marker.line = { ...marker.line, color: own };
      return { ...series, marker, line: series.line && { ...series.line, color: own } };
    });
    const axis = (own) => ({
      automargin: true,
      ...colours,
      ...own,
      title: { standoff: 6, ...own?.title },
      minor: own?.minor && { gridcolor: colours.gridcolor, ...own.minor },
    });
    const colours = { gridcolor: colour("--line"), zerolinecolor: colour("--line"), linecolor: colour("--line") };
    const { title, ...rest } = chart.layout;
    // Plotly does not break long titles: the page has them as text.
    const layout = {
      ...rest,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: colour("--ink"), size: narrow() ? 10 : 12 },
      margin: { l: 48, r: 16, t: 8, b: 28 },
      legend: { orientation: "h", x: 0, y: 1.01, yanchor: "bottom", traceorder: "normal" },
      hoverlabel: { namelength: -1 },
      xaxis: axis(chart.layout.xaxis),
      yaxis: axis(chart.layout.yaxis),
    };
    return { data, layout };
  }

  function draw() {
    root.dataset.theme = theme();
    button.textContent = theme() === "dark" ? "light" : "dark";
    for (const place of document.querySelectorAll(".chart")) {
      const { data, layout } = dressed(JSON.parse(place.querySelector("script").textContent));
      Plotly.react(place.querySelector("div"), data, layout, { responsive: true, displaylogo: false, displayModeBar: false });
    }
  }

  button.addEventListener("click", () => {
    chosen = theme() === "dark" ? "light" : "dark";
    draw();
  });
  system.addEventListener("change", draw);
  // Paper is light and has room for what is closed on the screen.
  let before = null;
  addEventListener("beforeprint", () => {
    before = { chosen, closed: [...document.querySelectorAll("details:not([open])")] };
    for (const one of before.closed) one.open = true;
    chosen = "light";
    draw();
  });
  addEventListener("afterprint", () => {
    if (before === null) return;
    for (const one of before.closed) one.open = false;
    chosen = before.chosen;
    before = null;
    draw();
  });
  draw();
})();
