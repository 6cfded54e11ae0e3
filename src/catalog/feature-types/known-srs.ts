/** A spatial reference as a client writes it -> the one spelling that is stored. */
import { findCrs } from '../../data/crs/resolve-crs.ts';
import { problem } from '../../lib/problem.ts';
import { printableName } from '../../records/names.ts';

export async function knownSrs(text: string): Promise<string> {
  const code = (await findCrs(text))?.code;
  if (code === undefined) {
    throw problem('srs-unknown', { srs: printableName(text), field: 'featureType.srs' });
  }
  return code;
}
