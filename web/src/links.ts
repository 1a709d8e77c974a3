// Who belongs to whom: what lights up, in any view, when one thing is selected.

import type { Equation, Reference, Scene } from "./protocol";

/// The selected thing under all its names: a frame is also its coordinates, or those of the nearest frame that carries it.
export function aliases(scene: Scene, id: string | null): Set<string> {
  const found = new Set<string>();
  if (id === null) return found;
  found.add(id);
  for (let at: string | null = id; at?.startsWith("frame:") && found.size === 1; at = parentOf(scene, at)) {
    for (const quantity of scene.quantities) if (quantity.frame === at) found.add(quantity.id);
  }
  for (const label of scene.making.systems.find((system) => system.id === id)?.unknowns ?? []) idsOf(scene, label).forEach((member) => found.add(member));
  return found;
}

function parentOf(scene: Scene, id: string): string | null {
  return scene.frames.find((frame) => frame.id === id)?.parent ?? null;
}

/// Whether an item with these ids is, or speaks of, what is selected.
export function lights(selected: Set<string>, id: string, mentions: readonly string[] = []): boolean {
  return selected.has(id) || mentions.some((mention) => selected.has(mention));
}

/// What to light up in three dimensions: the thing itself, the frame of a coordinate, the frames that a constraint or an equation
/// ties together.
export function kin(scene: Scene, id: string): Set<string> {
  const found = new Set([id]);
  const shape = scene.shapes.find((shape) => shape.id === id);
  if (shape?.frame) found.add(shape.frame);
  for (const equation of scene.equations.list) {
    const own = equation.id === id || (id.startsWith("constraint:") && equation.mentions[0] === id);
    if (own) equation.mentions.forEach((mention) => found.add(mention));
  }
  const system = scene.making.systems.find((system) => system.id === id);
  system?.unknowns.concat(system.equations).forEach((label) => idsOf(scene, label).forEach((member) => found.add(member)));
  for (const { id: coordinate, frame } of scene.quantities) if (frame && found.has(coordinate)) found.add(frame);
  // A frame that only turns is seen by what it carries.
  for (const frame of scene.frames) if (frame.parent && found.has(frame.parent) && !drawn(scene, frame.parent)) found.add(frame.id);
  return found;
}

function drawn(scene: Scene, frame: string): boolean {
  return scene.shapes.some((shape) => shape.frame === frame);
}

/// Ids of what a system calls an equation or an unknown: `swing.angle''` is the coordinate `swing.angle`, `inside.x` belongs to the
/// constraint `inside`.
export function idsOf(scene: Scene, label: string): string[] {
  const bare = label.replace(/'+$/, "");
  const constraint = constraints(scene).find((id) => bare === nameOf(id) || bare.startsWith(`${nameOf(id)}.`));
  const coordinate = scene.quantities.find((quantity) => quantity.name === bare);
  return [constraint, coordinate?.id].filter((id) => id !== undefined);
}

function constraints(scene: Scene): string[] {
  return [...new Set(scene.making.classes.flatMap((entry) => entry.members))].filter((id) => id.startsWith("constraint:"));
}

/// What an equation is for: it moves things, ties them, or holds at the start.
export function purpose({ role }: Equation): "motion" | "constraint" | "start" {
  return role.includes("motion") ? "motion" : role.includes("constraint") ? "constraint" : "start";
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
  return [
    ...new Set([
      ...scene.frames.map((frame) => frame.id),
      ...constraints(scene),
      ...scene.quantities.map((quantity) => quantity.id),
      ...scene.parameters.map((parameter) => parameter.id),
    ]),
  ];
}

/// The reference to show for an id: its declaration if there is one, else the first place it is spoken of.
export function firstReference(scene: Scene, id: string): Reference | null {
  const all = scene.references.filter((reference) => reference.id === id);
  return all.find((reference) => reference.expression === null) ?? all[0] ?? null;
}
