/** Writes decimal numbers without an exponent. */

/** Larger exponents are beyond the decimals of every database. */
const MAX_EXPONENT = 400;

/** Returns the digits, their number, and the number behind the point; undefined for other texts. */
export function toPlainDecimal(
  text: string,
): { readonly text: string; readonly digits: number; readonly decimals: number } | undefined {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(text) ?? [];
  const exponent = Number(power);
  if (`${whole}${fraction}` === '' || Math.abs(exponent) > MAX_EXPONENT) return undefined;
  const point = whole.length + exponent;
  const all = `${'0'.repeat(Math.max(0, -point))}${whole}${fraction}`.padEnd(point, '0');
  const at = Math.max(0, point);
  const integer = all.slice(0, at).replace(/^0+/, '');
  const decimals = all.slice(at).replace(/0+$/, '');
  return {
    text: `${sign === '-' ? '-' : ''}${integer || '0'}${decimals === '' ? '' : `.${decimals}`}`,
    digits: integer.length + decimals.length,
    decimals: decimals.length,
  };
}
