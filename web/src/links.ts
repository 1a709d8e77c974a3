// Who belongs to whom: what lights up, in any view, when one thing is selected.

import type { Reference, Scene } from "./protocol";

/// The thing itself, the frame of a coordinate, whatever an equation or a constraint mentions.
export function kin(scene: Scene, id: string): Set<string> {
  const found = new Set([id]);
  const quantity = scene.quantities.find((quantity) => quantity.id === id);
  if (quantity?.frame) found.add(quantity.frame);
  const shape = scene.shapes.find((shape) => shape.id === id);
  if (shape?.frame) found.add(shape.frame);
  for (const equation of scene.equations.list) {
    if (equation.id === id) equation.mentions.forEach((mention) => found.add(mention));
    // A constraint's own equations say which frames it ties together.
    if (id.startsWith("constraint:") && equation.role.startsWith("constraint") && equation.mentions.includes(id)) {
      equation.mentions.forEach((mention) => found.add(mention));
    }
  }
  const system = scene.making.systems.find((system) => system.id === id);
  system?.unknowns.concat(system.equations).forEach((member) => found.add(member));
  // Coordinates lead to their frames, so that something lights up in three dimensions.
  for (const { id: coordinate, frame } of scene.quantities) {
    if (frame && coordinate !== id && found.has(coordinate) && !id.startsWith("parameter:")) found.add(frame);
  }
  return found;
}

/// Whether an item with these ids lights up for this selection.
export function lights(selection: string | null, id: string, mentions: readonly string[] = []): boolean {
  return selection !== null && (id === selection || mentions.includes(selection));
}

/// How a person calls it.
export function nameOf(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}

export function wordFor(scene: Scene, id: string): string {
  const kind = id.slice(0, id.indexOf(":"));
  if (kind === "frame") return scene.frames.find((frame) => frame.id === id)?.body ? "body" : "frame";
  return kind;
}

/// What can be walked through with the keyboard: bodies and frames, constraints, coordinates, parameters.
export function things(scene: Scene): string[] {
  const constraints = scene.making.classes.flatMap((entry) => entry.members).filter((id) => id.startsWith("constraint:"));
  return [
    ...scene.frames.map((frame) => frame.id),
    ...new Set(constraints),
    ...scene.quantities.map((quantity) => quantity.id),
    ...scene.parameters.map((parameter) => parameter.id),
  ];
}

/// The reference to show for an id: its declaration if there is one, else the first place it is spoken of.
export function firstReference(scene: Scene, id: string): Reference | null {
  const all = scene.references.filter((reference) => reference.id === id);
  return all.find((reference) => reference.expression === null) ?? all[0] ?? null;
}
