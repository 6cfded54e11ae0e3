/** Selects bands by their number or name, for WCS 1.0 and 1.1. */
import { problem } from '../../../lib/problems/problem.ts';

/** Bands are numbered from 1; `1/3` is a range. All bands if undefined. */
export function selectBandsByNumber(
  requested: readonly string[] | undefined,
  names: readonly string[],
  field: string,
): readonly number[] {
  if (requested === undefined) return names.map((_, place) => place);
  const places = new Map(names.map((name, place) => [toKey(name), place] as const).reverse());
  const findBand = (text: string): number => {
    const wanted = toKey(text);
    const place = places.get(wanted) ?? (/^\d{1,5}$/.test(wanted) ? Number(wanted) - 1 : -1);
    if (place < 0 || place >= names.length) {
      throw problem('wcs-band-unknown', { band: text, bands: names, field });
    }
    return place;
  };
  return requested.flatMap((item) => {
    const [first = '', last = first] = names.includes(item) ? [item] : item.split('/');
    const [from, to] = [findBand(first), findBand(last)];
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => (from <= to ? from + step : from - step));
  });
}

/** Returns a band name without the characters that separate keys in requests. */
export function formatBandKey(name: string): string {
  return name.trim().replaceAll(/[\s,;:[\]]+/g, '_');
}

function toKey(name: string): string {
  return formatBandKey(name).toLowerCase();
}
