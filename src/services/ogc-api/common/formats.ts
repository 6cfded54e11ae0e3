/** Which of the formats of a resource a client wants: what it says with `f` goes before what its Accept header says. */
import type { IncomingHttpHeaders } from 'node:http';
import { chooseOffer } from '../../../http/negotiate/negotiation.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { createParameterProblem } from './parameters.ts';

export interface OfferedFormat {
  /** The value of `f`. */
  readonly name: string;
  /** Other values of `f` that mean it. */
  readonly aliases?: readonly string[];
  readonly mediaType: string;
  /** For people who choose. */
  readonly title: string;
}

/** The first one is for who does not care. */
export function chooseFormat<F extends OfferedFormat>(
  offered: readonly F[],
  f: string | undefined,
  { accept }: Pick<IncomingHttpHeaders, 'accept'>,
): F {
  if (f !== undefined) {
    return getNamedFormat(offered, f);
  }
  const offers = offered.flatMap((format) => [
    { format: format.name, mediaType: toBareMediaType(format.mediaType) },
    // Who asks for JSON takes what is made of it.
    ...(format.mediaType.includes('+json') ? [{ format: format.name, mediaType: 'application/json' }] : []),
  ]);
  const chosen = chooseOffer(offers, accept ?? '');
  const found = offered.find(({ name }) => name === chosen?.format);
  if (found === undefined) {
    throw problem('not-acceptable', { accept: accept ?? '', offered: offered.map(({ mediaType }) => mediaType) });
  }
  return found;
}

function getNamedFormat<F extends OfferedFormat>(offered: readonly F[], f: string): F {
  // An unescaped plus sign arrives as a blank.
  const wanted = f.trim().toLowerCase().replaceAll(' ', '+');
  const found = offered.find(
    ({ name, aliases = [], mediaType }) =>
      [name, ...aliases].includes(wanted) || toBareMediaType(mediaType) === toBareMediaType(wanted),
  );
  if (found === undefined) {
    throw createParameterProblem('f', f, `one of ${offered.map(({ name }) => name).join(', ')}`);
  }
  return found;
}

function toBareMediaType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim();
}
