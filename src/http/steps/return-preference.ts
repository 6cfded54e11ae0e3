/** Applies `Prefer: return=…` (RFC 7240) to the response of a write: the resource after the change, or no body. */

import { guessBodyFormat } from '../body/body.ts';
import type { RequestContext } from '../context/app-options.ts';
import type { HttpRequest } from '../context/exchange.ts';
import { splitUrl } from '../request/request-head.ts';
import type { ReturnPreference } from '../response/reply.ts';
import type { Outcome } from '../routes/outcome.ts';
import type { InnerOperation, OperationResult, Route } from '../routes/route.ts';
import { formats } from '../serialization/format.ts';
import type { HeaderList, RecordedReply } from '../session/recorded-reply.ts';

/** Whether an operation can return a resource document. Confidential resources require a separate request. */
export function canReturnResource<S>(route: Route<S>): boolean {
  return route.kind === 'write' && !route.confidential;
}

/** The request of a write, and the resources that it renamed. */
export interface WriteTarget {
  readonly request: HttpRequest;
  readonly restRoot: string;
  /** New names by former names. */
  getRenames(): Promise<ReadonlyMap<string, string>>;
}

/** Replaces the body by the resource; returns the response unchanged if there is no such document. */
export async function replaceBodyWithResource(
  reply: RecordedReply,
  outcome: Outcome,
  { request, restRoot, getRenames: newNames }: WriteTarget,
  perform: (operation: InnerOperation) => Promise<OperationResult>,
): Promise<RecordedReply> {
  const headers = { accept: chooseAccept(request) };
  const fetchResource = (path: string) =>
    perform({ method: 'GET', path, headers }).then(
      (performed) => performed.reply(),
      // The resource is a file or unreadable; the client can request it separately.
      () => undefined,
    );
  const requestedPath = splitUrl(request.originalUrl)[0].slice(restRoot.length);
  const resource =
    outcome.kind === 'created'
      ? await fetchResource(`/${outcome.location.map(encodeURIComponent).join('/')}`)
      : ((await fetchResource(requestedPath)) ??
        (await fetchRenamed(requestedPath, request, await newNames(), fetchResource)));
  const type = resource && findHeader(resource.headers, 'content-type');
  if (resource === undefined || type === undefined || !/\b(?:json|xml)\b/.test(type)) {
    return reply;
  }
  const tag = findHeader(resource.headers, 'etag');
  return {
    status: reply.status,
    headers: [
      ...removeContentHeaders(reply.headers),
      'content-type',
      type,
      ...(tag === undefined ? [] : ['etag', tag]),
      ...createAppliedHeader('representation'),
    ],
    body: resource.body,
  };
}

/** Fetches a renamed resource under its new name. */
async function fetchRenamed(
  requestedPath: string,
  { context }: HttpRequest,
  newNames: ReadonlyMap<string, string>,
  show: (path: string) => Promise<RecordedReply | undefined>,
): Promise<RecordedReply | undefined> {
  const { extension } = (context as RequestContext<unknown>).match ?? {};
  const ending = extension === undefined ? '' : `.${extension}`;
  const at = requestedPath.lastIndexOf('/') + 1;
  const name = newNames.get(decodeURIComponent(requestedPath.slice(at, requestedPath.length - ending.length)));
  return name === undefined ? undefined : show(`${requestedPath.slice(0, at)}${encodeURIComponent(name)}${ending}`);
}

export function removeBody({ status, headers }: { readonly status: number; readonly headers: Readonly<HeaderList> }) {
  return { status, headers: [...removeContentHeaders(headers), ...createAppliedHeader('minimal')], body: '' };
}

function createAppliedHeader(wanted: ReturnPreference): HeaderList {
  return ['preference-applied', `return=${wanted}`];
}

/** Returns the Accept header, or the type of the request body if the header accepts anything. */
function chooseAccept({ raw: { headers }, context }: HttpRequest): string {
  const { accept } = headers;
  const sent = guessBodyFormat(headers);
  const isOpen = accept === undefined || accept.trim() === '*/*';
  const hasExtension = (context as RequestContext<unknown>).match?.extension !== undefined;
  return isOpen && !hasExtension && sent !== undefined ? (formats[sent].mediaTypes[0] ?? '*/*') : (accept ?? '*/*');
}

const contentHeaders: ReadonlySet<string> = new Set(['content-type', 'content-length', 'content-disposition', 'etag']);

function removeContentHeaders(headers: Readonly<HeaderList>): HeaderList {
  return headers.filter((_, at) => !contentHeaders.has(headers[at - (at % 2)] ?? ''));
}

function findHeader(headers: Readonly<HeaderList>, name: string): string | undefined {
  const at = headers.findIndex((each, index) => index % 2 === 0 && each === name);
  return at < 0 ? undefined : headers[at + 1];
}
