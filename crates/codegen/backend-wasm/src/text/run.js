// Runs the simulation in Node and prints a table of its results (CSV), or a hash of them. A sample of how it is used.
import { Failure, Simulation, description } from "./@NAME@.js";

function complain(what) {
  console.error(`error: ${what}; see --help`);
  process.exit(2);
}

function number(text) {
  const value = text === "" ? NaN : Number(text);
  return Number.isFinite(value) ? value : complain(`not a number: \`${text}\``);
}

function positive(text) {
  const value = number(text);
  return value > 0 ? value : complain(`not a positive number: \`${text}\``);
}

/** NAME=VALUE, with the value in the declared unit, which may be written as in 60[deg]. */
function set(view, inputs, text) {
  const [, name, value, unit] = /^([^=]*)=([^[]*)(?:\[(.*)\])?$/.exec(text) ?? complain(`write NAME=VALUE instead of \`${text}\``);
  const at = inputs.findIndex((input) => input.name === name);
  if (at < 0) complain(`nothing has this name: \`${text}\``);
  const { scale, range, unit: declared } = inputs[at];
  if (unit !== undefined && unit !== declared) complain(`give it in [${declared}]: \`${text}\``);
  const result = number(value) * scale;
  if (range && !(result >= range[0] && result <= range[1])) complain(`out of range: \`${text}\``);
  view[Object.keys(view)[at]] = result;
}

function help() {
  console.log(`Usage: node run.js [--until T] [--every DT] [--set NAME=VALUE] [--input NAME=VALUE]
@plain
       [--tolerance X] [--hash]
@end
@changing
       [--tolerance X] [--hash] [--events FILE]
@end

  --until T      seconds to simulate [10]
  --every DT     seconds between rows [a two-hundredth of the run]
  --set N=V      gives a parameter another value, in its unit
  --input N=V    holds a control at a value
  --tolerance X  relative error allowed in each step [${description.tolerance}]
@changing
  --events FILE  writes when each transition happened, as CSV
@end
  --hash         prints a hash of the trajectory instead of a table`);
  const line = ({ name, unit, scale, default: value, note }) => `  ${name.padEnd(20)} ${value / scale} [${unit}]  ${note}`;
  for (const [title, inputs] of [["Parameters (--set):", description.parameters], ["Controls (--input):", description.controls]])
    if (inputs.length > 0) console.log(`\n${title}\n${inputs.map(line).join("\n")}`);
  process.exit(0);
}

/** The shortest decimal number that reads back as the same double; of two the larger. Tiny and huge ones have a power of ten, unless they
 * are to be printed plainly. */
function decimal(value, plainly = false) {
  if (value === 0) return "0";
  const parts = (text) => /^(-?)(\d)(?:\.(\d+))?e(.*)$/.exec(text);
  const [, sign, whole, fraction = "", exponent] = parts(value.toExponential());
  let digits = whole + fraction;
  const exact = parts(value.toExponential(60));
  const isTie = /^50*$/.test((exact[2] + exact[3]).slice(digits.length)) && (exact[2] + exact[3]).startsWith(digits);
  if (isTie) digits = String(BigInt(digits) + 1n);
  const point = 1 + Number(exponent);
  if (!plainly && (point <= -4 || point > 16)) {
    const rest = digits.slice(1).replace(/0+$/, "");
    return `${sign}${digits[0]}${rest === "" ? "" : `.${rest}`}e${point - 1}`;
  }
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits.replace(/0+$/, "")}`;
  const rest = digits.slice(point).replace(/0+$/, "");
  return sign + digits.padEnd(point, "0").slice(0, point) + (rest === "" ? "" : `.${rest}`);
}

/** FNV-1a over the bytes of each double, the lowest first. */
function hashed(sum, values) {
  for (const byte of new Uint8Array(new Float64Array(values).buffer)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  return sum;
}

const simulation = await Simulation.load();
const options = { until: 10, every: undefined, tolerance: description.tolerance, hash: false };
const given = process.argv.slice(2);
while (given.length > 0) {
  const option = given.shift();
  if (option === "--help" || option === "-h") help();
  if (option === "--hash") {
    options.hash = true;
    continue;
  }
  const value = given.shift() ?? complain(`unknown, or without a value: \`${option}\``);
  if (["--until", "--every", "--tolerance"].includes(option)) options[option.slice(2)] = positive(value);
  else if (option === "--set") set(simulation.parameters, description.parameters, value);
@changing
  else if (option === "--events") options.events = value;
@end
  else if (option === "--input") set(simulation.controls, description.controls, value);
  else complain(`unknown option: \`${option}\``);
}
const { until, every = until / 200, tolerance, hash } = options;
if (tolerance < 1e-7 !== description.tolerance < 1e-7)
  console.error(`note: the method was chosen for a tolerance of ${description.tolerance}; build again for another`);

/** A multiple of the interval, and for the last one the end. */
function timeOfRow(row) {
  const beforeEnd = (t) => until - t > 1e-9 * every;
  const t = row * every;
  if (beforeEnd(t)) return t;
  return beforeEnd(t - every) ? until : undefined;
}

const quoted = (name) => (/[,"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
const head = ({ name, unit }) => quoted(unit !== "1" ? `${name} [${unit}]` : name);
const lines = [["t [s]", ...description.outputs.map(head)].join(",")];
let sum = 0xcbf29ce484222325n;
@changing
const events = ["t [s],transition"];
const tell = () => {
  for (const { t, transition } of simulation.events(events.length - 1)) events.push(`${decimal(t)},${quoted(transition)}`);
};
const goOn = (t) => {
  for (let done = false; !done; tell()) done = simulation.advance(t);
};
@end
let trouble;
try {
  simulation.configure(tolerance, until);
  simulation.initialize();
@changing
  tell();
@end
@changing
  let end = -Infinity;
@end
  for (let row = 0, t = 0; t !== undefined; t = timeOfRow(++row)) {
@plain
    simulation.advance(t);
@end
@changing
    goOn(t);
    t = simulation.stopped ?? t;
    if (t <= end + Math.abs(end) * @AT_ONCE@) break;
    end = t;
@end
    const values = simulation.observe(t);
    const hole = values.findIndex((value) => !Number.isFinite(value));
    if (hole >= 0) throw new Failure(3, 0, hole, t, values[hole]);
    sum = hashed(sum, [t, ...values]);
@plain
    lines.push([decimal(Number(t.toExponential(14)), true), ...Array.from(values, (value) => decimal(value))].join(","));
@end
@changing
    const cells = [...values].map((value, column) => description.outputs[column].words?.[value] ?? decimal(value));
    lines.push([decimal(Number(t.toExponential(14)), true), ...cells].join(","));
    if (simulation.stopped !== undefined) break;
@end
  }
@changing
  if (simulation.stopped === undefined) {
    goOn(until);
    end = until;
  }
  simulation.conclude(end);
@end
} catch (failure) {
  if (!(failure instanceof Failure)) throw failure;
  trouble = failure;
}
@changing
if (options.events) {
  if (trouble) tell();
  const { writeFileSync } = await import("node:fs");
  writeFileSync(options.events, events.join("\n") + "\n");
}
@end
if (!hash) process.stdout.write(lines.join("\n") + "\n");
else if (!trouble) console.log(sum.toString(16).padStart(16, "0"));
@changing
for (const { t, kind, transitions: [first, second] } of simulation.warnings()) {
  const what = kind === "rivals" ? `${first} and ${second} hold together and disagree; the first happened` : `the plan of ${first} misses what it aimed at, for ${second} came in between`;
  console.error(`warning: at t = ${Number(t.toPrecision(9))} s: ${what}`);
}
@end
if (trouble) {
  console.error(`error: ${trouble.message}`);
  process.exitCode = 1;
}
