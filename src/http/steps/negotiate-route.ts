/** Chooses the format of a response from the offers of a route. */
import type { IncomingMessage } from 'node:http';
import { problem } from '../../lib/problems/problem.ts';
import { guessBodyFormat } from '../body/body.ts';
import {
  addRenditionOffers,
  chooseOffer,
  findDocumentFormat,
  findQueryFormat,
  listOffers,
  negotiateNamed,
  negotiateRead,
  negotiateWrite,
  type Offer,
  type Rendition,
} from '../negotiate/negotiation.ts';
import type { WireDialect } from '../negotiate/wire-dialect.ts';
import type { DocumentRoute, RequestBodySpec, Route } from '../routes/route.ts';
import type { Format } from '../serialization/format.ts';

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
