// What the pages of the manual do: theme, search, copying, and opening scenes where a studio serves them.

(() => {
  const up = document.currentScript.dataset.up;
  const root = document.documentElement;

  // The studio's own choice, if it serves these pages.
  const key = "ansatz.theme";
  let theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null");
    if (["light", "dark", "projector"].includes(kept)) theme = kept;
  } catch {
    // Without storage every visit is the first.
  }
  root.dataset.theme = theme;

  addEventListener("DOMContentLoaded", () => {
    document.querySelector(".theme").addEventListener("click", () => {
      theme = theme === "dark" ? "light" : "dark";
      root.dataset.theme = theme;
      try {
        localStorage.setItem(key, JSON.stringify(theme));
      } catch {
        // As above.
      }
    });
    const contents = document.getElementById("contents");
    const button = document.querySelector(".contents-button");
    button.addEventListener("click", () => button.setAttribute("aria-expanded", String(contents.classList.toggle("shown"))));
    contents.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    for (const copy of document.querySelectorAll(".copy")) {
      // There is none where a page came from a server that anybody could have changed it on.
      copy.hidden = !navigator.clipboard;
      copy.addEventListener("click", async () => {
        await navigator.clipboard.writeText(copy.closest("figure").querySelector("code").textContent + "\n");
        copy.textContent = "Copied";
        setTimeout(() => (copy.textContent = "Copy"), 1500);
      });
    }
    meetStudio();
    for (const button of document.querySelectorAll("[data-run]:not([hidden])")) button.addEventListener("click", () => run(button));
    // A page that shows one scene shows it moving, unless somebody minds.
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!still && location.pathname.includes("/examples/")) document.querySelector("[data-run]:not([hidden])")?.click();
    listen();
  });

  // A scene runs above its text, in a frame of its own; pressing once more ends it.
  async function run(button) {
    const figure = button.closest("figure");
    const running = figure.querySelector("iframe");
    if (running) {
      running.remove();
      button.textContent = "Run here";
      return;
    }
    button.disabled = true;
    const path = button.dataset.run;
    try {
      await Promise.all([load("look/player.js"), load(`${path}.js`)]);
      const content = JSON.stringify(window.ANSATZ_SCENES[path]).replaceAll("<", "\\u003c");
      const frame = Object.assign(document.createElement("iframe"), { title: "The scene, running", srcdoc: window.ANSATZ_PLAYER.replace("@CONTENT@", () => content) });
      figure.prepend(frame);
      button.textContent = "Stop";
    } catch {
      button.textContent = "This scene is not there";
    }
    button.disabled = false;
  }

  // A page that was opened as a file may load scripts, and nothing else.
  const loading = {};
  function load(path) {
    return (loading[path] ??= new Promise((loaded, failed) => {
      document.head.append(Object.assign(document.createElement("script"), { src: up + path, onload: loaded, onerror: failed }));
    }));
  }

  // A studio gave its token in the address: links keep it, and scenes open there.
  function meetStudio() {
    const token = new URLSearchParams(location.search).get("token");
    // In a playground the studio is the folder above.
    if (root.dataset.playground !== undefined) return openIn((open) => `${up}../${open ? `?${new URLSearchParams({ open })}` : ""}`);
    if (!token) return;
    const keep = (link) => {
      const url = new URL(link.href);
      if (url.origin !== location.origin || !url.pathname.endsWith(".html")) return;
      url.searchParams.set("token", token);
      link.href = url.href;
    };
    document.querySelectorAll("a[href]:not([href^='#'])").forEach(keep);
    openIn((open) => `/?${new URLSearchParams(open ? { token, open } : { token })}`);
  }

  function openIn(studio) {
    for (const link of document.querySelectorAll("[data-open]")) {
      Object.assign(link, { href: studio(link.dataset.open), target: "ansatz-studio", hidden: false });
      link.parentElement.querySelector(".save").hidden = true;
    }
    Object.assign(document.querySelector(".studio"), { href: studio(), target: "ansatz-studio", hidden: false });
  }

  function listen() {
    const field = document.getElementById("search");
    const list = document.getElementById("found");
    const token = new URLSearchParams(location.search).get("token");
    let chosen = 0;
    const choose = (at) => {
      const rows = [...list.querySelectorAll("[role=option]")];
      chosen = Math.max(0, Math.min(rows.length - 1, at));
      rows.forEach((row, index) => row.setAttribute("aria-selected", String(index === chosen)));
      rows[chosen]?.scrollIntoView({ block: "nearest" });
    };
    const show = () => {
      const found = search(field.value);
      list.replaceChildren(...found.map(([text, page, address]) => {
        const link = Object.assign(document.createElement("a"), { tabIndex: -1, textContent: text });
        const [path, place = ""] = address.split("#");
        link.href = `${up}${path}${token ? `?token=${token}` : ""}${place && `#${place}`}`;
        if (page !== text) link.append(Object.assign(document.createElement("small"), { textContent: page }));
        const row = document.createElement("li");
        row.setAttribute("role", "option");
        row.append(link);
        return row;
      }));
      if (found.length === 0 && field.value.trim()) {
        list.append(Object.assign(document.createElement("li"), { className: "nothing", textContent: "Nothing is called that." }));
      }
      list.hidden = !field.value.trim();
      choose(0);
    };
    field.addEventListener("input", show);
    field.addEventListener("focus", show);
    field.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) choose(chosen + step);
      else if (event.key === "Enter") list.querySelector("[aria-selected=true] a")?.click();
      else if (event.key === "Escape") [list.hidden, field.value] = [true, ""];
      else return;
      event.preventDefault();
    });
    document.addEventListener("click", (event) => {
      if (!event.target.closest(".search")) list.hidden = true;
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !event.target.closest("input, textarea")) {
        event.preventDefault();
        field.focus();
      }
    });
  }

  // All words must occur; what begins with the first of them comes first, shorter before longer.
  function search(asked) {
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const rank = ([text, page]) => {
      const [own, all] = [text.toLowerCase(), `${text} ${page}`.toLowerCase()];
      if (!words.every((word) => all.includes(word))) return Infinity;
      return (own.startsWith(words[0]) ? 0 : own.includes(words[0]) ? 1000 : 2000) + own.length;
    };
    const ranked = (window.ANSATZ_INDEX ?? []).map((entry) => [rank(entry), entry]).filter(([rank]) => rank < Infinity);
    return ranked.sort(([a], [b]) => a - b).slice(0, 12).map(([, entry]) => entry);
  }
})();
