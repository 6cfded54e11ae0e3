/**
 * The only place that sends requests. It adds the credentials, which are kept in this module and never stored, and turns
 * every failure into a `RestProblem`.
 */
import { signal } from '@preact/signals';
import { createNetworkProblem, createPreviewProblem, readProblem } from './problems.ts';

/** The address of this script is `<root>/assets/…`, whatever a proxy adds before it. */
const assets = new URL('.', import.meta.url);

/** The root of the console, with a slash at its end. */
export const consoleRoot = new URL('../', assets);

/** The context path of the server, with a slash at its end: services are below it. */
export const serverRoot = new URL('../', consoleRoot);

/** The REST root, without a slash at its end. */
export const restRoot = new URL('rest', serverRoot).href;

export interface RestRequest {
  readonly method?: 'GET' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON unless it is a Blob or a text with `contentType`. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Credentials for this request only, such as a password that the user has just entered. */
  readonly authorization?: string;
  readonly signal?: AbortSignal | undefined;
  /** Sends no credentials, to see what visitors see. */
  readonly isAnonymous?: boolean;
  /** Previews what others see: `VISITOR`, or a value of the header `Graticule-View-As`. */
  readonly viewAs?: string | undefined;
}

/** A visitor needs no preview: the request is sent without credentials. */
export const VISITOR = 'anonymous';
const VIEW_AS = 'graticule-view-as';

export interface RestReply<T> {
  readonly body: T;
  readonly etag: string | null;
  /** The number of the change that a write made. */
  readonly change: number | null;
  readonly total: number | null;
  /** What the server ignored or could not check. */
  readonly warnings?: readonly string[];
}

/** Whether the last request got no answer. Until the next answer, writes are rejected without being sent. */
export const isUnreachable = signal(false);

let answeredAt = Date.now();

/** When the server answered for the last time. */
export function getLastAnswerTime(): number {
  return answeredAt;
}

let authorization: string | undefined;
let onUnauthorized: (() => Promise<boolean>) | undefined;

/** Sets the credentials of all further requests. */
export function setAuthorization(value: string | undefined): void {
  authorization = value;
}

/** The credentials, for uploads, which another interface of the browser sends, and for the end of a session. */
export function getAuthorization(): string | undefined {
  return authorization;
}

/** Called for a 401; resolves to whether the user has signed in again, so that the request is sent again. */
export function setUnauthorizedHandler(handler: () => Promise<boolean>): void {
  onUnauthorized = handler;
}

/** Encodes the values of a path: rest`/workspaces/${name}`. */
export function rest(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((path, part, index) => `${path}${encodeURIComponent(values[index - 1] ?? '')}${part}`);
}

/** Adds the given parameters to a path: lists repeat their name, undefined ones are left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, String(each)]),
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Reads or writes a JSON document of the REST interface; the path is below the REST root. */
export async function callRest<T>(path: string, request: RestRequest = {}): Promise<RestReply<T>> {
  const reply = await send(`${restRoot}${path}`, { accept: 'application/json', ...request });
  const text = await reply.text();
  const isJson = (reply.headers.get('content-type') ?? '').includes('json');
  return {
    body: (isJson && text !== '' ? JSON.parse(text) : text) as T,
    etag: reply.headers.get('etag'),
    change: readNumber(reply.headers.get('graticule-change')),
    total: readNumber(reply.headers.get('graticule-total')),
    warnings: readWarnings(reply.headers.get('warning')),
  };
}

/** Opens a stream of the REST interface. */
export function callRestStream(path: string, accept: string, stop: AbortSignal): Promise<Response> {
  return send(`${restRoot}${path}`, { accept, signal: stop });
}

/** Reads a file of the REST interface. */
export function callRestFile(path: string, request: RestRequest): Promise<Response> {
  return send(`${restRoot}${path}`, request);
}

/** Reads a file of the build, which is public. */
export async function readAsset(name: string, signal: AbortSignal): Promise<Blob> {
  const reply = await send(new URL(name, assets).href, { isAnonymous: true, signal });
  return reply.blob();
}

/** Requests a service of the server, such as WMS; the path is below the context path. */
export function callService(path: string, request: RestRequest = {}): Promise<Response> {
  return send(new URL(path, serverRoot).href, request);
}

function isVisitor({ isAnonymous, viewAs }: RestRequest): boolean {
  return isAnonymous === true || viewAs === VISITOR;
}

async function send(url: string, request: RestRequest): Promise<Response> {
  const used = request.authorization === undefined ? authorization : undefined;
  const reply = await fetchOnce(url, request);
  if (reply.ok) return reply;
  if (reply.status === 401 && !isVisitor(request) && used !== undefined && onUnauthorized !== undefined) {
    // Another request may have renewed the credentials meanwhile.
    const isRenewed = authorization !== used ? authorization !== undefined : await onUnauthorized();
    if (isRenewed) {
      const again = await fetchOnce(url, request);
      if (again.ok) return again;
      throw await readProblem(again, findReadPath(url, request));
    }
  }
  throw await readProblem(reply, findReadPath(url, request));
}

function findReadPath(url: string, { method = 'GET' }: RestRequest): string | undefined {
  return method === 'GET' && url.startsWith(`${restRoot}/`)
    ? url
        .slice(restRoot.length)
        .replace(/\?.*/, '')
        .replace(/\.json$/, '')
    : undefined;
}

/** Services read with POST, too. */
function isWrite(url: string, method: string): boolean {
  return method !== 'GET' && method !== 'OPTIONS' && url.startsWith(`${restRoot}/`);
}

async function fetchOnce(url: string, request: RestRequest): Promise<Response> {
  const { method = 'GET', body, contentType, accept } = request;
  if (isUnreachable.peek() && isWrite(url, method)) throw createNetworkProblem();
  const headers = new Headers(request.headers);
  const credentials = isVisitor(request) ? undefined : (request.authorization ?? authorization);
  if (credentials !== undefined) headers.set('authorization', credentials);
  const viewAs = isVisitor(request) ? undefined : request.viewAs;
  if (viewAs !== undefined) headers.set(VIEW_AS, viewAs);
  // Problems are JSON whatever the accepted type is.
  if (accept !== undefined) headers.set('accept', `${accept}, application/problem+json;q=0.9`);
  const isRaw = contentType !== undefined;
  if (body !== undefined) headers.set('content-type', contentType ?? 'application/json');
  let reply: Response;
  try {
    reply = await fetch(url, {
      method,
      headers,
      credentials: 'omit',
      cache: 'no-cache',
      redirect: 'error',
      signal: request.signal ?? null,
      body: body === undefined ? null : isRaw ? (body as BodyInit) : JSON.stringify(body),
    });
    answeredAt = Date.now();
    isUnreachable.value = false;
  } catch (error) {
    if (request.signal?.aborted) throw error;
    isUnreachable.value = true;
    throw createNetworkProblem();
  }
  // A proxy that removes the header would show the rights of the user as those of others.
  if (viewAs !== undefined && reply.ok && !reply.headers.has(VIEW_AS)) throw createPreviewProblem();
  return reply;
}

/** `199 - "text"`, several of them separated by commas. */
export function readWarnings(value: string | null): readonly string[] {
  const texts = (value ?? '').matchAll(/\b199 \S+ "((?:[^"\\]|\\.)*)"/g);
  return [...texts].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}

function readNumber(value: string | null): number | null {
  return value === null ? null : Number(value);
}

/** Returns the curl command of a request, for the user to repeat it. */
export function formatCurl(path: string, method = 'GET'): string {
  const options = method === 'GET' ? '' : `-X ${method} `;
  return `curl -u USER ${options}'${restRoot}${path.replaceAll("'", '%27')}'`;
}
