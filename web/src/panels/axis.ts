// The range of an axis and the labels of its ticks.

import { show } from "../number";

/// Room above and below; a constant gets an axis around it rather than a line of noise.
export function widen(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const spread = high - low;
  if (size === 0) return [-1, 1];
  if (spread < 1e-5 * size) return [low - 0.1 * size, high + 0.1 * size];
  return [low - 0.08 * spread, high + 0.08 * spread];
}

/// With as many digits as tell one tick from the next.
export function labels(ticks: number[]): string[] {
  const size = Math.max(...ticks.map(Math.abs));
  const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : size;
  const digits = Math.min(10, Math.max(2, Math.ceil(Math.log10(size / step)) + 1));
  return ticks.map((tick) => show(Math.abs(tick) < 1e-9 * step ? 0 : tick, digits));
}
