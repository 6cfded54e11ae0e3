/** Marks the lines in which two texts differ. */

export interface ComparedLine {
  readonly text: string;
  readonly isDifferent: boolean;
}

export interface ComparedTexts {
  readonly one: readonly ComparedLine[];
  readonly other: readonly ComparedLine[];
}

/** Lines between the common beginning and the common end differ unless the other text has them too. */
export function compareLines(one: string, other: string): ComparedTexts {
  const [lines, others] = [one.split('\n'), other.split('\n')];
  let start = 0;
  while (start < lines.length && start < others.length && lines[start] === others[start]) start += 1;
  let end = 0;
  const most = Math.min(lines.length, others.length) - start;
  while (end < most && lines.at(-1 - end) === others.at(-1 - end)) end += 1;
  const mark = (own: readonly string[], foreign: readonly string[]) => {
    const known = new Set(foreign.slice(start, foreign.length - end));
    return own.map((text, index) => ({
      text,
      isDifferent: index >= start && index < own.length - end && !known.has(text),
    }));
  };
  return { one: mark(lines, others), other: mark(others, lines) };
}
