/** The head of a response, by the conditions and preferences (RFC 7240) of the request, and sending it in one piece. */
import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { isAnonymous } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { isAmbient } from '../auth/auth.ts';
import { addCors } from '../auth/cors.ts';
import { VIEW_AS } from '../auth/view-as.ts';
import type { AppContext } from '../context/app-options.ts';
import type { HttpRequest, HttpResponse, HttpResponseBody } from '../context/exchange.ts';
import { splitUrl } from '../request/request-head.ts';
import type { Outcome } from '../routes/outcome.ts';
import { contentSecurityPolicy } from '../serialization/html-page.ts';
import type { HeaderList } from '../session/recorded-reply.ts';

/**
 * Returns the Content-Type of a response: text/* types include the charset, because their default is not always UTF-8.
 */
export function formatContentType(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
}

export const plainTextType = formatContentType('text/plain');

/** The options that responses depend on. */
export type ReplyOptions<S> = Pick<
  AppContext<S>,
  'restRoot' | 'dialect' | 'limits' | 'families' | 'isDraining' | 'sessions' | 'cors' | 'clock'
>;

/** Disables content sniffing. Data that cannot be a page needs no other headers. */
const dataGuardHeaders = ['x-content-type-options', 'nosniff'];

/** For everything that a browser can render as a page: no framing, no loading, no scripts, no referrer. */
const pageGuardHeaders = [
  ...dataGuardHeaders,
  ...Object.entries({
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  }).flat(),
];

/** Raster images and vector tiles contain no executable content; SVG can. */
function isData(mediaType: string): boolean {
  return mediaType === MVT || (mediaType.startsWith('image/') && !mediaType.startsWith('image/svg'));
}

const MVT = 'application/vnd.mapbox-vector-tile';

interface CommonHeaders {
  readonly cacheControl?: string;
  readonly vary?: string;
  readonly mediaType?: string;
}

export function createReplyHeaders<S>(
  request: HttpRequest,
  options: ReplyOptions<S>,
  { cacheControl = 'private, no-cache', vary = 'Accept', mediaType = '' }: CommonHeaders = {},
): HeaderList {
  const hasKey = request.context.queryKey !== undefined;
  const guards = isData(mediaType) && !hasKey ? dataGuardHeaders : pageGuardHeaders;
  const caching = hasKey ? (isData(mediaType) ? 'private, no-cache' : 'private, no-store') : cacheControl;
  const { preview } = request.context.principal ?? {};
  const headers = [
    ...['x-request-id', request.id, 'cache-control', preview === undefined ? caching : 'private, no-store', ...guards],
    ...['vary', preview === undefined ? vary : `${vary}, ${VIEW_AS}`],
    // A proxy that removes the header from requests would show the rights of the administrator as those of the others.
    ...(preview === undefined ? [] : [VIEW_AS.toLowerCase(), preview.as]),
  ];
  const { principal, session, isDryRun, isStrict, unknown, match } = request.context;
  if (match?.resource.errors.style === 'service') {
    addCors(
      options.cors,
      { isAmbient: isAmbient(request.context.credentials, principal), sent: request.raw.headers },
      headers,
    );
  }
  if (principal !== undefined && !isAnonymous(principal)) {
    headers.push('graticule-position', String(session?.position() ?? options.sessions.position()));
  }
  if (isDryRun) {
    headers.push('graticule-dry-run', 'true');
  }
  if (isStrict) {
    headers.push('preference-applied', STRICT_HANDLING);
  } else {
    addWarnings(unknown?.listWarnings(), headers);
  }
  // A kept-alive connection would delay the shutdown until the drain timeout.
  if (options.isDraining() && request.raw.httpVersionMajor !== 2) {
    headers.push('connection', 'close');
  }
  return headers;
}

/** Sandboxes uploaded content, which can be a page or an SVG with scripts. */
export function addSandbox(headers: HeaderList): void {
  const at = headers.indexOf('content-security-policy') + 1;
  headers[at] = `${contentSecurityPolicy}; sandbox`;
}

/** Allows the form of a page, which is sent to this server only. */
export function allowForm(headers: HeaderList): void {
  const at = headers.indexOf('content-security-policy') + 1;
  headers[at] = contentSecurityPolicy.replace("form-action 'none'", "form-action 'self'");
}

export function addWarnings(warnings: readonly string[] = [], headers: HeaderList): void {
  for (const warning of warnings) {
    headers.push('warning', formatWarning(warning));
  }
}

/** RFC 7234, 5.5: visible ASCII only, without quotes. */
function formatWarning(warning: string): string {
  return `199 - "${toAscii(warning.replaceAll('"', "'").replaceAll('\\', '/'))}"`;
}

/** The limit for added characters: clients accept some kilobytes of headers, and there can be twenty warnings. */
const MAX_ADDED_CHARACTERS = 240;

/** Percent-encodes as in URLs: `Stra%C3%9Fe`. If the result is too long, each such character becomes `?`. */
function toAscii(text: string): string {
  const shown = text.toWellFormed().replaceAll('…', '...');
  const encoded = shown.replaceAll(/%(?=[\dA-Fa-f]{2})|[^ -~]+/g, encodeURIComponent);
  return encoded.length - shown.length <= MAX_ADDED_CHARACTERS ? encoded : shown.replaceAll(/[^ -~]/gu, '?');
}

/** Adds the number of the change, the warnings and headers of the handler, and the link to the next page. */
export function addOutcomeHeaders(outcome: Outcome, request: HttpRequest, headers: HeaderList): void {
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

/** Returns the URL of the same request with some parameters replaced. */
function buildUrlWith(parameters: Readonly<Record<string, string>>, request: HttpRequest): string {
  const [path, query] = splitUrl(request.originalUrl);
  const wanted = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) wanted.set(name, value);
  return `${request.context.origin?.baseUrl ?? ''}${path}?${wanted}`;
}

/**
 * Formats an ETag: `"17.json"` is version 17 of a resource, in JSON. Each format has its own tag, because the bytes
 * differ; only the number decides whether a change may proceed.
 */
export function formatEntityTag(version: number, format: string): string {
  return `"${version}.${format}"`;
}

/** Whether the client's copy is current (If-None-Match on a read). */
export function isFresh(headers: IncomingHttpHeaders, tag: string): boolean {
  const header = headers['if-none-match'];
  return (
    header !== undefined &&
    (header.trim() === '*' || parseTags(header).some((each) => each.replace(/^W\//, '') === tag))
  );
}

/** Parses the precondition of a read; If-None-Match only affects freshness there. */
export function parseReadPrecondition(headers: IncomingHttpHeaders): Precondition {
  const ifMatch = headers['if-match'];
  return ifMatch === undefined ? {} : { ifMatch: parseVersions(ifMatch) };
}

/** Parses the precondition of a write. */
export function parsePrecondition(headers: IncomingHttpHeaders): Precondition {
  const ifNoneMatch = headers['if-none-match'];
  return {
    ...parseReadPrecondition(headers),
    // If-None-Match uses weak comparison (RFC 9110, 13.1.2).
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: parseVersions(ifNoneMatch.replaceAll('W/"', '"')) }),
  };
}

function parseVersions(header: string): ReadonlySet<number> | 'any' {
  if (header.trim() === '*') {
    return 'any';
  }
  // A weak tag never satisfies If-Match; a foreign tag matches no version.
  return new Set(
    parseTags(header)
      .flatMap((tag) => /^"(\d{1,15})(?:\.\w+)?"$/.exec(tag)?.[1] ?? [])
      .map(Number),
  );
}

function parseTags(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** Adds the ETag and returns whether the client's copy is current. */
export function addTagAndCheckFresh(
  request: HttpRequest,
  headers: HeaderList,
  version: number | undefined,
  format: string,
): boolean {
  // Previews are not stored: the tag would be that of what the administrator sees.
  if (version === undefined || request.context.principal?.preview !== undefined) {
    return false;
  }
  const requestHeaders = request.raw.headers;
  const tag = formatEntityTag(version, format);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && requestHeaders['if-match'] !== undefined) {
    checkPrecondition(parseReadPrecondition(requestHeaders), version);
  }
  // The result of a dry run has no version.
  if (!request.context.isDryRun) {
    headers.push('etag', tag);
  }
  return isRead && isFresh(requestHeaders, tag);
}

/** The applied preference in the response to a strict request. */
export const STRICT_HANDLING = 'handling=strict';

/** Whether unknown names are errors: `Prefer: handling=strict`. */
export function wantsStrict(headers: IncomingHttpHeaders): boolean {
  return findPreference(headers, 'handling') === STRICT_HANDLING;
}

/** What a write returns: the resource after the change, or no body. */
export type ReturnPreference = 'representation' | 'minimal';

export const returnMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Returns undefined for the default response. */
export function readReturnPreference(headers: IncomingHttpHeaders, method: string): ReturnPreference | undefined {
  const wanted = returnMethods.has(method) ? findPreference(headers, 'return')?.slice('return='.length) : undefined;
  return wanted === 'representation' || wanted === 'minimal' ? wanted : undefined;
}

/** Returns the preference with its name, such as `handling=strict`. */
function findPreference({ prefer }: IncomingHttpHeaders, name: string): string | undefined {
  if (prefer === undefined) {
    return undefined;
  }
  const preferences = (Array.isArray(prefer) ? prefer.join(',') : prefer).toLowerCase().split(',');
  // Only the first of repeated preferences counts (RFC 7240, 2); parameters after a semicolon are ignored.
  return preferences
    .map((preference) => (preference.split(';')[0] ?? '').replaceAll(/[\s"]/g, ''))
    .find((preference) => preference.startsWith(`${name}=`));
}

/**
 * Bypasses Fastify's reply, which would cost as much as the rest of the pipeline. Without a body, no Content-Length is
 * sent.
 */
export function sendReply(reply: HttpResponse, status: number, headers: HeaderList, body?: string | Buffer): void {
  const { raw } = reply;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body?.length;
  if (bytes !== undefined) {
    headers.push('content-length', String(bytes));
  }
  // Hijack afterwards: an invalid header must still become an error response.
  raw.writeHead(status, headers);
  reply.hijack();
  // ASCII is identical in Latin-1, which Node writes without encoding each character.
  const encoding = bytes === body?.length ? 'latin1' : 'utf8';
  if (body === undefined || body.length <= SOCKET_BUFFER_BYTES) {
    const whole = toSinglePiece(body);
    if (raw.socket instanceof Socket) {
      runAtEndOfTurn(() => raw.end(whole, encoding));
    } else {
      raw.end(whole, encoding);
    }
    return;
  }
  // Node treats the connection of an ended response as idle and closes it with the server, even if bytes are unsent.
  raw.write(body, encoding, () => {
    if (!raw.destroyed) {
      raw.end();
    }
  });
}

/** Node sends text together with the headers, but bytes separately: for small bodies that costs more than a copy. */
function toSinglePiece(body: string | Buffer | undefined): string | Buffer | undefined {
  return typeof body === 'object' && body.length <= ONE_PIECE_BYTES ? body.toString('latin1') : body;
}

/** Fits with its headers into the buffer in which Node concatenates text. */
const ONE_PIECE_BYTES = 8_192;

/** The size that the system buffers even if the client does not read. */
const SOCKET_BUFFER_BYTES = 16_384;

/**
 * Closes the connection of a client that reads nothing for the timeout. Node resets the timeout when bytes are read,
 * and replaces it once everything is sent.
 */
export function abortWhenStalled(raw: HttpResponseBody, timeoutMs: number): void {
  // The system buffers nearly all responses at once; those need no timeout.
  const waitingBytes = raw.watchStall === undefined ? raw.socket?.writableLength : raw.writableLength;
  if (waitingBytes !== undefined && waitingBytes > 0) {
    setSocketTimeout(raw, timeoutMs);
  }
}

/** Injected requests of tests have a stream instead of a socket. */
export function setSocketTimeout(raw: HttpResponseBody, timeoutMs: number): void {
  if (raw.watchStall !== undefined) {
    raw.watchStall(timeoutMs);
  } else if (raw.socket instanceof Socket) {
    raw.socket.setTimeout(timeoutMs);
  }
}

/** More are not deferred, because the first one waits for all others. */
const MAX_WAITING = 64;

let waiting: (() => void)[] = [];

/**
 * Runs work at the end of the turn, in call order: small responses wait until the pending input is processed. Each write
 * wakes up the waiting client process, which takes as long as creating the response. Writes that are sent together find
 * the receiver awake: with sixteen clients on the same machine the throughput rises by two fifths.
 */
export function runAtEndOfTurn(work: () => void): void {
  if (waiting.push(work) === 1) {
    setImmediate(runWaiting);
  } else if (waiting.length === MAX_WAITING) {
    runWaiting();
  }
}

function runWaiting(): void {
  const all = waiting;
  waiting = [];
  for (const work of all) {
    work();
  }
}
