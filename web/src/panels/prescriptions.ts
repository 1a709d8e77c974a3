// Prescribed motions, each with a switch: off, its actuators let go, and the rest of the scene goes on from where it is.

import { h, reveal } from "../dom";
import type { Prescription } from "../protocol";
import type { Session } from "../session";
import * as state from "../state";

export function createPrescriptions(host: HTMLElement, session: Session): void {
  const list = h("div", { class: "prescriptions", role: "group", "aria-label": "Prescribed motions" });
  host.append(list);
  let rows: { box: HTMLInputElement; labels: string[] }[] = [];

  state.scene.watch((scene) => {
    const all = scene?.prescriptions ?? [];
    const every = all.length > 1 ? [row("All prescribed motions", "", all.map(({ label }) => label))] : [];
    const each = all.map((prescription) => row(prescription.label, told(prescription), [prescription.label]));
    rows = [...every, ...each];
    list.replaceChildren(...[...every, ...each].map(({ element }) => element));
    reveal(list, all.length > 0);
    refresh();
  });
  state.status.watch(refresh);

  function row(name: string, about: string, labels: string[]): { element: HTMLElement; box: HTMLInputElement; labels: string[] } {
    const box = h("input", { type: "checkbox", role: "switch", "aria-label": `Prescribed: ${name}` });
    box.addEventListener("change", () => {
      const off = new Set(state.status.get()?.released ?? []);
      for (const label of labels) {
        if (box.checked) off.delete(label);
        else off.add(label);
      }
      session.release([...off]);
    });
    const element = h("label", { class: "prescription", title: about ? `${name}, ${about}` : name }, box, h("span", { class: "prescription-name" }, name));
    return { element, box, labels };
  }

  function refresh(): void {
    const off = new Set(state.status.get()?.released ?? []);
    for (const { box, labels } of rows) {
      const gone = labels.filter((label) => off.has(label)).length;
      box.checked = gone === 0;
      box.indeterminate = gone > 0 && gone < labels.length;
    }
  }
}

function told({ using }: Prescription): string {
  return `by ${using.join(", ")}`;
}
