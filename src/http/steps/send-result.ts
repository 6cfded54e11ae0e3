/** Sends the result of a route: status, headers and bytes. */

import type { AppContext, RequestContext } from '../context/app-options.ts';
import { type Exchange, type HttpResponse, RecordedResponse } from '../context/exchange.ts';
import type { DocumentWriter } from '../documents/document.ts';
import { findDocumentFormat, type Offer } from '../negotiate/negotiation.ts';
import { createListFrame, createUrlBuilder, printDocument } from '../response/print-document.ts';
import {
  addOutcomeHeaders,
  addTagAndCheckFresh,
  allowForm,
  createReplyHeaders,
  formatContentType,
  isFresh,
  plainTextType,
  readReturnPreference,
  sendReply,
} from '../response/reply.ts';
import { type SendFailure, sendList } from '../response/send.ts';
import { sendChange } from '../response/send-change.ts';
import { sendAndCloseFile } from '../response/send-file.ts';
import type { FileReply, Outcome } from '../routes/outcome.ts';
import { listSuccesses, type Route } from '../routes/route.ts';
import type { Format } from '../serialization/format.ts';
import { findLongList, type ListFrame } from '../serialization/list-frame.ts';
import type { DeferredBody, HeaderList } from '../session/recorded-reply.ts';
import type { Session } from '../session/session.ts';
import { isStillAuthorized, sendLive } from '../stream/send-live.ts';
import { sendService } from '../stream/send-service.ts';
import type { RouteResult } from './execute-route.ts';
import { removeBody } from './return-preference.ts';

/** Sends the result as fast as the client reads it; returns a failure if sending broke off. */
export function sendRouteResult<S>(
  exchange: Exchange<S>,
  done: RouteResult<S>,
  session: Session<S>,
): Promise<SendFailure | undefined> | SendFailure | undefined {
  const { app, request, reply } = exchange;
  const { outcome, route, buildChange } = done;
  const observeSent = (broken: SendFailure | undefined) => {
    // Services return statuses that the route tables do not declare.
    if (route.kind !== 'service') {
      app.observe?.(route, reply.statusCode);
    }
    return broken;
  };
  if (buildChange !== undefined) {
    return buildChange()
      .then((change) => sendChange(exchange, done, change))
      .then(observeSent);
  }
  // Everything shown has been read. Close the session, so that a slow client does not keep an old snapshot alive.
  session.close();
  let sending: Promise<SendFailure | undefined> | undefined;
  if (outcome.kind === 'service') {
    if (outcome.reply.operation !== undefined) request.context.answeredOperation = outcome.reply.operation;
    sending = sendService(outcome.reply, request, reply, app);
  } else {
    const built = buildResponse(exchange, done, outcome);
    // The results of queries and batches do not represent a changed resource.
    const isBare = route.kind === 'write' && readReturnPreference(request.raw.headers, request.method) === 'minimal';
    const { status, headers, body } = isBare ? removeBody(built) : built;
    if (typeof body === 'function') sending = body(reply, status, headers);
    else sendReply(reply, status, headers, body);
  }
  return sending === undefined ? observeSent(undefined) : sending.then(observeSent);
}

/** Sends the allowed methods of a resource. */
export function sendAllowedMethods<S>({ app, request, reply }: Exchange<S>, allowed: readonly string[]): void {
  const headers = createReplyHeaders(request, app);
  headers.push('allow', allowed.join(', '), 'content-type', plainTextType);
  sendReply(reply, 200, headers, '');
}

/** A response before it is sent. */
interface BuiltResponse {
  readonly status: number;
  readonly headers: HeaderList;
  /** A function sends a body in pieces or defers it; such a body is not held in memory. */
  readonly body?: string | Buffer | BodySender | undefined;
}

type BodySender = (reply: HttpResponse, status: number, headers: HeaderList) => Promise<SendFailure | undefined>;

function buildResponse<S>(
  exchange: Exchange<S>,
  { route, offer }: RouteResult<S>,
  outcome: Exclude<Outcome, { kind: 'service' }>,
): BuiltResponse {
  const { app, request } = exchange;
  const isConfidential = route.kind !== 'service' && route.confidential;
  const isStored = !isConfidential && outcome.kind !== 'live';
  const headers = createReplyHeaders(request, app, { cacheControl: isStored ? 'private, no-cache' : 'no-store' });
  addOutcomeHeaders(outcome, request, headers);
  switch (outcome.kind) {
    case 'found':
      return buildFound(exchange, headers, outcome, { route, offer });
    case 'printed':
      return buildPrinted(exchange, headers, outcome, offer);
    case 'created':
      return buildCreated(exchange, headers, outcome, { route, offer });
    case 'done':
      headers.push('content-type', plainTextType);
      return { status: listSuccesses(route)[0], headers, body: '' };
    case 'text':
      headers.push('content-type', formatContentType(outcome.mediaType));
      return { status: 200, headers, body: outcome.text };
    case 'file':
      if (addTagAndCheckFresh(request, headers, outcome.version, offer?.format ?? '')) return { status: 304, headers };
      addFileHeaders(outcome, headers);
      return { status: 200, headers, body: toBuffer(outcome.bytes) };
    case 'open file':
      return { status: 200, headers, body: () => sendAndCloseFile(exchange, outcome, headers) };
    case 'settled':
      headers.push('content-type', formatContentType(offer?.mediaType ?? ''));
      return { status: listSuccesses(route)[0], headers, body: deferBody(outcome.body) };
    case 'live':
      headers.push('content-type', outcome.mediaType);
      return { status: 200, headers, body: (reply) => sendLiveOutcome({ ...exchange, reply }, headers, outcome) };
  }
}

function deferBody(body: DeferredBody): BodySender {
  return async (reply, status, headers) => {
    if (!(reply instanceof RecordedResponse)) throw new Error('A deferred body is possible only inside a transaction');
    reply.deferBody(status, headers, body);
    return undefined;
  };
}

function sendLiveOutcome<S>(
  { app, request, reply }: Exchange<S>,
  headers: HeaderList,
  outcome: Extract<Outcome, { kind: 'live' }>,
): Promise<SendFailure | undefined> {
  const { match, origin } = request.context as RequestContext<S>;
  const { sendTimeoutMs: timeoutMs, rightsCheckMs: everyMs } = app.limits;
  const canContinue = async () =>
    match !== undefined && origin !== undefined && (await isStillAuthorized(app, request, match, origin));
  return sendLive(reply, headers, outcome, { timeoutMs, everyMs, canContinue });
}

/** The document of a response, and the format that the client gets. */
interface ChosenDocument {
  readonly writer: DocumentWriter<unknown>;
  readonly format: Format;
  readonly mediaType: string;
}

function chooseDocument<S>(route: Route<S>, offer: Offer | undefined): ChosenDocument | undefined {
  const writer = findWriter(route);
  const format = findDocumentFormat(offer?.format);
  return writer === undefined || offer === undefined || format === undefined
    ? undefined
    : { writer, format, mediaType: offer.mediaType };
}

function findWriter<S>(route: Route<S>): DocumentWriter<unknown> | undefined {
  switch (route.kind) {
    case 'resource':
    case 'collection':
    case 'file':
    case 'query':
      return route.returns;
    case 'write':
      return route.returns.kind === 'document' ? route.returns.document : undefined;
    case 'batch':
    case 'content':
    case 'service':
      return undefined;
  }
}

interface CachedPrint {
  readonly writer: unknown;
  readonly format: Format;
  /** Links depend on the base URL of the client and on the application. */
  readonly baseUrl: string;
  readonly app: unknown;
  readonly body: string;
}

/**
 * The last serialization of a resource. Resources are frozen, so the same one always has the same text for the same
 * client.
 */
const printCache = new WeakMap<object, CachedPrint>();

function buildFound<S>(
  exchange: Exchange<S>,
  headers: HeaderList,
  { resource, version, variant }: Extract<Outcome, { kind: 'found' }>,
  { route, offer }: Pick<RouteResult<S>, 'route' | 'offer'>,
): BuiltResponse {
  const { app, request } = exchange;
  const chosen = chooseDocument(route, offer);
  if (chosen === undefined) {
    throw new Error(`${route.method} ${route.path} returned a resource but declares no response document`);
  }
  const { writer, format, mediaType } = chosen;
  const tagVariant = variant === undefined ? format : `${format}_${variant}`;
  if (addTagAndCheckFresh(request, headers, version, tagVariant)) return { status: 304, headers };
  headers.push('content-type', formatContentType(mediaType));
  if (format !== 'html' && typeof resource === 'object' && resource !== null && Object.isFrozen(resource)) {
    const baseUrl = request.context.origin?.baseUrl ?? '';
    let cached = printCache.get(resource);
    const isSame =
      cached?.writer === writer && cached.format === format && cached.baseUrl === baseUrl && cached.app === app;
    if (cached === undefined || !isSame) {
      cached = { writer, format, baseUrl, app, body: printDocument(exchange, writer.write(resource), format) };
      printCache.set(resource, cached);
    }
    return { status: 200, headers, body: cached.body };
  }
  const document = writer.write(resource);
  if (format === 'html' && document.page?.hasForm) allowForm(headers);
  const node = (format === 'json' ? document.json?.node : undefined) ?? document.node;
  const items = format === 'html' && document.page !== undefined ? undefined : findLongList(node);
  if (items === undefined || node.kind !== 'list') {
    return { status: 200, headers, body: printDocument(exchange, document, format) };
  }
  return {
    status: 200,
    headers,
    body: createListSender(app, createListFrame(exchange, document, node, format), items),
  };
}

function buildPrinted<S>(
  { app, request }: Exchange<S>,
  headers: HeaderList,
  { list, tag }: Extract<Outcome, { kind: 'printed' }>,
  offer: Offer | undefined,
): BuiltResponse {
  if (tag !== undefined && request.context.principal?.preview === undefined) {
    headers.push('etag', tag);
    if (isFresh(request.raw.headers, tag)) return { status: 304, headers };
  }
  headers.push('content-type', formatContentType(offer?.mediaType ?? ''));
  const whole = { ...list.frame, item: (piece: string) => piece };
  return { status: 200, headers, body: createListSender(app, whole, list.pieces) };
}

function createListSender<S, T>(
  { limits }: AppContext<S>,
  frame: ListFrame<T>,
  items: Iterable<T> | AsyncIterable<T>,
): BodySender {
  return (reply, status, headers) =>
    sendList({ reply, status, headers, timeoutMs: limits.sendTimeoutMs }, frame, items);
}

function buildCreated<S>(
  exchange: Exchange<S>,
  headers: HeaderList,
  { location, resource, text, status }: Extract<Outcome, { kind: 'created' }>,
  { route, offer }: Pick<RouteResult<S>, 'route' | 'offer'>,
): BuiltResponse {
  const { app, request } = exchange;
  headers.push('location', createUrlBuilder(request, app)(location));
  const chosen = resource === undefined ? undefined : chooseDocument(route, offer);
  headers.push('content-type', chosen === undefined ? plainTextType : formatContentType(chosen.mediaType));
  const body = chosen === undefined ? text : printDocument(exchange, chosen.writer.write(resource), chosen.format);
  return { status: status ?? listSuccesses(route)[0], headers, body };
}

/** Sends uploaded content as a download, because a browser could render it as a page. */
function addFileHeaders({ mediaType, saveAs }: FileReply, headers: HeaderList): void {
  if (saveAs !== undefined) {
    const plain = saveAs.replaceAll(/[^\w.-]/g, '_');
    headers.push(
      'content-disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(saveAs).replaceAll(/['()*]/g, '_')}`,
    );
  }
  headers.push('content-type', mediaType);
}

/** Wraps the bytes without copying them. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
