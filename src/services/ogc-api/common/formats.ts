/** Negotiates the format of a response: the `f` parameter takes precedence over the Accept header. */
import type { IncomingHttpHeaders } from 'node:http';
import { chooseOffer } from '../../../http/negotiate/negotiation.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { formatChoices } from '../../../lib/text/wording.ts';
import { createParameterProblem } from './parameters.ts';

export interface OfferedFormat {
  /** The value of `f`. */
  readonly name: string;
  /** Other accepted values of `f`. */
  readonly aliases?: readonly string[];
  readonly mediaType: string;
  /** The label for users. */
  readonly title: string;
}

/** Without a preference the first format is used. */
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
    // A client that accepts JSON also accepts formats based on JSON.
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
  // An unescaped plus sign is decoded as a space.
  const wanted = f.trim().toLowerCase().replaceAll(' ', '+');
  const found = offered.find(
    ({ name, aliases = [], mediaType }) =>
      [name, ...aliases].includes(wanted) || toBareMediaType(mediaType) === toBareMediaType(wanted),
  );
  if (found === undefined) {
    throw createParameterProblem('f', f, formatChoices(offered.map(({ name }) => name)));
  }
  return found;
}

function toBareMediaType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim();
}
