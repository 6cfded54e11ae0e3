/** Sends signed requests to an object store, over connections that are kept open, and repeats failed ones. */
import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { attachCause, STORAGE_RETRY_SECONDS } from '../../lib/problems/disk-problem.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { problem } from '../../lib/problems/problem.ts';
import { type Hash, hashBytes } from '../blobs/port.ts';
import { formatObjectUrl, type ObjectStoreCredentials, type ObjectStoreLocation } from './location.ts';
import { ObjectStoreFailure } from './port.ts';
import { signRequest } from './sign-request.ts';

export interface ObjectRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly key: string;
  /** The request concerns the bucket and not an object. */
  readonly isOfBucket?: true;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The hash of the body, if it is known. The signature covers it, so the store rejects other bytes. */
  readonly bodyHash?: Hash;
  /** Ends the request and its response. */
  readonly signal?: AbortSignal;
}

export interface ObjectStoreOptions {
  readonly location: ObjectStoreLocation;
  readonly credentials: ObjectStoreCredentials;
  /** Shorter in tests. */
  readonly times?: ObjectStoreTimes;
  /** Smaller in tests. */
  readonly partBytes?: number;
}

export interface ObjectStoreTimes {
  /** A connection without any traffic for so long is closed. Stores send blanks while they assemble large objects. */
  readonly idleMs: number;
  readonly attempts: number;
  /** The pause before the second attempt; it doubles with each further one. */
  readonly firstPauseMs: number;
}

const defaultTimes: ObjectStoreTimes = { idleMs: 30_000, attempts: 5, firstPauseMs: 200 };

/** Uploads and downloads of one node at the same time. */
const MAX_CONNECTIONS = 32;

/** Error documents are shorter. */
const MAX_ERROR_BYTES = 65_536;

/** A response other than the expected ones. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
  readonly status: number;
  readonly code: string | undefined;
  constructor(message: string, status: number, code: string | undefined) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The code of an object with fewer bytes than were sent. */
export const INCOMPLETE = 'Incomplete';

/** Failures of the server or of the way to it. `RequestTimeout` comes with the status 400. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 509, 529]);
const transientCodes: ReadonlySet<string | undefined> = new Set([
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  INCOMPLETE,
]);

export class ObjectRequests {
  readonly #options: ObjectStoreOptions;
  readonly #times: ObjectStoreTimes;
  readonly #agent: HttpAgent | HttpsAgent;
  /** Derived keys of the signature, which change daily. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(options: ObjectStoreOptions) {
    this.#options = options;
    this.#times = options.times ?? defaultTimes;
    const isSecure = options.location.endpoint?.startsWith('http:') !== true;
    const pool = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    this.#agent = isSecure ? new HttpsAgent(pool) : new HttpAgent(pool);
  }

  /** Returns the response with one of the accepted statuses. Its body must be read or destroyed. */
  send(request: ObjectRequest, accepted: readonly number[]): Promise<IncomingMessage> {
    return this.repeat(() => this.#sendOnce(request, accepted));
  }

  /** Returns the response with its body, which must be small. */
  exchange(request: ObjectRequest, accepted: readonly number[]): Promise<SmallResponse> {
    return this.repeat(() => this.exchangeOnce(request, accepted));
  }

  /** For work that is repeated as a whole. */
  async exchangeOnce(request: ObjectRequest, accepted: readonly number[]): Promise<SmallResponse> {
    const response = await this.#sendOnce(request, accepted);
    return { status: response.statusCode ?? 0, headers: response.headers, text: await readText(response) };
  }

  /** Returns the response with the bytes of its body. */
  async exchangeBytes(request: ObjectRequest, accepted: readonly number[], maxBytes: number): Promise<BytesResponse> {
    const response = await this.#sendOnce(request, accepted);
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of response as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxBytes) {
        throw new ObjectStoreError(`the response has more than ${maxBytes} bytes`, 200, undefined);
      }
      pieces.push(piece);
    }
    return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces) };
  }

  /** Repeats work after transient failures; reports the last one as a problem of the storage. */
  async repeat<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isFailureOfStore(error)) throw error;
        if (attempt >= this.#times.attempts || !isTransient(error)) throw this.toProblem(error);
        await this.pause(attempt);
      }
    }
  }

  /** Waits before the next attempt. The random part keeps nodes from repeating their requests together. */
  async pause(attempt: number): Promise<void> {
    await delay(this.#times.firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
  }

  get attempts(): number {
    return this.#times.attempts;
  }

  /** Clients see no address; the log has it. */
  toProblem(error: unknown): unknown {
    if (!isFailureOfStore(error)) return error;
    const { shown } = this.#options.location;
    const reason = error instanceof Error ? error.message : String(error);
    const cause = new ObjectStoreFailure(`The object store ${shown} failed: ${reason}`, {
      cause: error,
      code: error instanceof ObjectStoreError ? error.code : findErrorCode(error),
    });
    return attachCause(problem('storage-unavailable', { retryAfterSeconds: STORAGE_RETRY_SECONDS }), cause);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #sendOnce(request: ObjectRequest, accepted: readonly number[]): Promise<IncomingMessage> {
    const response = await this.#open(request);
    if (accepted.includes(response.statusCode ?? 0)) return response;
    throw createError(request, response.statusCode ?? 0, await readText(response));
  }

  async #open({
    method,
    key,
    query = {},
    headers = {},
    body,
    bodyHash,
    signal,
    isOfBucket,
  }: ObjectRequest): Promise<IncomingMessage> {
    const { location, credentials } = this.#options;
    const url = formatObjectUrl(isOfBucket ? { ...location, prefix: '' } : location, key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const hash = bodyHash ?? (body && hashBytes(body));
    const signed = await signRequest(
      { method, url: url.href, region: location.region, headers, bodyHash: hash, keys: this.#signingKeys },
      credentials,
    );
    const sent: RequestOptions = {
      method,
      agent: this.#agent,
      ...(signal && { signal }),
      headers: { ...signed.headers, 'content-length': String(body?.length ?? 0) },
    };
    return this.#exchange(signed.url, sent, body);
  }

  #exchange(url: URL, options: RequestOptions, body: Uint8Array | undefined): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sending = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
    sending.on('response', resolve);
    // Later errors are reported by the response.
    sending.on('error', reject);
    sending.setTimeout(this.#times.idleMs, () => {
      sending.destroy(Object.assign(new Error(`no traffic for ${this.#times.idleMs} ms`), { code: 'ETIMEDOUT' }));
    });
    sending.end(body);
    return promise;
  }
}

export interface BytesResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

export interface SmallResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Error documents have the status 200 if the store failed after it had sent the status. */
export function throwErrorDocument(request: ObjectRequest, { status, text }: SmallResponse): void {
  if (/<Error[\s>]/.test(text)) throw createError(request, status, text);
}

/** A missing bucket is no missing object. */
export function requireMissingObject(text: string): void {
  const code = readElement(text, 'Code');
  if (code !== undefined && code !== 'NoSuchKey') {
    throw new ObjectStoreError(`GET returned status 404 (${code})`, 404, code);
  }
}

/** Returns the text of the first element with this name. Stores escape no more than these characters in identifiers. */
export function readElement(text: string, name: string): string | undefined {
  const [, value] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text) ?? [];
  return value
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

function createError({ method }: ObjectRequest, status: number, text: string): ObjectStoreError {
  const code = readElement(text, 'Code')?.slice(0, 100);
  const message = readElement(text, 'Message')?.slice(0, 300);
  const details = [code, message].filter((each) => each !== undefined).join(': ');
  return new ObjectStoreError(
    `${method} returned status ${status}${details === '' ? '' : ` (${details})`}`,
    status,
    code,
  );
}

async function readText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes <= MAX_ERROR_BYTES) pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Connections, timeouts and responses; not errors of the local disk or of the program. */
function isFailureOfStore(error: unknown): boolean {
  return error instanceof ObjectStoreError || isConnectionError(error);
}

const connectionCodes =
  /^(?:ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|EPROTO|ERR_(?:TLS|SSL|STREAM_PREMATURE)|HPE_|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/;

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return connectionCodes.test(code) || error.message === 'aborted';
}

function isTransient(error: unknown): boolean {
  if (error instanceof ObjectStoreError) {
    return transientStatuses.has(error.status) || transientCodes.has(error.code);
  }
  return true;
}
