/** What came of a request -> status, headers and bytes. */

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

/** What can be done with a resource. */
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

/** Gives a promise for a reply that takes its time. */
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
        throw new Error(`${route.method} ${route.path} waits for a change that nobody keeps`);
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
        throw new Error(`${route.method} ${route.path} found a resource but declares no answer`);
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

/** What the client should know, and the number of the change it made. */
function addOutcomeHeaders(outcome: Outcome, request: HttpRequest, headers: HeaderList): void {
  const change = request.trail.session?.changeNumber() ?? null;
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

/** The change that a write has made or tried, in the place of its usual body. */
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
    const told = texts.join(',');
    reply.deferBody(status, headers, (change) => `${formatHead({ ...head, ...toChangeFields(change) })}${told}]}`);
    return undefined;
  }
  const before = formatHead(head);
  const frame = { before, item: JSON.stringify, between: ',', after: ']}', empty: `${before}]}` };
  return sendList<object>(reply, status, headers, frame, items, options.limits.sendTimeoutMs);
}

function formatHead(head: ChangeDocument['head']): string {
  return `${JSON.stringify(head).slice(0, -1)},"items":[`;
}

/** What is known of a change only when it is certain. */
function toChangeFields(change: CommittedChange | null): object {
  return change === null
    ? {}
    : { sequence: change.sequence, at: new Date(change.atMs).toISOString(), what: change.what };
}

/** Adds the ETag, and tells whether the client's copy is still good, so that nothing but that is left to say. */
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
  const asked = request.raw.headers;
  const tag = formatEntityTag(version, format);
  if (route.method === 'GET') {
    checkPrecondition(parseReadPrecondition(asked), version);
  }
  // What a dry run shows has no version: it never was.
  if (!request.trail.isDryRun) {
    headers.push('etag', tag);
  }
  return route.method === 'GET' && isFresh(asked, tag);
}

/** What clients have uploaded is saved and not shown, since a browser might make a page of it. */
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

/** The file, or the part of it that was asked for; whatever comes of it, it is closed. */
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

/** Takes the place of the format in the tag of a file. */
const FILE_TAG = 'file';

interface CachedPrint {
  readonly answers: unknown;
  readonly format: Format;
  /** Links depend on where the client found us, and on the app. */
  readonly baseUrl: string;
  readonly options: unknown;
  readonly body: string;
}

/** What was last made of a resource. Resources are frozen: the same one always prints the same for the same client. */
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
  const baseUrl = request.trail.origin?.baseUrl ?? '';
  let known = printCache.get(resource);
  const isSame =
    known?.answers === answers && known.format === format && known.baseUrl === baseUrl && known.options === options;
  if (known === undefined || !isSame) {
    known = {
      answers,
      format,
      baseUrl,
      options,
      body: printDocument(answers.write(resource), format, request, options),
    };
    printCache.set(resource, known);
  }
  sendReply(reply, 200, headers, known.body);
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
