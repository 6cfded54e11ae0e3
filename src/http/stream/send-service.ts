/** The reply of a service -> headers and bytes: whether the client's copy is good, how long it may be kept, compressed or not. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isAnonymous } from '../../lib/identity/principal.ts';
import type { HttpRequest, HttpResponse } from '../context/exchange.ts';
import { parseAccept } from '../negotiate/negotiation.ts';
import { addWarnings, createReplyHeaders, type ReplyOptions } from '../response/reply-headers.ts';
import { type HeaderList, type SendFailure, sendReply } from '../response/send.ts';
import type { ReplyBody, ServiceReply } from '../session/service-reply.ts';
import { compressStream, sendStream } from './send-stream.ts';

/** Has neither body nor type. */
const NO_CONTENT = 204;

const VARY = 'Accept, Accept-Encoding, Authorization';

/** Below this much there is nothing to gain. */
const WORTH_COMPRESSING_BYTES = 1_024;

/** Undefined once all of it is sent. */
export function sendService<S>(
  made: ServiceReply,
  request: HttpRequest,
  reply: HttpResponse,
  options: ReplyOptions<S>,
): Promise<SendFailure | undefined> | undefined {
  let sending: Promise<SendFailure | undefined> | undefined;
  try {
    sending = sendServiceReply(made, request, reply, options);
    return made.release === undefined ? sending : sending?.finally(made.release);
  } finally {
    if (sending === undefined) made.release?.();
  }
}

function sendServiceReply<S>(
  made: ServiceReply,
  request: HttpRequest,
  reply: HttpResponse,
  options: ReplyOptions<S>,
): Promise<SendFailure | undefined> | undefined {
  const { status = 200, contentType } = made;
  const asked = request.raw.headers;
  const headers = createReplyHeaders(request, options, formatCacheControl(made, request), VARY, contentType);
  const isCompressed =
    made.isPacked === undefined && isWorthCompressing(made.body) && acceptsGzip(asked['accept-encoding']);
  const tag = status === 200 && request.method !== 'POST' ? computeTag(made) : undefined;
  if (tag !== undefined) {
    // Bytes that are made anew may differ in a time stamp.
    const weak = isWhole(made.body) ? '' : 'W/';
    headers.push('etag', `${weak}"${tag}${isCompressed ? GZIP_SUFFIX : ''}"`);
  }
  replaceHeaders(headers, made.headers ?? {});
  addWarnings(made.warnings, headers);
  if (tag !== undefined && matchesTag(asked['if-none-match'], tag)) {
    sendReply(reply, 304, headers);
    return undefined;
  }
  if (status === NO_CONTENT) {
    sendReply(reply, status, headers);
    return undefined;
  }
  headers.push('content-type', contentType);
  if (isCompressed) {
    headers.push('content-encoding', 'gzip');
  }
  const { body, packed } = made;
  if (isCompressed && packed !== undefined) {
    sendReply(reply, status, headers, toSendable(packed));
    return undefined;
  }
  if (isWhole(body)) {
    if (isCompressed) return compress(body).then((bytes) => void sendReply(reply, status, headers, bytes));
    sendReply(reply, status, headers, toSendable(body));
    return undefined;
  }
  if (request.method === 'HEAD') {
    // Nobody reads it, so that it is not made.
    sendReply(reply, status, headers);
    return undefined;
  }
  return sendStream(reply, status, headers, isCompressed ? compressStream(body) : body, options.limits.sendTimeoutMs);
}

/** Bytes are not copied: they are sent as they are. */
function toSendable(body: string | Uint8Array): string | Buffer {
  return typeof body === 'string' || body instanceof Buffer
    ? body
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

const compress: (body: string | Uint8Array) => Promise<Buffer> = promisify(gzip);

/** What was given to somebody is nobody else's. */
function formatCacheControl({ maxAgeSeconds }: ServiceReply, { trail }: HttpRequest): string {
  const scope = trail.principal === undefined || isAnonymous(trail.principal) ? 'public' : 'private';
  return maxAgeSeconds === undefined ? `${scope}, no-cache` : `${scope}, max-age=${maxAgeSeconds}, must-revalidate`;
}

function isWorthCompressing(body: ReplyBody): boolean {
  return !isWhole(body) || body.length >= WORTH_COMPRESSING_BYTES;
}

function isWhole(body: ReplyBody): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function acceptsGzip(accepted: string | undefined): boolean {
  if (accepted === undefined) {
    return false;
  }
  // Codings have qualities as media types have them.
  const codings = parseAccept(accepted);
  const named =
    codings.find(({ type }) => type === 'gzip' || type === 'x-gzip') ?? codings.find(({ type }) => type === '*');
  return named !== undefined && named.quality > 0;
}

/** Compressed bytes are others, and so is their tag. */
const GZIP_SUFFIX = '.gzip';

function computeTag({ body, etag }: ServiceReply): string | undefined {
  if (etag !== undefined) {
    return etag;
  }
  return isWhole(body) ? createHash('sha256').update(body).digest('base64url').slice(0, 22) : undefined;
}

function matchesTag(sent: string | undefined, tag: string): boolean {
  return sent !== undefined && (sent.trim() === '*' || parseEntityTags(sent).includes(tag));
}

/** The tags of a conditional header as they were before they told of compression. */
export function parseEntityTags(header: string): readonly string[] {
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).map((each) =>
    each
      .replace(/^W\//, '')
      .slice(1, -1)
      .replace(/\.gzip$/, ''),
  );
}

function replaceHeaders(headers: HeaderList, others: Readonly<Record<string, string>>): void {
  const ours = headers.length;
  for (const name of Object.keys(others)) {
    const value = others[name] ?? '';
    let at = 0;
    while (at < ours && headers[at] !== name) {
      at += 2;
    }
    if (at < ours) headers[at + 1] = value;
    else headers.push(name, value);
  }
}
