/** What a server wrote to its log, and which of it nobody wanted to see. */

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [member: string]: unknown;
}

/** Warnings and worse have this level or a higher one. */
const WARN = 40;

/** The lines of a log in JSON; what is no such line is left out. */
export function readLog(stderr: string): readonly LogLine[] {
  return stderr.split('\n').flatMap((line) => logLine(line) ?? []);
}

/** The lines about requests, in the order the replies were sent. */
export function requestLines(stderr: string): readonly LogLine[] {
  return readLog(stderr).filter((line) => line.msg === 'request');
}

/** Warnings, errors, stack traces, and whatever else is no line of our log, unless somebody said it would come. */
export function unexpectedLines(stderr: string, expected: readonly RegExp[]): readonly string[] {
  // What comes after the last line break is half a line, of a server that was killed while it wrote.
  return stderr
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '' && !isHarmless(line) && !expected.some((pattern) => pattern.test(line)));
}

function isHarmless(line: string): boolean {
  if (/^\d\d:\d\d:\d\d\.\d{3} (?:INFO|DEBUG) /.test(line)) {
    return true;
  }
  const entry = logLine(line);
  return entry !== undefined && entry.level < WARN && entry['err'] === undefined;
}

function logLine(line: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isLine = typeof value === 'object' && value !== null && 'level' in value && 'msg' in value;
    return isLine ? (value as LogLine) : undefined;
  } catch {
    return undefined;
  }
}
