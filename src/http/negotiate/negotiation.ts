/** Which format a reply comes in: the extension of the path, else the Accept header, else the family's default. */
import { problem } from '../../lib/problems/problem.ts';
import { type Format, formats } from '../serialization/format.ts';

export interface Offer<F extends string = string> {
  readonly format: F;
  readonly mediaType: string;
  /** Which version of the media type it is: who names one gets that or nothing, who names none gets the first. */
  readonly version?: string;
}

interface AcceptRange {
  readonly type: string;
  readonly subtype: string;
  /** In three numbers where it was given in two. */
  readonly version?: string;
  readonly quality: number;
  readonly position: number;
}

/** Reads an Accept header; parameters other than q and version are not looked at, as no offer of ours has any. */
export function parseAccept(header: string): readonly AcceptRange[] {
  return header
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part, position) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      // Old Java clients send a bare `*` for `*/*`.
      const [type = '*', subtype = '*'] = name === '*' ? ['*', '*'] : name.split('/');
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      const quality = q === undefined ? 1 : Number.parseFloat(q);
      const version = findVersion(parameters);
      return {
        type,
        subtype,
        ...(version === undefined ? {} : { version }),
        quality: Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0,
        position,
      };
    });
}

/** `version=1.1`, `version="1.1.0"` and `version = '1.1.0'` are all written. */
function findVersion(parameters: readonly string[]): string | undefined {
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=', 2).map((part) => part.trim());
    const bare = value.replace(/^(["'])(.*)\1$/, '$2').trim();
    if (name === 'version' && bare !== '') {
      return bare.replace(/^\d+\.\d+$/, '$&.0');
    }
  }
  return undefined;
}

/** 4 for `a/b` in the right version, 3 for another name of the same thing, 2 for `a/*`, 1 for everything, 0 for no match. */
function computeSpecificity(range: AcceptRange, { mediaType, version }: Offer): number {
  const [type, subtype] = mediaType.split('/');
  if (range.type === type && range.subtype === subtype) {
    return version === undefined || range.version === undefined || range.version === version ? 4 : 0;
  }
  // `text/xml` and `application/xml` are one format: who refuses the one must not be given the other.
  if (listSynonyms(mediaType).includes(`${range.type}/${range.subtype}`)) {
    return 3;
  }
  if (range.type === type && range.subtype === '*') {
    return 2;
  }
  return range.type === '*' && range.subtype === '*' ? 1 : 0;
}

function listSynonyms(mediaType: string): readonly string[] {
  return Object.values(formats).find((format) => format.mediaTypes.includes(mediaType))?.mediaTypes ?? [];
}

/** The offer the client likes best; offers come in our order of preference. Undefined when it likes none. */
export function chooseOffer<F extends string>(
  offers: readonly Offer<F>[],
  accept: string | undefined,
): Offer<F> | undefined {
  if (accept === undefined || accept.trim() === '' || accept === '*/*') {
    return offers[0];
  }
  const ranges = parseAccept(accept);
  let best: { offer: Offer<F>; range: AcceptRange; specific: number } | undefined;
  for (const offer of offers) {
    let match: { range: AcceptRange; specific: number } | undefined;
    for (const range of ranges) {
      const specific = computeSpecificity(range, offer);
      if (specific > (match?.specific ?? 0)) {
        match = { range, specific };
      }
    }
    if (match !== undefined && match.range.quality > 0 && (best === undefined || isBetter(match, best))) {
      best = { offer, ...match };
    }
  }
  return best?.offer;
}

function isBetter(a: { range: AcceptRange; specific: number }, b: { range: AcceptRange; specific: number }): boolean {
  if (a.range.quality !== b.range.quality) {
    return a.range.quality > b.range.quality;
  }
  if (a.specific !== b.specific) {
    return a.specific > b.specific;
  }
  return a.range.position < b.range.position;
}

/** All the media types of some formats, the default format's first. */
export function listOffers(available: readonly Format[], defaultFormat: Format): readonly Offer<Format>[] {
  const ordered = [...available].sort((a, b) => Number(b === defaultFormat) - Number(a === defaultFormat));
  return ordered.flatMap((format) => formats[format].mediaTypes.map((mediaType) => ({ format, mediaType })));
}

/** The format of a write's reply: never a 406, since clients send any Accept with their writes. */
export function negotiateWrite(
  offers: readonly Offer<Format>[],
  extension: Format | undefined,
  accept: string | undefined,
  bodyFormat: Format | undefined,
): Offer<Format> {
  const named = removeWildcards(accept ?? '');
  const wanted = extension ?? (named === '' ? undefined : chooseOffer(offers, named)?.format) ?? bodyFormat;
  const fallback = offers[0] ?? { format: 'xml', mediaType: 'application/xml' };
  return offers.find((offer) => offer.format === wanted) ?? fallback;
}

/** The format of a reply that is empty unless a client names a format it can read. */
export function negotiateNamed(
  offers: readonly Offer<Format>[],
  accept: string | undefined,
): Offer<Format> | undefined {
  const named = removeWildcards(accept ?? '');
  return named === '' ? undefined : chooseOffer(offers, named);
}

/** An Accept header without its wildcards: these say nothing about what a client can read, as most send them always. */
export function removeWildcards(accept: string): string {
  return accept
    .split(',')
    .filter((range) => range.trim() !== '' && !/^\s*\*(?:\/\*)?\s*(?:;|$)/.test(range))
    .join(',');
}

/** Whether a client asks for problem documents, the format of nothing but errors. */
export function acceptsProblems(accept: string | undefined): boolean {
  return parseAccept(accept ?? '').some(({ subtype, quality }) => subtype === 'problem+json' && quality > 0);
}

function formatOfferName({ mediaType, version }: Offer): string {
  return version === undefined ? mediaType : `${mediaType};version=${version}`;
}

/** The format of a read: a 406 when the client accepts nothing that is offered. */
export function negotiateRead<F extends string>(
  offers: readonly Offer<F>[],
  extension: F | undefined,
  accept: string | undefined,
): Offer<F> {
  if (extension !== undefined) {
    return offers.find((offer) => offer.format === extension) ?? { format: extension, mediaType: 'text/plain' };
  }
  // Who names only the format of errors wants to see what goes wrong, and a 406 would hide it.
  const chosen = chooseOffer(offers, accept) ?? (acceptsProblems(accept) ? offers[0] : undefined);
  if (chosen === undefined) {
    throw problem('not-acceptable', { accept: accept ?? '', offered: offers.map(formatOfferName) });
  }
  return chosen;
}
