/** Parses the colours of CSS: names, hexadecimal digits, `rgb()`, `rgba()`, `hsl()` and `hsla()`. */
import { namedColors } from '../../lib/values/named-colors.ts';

export interface ParsedColor {
  /** `#RRGGBB`. */
  readonly color: string;
  /** 0 to 1. */
  readonly alpha: number;
}

export function parseCssColor(written: string): ParsedColor | undefined {
  const text = written.trim().toLowerCase();
  if (text === 'transparent') return { color: '#000000', alpha: 0 };
  const named = namedColors.get(text);
  if (named !== undefined) return { color: named.toUpperCase(), alpha: 1 };
  return text.startsWith('#') ? parseHex(text.slice(1)) : parseCall(text);
}

function parseHex(digits: string): ParsedColor | undefined {
  if (!/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(digits)) return undefined;
  const full = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits;
  const alpha = full.length === 8 ? Number.parseInt(full.slice(6), 16) / 255 : 1;
  return { color: `#${full.slice(0, 6).toUpperCase()}`, alpha: roundAlpha(alpha) };
}

function parseCall(text: string): ParsedColor | undefined {
  const match = /^(rgb|hsl)a?\(([^()]{1,80})\)$/.exec(text);
  if (match === null) return undefined;
  const parts = (match[2] ?? '').split(/[\s,/]+/).filter((part) => part !== '');
  const [first, second, third, fourth = '1'] = parts;
  if (first === undefined || second === undefined || third === undefined || parts.length > 4) return undefined;
  const alpha = parseShare(fourth, 1);
  const channels =
    match[1] === 'rgb'
      ? [first, second, third].map((part) => parseShare(part, 255))
      : toRgb(Number(first.replace(/deg$/, '')), parseShare(second, 1), parseShare(third, 1));
  if (![alpha, ...channels].every(Number.isFinite)) return undefined;
  return { color: formatColor(channels), alpha: roundAlpha(alpha) };
}

/** A percentage is a share of the whole. */
function parseShare(text: string, whole: number): number {
  return text.endsWith('%') ? (Number(text.slice(0, -1)) / 100) * whole : Number(text);
}

function toRgb(hue: number, saturation: number, lightness: number): readonly number[] {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const position = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - spread * Math.max(-1, Math.min(position - 3, 9 - position, 1)));
  });
}

export function formatColor(channels: readonly number[]): string {
  const digits = channels.map((channel) =>
    Math.round(Math.min(255, Math.max(0, channel)))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.join('').toUpperCase()}`;
}

function roundAlpha(alpha: number): number {
  return Number(Math.min(1, Math.max(0, alpha)).toFixed(4));
}
