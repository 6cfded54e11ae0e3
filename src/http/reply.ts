/** What came of a request -> status, headers and bytes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseFlag } from '../lib/flag.ts';
import { checkPrecondition } from '../lib/precondition.ts';
import type { Problem } from '../lib/problem.ts';
import type { AppOptions } from './app-options.ts';
import { challenge } from './authentication.ts';
import { bodyFormatOf } from './body.ts';
import { entityTag, isFresh, readPreconditionOf } from './conditional.ts';
import type { DocumentWriter } from './documents/document.ts';
import { contentType, type Format } from './formats/format.ts';
import { type Crumb, contentSecurityPolicy } from './formats/html-page.ts';
import type { OutputDocument, ResourcePath, WriteContext } from './formats/output-tree.ts';
import { htmlFrom } from './formats/write-html.ts';
import { jsonFrom } from './formats/write-json.ts';
import { xmlFrom } from './formats/write-xml.ts';
import type { Offer } from './negotiation.ts';
import { errorOffer, errorReply } from './problems.ts';
import { documentFormat } from './rendition.ts';
import type { FileReply, Outcome, Route } from './route.ts';

type ReplyOptions<S> = Pick<AppOptions<S>, 'restRoot' | 'dialect' | 'families'>;

/** On every reply: nothing may be sniffed, framed, or kept by a cache that serves others. */
export const guardHeaders = {
  'cache-control': 'private, no-cache',
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  vary: 'Accept',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Bodies are ready text; Fastify would add a charset to JSON otherwise, which JSON does not have. */
const asItIs = (body: string): string => body;

export function sendOutcome<S>(
  outcome: Outcome,
  route: Route<S>,
  chosen: Offer | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReplyOptions<S>,
): void {
  const format = documentFormat(chosen?.format);
  const offer = format && { format, mediaType: chosen?.mediaType ?? '' };
  reply.headers(guardHeaders);
  if ('warnings' in outcome && outcome.warnings !== undefined && outcome.warnings.length > 0) {
    reply.header('warning', outcome.warnings.map(warningValue));
  }
  if (route.confidential) {
    reply.header('cache-control', 'no-store');
  }
  switch (outcome.kind) {
    case 'done':
      reply.code(route.success).send('');
      return;
    case 'text':
      reply.code(200).header('content-type', contentType(outcome.mediaType)).serializer(asItIs).send(outcome.text);
      return;
    case 'created':
      reply.code(201).header('location', urlOf(request, options)(outcome.location));
      if (route.answers !== undefined && offer !== undefined) {
        sendDocument(route.answers.write(outcome.resource), offer, request, reply, options);
        return;
      }
      reply.header('content-type', contentType('text/plain')).serializer(asItIs).send(outcome.text);
      return;
    case 'file':
      if (!isStillFresh(outcome.version, chosen?.format ?? '', route, request, reply)) {
        sendFile(outcome, reply.code(200));
      }
      return;
    case 'found': {
      if (route.answers === undefined || offer === undefined) {
        throw new Error(`${route.method} ${route.path} found a resource but declares no answer`);
      }
      if (!isStillFresh(outcome.version, offer.format, route, request, reply)) {
        reply.code(200);
        sendResource(outcome.resource, route.answers, offer, request, reply, options);
      }
    }
  }
}

/** Sets the ETag; a client whose copy is still good is told so, and nothing is left to send. */
function isStillFresh<S>(
  version: number | undefined,
  format: string,
  route: Route<S>,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  if (version === undefined) {
    return false;
  }
  const { headers } = request.raw;
  const tag = entityTag(version, format);
  if (route.method === 'GET') {
    checkPrecondition(readPreconditionOf(headers), version);
  }
  reply.header('etag', tag);
  const isGood = route.method === 'GET' && isFresh(headers, tag);
  if (isGood) {
    reply.code(304).send();
  }
  return isGood;
}

/** What clients have uploaded is saved and not shown, since a browser might make a page of it. */
function sendFile({ mediaType, bytes, saveAs }: FileReply, reply: FastifyReply): void {
  if (saveAs !== undefined) {
    const plain = saveAs.replaceAll(/[^\w.-]/g, '_');
    reply.header(
      'content-disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(saveAs).replaceAll(/['()*]/g, '_')}`,
    );
  }
  reply.header('content-type', mediaType).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
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
  offer: Offer<Format>,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReplyOptions<S>,
): void {
  const { format, mediaType } = offer;
  if (format === 'html' || typeof resource !== 'object' || resource === null || !Object.isFrozen(resource)) {
    sendDocument(answers.write(resource), offer, request, reply, options);
    return;
  }
  const baseUrl = request.trail.origin?.baseUrl ?? '';
  let known = printed.get(resource);
  const isSame =
    known?.answers === answers && known.format === format && known.baseUrl === baseUrl && known.options === options;
  if (known === undefined || !isSame) {
    known = { answers, format, baseUrl, options, body: print(answers.write(resource), format, request, options) };
    printed.set(resource, known);
  }
  reply.header('content-type', contentType(mediaType)).serializer(asItIs).send(known.body);
}

function sendDocument<S>(
  document: OutputDocument,
  offer: Offer<Format>,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReplyOptions<S>,
): void {
  reply
    .header('content-type', contentType(offer.mediaType))
    .serializer(asItIs)
    .send(print(document, offer.format, request, options));
}

export function sendProblem<S>(
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReplyOptions<S>,
): void {
  const { dialect } = options;
  const status = dialect.statuses[problem.code] ?? problem.status;
  reply.headers(guardHeaders).code(status);
  if (status === 401) {
    reply.header('www-authenticate', challenge);
  }
  if (problem.details['retryAfterSeconds'] !== undefined) {
    reply.header('retry-after', String(problem.details['retryAfterSeconds']));
  }
  if (status === 404 && isQuiet(request.originalUrl)) {
    reply.send('');
    return;
  }
  const style = request.trail.match?.resource.errorStyle ?? 'asked';
  const isPlain = dialect.errorBodies === 'plain text' && style === 'asked';
  const offer = isPlain ? plainText : errorOffer({ ...errorContext(request), style });
  const error = errorReply(problem, status, offer);
  reply.header('content-type', error.contentType).serializer(asItIs).send(error.body);
}

function isQuiet(url: string): boolean {
  const query = new URLSearchParams(url.split('?')[1]);
  return parseFlag(query.get('quietOnNotFound') ?? '') ?? false;
}

const plainText = { format: 'text', mediaType: 'text/plain' } as const;

function errorContext(request: FastifyRequest): Omit<Parameters<typeof errorOffer>[0], 'style'> {
  const { headers } = request.raw;
  const bodyFormat = bodyFormatOf(headers);
  const extension = documentFormat(request.trail.match?.extension);
  return {
    ...(extension === undefined ? {} : { extension }),
    ...(headers.accept === undefined ? {} : { accept: headers.accept }),
    ...(bodyFormat === undefined ? {} : { bodyFormat }),
  };
}

function print<S>(document: OutputDocument, format: Format, request: FastifyRequest, options: ReplyOptions<S>): string {
  const { emptyJsonList, singleJsonItem, listingLinkType } = options.dialect;
  const context: WriteContext = { urlOf: urlOf(request, options), emptyJsonList, singleJsonItem, listingLinkType };
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
    crumbs: [{ label: 'REST', url: `${context.urlOf([])}.html` }, ...crumbs],
    alternates: others.map((format) => ({ label: format.toUpperCase(), url: `${here}.${format}` })),
  };
}
