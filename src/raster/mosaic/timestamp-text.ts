/** Parses timestamps in file names to ISO 8601: with a Java date pattern, or in any form of ISO 8601. */

/** Returns undefined if the text does not match. */
export type TimestampReader = (text: string) => string | undefined;

interface Fields {
  readonly year: number;
  readonly month?: number;
  readonly day?: number;
  readonly dayOfYear?: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  readonly millisecond?: number;
  readonly isAfternoon?: boolean;
  readonly zoneMinutes?: number;
}

export type PatternResult = { readonly read: TimestampReader } | { readonly objection: string };

const isoForm =
  /^(\d{4})(?:-?(\d{2})(?:-?(\d{2})(?:[T_ ]?(\d{2})(?:[:-]?(\d{2})(?:[:-]?(\d{2})(?:[.,]?(\d{1,9}))?)?)?)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Supports `2008-10-31T00:00:00.000Z`, `20081031T000000000Z`, `200810`, and everything between. */
export function createIsoTimestampReader(options: { readonly isHighTime: boolean }): TimestampReader {
  return (text) => {
    const match = isoForm.exec(text.trim());
    if (match === null) return undefined;
    const [, year, month, day, hour, minute, second, fraction, zone] = match;
    return formatMoment(
      {
        year: Number(year),
        ...toNumberField('month', month),
        ...toNumberField('day', day),
        ...toNumberField('hour', hour),
        ...toNumberField('minute', minute),
        ...toNumberField('second', second),
        ...(fraction === undefined ? {} : { millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')) }),
        ...(zone === undefined ? {} : { zoneMinutes: parseZoneMinutes(zone) }),
      },
      options.isHighTime,
    );
  };
}

function toNumberField<K extends keyof Fields>(name: K, text: string | undefined): { readonly [Name in K]?: number } {
  return text === undefined ? {} : ({ [name]: Number(text) } as { readonly [Name in K]: number });
}

function parseZoneMinutes(text: string): number {
  if (!/^[+-]/.test(text)) return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return text.startsWith('-') ? -minutes : minutes;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** One element of a pattern: its regular expression and its meaning. */
interface Piece {
  readonly expression: string;
  readonly toFields?: (text: string) => Partial<Fields>;
}

/** Patterns as in `SimpleDateFormat`, in UTC and English. */
export function createPatternReader(pattern: string, options: { readonly isHighTime: boolean }): PatternResult {
  const pieces: Piece[] = [];
  const runs = pattern.match(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+|'/g) ?? [];
  for (const [index, run] of runs.entries()) {
    if (run === "'") return { objection: 'a quote is not closed' };
    if (run.startsWith("'")) {
      pieces.push(createLiteralPiece(run === "''" ? "'" : run.slice(1, -1).replaceAll("''", "'")));
    } else if (/^[A-Za-z]/.test(run)) {
      // If another number follows directly, a number has as many digits as letters.
      const isFollowed = /^[A-Za-z]/.test(runs[index + 1] ?? '');
      const piece = createPiece(run, isFollowed);
      if (piece === undefined) return { objection: `'${run}' is not supported in a date pattern` };
      pieces.push(piece);
    } else {
      pieces.push(createLiteralPiece(run));
    }
  }
  if (!pieces.some(({ toFields: meaning }) => meaning !== undefined)) return { objection: 'it has no date letters' };
  // The elements are unambiguous, so matching cannot take exponential time.
  const expression = new RegExp(`^${pieces.map((piece) => piece.expression).join('')}$`, 'i');
  const meanings = pieces.flatMap(({ toFields: meaning }) => meaning ?? []);
  return {
    read(text) {
      const match = expression.exec(text.trim());
      if (match === null) return undefined;
      const parts = meanings.map((meaning, index) => meaning(match[index + 1] ?? ''));
      return formatMoment(Object.assign({ year: 1970 }, ...parts) as Fields, options.isHighTime);
    },
  };
}

function createLiteralPiece(text: string): Piece {
  return { expression: text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&') };
}

function createPiece(run: string, isFollowed: boolean): Piece | undefined {
  const writeDigits = (most: number) =>
    isFollowed ? `(\\d{${run.length}})` : `(\\d{${run.length},${Math.max(most, run.length)}})`;
  const createNumericPiece = (most: number, meaning: (value: number) => Partial<Fields>): Piece => ({
    expression: writeDigits(most),
    toFields: (text) => meaning(Number(text)),
  });
  switch (run[0]) {
    case 'y':
    case 'u':
      return run.length === 2
        ? { expression: '(\\d{2})', toFields: (text) => ({ year: expandShortYear(Number(text)) }) }
        : { expression: '(\\d{4})', toFields: (text) => ({ year: Number(text) }) };
    case 'M':
    case 'L':
      return run.length >= 3
        ? {
            expression: '([a-z]{3,9})',
            toFields: (text) => ({ month: months.indexOf(text.slice(0, 3).toLowerCase()) + 1 }),
          }
        : createNumericPiece(2, (value) => ({ month: value }));
    case 'd':
      return createNumericPiece(2, (value) => ({ day: value }));
    case 'D':
      return createNumericPiece(3, (value) => ({ dayOfYear: value }));
    case 'H':
      return createNumericPiece(2, (value) => ({ hour: value }));
    case 'k':
      return createNumericPiece(2, (value) => ({ hour: value % 24 }));
    case 'K':
    case 'h':
      return createNumericPiece(2, (value) => ({ hour: value % 12 }));
    case 'a':
      return { expression: '([ap]m)', toFields: (text) => ({ isAfternoon: /^p/i.test(text) }) };
    case 'm':
      return createNumericPiece(2, (value) => ({ minute: value }));
    case 's':
      return createNumericPiece(2, (value) => ({ second: value }));
    case 'S':
      return createNumericPiece(3, (value) => ({ millisecond: value }));
    case 'X':
    case 'Z':
    case 'z':
      return {
        expression: '(Z|UTC|GMT|[+-]\\d{2}:?\\d{2})',
        toFields: (text) => ({ zoneMinutes: parseZoneMinutes(text) }),
      };
    case 'E':
      return { expression: '([a-z]{3,9})', toFields: () => ({}) };
    default:
      return undefined;
  }
}

/** Expands two digits with a fixed pivot, so that a name always means the same time; Java uses 80 years before now. */
function expandShortYear(year: number): number {
  return year < 50 ? 2000 + year : 1900 + year;
}

/** Returns undefined for dates such as 30 February. */
function formatMoment(fields: Fields, isHighTime: boolean): string | undefined {
  const { year, month = 1, day = fields.dayOfYear ?? 1, minute = 0, second = 0, millisecond = 0 } = fields;
  const hour = (fields.hour ?? 0) + (fields.isAfternoon ? 12 : 0);
  const date = new Date(0);
  date.setUTCFullYear(year, fields.dayOfYear === undefined ? month - 1 : 0, day);
  const isReal =
    fields.dayOfYear === undefined
      ? date.getUTCMonth() === month - 1 && date.getUTCDate() === day
      : fields.dayOfYear >= 1 && date.getUTCFullYear() === year;
  if (!isReal || year < 1 || hour > 23 || minute > 59 || second > 59 || millisecond > 999) return undefined;
  date.setUTCHours(hour, minute, second, millisecond);
  if (isHighTime) date.setTime(computePeriodEnd(date, fields) - 1);
  const ms = date.getTime() - (fields.zoneMinutes ?? 0) * 60_000;
  return Number.isNaN(ms) || ms < Date.parse('0001-01-01T00:00:00Z') ? undefined : new Date(ms).toISOString();
}

/** Returns the end of the period: of a day without an hour, of a month without a day. */
function computePeriodEnd(start: Date, fields: Fields): number {
  const next = new Date(start);
  if (fields.millisecond !== undefined) return next.getTime() + 1;
  if (fields.second !== undefined) return next.getTime() + 1_000;
  if (fields.minute !== undefined) return next.getTime() + 60_000;
  if (fields.hour !== undefined) return next.getTime() + 3_600_000;
  if (fields.day !== undefined || fields.dayOfYear !== undefined) return next.getTime() + 86_400_000;
  if (fields.month !== undefined) return next.setUTCMonth(next.getUTCMonth() + 1);
  return next.setUTCFullYear(next.getUTCFullYear() + 1);
}
