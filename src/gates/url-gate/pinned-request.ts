/** One request to addresses that were decided on before; the name is never looked up again. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { PlainUrl } from './plain-url.ts';
import { IdleError } from './remote-reply.ts';
import type { ResolvedAddress } from './resolver.ts';

export interface PinnedRequestOptions {
  readonly signal: AbortSignal;
  readonly accept: string;
  readonly idleTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** A header that tells who asks. */
  readonly credentials?: { readonly header: string; readonly value: string };
  /** What is posted; without it, it is a question. */
  readonly posted?: PostedBody;
}

export interface PostedBody {
  readonly headers: Readonly<Record<string, string>>;
  /** How many bytes the pieces have in all. */
  readonly bytes: number;
  readonly pieces: AsyncIterable<string>;
}

/** The connection is gone, and neither an answer nor an error came of it. */
class SilentEndError extends Error {
  override readonly name = 'SilentEndError';
  readonly code = 'ECONNRESET';
}

export function requestPinned(
  url: PlainUrl,
  addresses: readonly ResolvedAddress[],
  options: PinnedRequestOptions,
): Promise<IncomingMessage> {
  const isSecure = url.scheme === 'https';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)({
      method: options.posted === undefined ? 'GET' : 'POST',
      protocol: `${url.scheme}:`,
      hostname: url.host,
      ...(url.port === '' ? {} : { port: Number(url.port.slice(1)) }),
      path: url.path,
      headers: {
        accept: options.accept,
        // What is packed would have to be unpacked, and a few bytes can be packed gigabytes.
        'accept-encoding': 'identity',
        'user-agent': 'Graticule',
        ...(options.credentials === undefined ? {} : { [options.credentials.header]: options.credentials.value }),
        ...options.posted?.headers,
        ...(options.posted === undefined ? {} : { 'content-length': options.posted.bytes }),
      },
      // An agent of our own: no connection is kept for other hosts, no proxy of the environment stands in between.
      agent: isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
      lookup: createLookup(addresses),
      maxHeaderSize: options.maxHeaderBytes,
      timeout: options.idleTimeoutMs,
      signal: options.signal,
    } satisfies RequestOptions);
    let answer: IncomingMessage | undefined;
    request.on('timeout', () => (answer ?? request).destroy(new IdleError('The other side said nothing for too long')));
    request.on('error', reject);
    request.on('response', (response) => {
      answer = response;
      resolve(response);
    });
    // An answer that changes the protocol is no answer to us, but without a listener nobody would ever hear of it.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    // Whatever else may end it without a word must not leave anybody waiting.
    request.on('close', () => reject(new SilentEndError('The connection ended without an answer')));
    if (options.posted === undefined) {
      request.end();
    } else {
      // What fails on the way is an error of the request; an answer may come before all is sent, and is one all the same.
      pipeline(Readable.from(options.posted.pieces), request, () => {});
    }
  });
}

/** Answers every look-up with the addresses that were judged. */
function createLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) {
      callback(null, [...addresses]);
    } else {
      callback(null, first?.address ?? '', first?.family);
    }
  };
}
