/** Turns the outcome of a route into status, headers and bytes. */

import { checkPrecondition } from '../../lib/problems/precondition.ts';
import { type HttpRequest, type HttpResponse, RecordedResponse } from '../context/exchange.ts';
import type { DocumentWriter } from '../documents/document.ts';
import type { Offer } from '../negotiate/negotiation.ts';
import { findDocumentFormat } from '../negotiate/rendition.ts';
import type { FileReply, Outcome, ReadyOutcome, Route } from '../routes/route.ts';
import { type Format, formatContentType } from '../serialization/format.ts';
import { findLongList } from '../serialization/list-frame.ts';
import type { OutputDocument } from '../serialization/output-tree.ts';
import { acceptsChange, type ChangeDocument, type CommittedChange, changeMediaType } from '../session/session.ts';
import { formatEntityTag, isFresh, parseReadPrecondition } from './conditional.ts';
import { buildUrlWith, createListFrame, createUrlBuilder, printDocument } from './print-document.ts';
import { parseRange } from './range.ts';
import { addSandbox, addWarnings, createReplyHeaders, plainTextType, type ReplyOptions } from './reply-headers.ts';
import { type HeaderList, type SendFailure, sendList, sendOpenFile, sendReply } from './send.ts';

/** Sends the allowed methods of a resource. */
export function sendAllowedMethods<S>(
  allowed: readonly string[],
  request: HttpRequest,
  reply: HttpResponse,
  options: ReplyOptions<S>,
): void {
  const headers = createReplyHeaders(request, options);
  headers.push('allow', allowed.join(', '), 'content-type', plainTextType);
  sendReply(reply, 200, headers, '');
}

/** Returns a promise if the response takes time. */
export function sendOutcome<S>(
  outcome: ReadyOutcome,
  route: Route<S>,
  chosen: Offer | undefined,
  request: HttpRequest,
  reply: HttpResponse,
  options: ReplyOptions<S>,
): Promise<SendFailure | undefined> | undefined {
  const format = findDocumentFormat(chosen?.format);
  const offer = format && { format, mediaType: chosen?.mediaType ?? '' };
  const headers = createReplyHeaders(request, options, route.confidential ? 'no-store' : 'private, no-cache');
  addOutcomeHeaders(outcome, request, headers);
  switch (outcome.kind) {
    case 'done':
      headers.push('content-type', plainTextType);
      sendReply(reply, route.success, headers, '');
      return undefined;
    case 'printed': {
      const { frame, pieces } = outcome.list;
      if (outcome.tag !== undefined) {
        headers.push('etag', outcome.tag);
        if (isFresh(request.raw.headers, outcome.tag)) {
          sendReply(reply, 304, headers);
          return undefined;
        }
      }
      headers.push('content-type', formatContentType(offer?.mediaType ?? ''));
      const whole = { ...frame, item: (piece: string) => piece };
      return sendList(reply, 200, headers, whole, pieces, options.limits.sendTimeoutMs);
    }
    case 'settled':
      if (!(reply instanceof RecordedResponse)) {
        throw new Error(`${route.method} ${route.path} has a deferred body outside a transaction`);
      }
      headers.push('content-type', formatContentType(offer?.mediaType ?? ''));
      reply.deferBody(route.success, headers, outcome.body);
      return undefined;
    case 'text':
      headers.push('content-type', formatContentType(outcome.mediaType));
      sendReply(reply, 200, headers, outcome.text);
      return undefined;
    case 'created':
      headers.push('location', createUrlBuilder(request, options)(outcome.location));
      if (route.answers !== undefined && offer !== undefined && outcome.resource !== undefined) {
        headers.push('content-type', formatContentType(offer.mediaType));
        sendReply(
          reply,
          outcome.status ?? route.success,
          headers,
          printDocument(route.answers.write(outcome.resource), offer.format, request, options),
        );
        return undefined;
      }
      headers.push('content-type', plainTextType);
      sendReply(reply, outcome.status ?? route.success, headers, outcome.text);
      return undefined;
    case 'file':
      if (addTagAndCheckFresh(outcome.version, chosen?.format ?? '', route, request, headers)) {
        sendReply(reply, 304, headers);
        return undefined;
      }
      sendFile(outcome, headers, reply);
      return undefined;
    case 'open file':
      return sendAndCloseFile(outcome, route, headers, request, reply, options);
    case 'found': {
      if (route.answers === undefined || offer === undefined) {
        throw new Error(`${route.method} ${route.path} returned a resource but declares no response document`);
      }
      const { version, variant } = outcome;
      const shown = variant === undefined ? offer.format : `${offer.format}_${variant}`;
      if (addTagAndCheckFresh(version, shown, route, request, headers)) {
        sendReply(reply, 304, headers);
        return undefined;
      }
      headers.push('content-type', formatContentType(offer.mediaType));
      return sendResource(outcome.resource, route.answers, offer.format, headers, request, reply, options);
    }
  }
}

/** Adds warnings and the number of the change. */
function addOutcomeHeaders(outcome: Outcome, request: HttpRequest, headers: HeaderList): void {
  const change = request.context.session?.changeNumber() ?? null;
  if (change !== null) {
    headers.push('graticule-change', String(change));
  }
  if ('warnings' in outcome) {
    addWarnings(outcome.warnings, headers);
  }
  if ('headers' in outcome) {
    headers.push(...Object.entries(outcome.headers ?? {}).flat());
  }
  const next = outcome.kind === 'printed' ? outcome.list.next : 'next' in outcome ? outcome.next : undefined;
  if (next !== undefined) {
    headers.push('link', `<${buildUrlWith(next, request)}>; rel="next"`);
  }
}

/** Sends the change of a write or a dry run instead of the usual body. */
export async function sendChange<S>(
  outcome: Outcome,
  { head, items }: ChangeDocument,
  route: Route<S>,
  request: HttpRequest,
  reply: HttpResponse,
  options: ReplyOptions<S>,
): Promise<SendFailure | undefined> {
  const headers = createReplyHeaders(request, options, 'no-store');
  addOutcomeHeaders(outcome, request, headers);
  if (outcome.kind === 'created') {
    headers.push('location', createUrlBuilder(request, options)(outcome.location));
  }
  headers.push('content-type', acceptsChange(request.raw.headers) ? changeMediaType : 'application/json');
  const status = outcome.kind === 'created' ? (outcome.status ?? route.success) : route.success;
  if (reply instanceof RecordedResponse) {
    const texts: string[] = [];
    for await (const item of items) texts.push(JSON.stringify(item));
    const itemTexts = texts.join(',');
    reply.deferBody(status, headers, (change) => `${formatHead({ ...head, ...toChangeFields(change) })}${itemTexts}]}`);
    return undefined;
  }
  const before = formatHead(head);
  const frame = { before, item: JSON.stringify, between: ',', after: ']}', empty: `${before}]}` };
  return sendList<object>(reply, status, headers, frame, items, options.limits.sendTimeoutMs);
}

function formatHead(head: ChangeDocument['head']): string {
  return `${JSON.stringify(head).slice(0, -1)},"items":[`;
}

/** The fields that are known only after the commit. */
function toChangeFields(change: CommittedChange | null): object {
  return change === null
    ? {}
    : { sequence: change.sequence, at: new Date(change.atMs).toISOString(), what: change.what };
}

/** Adds the ETag and returns whether the client's copy is current. */
function addTagAndCheckFresh<S>(
  version: number | undefined,
  format: string,
  route: Route<S>,
  request: HttpRequest,
  headers: HeaderList,
): boolean {
  if (version === undefined) {
    return false;
  }
  const requestHeaders = request.raw.headers;
  const tag = formatEntityTag(version, format);
  if (route.method === 'GET') {
    checkPrecondition(parseReadPrecondition(requestHeaders), version);
  }
  // The result of a dry run has no version.
  if (!request.context.isDryRun) {
    headers.push('etag', tag);
  }
  return route.method === 'GET' && isFresh(requestHeaders, tag);
}

/** Sends uploaded content as a download, because a browser could render it as a page. */
function sendFile({ mediaType, bytes, saveAs }: FileReply, headers: HeaderList, reply: HttpResponse): void {
  if (saveAs !== undefined) {
    const plain = saveAs.replaceAll(/[^\w.-]/g, '_');
    headers.push(
      'content-disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(saveAs).replaceAll(/['()*]/g, '_')}`,
    );
  }
  headers.push('content-type', mediaType);
  sendReply(reply, 200, headers, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** Sends the file or the requested range, and always closes it. */
async function sendAndCloseFile<S>(
  outcome: Extract<Outcome, { kind: 'open file' }>,
  route: Route<S>,
  headers: HeaderList,
  request: HttpRequest,
  reply: HttpResponse,
  options: ReplyOptions<S>,
): Promise<SendFailure | undefined> {
  const { file, sizeBytes, mediaType, version } = outcome;
  try {
    addSandbox(headers);
    headers.push('accept-ranges', 'bytes');
    if (addTagAndCheckFresh(version, FILE_TAG, route, request, headers)) {
      sendReply(reply, 304, headers);
      return undefined;
    }
    const tag = version === undefined ? undefined : formatEntityTag(version, FILE_TAG);
    const range = parseRange(request.raw.headers, sizeBytes, tag);
    headers.push('content-type', mediaType, 'content-length', String(range.end - range.start));
    if (range.isPart) {
      headers.push('content-range', `bytes ${range.start}-${range.end - 1}/${sizeBytes}`);
    }
    const status = range.isPart ? 206 : 200;
    return await sendOpenFile(reply, status, headers, file, range, options.limits.sendTimeoutMs);
  } finally {
    await file.close();
  }
}

/** Replaces the format in the tag of a file. */
const FILE_TAG = 'file';

interface CachedPrint {
  readonly answers: unknown;
  readonly format: Format;
  /** Links depend on the base URL of the client and on the application. */
  readonly baseUrl: string;
  readonly options: unknown;
  readonly body: string;
}

/**
 * The last serialization of a resource. Resources are frozen, so the same one always has the same text for the same
 * client.
 */
const printCache = new WeakMap<object, CachedPrint>();

function sendResource<S>(
  resource: unknown,
  answers: DocumentWriter<unknown>,
  format: Format,
  headers: HeaderList,
  request: HttpRequest,
  reply: HttpResponse,
  options: ReplyOptions<S>,
): Promise<SendFailure | undefined> | undefined {
  if (format === 'html' || typeof resource !== 'object' || resource === null || !Object.isFrozen(resource)) {
    return sendDocument(answers.write(resource), format, headers, request, reply, options);
  }
  const baseUrl = request.context.origin?.baseUrl ?? '';
  let cached = printCache.get(resource);
  const isSame =
    cached?.answers === answers && cached.format === format && cached.baseUrl === baseUrl && cached.options === options;
  if (cached === undefined || !isSame) {
    cached = {
      answers,
      format,
      baseUrl,
      options,
      body: printDocument(answers.write(resource), format, request, options),
    };
    printCache.set(resource, cached);
  }
  sendReply(reply, 200, headers, cached.body);
  return undefined;
}

function sendDocument<S>(
  document: OutputDocument,
  format: Format,
  headers: HeaderList,
  request: HttpRequest,
  reply: HttpResponse,
  options: ReplyOptions<S>,
): Promise<SendFailure | undefined> | undefined {
  const node = (format === 'json' ? document.json?.node : undefined) ?? document.node;
  const items = format === 'html' && document.page !== undefined ? undefined : findLongList(node);
  if (items === undefined || node.kind !== 'list') {
    sendReply(reply, 200, headers, printDocument(document, format, request, options));
    return undefined;
  }
  const frame = createListFrame(document, node, format, request, options);
  return sendList(reply, 200, headers, frame, items, options.limits.sendTimeoutMs);
}
