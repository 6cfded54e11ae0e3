/** Sends one request to addresses that were decided before; the name is never resolved again. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { getTracer } from '../../lib/measure/tracer.ts';
import type { PlainUrl } from './plain-url.ts';
import { type ByteRange, createRangeHeaders } from './received-part.ts';
import { IdleError } from './remote-reply.ts';
import type { ResolvedAddress } from './resolver.ts';

export interface PinnedRequestOptions {
  readonly signal: AbortSignal;
  readonly accept: string;
  readonly idleTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** A header with credentials. */
  readonly credentials?: { readonly header: string; readonly value: string };
  /** Keeps the connection for further requests; by default it is closed. */
  readonly agent?: HttpAgent | HttpsAgent;
  /** The headers of a signed request. */
  readonly signature?: Readonly<Record<string, string>>;
  /** The part of the body to request. */
  readonly range?: ByteRange;
  /** The body of a POST request; undefined for GET. */
  readonly posted?: PostedBody;
}

export interface PostedBody {
  readonly headers: Readonly<Record<string, string>>;
  /** The total length of the pieces. */
  readonly bytes: number;
  readonly pieces: AsyncIterable<string>;
}

/** The connection closed without a response or an error. */
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
        // Compressed responses could inflate from a few bytes to gigabytes.
        'accept-encoding': 'identity',
        'user-agent': 'Graticule',
        ...createTraceHeader(),
        ...(options.credentials === undefined ? {} : { [options.credentials.header]: options.credentials.value }),
        ...options.signature,
        ...(options.range === undefined ? {} : createRangeHeaders(options.range)),
        ...options.posted?.headers,
        ...(options.posted === undefined ? {} : { 'content-length': options.posted.bytes }),
      },
      // No agent of the process, which could share connections or use a proxy of the environment.
      agent: options.agent ?? (isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false })),
      lookup: createLookup(addresses),
      maxHeaderSize: options.maxHeaderBytes,
      timeout: options.idleTimeoutMs,
      signal: options.signal,
    } satisfies RequestOptions);
    let received: IncomingMessage | undefined;
    request.on('timeout', () =>
      (received ?? request).destroy(new IdleError('The remote server sent nothing within the idle timeout')),
    );
    request.on('error', reject);
    request.on('response', (response) => {
      received = response;
      resolve(response);
    });
    // A protocol switch counts as a response; without this listener it would go unnoticed.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    // Any other silent end must reject the promise.
    request.on('close', () => reject(new SilentEndError('The connection ended without a response')));
    if (options.posted === undefined) {
      request.end();
    } else {
      // Failures are errors of the request; a response can arrive before everything is sent.
      pipeline(Readable.from(options.posted.pieces), request, () => {});
    }
  });
}

/** Lets the other server continue the trace, if traces are enabled. */
function createTraceHeader(): Readonly<Record<string, string>> {
  const traceparent = getTracer()?.formatTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** Answers every look-up with the checked addresses. */
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
