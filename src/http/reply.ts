/** What came of a request -> status, headers and bytes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseFlag } from '../lib/flag.ts';
import { checkPrecondition } from '../lib/precondition.ts';
import { isAnonymous } from '../lib/principal.ts';
import type { Problem } from '../lib/problem.ts';
import type { Door } from './app-options.ts';
import { challenge } from './authentication.ts';
import { bodyFormatOf } from './body.ts';
import { entityTag, isFresh, readPreconditionOf } from './conditional.ts';
import type { DocumentWriter } from './documents/document.ts';
import { contentType, type Format } from './formats/format.ts';
import { type Crumb, contentSecurityPolicy, homeCrumb } from './formats/html-page.ts';
import { type ListFrame, longListIn } from './formats/list-frame.ts';
import type { OutputDocument, OutputListing, ResourcePath, WriteContext } from './formats/output-tree.ts';
import { htmlFrom, htmlListFrame } from './formats/write-html.ts';
import { jsonFrom, jsonListFrame } from './formats/write-json.ts';
import { xmlFrom, xmlListFrame } from './formats/write-xml.ts';
import type { Offer } from './negotiation.ts';
import { strictApplied } from './prefer.ts';
import { errorOffer, errorReply } from './problems.ts';
import { documentFormat } from './rendition.ts';
import type { FileReply, Outcome, Route } from './route.ts';
import { type BrokenOff, type HeaderList, send, sendList } from './send.ts';
import { type ChangeDocument, changeMediaType } from './session.ts';
import { splitUrl } from './target.ts';

type ReplyOptions<S> = Pick<Door<S>, 'restRoot' | 'dialect' | 'limits' | 'families' | 'isDraining' | 'sessions'>;

/** On every reply: nothing may be sniffed, framed, or kept by a cache that serves others. */
const guardHeaders = Object.entries({
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  vary: 'Accept',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}).flat();

/** The headers that every reply begins with. */
function headersFor<S>(
  request: FastifyRequest,
  options: ReplyOptions<S>,
  cacheControl: 'private, no-cache' | 'no-store' = 'private, no-cache',
): HeaderList {
  const headers = ['x-request-id', request.id, 'cache-control', cacheControl, ...guardHeaders];
  const { principal, session, isDryRun, isStrict, unknown } = request.trail;
  if (principal !== undefined && !isAnonymous(principal)) {
    headers.push('graticule-position', String(session?.position() ?? options.sessions.position()));
  }
  if (isDryRun) {
    headers.push('graticule-dry-run', 'true');
  }
  if (isStrict) {
    headers.push('preference-applied', strictApplied);
  } else {
    addWarnings(unknown?.warnings(), headers);
  }
  // A connection that a client keeps for more would hold up the end of the server until the drain timeout.
  if (options.isDraining()) {
    headers.push('connection', 'close');
  }
  return headers;
}

const plainTextType = contentType('text/plain');

/** What can be done with a resource. */
export function sendAllowed<S>(
  allowed: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReplyOptions<S>,
): void {
  const headers = headersFor(request, options);
  headers.push('allow', allowed.join(', '), 'content-type', plainTextType);
  send(reply, 200, headers, '');
}

/** Gives a promise for a reply that takes its time. */
export function sendOutcome<S>(
  outcome: Outcome,
  route: Route<S>,
  chosen: Offer | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
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
    case 'text':
      headers.push('content-type', contentType(outcome.mediaType));
      send(reply, 200, headers, outcome.text);
      return undefined;
    case 'created':
      headers.push('location', urlOf(request, options)(outcome.location));
      if (route.answers !== undefined && offer !== undefined) {
        headers.push('content-type', contentType(offer.mediaType));
        send(reply, 201, headers, print(route.answers.write(outcome.resource), offer.format, request, options));
        return undefined;
      }
      headers.push('content-type', plainTextType);
      send(reply, 201, headers, outcome.text);
      return undefined;
    case 'file':
      if (isStillFresh(outcome.version, chosen?.format ?? '', route, request, headers)) {
        send(reply, 304, headers);
        return undefined;
      }
      sendFile(outcome, headers, reply);
      return undefined;
    case 'found': {
      if (route.answers === undefined || offer === undefined) {
        throw new Error(`${route.method} ${route.path} found a resource but declares no answer`);
      }
      if (isStillFresh(outcome.version, offer.format, route, request, headers)) {
        send(reply, 304, headers);
        return undefined;
      }
      headers.push('content-type', contentType(offer.mediaType));
      return sendResource(outcome.resource, route.answers, offer.format, headers, request, reply, options);
    }
  }
}

/** What the client should know, and the number of the change it made. */
function addFacts(outcome: Outcome, request: FastifyRequest, headers: HeaderList): void {
  const change = request.trail.session?.changeNumber() ?? null;
  if (change !== null) {
    headers.push('graticule-change', String(change));
  }
  if ('warnings' in outcome) {
    addWarnings(outcome.warnings, headers);
  }
}

function addWarnings(warnings: readonly string[] = [], headers: HeaderList): void {
  for (const warning of warnings) {
    headers.push('warning', warningValue(warning));
  }
}

/** The change that a write has made or tried, in the place of its usual body. */
export function sendChange<S>(
  outcome: Outcome,
  { head, items }: ChangeDocument,
  route: Route<S>,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReplyOptions<S>,
): Promise<BrokenOff | undefined> {
  const headers = headersFor(request, options, 'no-store');
  addFacts(outcome, request, headers);
  if (outcome.kind === 'created') {
    headers.push('location', urlOf(request, options)(outcome.location));
  }
  headers.push('content-type', changeMediaType);
  const before = `${JSON.stringify(head).slice(0, -1)},"items":[`;
  const frame = { before, item: JSON.stringify, between: ',', after: ']}', empty: `${before}]}` };
  const status = outcome.kind === 'created' ? 201 : route.success;
  return sendList<object>(reply, status, headers, frame, items, options.limits.sendTimeoutMs);
}

/** Adds the ETag, and tells whether the client's copy is still good, so that nothing but that is left to say. */
function isStillFresh<S>(
  version: number | undefined,
  format: string,
  route: Route<S>,
  request: FastifyRequest,
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
function sendFile({ mediaType, bytes, saveAs }: FileReply, headers: HeaderList, reply: FastifyReply): void {
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

/** RFC 7234, 5.5: a header holds visible ASCII only, and quotes end the text. */
function warningValue(warning: string): string {
  return `199 - "${warning
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replaceAll(/[^ -~]/g, '?')}"`;
}

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
  request: FastifyRequest,
  reply: FastifyReply,
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
  request: FastifyRequest,
  reply: FastifyReply,
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

export function sendProblem<S>(
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReplyOptions<S>,
): void {
  const { dialect } = options;
  request.trail.problem = problem;
  const status = dialect.statuses[problem.code] ?? problem.status;
  const headers = headersFor(request, options);
  if (status === 401) {
    headers.push('www-authenticate', challenge);
  }
  if (problem.details['retryAfterSeconds'] !== undefined) {
    headers.push('retry-after', String(problem.details['retryAfterSeconds']));
  }
  if (problem.code === 'method-not-allowed') {
    headers.push('allow', (request.trail.match?.resource.allowed ?? []).join(', '));
  }
  if (status === 404 && isQuiet(request.originalUrl)) {
    headers.push('content-type', plainTextType);
    send(reply, status, headers, '');
    return;
  }
  const style = request.trail.match?.resource.errorStyle ?? 'asked';
  const isPlain = dialect.errorBodies === 'plain text' && style === 'asked';
  const offer = isPlain ? plainText : errorOffer({ ...errorContext(request), style });
  const error = errorReply(problem, status, offer, `${rootUrl(request, options)}.html`);
  headers.push('content-type', error.contentType);
  send(reply, status, headers, error.body);
}

function isQuiet(url: string): boolean {
  const query = new URLSearchParams(url.split('?')[1]);
  return parseFlag(query.get('quietOnNotFound') ?? '') ?? false;
}

const plainText = { format: 'text', mediaType: 'text/plain' } as const;

function errorContext(request: FastifyRequest): Omit<Parameters<typeof errorOffer>[0], 'style'> {
  const { headers } = request.raw;
  const bodyFormat = bodyFormatOf(headers);
  // Where nothing is served, nobody has taken an extension off the path.
  const extension = documentFormat(request.trail.match ? request.trail.match.extension : extensionOf(request));
  return {
    ...(extension === undefined ? {} : { extension }),
    ...(headers.accept === undefined ? {} : { accept: headers.accept }),
    ...(bodyFormat === undefined ? {} : { bodyFormat }),
  };
}

function extensionOf(request: FastifyRequest): string | undefined {
  return /\.(\w+)$/.exec(splitUrl(request.originalUrl)[0] ?? '')?.[1]?.toLowerCase();
}

function writeContext<S>(request: FastifyRequest, options: ReplyOptions<S>): WriteContext {
  const { emptyJsonList, singleJsonItem, listingLinkType } = options.dialect;
  return { urlOf: urlOf(request, options), emptyJsonList, singleJsonItem, listingLinkType };
}

function listFrame<S>(
  document: OutputDocument,
  list: OutputListing,
  format: Format,
  request: FastifyRequest,
  options: ReplyOptions<S>,
): ListFrame {
  const context = writeContext(request, options);
  switch (format) {
    case 'xml':
      return xmlListFrame(document.root, list, context);
    case 'json':
      return jsonListFrame(document.json === undefined ? document.root : document.json.root, list, context);
    case 'html':
      return htmlListFrame(document.title, context, pageFrame(request, options, context));
  }
}

function print<S>(document: OutputDocument, format: Format, request: FastifyRequest, options: ReplyOptions<S>): string {
  const context = writeContext(request, options);
  switch (format) {
    case 'xml':
      return xmlFrom(document, context);
    case 'json':
      return jsonFrom(document, context);
    case 'html':
      return htmlFrom(document, context, pageFrame(request, options, context));
  }
}

function rootUrl<S>(request: FastifyRequest, options: ReplyOptions<S>): string {
  return `${request.trail.origin?.baseUrl ?? ''}${options.restRoot}`;
}

/** The absolute URL of a resource below the REST root, every segment encoded. */
function urlOf<S>(request: FastifyRequest, options: ReplyOptions<S>): (path: ResourcePath) => string {
  const root = rootUrl(request, options);
  return (path) => {
    let url = root;
    for (const segment of path) {
      url += `/${/^[\w.-]*$/.test(segment) ? segment : encodeURIComponent(segment)}`;
    }
    return url;
  };
}

/** The paths that can be read, worked out once: not every step up is a place of its own. */
const knownPatterns = new WeakMap<object, ReadonlySet<string>>();

function readablePatterns<S>(options: ReplyOptions<S>): ReadonlySet<string> {
  let patterns = knownPatterns.get(options.families);
  if (patterns === undefined) {
    const reads = options.families.flatMap((table) => table.routes).filter((route) => route.method === 'GET');
    patterns = new Set(reads.map((route) => route.path));
    knownPatterns.set(options.families, patterns);
  }
  return patterns;
}

/** The way up from this page, and the same resource in the formats for programs. */
function pageFrame<S>(
  request: FastifyRequest,
  options: ReplyOptions<S>,
  context: WriteContext,
): { crumbs: readonly Crumb[]; alternates: readonly Crumb[] } {
  const match = request.trail.match;
  const pattern = (match?.resource.pattern ?? '').slice(options.restRoot.length);
  const segments = pattern.split('/').filter((segment) => segment !== '');
  const path = segments.map((segment) => (segment.startsWith(':') ? (match?.params[segment.slice(1)] ?? '') : segment));
  const pages = readablePatterns(options);
  const crumbs = path.map((segment, index): Crumb => {
    const isPage = pages.has(`/${segments.slice(0, index + 1).join('/')}`);
    return { label: segment, ...(isPage ? { url: `${context.urlOf(path.slice(0, index + 1))}.html` } : {}) };
  });
  const here = context.urlOf(path);
  const others = (match?.resource.formats ?? []).filter((format) => format !== 'html');
  return {
    crumbs: [homeCrumb(`${context.urlOf([])}.html`), ...crumbs],
    alternates: others.map((format) => ({ label: format.toUpperCase(), url: `${here}.${format}` })),
  };
}
