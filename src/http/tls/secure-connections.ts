/** HTTP/2 and HTTP/1.1 over TLS, with requests and responses like those of HTTP/1.1. */
import type { Server } from 'node:http';
import {
  constants,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { ReadableOptions } from 'node:stream';
import type { FastifyServerOptions } from 'fastify';

/** PEM texts of a certificate chain and its private key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface SecureLimits {
  readonly maxHeaderSize: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

/** A client can have this many requests in progress on one connection; further ones wait. */
const MAX_CONCURRENT_STREAMS = 100;

/** The headers of a request, as many as over HTTP/1.1. Their total size is limited as well. */
const MAX_HEADERS = 2_000;

/** A connection without requests is closed after this time. */
const IDLE_SESSION_MS = 72_000;

/** Returns the options with which Fastify creates the server. */
export function createSecureOptions(certificate: Certificate, limits: SecureLimits): Partial<FastifyServerOptions> {
  const https: SecureServerOptions = {
    ...certificate,
    ...limits,
    allowHTTP1: true,
    minVersion: 'TLSv1.2',
    // A connection without TLS has the same time for its first request.
    handshakeTimeout: limits.headersTimeout,
    maxHeaderListPairs: MAX_HEADERS,
    settings: { maxConcurrentStreams: MAX_CONCURRENT_STREAMS, maxHeaderListSize: limits.maxHeaderSize },
    Http2ServerRequest: SecureRequest,
    Http2ServerResponse: SecureResponse,
  };
  const options = { http2: true, https, http2SessionTimeout: IDLE_SESSION_MS };
  // Only the types differ: handlers get the requests and responses of this module.
  return options as Partial<FastifyServerOptions>;
}

/** Sets the timeout for receiving a request, which Node leaves out for HTTP/2. */
export function watchSecureStreams(server: Server, requestTimeoutMs: number): void {
  server.on('stream', (stream: ServerHttp2Stream) => {
    if (stream.endAfterHeaders) return;
    const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestTimeoutMs).unref();
    const clear = () => clearTimeout(timer);
    stream.once('end', clear).once('close', clear);
  });
}

/**
 * Ends idle connections with a request whose headers are incomplete. Fastify closes idle connections, but Node waits for
 * such a request, which has no stream yet.
 */
export function watchIdleSessions(server: Server): void {
  server.on('session', (session: ServerHttp2Session) => {
    let streams = 0;
    session.on('stream', (stream) => {
      streams += 1;
      stream.once('close', () => {
        streams -= 1;
      });
    });
    // The client learns first that the connection ends.
    session.on('timeout', () => {
      setImmediate(() => {
        if (streams === 0) session.destroy();
      });
    });
  });
}

/** HTTP/2 has a pseudo-header instead of Host. */
class SecureRequest extends Http2ServerRequest {
  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    options: ReadableOptions,
    rawHeaders: readonly string[],
  ) {
    headers.host ??= headers[':authority'];
    super(stream, headers, options, rawHeaders);
  }
}

/**
 * Node renews the timeout of a stream with everything that its session sends, even answers to pings. So the response
 * has its own timer, which is set while the client reads nothing.
 */
class SecureResponse<R extends Http2ServerRequest = Http2ServerRequest> extends Http2ServerResponse<R> {
  sentBytes = 0;
  #stalled: NodeJS.Timeout | undefined;

  readonly watchStall = (timeoutMs: number): void => {
    clearTimeout(this.#stalled);
    if (timeoutMs === 0 || this.stream.destroyed) return;
    const waiting = this.stream.bufferSize;
    this.#stalled = setTimeout(() => {
      if (this.stream.destroyed || this.stream.bufferSize === 0) return;
      // A slow client still reads.
      if (this.stream.bufferSize < waiting) this.watchStall(timeoutMs);
      else this.stream.close(constants.NGHTTP2_CANCEL);
    }, timeoutMs).unref();
  };

  override write(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
    if (this.req.method !== 'HEAD') this.sentBytes += Buffer.byteLength(chunk);
    return super.write(chunk, ...(rest as []));
  }
}

// Node declares this property of writable streams, but leaves it undefined.
Object.defineProperty(SecureResponse.prototype, 'destroyed', {
  get(this: SecureResponse) {
    return this.stream.destroyed;
  },
});
