/** What came of a request -> status, headers and bytes. */

import { checkPrecondition } from '../lib/precondition.ts';
import { entityTag, isFresh, readPreconditionOf } from './conditional.ts';
import type { DocumentWriter } from './documents/document.ts';
import { type Answer, type Asked, RecordedAnswer } from './exchange.ts';
import { contentType, type Format } from './formats/format.ts';
import { longListIn } from './formats/list-frame.ts';
import type { OutputDocument } from './formats/output-tree.ts';
import type { Offer } from './negotiation.ts';
import { listFrame, print, urlOf, urlWith } from './print-document.ts';
import { rangeOf } from './range.ts';
import { documentFormat } from './rendition.ts';
import { addWarnings, headersFor, plainTextType, type ReplyOptions, sandbox } from './reply-headers.ts';
import type { FileReply, Outcome, ReadyOutcome, Route } from './route.ts';
import { type BrokenOff, type HeaderList, send, sendList, sendOpenFile } from './send.ts';
import { asksForChange, type ChangeDocument, changeMediaType, type MadeChange } from './session.ts';

/** What can be done with a resource. */
export function sendAllowed<S>(
  allowed: readonly string[],
  request: Asked,
  reply: Answer,
  options: ReplyOptions<S>,
): void {
  const headers = headersFor(request, options);
  headers.push('allow', allowed.join(', '), 'content-type', plainTextType);
  send(reply, 200, headers, '');
}

/** Gives a promise for a reply that takes its time. */
export function sendOutcome<S>(
  outcome: ReadyOutcome,
  route: Route<S>,
  chosen: Offer | undefined,
  request: Asked,
  reply: Answer,
  options: ReplyOptions<S>,
): Promise<BrokenOff | undefined> | undefined {
  const format = documentFormat(chosen?.format);
  const offer = format && { format, mediaType: chosen?.mediaType ?? '' };
  const headers = headersFor(request, options, route.confidential ? 'no-store' : 'private, no-cache');
  addFacts(outcome, request, headers);
  switch (outcome.kind) {
    case 'done':
      headers.push('content-type', plainTextType);
      send(reply, route.success, headers, '');
      return undefined;
    case 'printed': {
      const { frame, pieces } = outcome.list;
      if (outcome.tag !== undefined) {
        headers.push('etag', outcome.tag);
        if (isFresh(request.raw.headers, outcome.tag)) {
          send(reply, 304, headers);
          return undefined;
        }
      }
      headers.push('content-type', contentType(offer?.mediaType ?? ''));
      const whole = { ...frame, item: (piece: string) => piece };
      return sendList(reply, 200, headers, whole, pieces, options.limits.sendTimeoutMs);
    }
    case 'settled':
      if (!(reply instanceof RecordedAnswer)) {
        throw new Error(`${route.method} ${route.path} waits for a change that nobody keeps`);
      }
      headers.push('content-type', contentType(offer?.mediaType ?? ''));
      reply.answerLater(route.success, headers, outcome.body);
      return undefined;
    case 'text':
      headers.push('content-type', contentType(outcome.mediaType));
      send(reply, 200, headers, outcome.text);
      return undefined;
    case 'created':
      headers.push('location', urlOf(request, options)(outcome.location));
      if (route.answers !== undefined && offer !== undefined && outcome.resource !== undefined) {
        headers.push('content-type', contentType(offer.mediaType));
        send(
          reply,
          outcome.status ?? route.success,
          headers,
          print(route.answers.write(outcome.resource), offer.format, request, options),
        );
        return undefined;
      }
      headers.push('content-type', plainTextType);
      send(reply, outcome.status ?? route.success, headers, outcome.text);
      return undefined;
    case 'file':
      if (isStillFresh(outcome.version, chosen?.format ?? '', route, request, headers)) {
        send(reply, 304, headers);
        return undefined;
      }
      sendFile(outcome, headers, reply);
      return undefined;
    case 'open file':
      return sendOrClose(outcome, route, headers, request, reply, options);
    case 'found': {
      if (route.answers === undefined || offer === undefined) {
        throw new Error(`${route.method} ${route.path} found a resource but declares no answer`);
      }
      const { version, variant } = outcome;
      const shown = variant === undefined ? offer.format : `${offer.format}_${variant}`;
      if (isStillFresh(version, shown, route, request, headers)) {
        send(reply, 304, headers);
        return undefined;
      }
      headers.push('content-type', contentType(offer.mediaType));
      return sendResource(outcome.resource, route.answers, offer.format, headers, request, reply, options);
    }
  }
}

/** What the client should know, and the number of the change it made. */
function addFacts(outcome: Outcome, request: Asked, headers: HeaderList): void {
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
    headers.push('link', `<${urlWith(next, request)}>; rel="next"`);
  }
}

/** The change that a write has made or tried, in the place of its usual body. */
export async function sendChange<S>(
  outcome: Outcome,
  { head, items }: ChangeDocument,
  route: Route<S>,
  request: Asked,
  reply: Answer,
  options: ReplyOptions<S>,
): Promise<BrokenOff | undefined> {
  const headers = headersFor(request, options, 'no-store');
  addFacts(outcome, request, headers);
  if (outcome.kind === 'created') {
    headers.push('location', urlOf(request, options)(outcome.location));
  }
  headers.push('content-type', asksForChange(request.raw.headers) ? changeMediaType : 'application/json');
  const status = outcome.kind === 'created' ? (outcome.status ?? route.success) : route.success;
  if (reply instanceof RecordedAnswer) {
    const texts: string[] = [];
    for await (const item of items) texts.push(JSON.stringify(item));
    const told = texts.join(',');
    reply.answerLater(status, headers, (change) => `${headText({ ...head, ...numberOf(change) })}${told}]}`);
    return undefined;
  }
  const before = headText(head);
  const frame = { before, item: JSON.stringify, between: ',', after: ']}', empty: `${before}]}` };
  return sendList<object>(reply, status, headers, frame, items, options.limits.sendTimeoutMs);
}

function headText(head: ChangeDocument['head']): string {
  return `${JSON.stringify(head).slice(0, -1)},"items":[`;
}

/** What is known of a change only when it is certain. */
function numberOf(change: MadeChange | null): object {
  return change === null
    ? {}
    : { sequence: change.sequence, at: new Date(change.atMs).toISOString(), what: change.what };
}

/** Adds the ETag, and tells whether the client's copy is still good, so that nothing but that is left to say. */
function isStillFresh<S>(
  version: number | undefined,
  format: string,
  route: Route<S>,
  request: Asked,
  headers: HeaderList,
): boolean {
  if (version === undefined) {
    return false;
  }
  const asked = request.raw.headers;
  const tag = entityTag(version, format);
  if (route.method === 'GET') {
    checkPrecondition(readPreconditionOf(asked), version);
  }
  // What a dry run shows has no version: it never was.
  if (!request.trail.isDryRun) {
    headers.push('etag', tag);
  }
  return route.method === 'GET' && isFresh(asked, tag);
}

/** What clients have uploaded is saved and not shown, since a browser might make a page of it. */
function sendFile({ mediaType, bytes, saveAs }: FileReply, headers: HeaderList, reply: Answer): void {
  if (saveAs !== undefined) {
    const plain = saveAs.replaceAll(/[^\w.-]/g, '_');
    headers.push(
      'content-disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(saveAs).replaceAll(/['()*]/g, '_')}`,
    );
  }
  headers.push('content-type', mediaType);
  send(reply, 200, headers, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** The file, or the part of it that was asked for; whatever comes of it, it is closed. */
async function sendOrClose<S>(
  outcome: Extract<Outcome, { kind: 'open file' }>,
  route: Route<S>,
  headers: HeaderList,
  request: Asked,
  reply: Answer,
  options: ReplyOptions<S>,
): Promise<BrokenOff | undefined> {
  const { file, sizeBytes, mediaType, version } = outcome;
  try {
    sandbox(headers);
    headers.push('accept-ranges', 'bytes');
    if (isStillFresh(version, FILE_TAG, route, request, headers)) {
      send(reply, 304, headers);
      return undefined;
    }
    const tag = version === undefined ? undefined : entityTag(version, FILE_TAG);
    const range = rangeOf(request.raw.headers, sizeBytes, tag);
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

interface Printed {
  readonly answers: unknown;
  readonly format: Format;
  /** Links depend on where the client found us, and on the app. */
  readonly baseUrl: string;
  readonly options: unknown;
  readonly body: string;
}

/** What was last made of a resource. Resources are frozen: the same one always prints the same for the same client. */
const printed = new WeakMap<object, Printed>();

function sendResource<S>(
  resource: unknown,
  answers: DocumentWriter<unknown>,
  format: Format,
  headers: HeaderList,
  request: Asked,
  reply: Answer,
  options: ReplyOptions<S>,
): Promise<BrokenOff | undefined> | undefined {
  if (format === 'html' || typeof resource !== 'object' || resource === null || !Object.isFrozen(resource)) {
    return sendDocument(answers.write(resource), format, headers, request, reply, options);
  }
  const baseUrl = request.trail.origin?.baseUrl ?? '';
  let known = printed.get(resource);
  const isSame =
    known?.answers === answers && known.format === format && known.baseUrl === baseUrl && known.options === options;
  if (known === undefined || !isSame) {
    known = { answers, format, baseUrl, options, body: print(answers.write(resource), format, request, options) };
    printed.set(resource, known);
  }
  send(reply, 200, headers, known.body);
  return undefined;
}

function sendDocument<S>(
  document: OutputDocument,
  format: Format,
  headers: HeaderList,
  request: Asked,
  reply: Answer,
  options: ReplyOptions<S>,
): Promise<BrokenOff | undefined> | undefined {
  const node = (format === 'json' ? document.json?.node : undefined) ?? document.node;
  const items = format === 'html' && document.page !== undefined ? undefined : longListIn(node);
  if (items === undefined || node.kind !== 'list') {
    send(reply, 200, headers, print(document, format, request, options));
    return undefined;
  }
  const frame = listFrame(document, node, format, request, options);
  return sendList(reply, 200, headers, frame, items, options.limits.sendTimeoutMs);
}
