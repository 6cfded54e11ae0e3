/** One of the two compared servers: sends GET requests only, at most two at once, with deadlines and size limits. */
import type { IncomingMessage } from 'node:http';
import { createConcurrencyLimiter } from '../../../lib/async/concurrency-limiter.ts';
import { CommandError } from '../../client/command.ts';
import { formatBasicCredentials, type Login, sendRequest } from '../../client/send-request.ts';
import type { Reading } from '../model/reading.ts';
import { findException } from './find-exception.ts';

/** Enough for GeoServer with thousands of layers, and little enough not to disturb other clients of the server. */
const MAX_REQUESTS = 2;

/** Capabilities of many layers and maps of large tables take a minute on slow servers. */
const REQUEST_MS = 180_000;

const MEGABYTE = 1_048_576;

/** Capabilities with 100,000 layers have about 200 MB. */
export const MAX_CAPABILITIES_BYTES = 256 * MEGABYTE;

/** Ten features with large geometries, or one map. */
export const MAX_DOCUMENT_BYTES = 32 * MEGABYTE;

/** Error pages are only read for their text. */
const MAX_ERROR_BYTES = MEGABYTE;

export interface ReceivedDocument {
  /** The Content-Type in lower case. */
  readonly type: string;
  readonly bytes: Buffer;
}

export type ServiceQuery = Readonly<Record<string, string | number>>;

export interface ComparedServer {
  /** The address that the command line names. */
  readonly address: string;
  /** Sends a request of a service: `get('/wms', { request: 'GetMap', … })`. Exceptions are failures, also with status 200. */
  get(path: string, query: ServiceQuery, maxBytes?: number): Promise<Reading<ReceivedDocument>>;
}

export interface ServerAddress {
  /** The context of the server without a slash at the end, such as `https://maps.example/geoserver`. */
  readonly url: URL;
  readonly login: Login | undefined;
}

export function createComparedServer({ url, login }: ServerAddress, timeoutMs = REQUEST_MS): ComparedServer {
  const limit = createConcurrencyLimiter(MAX_REQUESTS);
  const authorization = login && formatBasicCredentials(login);
  return {
    address: url.href,
    get(path, query, maxBytes = MAX_DOCUMENT_BYTES) {
      const target = new URL(`${url.href.replace(/\/$/, '')}${path}`);
      for (const [name, value] of Object.entries(query)) target.searchParams.append(name, String(value));
      return limit(() => receiveDocument(target, { authorization, maxBytes, timeoutMs }));
    },
  };
}

interface RequestLimits {
  readonly authorization: string | undefined;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

async function receiveDocument(
  target: URL,
  { authorization, maxBytes, timeoutMs }: RequestLimits,
): Promise<Reading<ReceivedDocument>> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const reply = await sendRequest(target, { headers: { accept: '*/*' }, authorization, signal });
    const status = reply.statusCode ?? 0;
    const type = (reply.headers['content-type'] ?? '').toLowerCase();
    if (status >= 300 && status < 400) {
      reply.destroy();
      return { failure: `The server redirects the request (status ${status}). Use the address of the redirect.` };
    }
    const bytes = await readBody(reply, status === 200 ? maxBytes : MAX_ERROR_BYTES);
    if (bytes === undefined) {
      return { failure: `The response has more than ${maxBytes / MEGABYTE} MB.` };
    }
    const exception = findException({ type, bytes });
    if (status !== 200) return { failure: `Status ${status}${exception === undefined ? '.' : `: ${exception}`}` };
    return exception === undefined ? { value: { type, bytes } } : { failure: exception };
  } catch (error) {
    if (signal.aborted) return { failure: `The server did not answer within ${timeoutMs / 1_000} seconds.` };
    if (error instanceof CommandError) return { failure: error.message };
    return { failure: `The response ended early: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

/** Returns undefined if the body exceeds the limit. */
async function readBody(reply: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of reply) {
    size += (piece as Uint8Array).length;
    // Leaving the loop destroys the response.
    if (size > maxBytes) return undefined;
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces);
}
