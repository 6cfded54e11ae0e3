/** Parses decimal numbers directly from bytes, mostly without an intermediate text. */

/** Powers of ten that a double represents exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** Integers with up to this many digits are exact in a double. */
const EXACT_DIGITS = 15;

const SPACE = 0x20;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Returns the integer in the field: a bigint if a number would not be exact; null if there is none. */
export function readInteger(bytes: Buffer, start: number, end: number): number | bigint | null {
  const first = skipBlanks(bytes, start, end);
  let at = first;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at += 1;
  const digitsAt = at;
  let value = 0;
  for (; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  const isWhole = at > digitsAt && isBlankFrom(bytes, at, end);
  if (isWhole && at - digitsAt <= EXACT_DIGITS) return sign === MINUS && value !== 0 ? -value : value;
  if (isWhole) return parseExactInteger(bytes.toString('latin1', first, at));
  const number = readNumber(bytes, start, end);
  return number === null ? null : Math.trunc(number) + 0;
}

/** Returns the number in the field; null if there is none, or asterisks for an overflow. */
export function readNumber(bytes: Buffer, start: number, end: number): number | null {
  const first = skipBlanks(bytes, start, end);
  if (first === end) return null;
  const sign = bytes[first];
  const digitsAt = sign === MINUS || sign === PLUS ? first + 1 : first;
  let at = digitsAt;
  let pointAt = -1;
  for (; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === POINT && pointAt < 0) pointAt = at;
    else if (byte < ZERO || byte > NINE) break;
  }
  if (!isBlankFrom(bytes, at, end)) return parseNumber(bytes.toString('latin1', first, end));
  if (at - digitsAt < (pointAt < 0 ? 1 : 2)) return null;
  const value = parseExactNumber(bytes, digitsAt, at, pointAt) ?? Number(bytes.toString('latin1', digitsAt, at));
  return sign === MINUS && value !== 0 ? -value : value;
}

/**
 * Parses digits with an optional point, if the digits and the power of ten are both exact: a single division rounds
 * once.
 */
function parseExactNumber(bytes: Buffer, start: number, end: number, pointAt: number): number | undefined {
  let last = end;
  // Writers pad decimals with zeros.
  if (pointAt >= 0) while (bytes[last - 1] === ZERO) last -= 1;
  if (last - start > EXACT_DIGITS + 1) return undefined;
  let mantissa = 0;
  for (let at = start; at < last; at += 1) if (at !== pointAt) mantissa = mantissa * 10 + (bytes[at] ?? 0) - ZERO;
  const decimals = pointAt < 0 ? 0 : last - pointAt - 1;
  return pointAt < 0 && last - start > EXACT_DIGITS ? undefined : mantissa / (POWERS[decimals] ?? 1);
}

function parseNumber(text: string): number | null {
  const trimmed = text.replaceAll('\0', ' ').trim();
  const isNumber = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(trimmed);
  const value = isNumber ? Number(trimmed) : Number.NaN;
  return Number.isFinite(value) ? value + 0 : null;
}

function parseExactInteger(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value + 0 : BigInt(text.replace('+', ''));
}

function skipBlanks(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === SPACE || bytes[at] === 0)) at += 1;
  return at;
}

function isBlankFrom(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte !== SPACE && byte !== 0) return false;
  }
  return true;
}
