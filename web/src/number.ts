// Numbers as people read them.

import type { Unit } from "./protocol";

/// With so many significant digits, without needless zeros, with a real minus sign.
export function show(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(Math.max(0, Math.min(digits, 3) - 1)).replace(/\.?0+e/, "e") : String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", "−").replace("e+", "e");
}

/// Always as many characters, for numbers that change while one looks at them.
export function steady(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return show(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return value.toExponential(2).replaceAll("-", "−").replace("e+", "e");
  const before = size >= 1 ? Math.floor(Math.log10(size)) + 1 : 1;
  return value.toFixed(Math.max(0, digits - before)).replace("-", "−");
}

export function withUnit(value: number, unit: Unit | null, digits = 4): string {
  const number = show(unit ? value / unit.scale : value, digits);
  return unit?.text ? `${number} ${pretty(unit.text)}` : number;
}

/// `m/s^2` as m/s².
export function pretty(unit: string): string {
  return unit.replace(/\^(-?\d+)/g, (_, power: string) => [...power].map((digit) => SUPERSCRIPT[digit] ?? digit).join("")).replaceAll("*", "·").replace(/\bdeg\b/, "°");
}

/// As the language writes it; the shortest text that means this number to twelve digits.
export function written(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/// Reads `1.5`, `1,5` or `−2e3`; none if it is no number.
export function readNumber(text: string): number | null {
  const cleaned = text.trim().replaceAll("−", "-").replace(",", ".");
  const value = cleaned === "" ? NaN : Number(cleaned);
  return Number.isFinite(value) ? value : null;
}

const SUPERSCRIPT: Record<string, string> = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
