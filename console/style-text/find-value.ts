/** Finds the colour or number at a position of a style, for pickers. */

/** Only colours that a picker can show and return. */
export const colorPattern = /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b(?![-\w])/gi;

const numberPattern = /(?<![\w#.-])-?\d+(?:\.\d+)?/g;

/** Numbers of more digits are values of data. */
const MAX_PICKED = 1_000;

export interface FoundValue {
  readonly kind: 'color' | 'number';
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function findValue(text: string, position: number): FoundValue | undefined {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const end = text.indexOf('\n', position);
  const line = text.slice(start, end < 0 ? text.length : end);
  for (const [kind, pattern] of [
    ['color', colorPattern],
    ['number', numberPattern],
  ] as const) {
    for (const { index, 0: found } of line.matchAll(pattern)) {
      const from = start + index;
      if (from <= position && position <= from + found.length) {
        if (kind === 'number' && Math.abs(Number(found)) > MAX_PICKED) return undefined;
        return { kind, from, to: from + found.length, text: found };
      }
    }
  }
  return undefined;
}

/** `#abc` as `#aabbcc`, the only form that colour pickers accept. */
export function toLongColor(color: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  return (short === null ? color : `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`).toLowerCase();
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** A range around the number: shares from 0 to 1, sizes to the next power of ten. */
export function chooseRange(text: string): NumberRange {
  const value = Number(text);
  const hasFraction = text.includes('.');
  if (value >= 0 && value <= 1 && hasFraction) return { min: 0, max: 1, step: 0.05 };
  const max = Math.max(20, 10 ** Math.ceil(Math.log10(Math.abs(value) + 1)));
  return { min: value < 0 ? -max : 0, max, step: hasFraction || max <= 20 ? 0.5 : 1 };
}
