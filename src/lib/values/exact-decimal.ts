/** Decimals with all their digits: numbers where these say it all, else text. */
import { compareCodePoints } from '../text/code-point-order.ts';

/**
 * A number where no digit gets lost; of one with more, its text: digits without a point or zeros at their ends, `e` and a
 * power of ten. Each decimal has one form only, so that equal ones are the same.
 */
export type ExactDecimal = number | string;

/** Every decimal of so many digits is another number. */
const SAFE_DIGITS = 15;

/** What stands behind the `e` of numbers; longer ones are in no data, and would be worked on for long. */
const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,6}))?$/i;

/** Undefined for what is no decimal; infinity is one. */
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
  // With a point before the first digit, the power of ten decides, and then the digits from the left.
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
