/** Formats the difference of two texts as a unified diff. */

/** Unchanged lines around a difference. */
const CONTEXT_LINES = 3;

/** More edits than a reader compares; larger differences are printed as one replacement, since finding edits is quadratic. */
const MAX_EDITS = 500;

/** Documents on one line are split between elements, where a line is longer than this. */
const MAX_LINE_CHARACTERS = 400;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Returns the lines of the diff, without control characters. */
export function formatUnifiedDiff(before: string, after: string): readonly string[] {
  const lines = compareLines(splitLines(before), splitLines(after));
  return ['--- before', '+++ after', ...splitHunks(lines).flatMap((hunk) => formatHunk(lines, hunk))];
}

function splitLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line) => (line.length > MAX_LINE_CHARACTERS ? line.split(/(?<=>)(?=<)/) : [line]));
}

function compareLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return [
    ...toLines(' ', before.slice(0, start)),
    ...(findEdits(removed, added) ?? [...toLines('-', removed), ...toLines('+', added)]),
    ...toLines(' ', before.slice(before.length - end)),
  ];
}

function toLines(sign: Line['sign'], texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ sign, text }));
}

/** The fewest edits (E. Myers, An O(ND) Difference Algorithm, 1986); undefined if there are too many. */
function findEdits(before: readonly string[], after: readonly string[]): readonly Line[] | undefined {
  // For each diagonal, the number of lines of `before` that the furthest path has passed.
  let reached = new Map<number, number>([[1, 0]]);
  const rounds: ReadonlyMap<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(MAX_EDITS, before.length + after.length); edits += 1) {
    rounds.push(reached);
    reached = new Map(reached);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(reached, diagonal, edits);
      while (x < before.length && before[x] === after[x - diagonal]) x += 1;
      reached.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return traceBack(rounds, before, after);
    }
  }
  return undefined;
}

/** Where a path on this diagonal starts: after an insertion or a deletion, whichever is further. */
function startOf(reached: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  const above = reached.get(diagonal + 1) ?? -1;
  const left = reached.get(diagonal - 1) ?? -1;
  return diagonal === -edits || (diagonal !== edits && left < above) ? above : left + 1;
}

function traceBack(
  rounds: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): readonly Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = rounds.length - 1; edits >= 0; edits -= 1) {
    const reached = rounds[edits] ?? new Map<number, number>();
    const start = startOf(reached, x - y, edits);
    const startY = start - (x - y);
    while (x > start) {
      x -= 1;
      lines.push({ sign: ' ', text: before[x] ?? '' });
    }
    y = startY;
    if (edits > 0) {
      const isInsertion = start === reached.get(x - y + 1);
      if (isInsertion) y -= 1;
      else x -= 1;
      lines.push(isInsertion ? { sign: '+', text: after[y] ?? '' } : { sign: '-', text: before[x] ?? '' });
    }
  }
  return lines.toReversed();
}

interface Hunk {
  readonly start: number;
  readonly end: number;
}

function splitHunks(lines: readonly Line[]): readonly Hunk[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const [start, end] = [Math.max(0, index - CONTEXT_LINES), Math.min(lines.length, index + CONTEXT_LINES + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  return hunks;
}

function formatHunk(lines: readonly Line[], { start, end }: Hunk): readonly string[] {
  const count = (sign: Line['sign'], from: number, to: number) =>
    lines.slice(from, to).filter((line) => line.sign === ' ' || line.sign === sign).length;
  const formatRange = (sign: '-' | '+') => `${sign}${count(sign, 0, start) + 1},${count(sign, start, end)}`;
  return [
    `@@ ${formatRange('-')} ${formatRange('+')} @@`,
    ...lines.slice(start, end).map(({ sign, text }) => `${sign}${text.replaceAll(/[^\P{Cc}\t]/gu, '\ufffd')}`),
  ];
}
