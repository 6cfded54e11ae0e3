/** Decimals without loss of digits: numbers where they are exact, else text. */
import { compareCodePoints } from '../text/code-point-order.ts';

/**
 * A number if it is exact, else text: the digits without a point and without zeros at either end, `e`, and a power of
 * ten. Each decimal has exactly one form, so that equal values are identical.
 */
export type ExactDecimal = number | string;

/** Decimals of up to so many digits are distinct as numbers. */
const SAFE_DIGITS = 15;

/** Limits the exponent to six digits: larger ones do not occur in data and would be slow. */
const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,6}))?$/i;

/** Returns undefined if the text is not a decimal; infinity is one. */
export function toExactDecimal(written: string | number | bigint): ExactDecimal | undefined {
  const text = String(written).trim();
  const number = Number(text);
  if (text === '' || Number.isNaN(number)) return undefined;
  if (text.length <= SAFE_DIGITS) return number;
  const [, sign, whole = '', fraction = '', power = '0'] = decimal.exec(text) ?? [];
  if (sign === undefined) return number;
  const leading = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = leading.replace(/0+$/, '');
  if (digits.length <= SAFE_DIGITS && Number.isFinite(number) && (number !== 0 || digits === '')) return number;
  const exponent = Number(power) - fraction.length + leading.length - digits.length;
  return `${sign === '-' ? '-' : ''}${digits}e${exponent}`;
}

export function compareExactDecimals(one: ExactDecimal | bigint, other: ExactDecimal | bigint): number {
  if (typeof one !== 'string' && typeof other !== 'string') return one < other ? -1 : one > other ? 1 : 0;
  const [left, right] = [splitDecimal(one), splitDecimal(other)];
  if (left.sign !== right.sign) return left.sign - right.sign;
  // With the point before the first digit, compare the powers of ten first, then the digits from the left.
  return left.sign * (left.power - right.power || compareCodePoints(left.digits, right.digits));
}

interface DecimalParts {
  readonly sign: number;
  readonly digits: string;
  readonly power: number;
}

function splitDecimal(value: ExactDecimal | bigint): DecimalParts {
  if (value === 0 || value === 0n) return { sign: 0, digits: '', power: 0 };
  const sign = String(value).startsWith('-') ? -1 : 1;
  if (typeof value === 'number' && !Number.isFinite(value))
    return { sign, digits: '', power: Number.POSITIVE_INFINITY };
  const [, , whole = '', fraction = '', exponent = '0'] = decimal.exec(String(value)) ?? [];
  const leading = `${whole}${fraction}`.replace(/^0+/, '');
  return {
    sign,
    digits: leading.replace(/0+$/, ''),
    power: Number(exponent) - fraction.length + leading.length,
  };
}
