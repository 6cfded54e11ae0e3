/** Compares two texts line by line. */

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  /** The numbers in the old and the new text, from 1. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** The table of common lines has this many cells at most; longer texts are compared as a whole. */
const MAX_CELLS = 4_000_000;

export function compareLines(before: string, after: string): readonly DiffLine[] {
  const [was, is] = [splitLines(before), splitLines(after)];
  let start = 0;
  while (start < was.length && start < is.length && was[start] === is[start]) start += 1;
  let end = 0;
  const shorter = Math.min(was.length, is.length);
  while (end < shorter - start && was[was.length - 1 - end] === is[is.length - 1 - end]) end += 1;
  const [old, fresh] = [was.slice(start, was.length - end), is.slice(start, is.length - end)];
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  const push = (kind: DiffLine['kind'], text: string) => {
    const isOld = kind !== 'added';
    const isNew = kind !== 'removed';
    if (isOld) row += 1;
    if (isNew) column += 1;
    lines.push({ kind, text, before: isOld ? row : undefined, after: isNew ? column : undefined });
  };
  for (const text of was.slice(0, start)) push('same', text);
  for (const [kind, text] of compareMiddle(old, fresh)) push(kind, text);
  for (const text of was.slice(was.length - end)) push('same', text);
  return lines;
}

function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
}

/** By the longest common subsequence. */
function compareMiddle(
  old: readonly string[],
  fresh: readonly string[],
): readonly (readonly [DiffLine['kind'], string])[] {
  const whole = () => [
    ...old.map((text) => ['removed', text] as const),
    ...fresh.map((text) => ['added', text] as const),
  ];
  if (old.length * fresh.length > MAX_CELLS) return whole();
  const width = fresh.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        old[row] === fresh[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const found: (readonly [DiffLine['kind'], string])[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const [was, is] = [old[row], fresh[column]];
    if (was !== undefined && was === is) {
      found.push(['same', was]);
      row += 1;
      column += 1;
    } else if (was !== undefined && (is === undefined || at(row + 1, column) >= at(row, column + 1))) {
      found.push(['removed', was]);
      row += 1;
    } else if (is !== undefined) {
      found.push(['added', is]);
      column += 1;
    }
  }
  return found;
}

export interface DiffHunk {
  readonly lines: readonly DiffLine[];
  /** Unchanged lines before it that are not shown. */
  readonly skipped: number;
}

/** Keeps some unchanged lines around every difference. */
export function selectHunks(lines: readonly DiffLine[], around = 3): readonly DiffHunk[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  const hunks: { lines: DiffLine[]; skipped: number }[] = [];
  let skipped = 0;
  for (const [index, line] of lines.entries()) {
    if (!isNear[index]) skipped += 1;
    else {
      if (skipped > 0 || hunks.length === 0) hunks.push({ lines: [], skipped });
      hunks.at(-1)?.lines.push(line);
      skipped = 0;
    }
  }
  return hunks;
}
