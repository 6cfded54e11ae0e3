/** Resolves the CRS reference of a database to a stored reference. */

import { matchWkt } from './match-wkt.ts';
import type { CrsReference } from './model/crs-reference.ts';
import { findCrs } from './resolve-crs.ts';

/** A known code is sufficient. For a code known only to the database, the WKT is more useful. */
export async function resolveCrsReference({ code, wkt }: CrsReference): Promise<CrsReference> {
  const known = code === undefined ? undefined : await findCrs(code);
  if (known?.code !== undefined) return { code: known.code };
  const matched = await matchWkt(wkt ?? '');
  return matched.wkt === undefined && code !== undefined ? { code } : matched;
}
