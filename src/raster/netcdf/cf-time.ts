/** Converts CF times, which are numbers since a reference time in one of several calendars, to ISO 8601. */

const DAY_MS = 86_400_000;

/** As in UDUNITS: a year is the tropical year, and a month is a twelfth of it. */
const YEAR_MS = 31_556_925_974.7;

const unitMs: readonly (readonly [pattern: RegExp, milliseconds: number])[] = [
  [/^(?:milliseconds?|millisecs?|msecs?|ms)$/, 1],
  [/^(?:seconds?|secs?|s)$/, 1_000],
  [/^(?:minutes?|mins?)$/, 60_000],
  [/^(?:hours?|hrs?|h)$/, 3_600_000],
  [/^(?:days?|d)$/, DAY_MS],
  [/^weeks?$/, 7 * DAY_MS],
  [/^months?$/, YEAR_MS / 12],
  [/^common_years?$/, 365 * DAY_MS],
  [/^(?:years?|yrs?|y)$/, YEAR_MS],
];

interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Converts dates to day numbers and back. */
interface Calendar {
  readonly toDays: (date: CalendarDate) => number;
  readonly fromDays: (days: number) => CalendarDate;
}

/** Converts a number on a time axis; undefined if the axis has no times. */
export type TimeReader = (value: number) => string | undefined;

export function createTimeReader(units: string, calendarName: string | undefined): TimeReader | undefined {
  const [, unit = '', since = ''] = /^\s*([a-z_]+)\s+since\s+(.+)$/i.exec(units) ?? [];
  const scale = unitMs.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1];
  const calendar = calendars[(calendarName ?? 'standard').trim().toLowerCase()];
  const origin = readOrigin(since);
  if (scale === undefined || calendar === undefined || origin === undefined) return undefined;
  const originMs = calendar.toDays(origin) * DAY_MS + origin.milliseconds;
  return (value) => {
    const moment = Math.round(originMs + value * scale);
    if (!Number.isSafeInteger(moment)) return undefined;
    const days = Math.floor(moment / DAY_MS);
    return formatIso(calendar.fromDays(days), moment - days * DAY_MS);
  };
}

const ORIGIN =
  /^\s*([+-]?\d{1,6})-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?)?)?\s*(?:Z|UTC|GMT|([+-])(\d{1,2}):?(\d{2})?)?\s*$/i;

function readOrigin(text: string): (CalendarDate & { readonly milliseconds: number }) | undefined {
  const match = ORIGIN.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', sign, zoneHours = '0', zoneMinutes = '0'] = match;
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const milliseconds = Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1_000 - zone;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31 ? { ...date, milliseconds } : undefined;
}

/** Returns undefined for a day that does not exist in ISO 8601, such as 30 February of a 360-day calendar. */
function formatIso({ year, month, day }: CalendarDate, milliseconds: number): string | undefined {
  if (Math.abs(year) > 271_000) return undefined;
  const lengths = isLeap(year) ? leapMonths : commonMonths;
  if (day > (lengths[month - 1] ?? 0)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return new Date(date.getTime() + milliseconds).toISOString();
}

const commonMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const leapMonths = commonMonths.with(1, 29);

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** A calendar in which all years are equal. */
function createUniformCalendar(months: readonly number[]): Calendar {
  const length = months.reduce((sum, each) => sum + each, 0);
  return {
    toDays: ({ year, month, day }) =>
      year * length + months.slice(0, month - 1).reduce((sum, each) => sum + each, 0) + day - 1,
    fromDays(days) {
      const year = Math.floor(days / length);
      let rest = days - year * length;
      let month = 0;
      while (rest >= (months[month] ?? length)) {
        rest -= months[month] ?? length;
        month += 1;
      }
      return { year, month: month + 1, day: rest + 1 };
    },
  };
}

const julian: Calendar = {
  toDays({ year, month, day }) {
    const a = Math.floor((14 - month) / 12);
    const y = year + 4_800 - a;
    return day + Math.floor((153 * (month + 12 * a - 3) + 2) / 5) + 365 * y + Math.floor(y / 4) - 32_083;
  },
  fromDays: (days) => toCalendarDate(days + 32_082, 0),
};

const gregorian: Calendar = {
  toDays({ year, month, day }) {
    const a = Math.floor((14 - month) / 12);
    const y = year + 4_800 - a;
    const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
    return day + Math.floor((153 * (month + 12 * a - 3) + 2) / 5) + 365 * y + leaps - 32_045;
  },
  fromDays(days) {
    const a = days + 32_044;
    const centuries = Math.floor((4 * a + 3) / 146_097);
    return toCalendarDate(a - Math.floor((146_097 * centuries) / 4), centuries);
  },
};

/** The last steps from a Julian day number to a date, shared by both calendars. */
function toCalendarDate(c: number, centuries: number): CalendarDate {
  const d = Math.floor((4 * c + 3) / 1_461);
  const e = c - Math.floor((1_461 * d) / 4);
  const m = Math.floor((5 * e + 2) / 153);
  const late = Math.floor(m / 10);
  return {
    day: e - Math.floor((153 * m + 2) / 5) + 1,
    month: m + 3 - 12 * late,
    year: 100 * centuries + d - 4_800 + late,
  };
}

/** The first day of the Gregorian calendar, 15 October 1582, as a Julian day number. */
const REFORM_DAY = 2_299_161;

const mixed: Calendar = {
  toDays(date) {
    const days = gregorian.toDays(date);
    return days >= REFORM_DAY ? days : julian.toDays(date);
  },
  fromDays: (days) => (days >= REFORM_DAY ? gregorian : julian).fromDays(days),
};

const calendars: Readonly<Record<string, Calendar>> = {
  '': mixed,
  standard: mixed,
  gregorian: mixed,
  proleptic_gregorian: gregorian,
  julian,
  noleap: createUniformCalendar(commonMonths),
  '365_day': createUniformCalendar(commonMonths),
  all_leap: createUniformCalendar(leapMonths),
  '366_day': createUniformCalendar(leapMonths),
  '360_day': createUniformCalendar(Array<number>(12).fill(30)),
};
