/** Chooses the format of a response: by the extension of the path, the Accept header or the default of the family. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { problem } from '../../lib/problems/problem.ts';
import { guessBodyFormat } from '../body/body.ts';
import type { DocumentRoute, Rendition, RequestBodySpec, Route } from '../routes/route.ts';
import { type Format, formats } from '../serialization/format.ts';
import type { WireDialect } from './wire-dialect.ts';

/** What the client wants. */
interface FormatRequest {
  readonly extension: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly rawQuery: string;
}

/** Returns undefined for responses without a document. */
export function chooseRouteOffer<S>(route: Route<S>, dialect: WireDialect, request: FormatRequest): Offer | undefined {
  switch (route.kind) {
    case 'resource':
      return chooseReadOffer(route, route.renditions, listRouteOffers(route, dialect), request);
    case 'collection':
      return chooseReadOffer(route, [], listRouteOffers(route, dialect), request);
    case 'file':
      return chooseFileOffer(route, listRouteOffers(route, dialect), request);
    case 'query':
    case 'batch':
      return chooseWriteOffer(route.accepts, listRouteOffers(route, dialect), request);
    case 'write':
      return route.returns.kind === 'text'
        ? undefined
        : chooseWriteOffer(route.accepts, listRouteOffers(route, dialect), request);
    case 'content':
    case 'service':
      return undefined;
  }
}

/** Rejects extensions that are valid for uploads only. */
function chooseReadOffer<S>(
  { formats: documents }: DocumentRoute<S>,
  renditions: readonly Rendition[],
  offers: readonly Offer<Format>[],
  { extension, headers }: FormatRequest,
): Offer {
  const isOffered =
    documents.some((format) => format === extension) || renditions.some((each) => each.extension === extension);
  if (extension !== undefined && !isOffered) {
    throw problem('not-acceptable', { accept: `.${extension}`, offered: offers.map(({ mediaType }) => mediaType) });
  }
  return negotiateRead(addRenditionOffers(offers, renditions, headers.accept), extension, headers.accept);
}

function chooseFileOffer<S>(
  route: DocumentRoute<S>,
  offers: readonly Offer<Format>[],
  request: FormatRequest,
): Offer | undefined {
  if (request.extension !== undefined) {
    return chooseReadOffer(route, [], offers, request);
  }
  const requested = findQueryFormat(request.rawQuery);
  // Never a 406: the resource may be a file, which has its own type.
  return offers.find(({ format }) => format === requested) ?? chooseOffer(offers, request.headers.accept) ?? offers[0];
}

function chooseWriteOffer(
  accepted: RequestBodySpec | undefined,
  offers: readonly Offer<Format>[],
  { extension, headers }: FormatRequest,
): Offer | undefined {
  return accepted?.kind === 'upload'
    ? (negotiateNamed(offers, headers.accept) ?? offers.find(({ format }) => format === accepted.otherwise))
    : negotiateWrite(offers, findDocumentFormat(extension), headers.accept, guessBodyFormat(headers));
}

/** Offers by route, computed once. */
const offersByRoute = new WeakMap<object, readonly Offer<Format>[]>();

function listRouteOffers<S>(route: DocumentRoute<S>, dialect: WireDialect): readonly Offer<Format>[] {
  let offers = offersByRoute.get(route);
  if (offers === undefined) {
    offers = listOffers(route.formats, dialect.defaultFormat[route.formatGroup]);
    offersByRoute.set(route, offers);
  }
  return offers;
}

export interface Offer<F extends string = string> {
  readonly format: F;
  readonly mediaType: string;
  /** The version of the media type: a client that names a version gets that version only, others get the first. */
  readonly version?: string;
}

interface AcceptRange {
  readonly type: string;
  readonly subtype: string;
  /** Normalized to three numbers. */
  readonly version?: string;
  readonly quality: number;
  readonly position: number;
}

/** Parses an Accept header. Ignores parameters other than q and version, because no offer has any. */
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

/** Accepts `version=1.1`, `version="1.1.0"` and `version = '1.1.0'`. */
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

/** Returns 4 for `a/b` in a matching version, 3 for a synonym, 2 for `a/*`, 1 for a full wildcard, 0 for no match. */
function computeSpecificity(range: AcceptRange, { mediaType, version }: Offer): number {
  const [type, subtype] = mediaType.split('/');
  if (range.type === type && range.subtype === subtype) {
    return version === undefined || range.version === undefined || range.version === version ? 4 : 0;
  }
  // `text/xml` and `application/xml` are one format: a client that rejects one must not get the other.
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

/** Returns the best offer for the client; offers are in our order of preference. Undefined if none is acceptable. */
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

/** Lists all media types of some formats, the default format first. */
export function listOffers(available: readonly Format[], defaultFormat: Format): readonly Offer<Format>[] {
  const ordered = [...available].sort((a, b) => Number(b === defaultFormat) - Number(a === defaultFormat));
  return ordered.flatMap((format) => formats[format].mediaTypes.map((mediaType) => ({ format, mediaType })));
}

/** Chooses the format of a write response. Never a 406, because clients send arbitrary Accept headers with writes. */
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

/** Chooses the format of a response that is empty unless the client names a format. */
export function negotiateNamed(
  offers: readonly Offer<Format>[],
  accept: string | undefined,
): Offer<Format> | undefined {
  const named = removeWildcards(accept ?? '');
  return named === '' ? undefined : chooseOffer(offers, named);
}

/** Removes wildcards from an Accept header: most clients always send them, so they carry no information. */
export function removeWildcards(accept: string): string {
  return accept
    .split(',')
    .filter((range) => range.trim() !== '' && !/^\s*\*(?:\/\*)?\s*(?:;|$)/.test(range))
    .join(',');
}

/** Whether a client accepts problem documents, which are used for errors only. */
export function acceptsProblems(accept: string | undefined): boolean {
  return parseAccept(accept ?? '').some(({ subtype, quality }) => subtype === 'problem+json' && quality > 0);
}

function formatOfferName({ mediaType, version }: Offer): string {
  return version === undefined ? mediaType : `${mediaType};version=${version}`;
}

/** Chooses the format of a read; throws 406 if no offer is acceptable. */
export function negotiateRead<F extends string>(
  offers: readonly Offer<F>[],
  extension: F | undefined,
  accept: string | undefined,
): Offer<F> {
  if (extension !== undefined) {
    return offers.find((offer) => offer.format === extension) ?? { format: extension, mediaType: 'text/plain' };
  }
  // A client that accepts only the error format wants to see the error, which a 406 would hide.
  const chosen = chooseOffer(offers, accept) ?? (acceptsProblems(accept) ? offers[0] : undefined);
  if (chosen === undefined) {
    throw problem('not-acceptable', { accept: accept ?? '', offered: offers.map(formatOfferName) });
  }
  return chosen;
}

/** Returns all offers: the documents first, then each rendition with each of its media types. */
export function addRenditionOffers(
  documents: readonly Offer<Format>[],
  renditions: readonly Rendition[],
  accept: string | undefined,
): readonly Offer[] {
  if (renditions.length === 0) {
    return documents;
  }
  const named = parseAccept(accept ?? '').map(({ type, subtype }) => `${type}/${subtype}`);
  const offers = renditions.flatMap(({ name, mediaTypes, version, isNamedBy }) => {
    const further = named.filter((mediaType) => !mediaTypes.includes(mediaType) && isNamedBy?.(mediaType));
    return [...mediaTypes, ...further].map((mediaType) => ({
      format: name,
      mediaType,
      ...(version === undefined ? {} : { version }),
    }));
  });
  return [...documents, ...offers];
}

/** Returns the format in the `format` parameter, for routes whose paths keep their extensions. */
export function findQueryFormat(rawQuery: string): Format | undefined {
  return findDocumentFormat(new URLSearchParams(rawQuery).get('format')?.toLowerCase());
}

/** Returns the document format of a name; undefined for renditions and unknown names. */
export function findDocumentFormat(name: string | undefined): Format | undefined {
  return name !== undefined && Object.hasOwn(formats, name) ? (name as Format) : undefined;
}

/** The media type that requests the change instead of the usual body. */
export const changeMediaType = 'application/vnd.graticule.change+json';

/** Whether the client requests the change by its media type. */
export function acceptsChange(headers: IncomingHttpHeaders): boolean {
  const { accept } = headers;
  return (
    accept?.includes('vnd.graticule.change') === true &&
    parseAccept(accept).some(({ type, subtype, quality }) => `${type}/${subtype}` === changeMediaType && quality > 0)
  );
}
