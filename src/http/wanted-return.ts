/** The reply of a write as its client wants it: with the resource as it is then, or with nothing at all (RFC 7240). */
import type { Trail } from './app-options.ts';
import { bodyFormatOf } from './body.ts';
import type { Asked } from './exchange.ts';
import { formats } from './formats/format.ts';
import type { WantedReturn } from './prefer.ts';
import type { HeaderList, RecordedReply } from './recorded-reply.ts';
import type { InnerOperation, Outcome, Performed, Route } from './route.ts';
import { splitUrl } from './target.ts';

/** Whether an operation can end in a resource that is a document. What shows secrets is asked for by itself. */
export function canShowResource<S>({ explain, formatInQuery, confidential }: Route<S>): boolean {
  return explain === undefined && !formatInQuery && !confidential;
}

/** Where something was written, and what has got another name by it. */
export interface WrittenPlace {
  readonly request: Asked;
  readonly restRoot: string;
  /** By the names that they had before. */
  newNames(): Promise<ReadonlyMap<string, string>>;
}

/** The same reply with the resource for a body; as it is where there is none, or none that is a document. */
export async function withResource(
  reply: RecordedReply,
  outcome: Outcome,
  { request, restRoot, newNames }: WrittenPlace,
  perform: (operation: InnerOperation) => Promise<Performed>,
): Promise<RecordedReply> {
  const headers = { accept: acceptOf(request) };
  const show = (path: string) =>
    perform({ method: 'GET', path, headers }).then(
      (performed) => performed.reply(),
      // It is a file, or cannot be read: whoever wants to know asks.
      () => undefined,
    );
  const asked = splitUrl(request.originalUrl)[0].slice(restRoot.length);
  const shown =
    outcome.kind === 'created'
      ? await show(`/${outcome.location.map(encodeURIComponent).join('/')}`)
      : ((await show(asked)) ?? (await showRenamed(asked, request, await newNames(), show)));
  const type = shown && headerIn(shown.headers, 'content-type');
  if (shown === undefined || type === undefined || !/\b(?:json|xml)\b/.test(type)) {
    return reply;
  }
  const tag = headerIn(shown.headers, 'etag');
  return {
    status: reply.status,
    headers: [
      ...withoutContent(reply.headers),
      'content-type',
      type,
      ...(tag === undefined ? [] : ['etag', tag]),
      ...applied('representation'),
    ],
    body: shown.body,
  };
}

/** What is not there any more may be there under the name that it has got. */
async function showRenamed(
  asked: string,
  { trail }: Asked,
  newNames: ReadonlyMap<string, string>,
  show: (path: string) => Promise<RecordedReply | undefined>,
): Promise<RecordedReply | undefined> {
  const { extension } = (trail as Trail<unknown>).match ?? {};
  const ending = extension === undefined ? '' : `.${extension}`;
  const at = asked.lastIndexOf('/') + 1;
  const name = newNames.get(decodeURIComponent(asked.slice(at, asked.length - ending.length)));
  return name === undefined ? undefined : show(`${asked.slice(0, at)}${encodeURIComponent(name)}${ending}`);
}

export function withoutBody({ status, headers }: RecordedReply): RecordedReply {
  return { status, headers: [...withoutContent(headers), ...applied('minimal')], body: Buffer.alloc(0) };
}

function applied(wanted: WantedReturn): HeaderList {
  return ['preference-applied', `return=${wanted}`];
}

/** What it asks for, or else what it has sent. */
function acceptOf({ raw: { headers }, trail }: Asked): string {
  const { accept } = headers;
  const sent = bodyFormatOf(headers);
  const isOpen = accept === undefined || accept.trim() === '*/*';
  const hasExtension = (trail as Trail<unknown>).match?.extension !== undefined;
  return isOpen && !hasExtension && sent !== undefined ? (formats[sent].mediaTypes[0] ?? '*/*') : (accept ?? '*/*');
}

const ofContent: ReadonlySet<string> = new Set(['content-type', 'content-length', 'content-disposition', 'etag']);

function withoutContent(headers: Readonly<HeaderList>): HeaderList {
  return headers.filter((_, at) => !ofContent.has(headers[at - (at % 2)] ?? ''));
}

function headerIn(headers: Readonly<HeaderList>, name: string): string | undefined {
  const at = headers.findIndex((each, index) => index % 2 === 0 && each === name);
  return at < 0 ? undefined : headers[at + 1];
}
