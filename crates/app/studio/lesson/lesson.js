// A lesson: prose, scenes that run in frames of their own, questions that hold a run until somebody has answered, tasks that look whether their goals
// are reached. Nothing is sent anywhere.

(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const [{ parts }, player] = [read("content"), read("player")];
  const main = document.getElementById("lesson");
  /// Time between two looks at the scenes, in milliseconds.
  const PACE = 150;
  const watchers = [];

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "html") element.innerHTML = value;
      else if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  /// What a scene shows, once it is there; and what can be done with it.
  function showScene({ content }, number) {
    const frame = make("iframe", { title: `Scene ${number}`, loading: "lazy", srcdoc: player.replace("@CONTENT@", () => JSON.stringify(content).replaceAll("<", "\\u003c")) });
    const waits = make("div", { class: "waits", role: "status", hidden: true }, "Answer the question below, then the run goes on.");
    main.append(make("div", { class: "scene" }, frame, waits));
    const press = (label) => frame.contentDocument?.querySelector(`[aria-label="${label}"]`)?.click();
    // Several questions may hold one run.
    const holding = new Set();
    return {
      state: () => frame.contentWindow?.ansatz?.state() ?? null,
      unit: (name) => content.scene.parameters.find((parameter) => parameter.name === name)?.unit ?? { scale: 1, text: "" },
      failed: () => frame.contentDocument?.getElementById("status")?.hidden === false,
      pause: () => press("Pause"),
      play: () => press("Play"),
      hold(question, on) {
        holding[on ? "add" : "delete"](question);
        waits.hidden = holding.size === 0;
      },
    };
  }

  function showQuestion({ html, at, answers, number, after }, scene, index) {
    const several = answers.filter((answer) => answer.right).length > 1;
    const guess = number && make("input", { type: "text", inputmode: "decimal", "aria-label": `Your guess${number[2] ? ` in ${number[2]}` : ""}`, autocomplete: "off" });
    const boxes = answers.map((_, at) => make("input", { type: several ? "checkbox" : "radio", name: `question${index}`, value: at }));
    const commit = make("button", { type: "submit", disabled: true }, "This is what I think");
    const verdict = make("p", { class: "verdict", role: "status" });
    const told = make("p", { html: after, hidden: true });
    const choices = answers.map((answer, at) => make("label", {}, boxes[at], make("span", { html: answer.html })));
    const field = guess && make("label", {}, guess, make("span", {}, number[2]));
    const form = make("form", { class: "card", "data-question": index }, make("fieldset", {}, make("legend", { html }), ...choices, field ?? null), commit, verdict, told);
    main.append(form);
    const value = () => Number(guess.value.trim().replace(",", ".").replace("−", "-"));
    const ready = () => (guess ? guess.value.trim() !== "" && Number.isFinite(value()) : boxes.some((box) => box.checked));
    form.addEventListener("input", () => (commit.disabled = committed || !ready()));
    let committed = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (committed || !ready()) return;
      committed = true;
      const right = guess ? Math.abs(value() - number[0]) <= number[1] : answers.every((answer, at) => answer.right === boxes[at].checked);
      form.classList.add(right ? "done" : "missed");
      [commit.disabled, told.hidden] = [true, !after];
      for (const input of guess ? [guess] : boxes) input.disabled = true;
      verdict.textContent = right ? "Watch: you are right." : "Watch: it is not so.";
      if (!right) answers.forEach((answer, at) => answer.right && choices[at].append(make("strong", {}, " ← this")));
      if (!right && guess) verdict.textContent += ` It is ${number[0]} ${number[2]}.`;
      scene.hold(index, false);
      scene.play();
    });
    watchers.push(() => {
      const state = scene.state();
      // The first moments may have passed before anybody could look.
      const due = !committed && state !== null && state.t >= at;
      if (due && state.playing) scene.pause();
      scene.hold(index, due);
    });
  }

  function showTask({ html, goals, after }, scene, index) {
    const words = (goal) => {
      if (goal.goal === "claims") return `the run comes to ${goal.until} s, and every claim of the scene holds`;
      return `${goal.name} between ${goal.low} and ${goal.high} ${scene.unit(goal.name).text}`;
    };
    const items = goals.map((goal) => make("li", {}, words(goal)));
    const verdict = make("p", { class: "verdict", role: "status" });
    const told = make("p", { html: after, hidden: true });
    const card = make("section", { class: "card", "data-task": index, "aria-label": "Task" }, make("h2", { html }), make("ul", { class: "goals" }, ...items), verdict, told);
    main.append(card);
    let done = false;
    watchers.push(() => {
      const state = scene.state();
      if (done || state === null) return;
      const reached = goals.map((goal) => {
        if (goal.goal === "claims") return state.t >= goal.until - 1e-9 && !scene.failed();
        const value = state.parameters[goal.name] / scene.unit(goal.name).scale;
        return value >= goal.low - 1e-9 && value <= goal.high + 1e-9;
      });
      items.forEach((item, at) => item.classList.toggle("reached", reached[at]));
      if (!reached.every(Boolean)) return;
      done = true;
      card.classList.add("done");
      verdict.textContent = "Done.";
      told.hidden = !after;
    });
  }

  let scene = null;
  parts.forEach((part, index) => {
    if (part.kind === "prose") main.append(make("div", { html: part.html }));
    else if (part.kind === "scene") scene = showScene(part, index);
    else if (part.kind === "question") showQuestion(part, scene, index);
    else showTask(part, scene, index);
  });
  setInterval(() => watchers.forEach((watch) => watch()), PACE);
})();
