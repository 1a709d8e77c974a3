// A path of the camera: views that somebody kept at moments of the run, and the smooth way from one to the next.

export interface KeptView {
  /// The moment of the run, in seconds.
  t: number;
  position: number[];
  target: number[];
}

/// A path with one more view; one that was kept at the same moment gives way.
export function withView(path: KeptView[], view: KeptView): KeptView[] {
  return [...path.filter(({ t }) => t !== view.t), view].sort((a, b) => a.t - b.t);
}

/// Where to look from at a moment, and at what: before the first view and after the last one the camera stands still. None if there is no view.
export function viewAt(path: KeptView[], t: number): Omit<KeptView, "t"> | null {
  const next = path.findIndex((view) => view.t > t);
  if (path.length === 0) return null;
  if (next <= 0) return next === 0 ? path[0]! : path.at(-1)!;
  const between = (of: (view: KeptView) => number): number => interpolated(path, next, t, of);
  const target = [0, 1, 2].map((axis) => between((view) => view.target[axis]!));
  // Around what it looks at, not straight through it: direction and distance go by themselves.
  const direction = [0, 1, 2].map((axis) => between((view) => (view.position[axis]! - view.target[axis]!) / distance(view)));
  const stretch = between(distance) / Math.max(Math.hypot(...direction), 1e-9);
  return { position: target.map((value, axis) => value + stretch * direction[axis]!), target };
}

function distance({ position, target }: KeptView): number {
  return Math.max(Math.hypot(...position.map((value, axis) => value - target[axis]!)), 1e-9);
}

/// A cubic between two views, whose slopes are those of the chords around each view, so that nothing jerks; at the ends of the path it sets off
/// and arrives at rest.
function interpolated(path: KeptView[], next: number, t: number, value: (view: KeptView) => number): number {
  const [from, to] = [path[next - 1]!, path[next]!];
  const slope = (at: number): number => {
    const [before, after] = [path[at - 1], path[at + 1]];
    return before && after ? (value(after) - value(before)) / (after.t - before.t) : 0;
  };
  const length = to.t - from.t;
  const s = (t - from.t) / length;
  const [start, end] = [slope(next - 1) * length, slope(next) * length];
  const [a, b] = [value(from), value(to)];
  return a * (1 + 2 * s) * (1 - s) ** 2 + start * s * (1 - s) ** 2 + b * s ** 2 * (3 - 2 * s) + end * s ** 2 * (s - 1);
}

/// What was kept somewhere as a text; views that are not as they should be are left out.
export function readPath(read: unknown): KeptView[] {
  const three = (list: unknown): boolean => Array.isArray(list) && list.length === 3 && list.every(Number.isFinite);
  const whole = (view: Partial<KeptView> | null): view is KeptView => typeof view === "object" && view !== null && Number.isFinite(view.t) && three(view.position) && three(view.target);
  return Array.isArray(read) ? read.filter(whole).reduce<KeptView[]>((path, { t, position, target }) => withView(path, { t, position, target }), []) : [];
}
