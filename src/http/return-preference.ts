/** The reply of a write as its client wants it: with the resource as it is then, or with nothing at all (RFC 7240). */

import { guessBodyFormat } from './body/body.ts';
import type { RequestContext } from './context/app-options.ts';
import type { HttpRequest } from './context/exchange.ts';
import type { ReturnPreference } from './request/prefer.ts';
import { splitUrl } from './request/target.ts';
import type { InnerOperation, OperationResult, Outcome, Route } from './routes/route.ts';
import { formats } from './serialization/format.ts';
import type { HeaderList, RecordedReply } from './session/recorded-reply.ts';

/** Whether an operation can end in a resource that is a document. What shows secrets is asked for by itself. */
export function canReturnResource<S>({ explain, formatInQuery, confidential }: Route<S>): boolean {
  return explain === undefined && !formatInQuery && !confidential;
}

/** Where something was written, and what has got another name by it. */
export interface WriteTarget {
  readonly request: HttpRequest;
  readonly restRoot: string;
  /** By the names that they had before. */
  getRenames(): Promise<ReadonlyMap<string, string>>;
}

/** The same reply with the resource for a body; as it is where there is none, or none that is a document. */
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
      // It is a file, or cannot be read: whoever wants to know asks.
      () => undefined,
    );
  const asked = splitUrl(request.originalUrl)[0].slice(restRoot.length);
  const shown =
    outcome.kind === 'created'
      ? await fetchResource(`/${outcome.location.map(encodeURIComponent).join('/')}`)
      : ((await fetchResource(asked)) ?? (await fetchRenamed(asked, request, await newNames(), fetchResource)));
  const type = shown && findHeader(shown.headers, 'content-type');
  if (shown === undefined || type === undefined || !/\b(?:json|xml)\b/.test(type)) {
    return reply;
  }
  const tag = findHeader(shown.headers, 'etag');
  return {
    status: reply.status,
    headers: [
      ...removeContentHeaders(reply.headers),
      'content-type',
      type,
      ...(tag === undefined ? [] : ['etag', tag]),
      ...createAppliedHeader('representation'),
    ],
    body: shown.body,
  };
}

/** What is not there any more may be there under the name that it has got. */
async function fetchRenamed(
  asked: string,
  { trail }: HttpRequest,
  newNames: ReadonlyMap<string, string>,
  show: (path: string) => Promise<RecordedReply | undefined>,
): Promise<RecordedReply | undefined> {
  const { extension } = (trail as RequestContext<unknown>).match ?? {};
  const ending = extension === undefined ? '' : `.${extension}`;
  const at = asked.lastIndexOf('/') + 1;
  const name = newNames.get(decodeURIComponent(asked.slice(at, asked.length - ending.length)));
  return name === undefined ? undefined : show(`${asked.slice(0, at)}${encodeURIComponent(name)}${ending}`);
}

export function removeBody({ status, headers }: RecordedReply): RecordedReply {
  return {
    status,
    headers: [...removeContentHeaders(headers), ...createAppliedHeader('minimal')],
    body: Buffer.alloc(0),
  };
}

function createAppliedHeader(wanted: ReturnPreference): HeaderList {
  return ['preference-applied', `return=${wanted}`];
}

/** What it asks for, or else what it has sent. */
function chooseAccept({ raw: { headers }, trail }: HttpRequest): string {
  const { accept } = headers;
  const sent = guessBodyFormat(headers);
  const isOpen = accept === undefined || accept.trim() === '*/*';
  const hasExtension = (trail as RequestContext<unknown>).match?.extension !== undefined;
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
