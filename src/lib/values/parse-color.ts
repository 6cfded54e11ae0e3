/** Parses colours in all notations that styles use. */
import { namedColors } from './named-colors.ts';

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** The longest notation, `rgba(100.0%, 100.0%, 100.0%, 1.000)`, is shorter. */
const maxCharacters = 60;

/**
 * Parses `#RRGGBB`, `#RGB` or a name, in any case, and what people write instead: `0xRRGGBB`, digits without `#` or
 * with two, `#RGBA`, `#RRGGBBAA`, `rgb()` and quotation marks. Five and seven digits are a hexadecimal number, of which
 * the lowest 24 bits count. Returns undefined for other text.
 */
export function parseColor(text: string): Rgb | undefined {
  const written = text
    .slice(0, maxCharacters)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
    .toLowerCase();
  const [, digits] = /^(?:#{0,2}|0x|#0x)([\da-f]{3,8})$/.exec(namedColors.get(written)?.toLowerCase() ?? written) ?? [];
  return digits === undefined ? parseRgbCall(written) : parseDigits(digits);
}

export function formatColor(color: Rgb): string {
  const digits = color.map((part) =>
    Math.round(Math.min(255, Math.max(0, part)))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.join('').toUpperCase()}`;
}

function parseDigits(digits: string): Rgb {
  const full =
    digits.length <= 4
      ? digits.slice(0, 3).replace(/./g, '$&$&')
      : digits.length === 8
        ? digits.slice(0, 6)
        : digits.slice(-6);
  const value = Number.parseInt(full, 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** Parses `rgb(255, 136, 0)` and `rgba(100%, 50%, 0%, 1)`; the opacity is ignored. */
function parseRgbCall(text: string): Rgb | undefined {
  const [, list = ''] = /^rgba?\(([\d\s.,%/]*)\)$/.exec(text) ?? [];
  const [red, green, blue] = list
    .split(/[\s,/]+/)
    .filter((part) => part !== '')
    .map(parseChannel);
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

function parseChannel(text: string): number | undefined {
  const value = text.endsWith('%') ? (Number(text.slice(0, -1)) * 255) / 100 : Number(text);
  return value >= 0 && value <= 255 ? Math.round(value) : undefined;
}
