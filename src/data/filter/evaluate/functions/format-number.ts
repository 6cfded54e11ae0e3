/** Writes numbers by patterns such as `#,##0.00 m`. */

export interface NumberFormat {
  readonly pattern: string;
  /** For numbers below zero; empty for the pattern with a minus sign before it. */
  readonly negative: string;
  readonly grouping: string;
  readonly point: string;
}

/** Undefined for a pattern without a digit in it. */
export function formatNumber(value: number, format: NumberFormat): string | undefined {
  const [positive = '', written = ''] = format.pattern.split(';');
  const negative = format.negative === '' ? written : format.negative;
  const isNegative = value < 0;
  const pattern = isNegative && negative !== '' ? negative : positive;
  const match = /^([^#0,.]*)([#0,]*)(?:\.([#0]*))?(.*)$/s.exec(pattern);
  const [, before = '', whole = '', fraction = '', after = ''] = match ?? [];
  if (!/[#0]/.test(whole + fraction)) return undefined;

  const factor = after.includes('%') ? 100 : 1;
  const [digits = '0', decimals = ''] = Math.abs(value * factor)
    .toFixed(Math.min(100, fraction.length))
    .split('.');
  const minWhole = whole.replace(/[^0]/g, '').length;
  const minFraction = fraction.replace(/[^0]/g, '').length;
  const shown = minWhole === 0 && digits === '0' ? '' : digits.padStart(minWhole, '0');
  let kept = decimals;
  while (kept.length > minFraction && kept.endsWith('0')) kept = kept.slice(0, -1);

  const groupSize = whole.includes(',') ? whole.length - whole.lastIndexOf(',') - 1 : 0;
  const sign = isNegative && negative === '' ? '-' : '';
  return sign + before + grouped(shown, groupSize, format.grouping) + (kept === '' ? '' : format.point + kept) + after;
}

function grouped(digits: string, size: number, separator: string): string {
  if (size === 0) return digits;
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= size) groups.unshift(digits.slice(Math.max(0, end - size), end));
  return groups.join(separator);
}
