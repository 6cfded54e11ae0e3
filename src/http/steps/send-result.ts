/** Sends the result of a route: status, headers and bytes. */

import type { RequestContext } from '../context/app-options.ts';
import { type Exchange, RecordedResponse } from '../context/exchange.ts';
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
import { findLongList } from '../serialization/list-frame.ts';
import type { HeaderList } from '../session/recorded-reply.ts';
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
  const isBare = outcome.kind !== 'service' && readReturnPreference(request.raw.headers, request.method) === 'minimal';
  const sending = isBare ? sendWithoutBody(exchange, done) : sendOutcome(exchange, done);
  return sending instanceof Promise ? sending.then(observeSent) : observeSent(sending);
}

/** Sends the allowed methods of a resource. */
export function sendAllowedMethods<S>({ app, request, reply }: Exchange<S>, allowed: readonly string[]): void {
  const headers = createReplyHeaders(request, app);
  headers.push('allow', allowed.join(', '), 'content-type', plainTextType);
  sendReply(reply, 200, headers, '');
}

/** The discarded body is created nevertheless; no response of a write is larger. */
const MAX_DISCARDED_BODY_BYTES = 268_435_456;

async function sendWithoutBody<S>(exchange: Exchange<S>, done: RouteResult<S>): Promise<SendFailure | undefined> {
  const recorded = new RecordedResponse(exchange.request, MAX_DISCARDED_BODY_BYTES);
  const broken = await sendOutcome({ ...exchange, reply: recorded }, done);
  const { status, headers } = removeBody(recorded.reply);
  sendReply(exchange.reply, status, [...headers], '');
  return broken;
}

/** Returns a promise if the response takes time. */
function sendOutcome<S>(
  exchange: Exchange<S>,
  { outcome, route, offer }: RouteResult<S>,
): Promise<SendFailure | undefined> | undefined {
  const { app, request, reply } = exchange;
  if (outcome.kind === 'service') {
    return sendService(outcome.reply, request, reply, app);
  }
  const isConfidential = route.kind !== 'service' && route.confidential;
  const isStored = !isConfidential && outcome.kind !== 'live';
  const headers = createReplyHeaders(request, app, { cacheControl: isStored ? 'private, no-cache' : 'no-store' });
  addOutcomeHeaders(outcome, request, headers);
  switch (outcome.kind) {
    case 'found':
      return sendFound(exchange, headers, outcome, { route, offer });
    case 'printed':
      return sendPrinted(exchange, headers, outcome, offer);
    case 'created':
      sendCreated(exchange, headers, outcome, { route, offer });
      return undefined;
    case 'done':
      headers.push('content-type', plainTextType);
      sendReply(reply, listSuccesses(route)[0], headers, '');
      return undefined;
    case 'text':
      headers.push('content-type', formatContentType(outcome.mediaType));
      sendReply(reply, 200, headers, outcome.text);
      return undefined;
    case 'file':
      if (addTagAndCheckFresh(request, headers, outcome.version, offer?.format ?? '')) {
        sendReply(reply, 304, headers);
        return undefined;
      }
      addFileHeaders(outcome, headers);
      sendReply(reply, 200, headers, toBuffer(outcome.bytes));
      return undefined;
    case 'open file':
      return sendAndCloseFile(exchange, outcome, headers);
    case 'settled':
      if (!(reply instanceof RecordedResponse)) {
        throw new Error(`${route.method} ${route.path} has a deferred body outside a transaction`);
      }
      headers.push('content-type', formatContentType(offer?.mediaType ?? ''));
      reply.deferBody(listSuccesses(route)[0], headers, outcome.body);
      return undefined;
    case 'live': {
      const { match, origin } = request.context as RequestContext<S>;
      headers.push('content-type', outcome.mediaType);
      const { sendTimeoutMs: timeoutMs, rightsCheckMs: everyMs } = app.limits;
      const canContinue = async () =>
        match !== undefined && origin !== undefined && (await isStillAuthorized(app, request, match, origin));
      return sendLive(reply, headers, outcome, { timeoutMs, everyMs, canContinue });
    }
  }
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

function sendFound<S>(
  exchange: Exchange<S>,
  headers: HeaderList,
  { resource, version, variant }: Extract<Outcome, { kind: 'found' }>,
  { route, offer }: Pick<RouteResult<S>, 'route' | 'offer'>,
): Promise<SendFailure | undefined> | undefined {
  const { app, request, reply } = exchange;
  const chosen = chooseDocument(route, offer);
  if (chosen === undefined) {
    throw new Error(`${route.method} ${route.path} returned a resource but declares no response document`);
  }
  const { writer, format, mediaType } = chosen;
  if (addTagAndCheckFresh(request, headers, version, variant === undefined ? format : `${format}_${variant}`)) {
    sendReply(reply, 304, headers);
    return undefined;
  }
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
    sendReply(reply, 200, headers, cached.body);
    return undefined;
  }
  const document = writer.write(resource);
  if (format === 'html' && document.page?.hasForm) allowForm(headers);
  const node = (format === 'json' ? document.json?.node : undefined) ?? document.node;
  const items = format === 'html' && document.page !== undefined ? undefined : findLongList(node);
  if (items === undefined || node.kind !== 'list') {
    sendReply(reply, 200, headers, printDocument(exchange, document, format));
    return undefined;
  }
  const head = { reply, status: 200, headers, timeoutMs: app.limits.sendTimeoutMs };
  return sendList(head, createListFrame(exchange, document, node, format), items);
}

function sendPrinted<S>(
  { app, request, reply }: Exchange<S>,
  headers: HeaderList,
  { list, tag }: Extract<Outcome, { kind: 'printed' }>,
  offer: Offer | undefined,
): Promise<SendFailure | undefined> | undefined {
  if (tag !== undefined) {
    headers.push('etag', tag);
    if (isFresh(request.raw.headers, tag)) {
      sendReply(reply, 304, headers);
      return undefined;
    }
  }
  headers.push('content-type', formatContentType(offer?.mediaType ?? ''));
  const whole = { ...list.frame, item: (piece: string) => piece };
  return sendList({ reply, status: 200, headers, timeoutMs: app.limits.sendTimeoutMs }, whole, list.pieces);
}

function sendCreated<S>(
  exchange: Exchange<S>,
  headers: HeaderList,
  { location, resource, text, status }: Extract<Outcome, { kind: 'created' }>,
  { route, offer }: Pick<RouteResult<S>, 'route' | 'offer'>,
): void {
  const { app, request, reply } = exchange;
  headers.push('location', createUrlBuilder(request, app)(location));
  const chosen = resource === undefined ? undefined : chooseDocument(route, offer);
  headers.push('content-type', chosen === undefined ? plainTextType : formatContentType(chosen.mediaType));
  const body = chosen === undefined ? text : printDocument(exchange, chosen.writer.write(resource), chosen.format);
  sendReply(reply, status ?? listSuccesses(route)[0], headers, body);
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
