// The difference of two texts, line by line: a longest common subsequence.

export interface Line {
  kind: "same" | "mine" | "theirs";
  text: string;
}

/// Beyond this many pairs of lines, what differs is shown as a whole: nobody reads more than that.
const MOST = 4_000_000;

export function difference(mine: string, theirs: string): Line[] {
  const [a, b] = [mine.split("\n"), theirs.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const same = (text: string): Line => ({ kind: "same", text });
  return [
    ...a.slice(0, start).map(same),
    ...between(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

function between(a: string[], b: string[]): Line[] {
  const mine = (text: string): Line => ({ kind: "mine", text });
  const theirs = (text: string): Line => ({ kind: "theirs", text });
  if (a.length * b.length > MOST) return [...a.map(mine), ...b.map(theirs)];
  // The length of the longest common subsequence of what is left from i and j on.
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i]! });
      [i, j] = [i + 1, j + 1];
    } else if (j === b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) lines.push(mine(a[i++]!));
    else lines.push(theirs(b[j++]!));
  }
  return lines;
}
