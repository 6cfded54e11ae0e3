/** Compares values of properties as servers write them in GeoJSON. */

/** Servers store some numbers with single precision and write different last digits. */
const NUMBER_TOLERANCE = 1e-6;

export function hasSameValue(old: unknown, renewed: unknown): boolean {
  if (typeof old === 'number' && typeof renewed === 'number') return hasSameNumber(old, renewed);
  if (typeof old === 'string' && typeof renewed === 'string') {
    return old === renewed || hasSameMoment(old, renewed);
  }
  if (typeof old !== 'object' || typeof renewed !== 'object' || old === null || renewed === null) {
    return old === renewed;
  }
  if (Array.isArray(old) !== Array.isArray(renewed)) return false;
  const [before, after] = [new Map(Object.entries(old)), new Map(Object.entries(renewed))];
  return [...new Set([...before.keys(), ...after.keys()])].every((key) =>
    hasSameValue(before.get(key) ?? null, after.get(key) ?? null),
  );
}

function hasSameNumber(old: number, renewed: number): boolean {
  if (Number.isInteger(old) && Number.isInteger(renewed)) return old === renewed;
  return Math.abs(old - renewed) <= NUMBER_TOLERANCE * Math.max(1, Math.abs(old), Math.abs(renewed));
}

const date = /^(\d{4,}-\d\d-\d\d)Z?$/;
const moment = /^\d{4,}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;

/** Dates can have a time zone, and moments fractions of seconds or another time zone. */
function hasSameMoment(old: string, renewed: string): boolean {
  const [before, after] = [date.exec(old)?.[1], date.exec(renewed)?.[1]];
  if (before !== undefined && after !== undefined) return before === after;
  return moment.test(old) && moment.test(renewed) && readMoment(old) === readMoment(renewed);
}

function readMoment(text: string): number {
  return Date.parse(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
}
