/** Decides whether coordinates in two coordinate reference systems can be mixed without a transformation. */

import { matchWkt } from './match-wkt.ts';
import { haveSameFigure, haveSameProjection, normalizeCrsName } from './model/compare-models.ts';
import { parseCrsCode } from './model/crs-code.ts';
import type { GeographicCrs } from './model/crs-model.ts';
import type { CrsReference } from './model/crs-reference.ts';
import { resolveCrs } from './resolve-crs.ts';

/** Two unknown systems are considered the same; an unknown and a known one are not. */
export async function areSameCrs(a: CrsReference, b: CrsReference): Promise<boolean> {
  if (isUnknown(a) || isUnknown(b)) return isUnknown(a) && isUnknown(b);
  const [code, otherCode] = [await resolveCrsCode(a), await resolveCrsCode(b)];
  if (code !== undefined && otherCode !== undefined) return code === otherCode;
  if (a.wkt !== undefined && a.wkt === b.wkt) return true;
  const [one, other] = [(await resolveCrs(a))?.model, (await resolveCrs(b))?.model];
  if (one?.kind === 'projected' && other?.kind === 'projected') {
    return haveSameDatum(one.base, other.base) && haveSameProjection(one, other);
  }
  if (one?.kind === 'geocentric' && other?.kind === 'geocentric') return haveSameDatum(one.base, other.base);
  return one?.kind === 'geographic' && other?.kind === 'geographic' && haveSameDatum(one, other);
}

/** Returns a short label for messages. */
export function formatCrsLabel({ code, wkt }: CrsReference): string {
  return code ?? (wkt === undefined ? 'unknown' : (/"([^"]{1,80})"/.exec(wkt)?.[1] ?? 'unnamed'));
}

function isUnknown({ code, wkt }: CrsReference): boolean {
  return code === undefined && wkt === undefined;
}

async function resolveCrsCode({ code, wkt }: CrsReference): Promise<string | undefined> {
  if (code !== undefined) return parseCrsCode(code) ?? code;
  return wkt === undefined ? undefined : (await matchWkt(wkt)).code;
}

function haveSameDatum(a: GeographicCrs, b: GeographicCrs): boolean {
  return normalizeCrsName(a.datum) === normalizeCrsName(b.datum) && haveSameFigure(a, b);
}
