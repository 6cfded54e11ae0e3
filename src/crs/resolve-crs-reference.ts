/** What a database says of a reference system -> what of it is kept. */

import { matchWkt } from './match-wkt.ts';
import type { CrsReference } from './model/crs-reference.ts';
import { findCrs } from './resolve-crs.ts';

/** A code that is known says it all. Of one that only the database knows, the text tells more than the code. */
export async function resolveCrsReference({ code, wkt }: CrsReference): Promise<CrsReference> {
  const known = code === undefined ? undefined : await findCrs(code);
  if (known?.code !== undefined) return { code: known.code };
  const matched = await matchWkt(wkt ?? '');
  return matched.wkt === undefined && code !== undefined ? { code } : matched;
}
