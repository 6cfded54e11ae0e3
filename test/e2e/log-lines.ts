/** Reads the log of a server and finds unexpected lines. */

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [member: string]: unknown;
}

/** The level of warnings; errors have a higher one. */
const WARN = 40;

/** The lines of a JSON log; other lines are omitted. */
export function readLog(stderr: string): readonly LogLine[] {
  return stderr.split('\n').flatMap((line) => logLine(line) ?? []);
}

/** The request lines, in the order of the responses. */
export function requestLines(stderr: string): readonly LogLine[] {
  return readLog(stderr).filter((line) => line.msg === 'request');
}

/** Warnings, errors, stack traces and lines in another format, except those that the test expects. */
export function unexpectedLines(stderr: string, expected: readonly RegExp[]): readonly string[] {
  // Text after the last line break is an incomplete line of a killed server.
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
