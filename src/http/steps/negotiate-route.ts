/** Chooses the format of a response from the offers of a route. */
import type { IncomingMessage } from 'node:http';
import { problem } from '../../lib/problems/problem.ts';
import { guessBodyFormat } from '../body/body.ts';
import {
  chooseOffer,
  listOffers,
  negotiateNamed,
  negotiateRead,
  negotiateWrite,
  type Offer,
} from '../negotiate/negotiation.ts';
import { addRenditionOffers, findDocumentFormat, findQueryFormat } from '../negotiate/rendition.ts';
import type { WireDialect } from '../negotiate/wire-dialect.ts';
import type { Route } from '../routes/route.ts';
import type { Format } from '../serialization/format.ts';

export function chooseRouteOffer<S>(
  route: Route<S>,
  offers: readonly Offer<Format>[],
  extension: string | undefined,
  headers: IncomingMessage['headers'],
  rawQuery: string,
): Offer | undefined {
  if (route.answers === undefined) {
    return undefined;
  }
  if (route.formatInQuery && extension === undefined) {
    const requested = findQueryFormat(rawQuery);
    // Never a 406: the resource may be a file, which has its own type.
    return offers.find(({ format }) => format === requested) ?? chooseOffer(offers, headers.accept) ?? offers[0];
  }
  if (route.method === 'GET') {
    checkExtension(route, offers, extension);
    return negotiateRead(addRenditionOffers(offers, route.renditions, headers.accept), extension, headers.accept);
  }
  const { takes } = route;
  return takes?.kind === 'upload'
    ? (negotiateNamed(offers, headers.accept) ?? offers.find(({ format }) => format === takes.otherwise))
    : negotiateWrite(offers, findDocumentFormat(extension), headers.accept, guessBodyFormat(headers));
}

/** Rejects extensions that are valid for uploads only. */
function checkExtension<S>(
  { formats: documents, renditions }: Route<S>,
  offers: readonly Offer<Format>[],
  extension: string | undefined,
): void {
  const isOffered =
    documents.some((format) => format === extension) || renditions.some((each) => each.extension === extension);
  if (extension !== undefined && !isOffered) {
    throw problem('not-acceptable', { accept: `.${extension}`, offered: offers.map(({ mediaType }) => mediaType) });
  }
}

/** Offers by route, computed once. */
const offersByRoute = new WeakMap<object, readonly Offer<Format>[]>();

export function listRouteOffers<S>(route: Route<S>, dialect: WireDialect): readonly Offer<Format>[] {
  let offers = offersByRoute.get(route);
  if (offers === undefined) {
    offers = listOffers(route.formats, dialect.defaultFormat[route.formatGroup]);
    offersByRoute.set(route, offers);
  }
  return offers;
}
