/** HTTP/2 and HTTP/1.1 over TLS, with requests and responses like those of HTTP/1.1. */
import type { Server } from 'node:http';
import {
  constants,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type SecureServerOptions,
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

/** A connection without requests is closed after this time. */
const IDLE_SESSION_MS = 72_000;

/** Returns the options with which Fastify creates the server. */
export function createSecureOptions(certificate: Certificate, limits: SecureLimits): Partial<FastifyServerOptions> {
  const https: SecureServerOptions = {
    ...certificate,
    ...limits,
    allowHTTP1: true,
    minVersion: 'TLSv1.2',
    settings: { maxConcurrentStreams: MAX_CONCURRENT_STREAMS, maxHeaderListSize: limits.maxHeaderSize },
    Http2ServerRequest: SecureRequest,
    Http2ServerResponse: SecureResponse,
  };
  const options = { http2: true, https, http2SessionTimeout: IDLE_SESSION_MS };
  // Only the types differ: handlers get the requests and responses of this module.
  return options as Partial<FastifyServerOptions>;
}

/** Sets the timeouts that Node leaves out for HTTP/2: for receiving a request, and for a client that stops reading. */
export function watchSecureStreams(server: Server, requestTimeoutMs: number): void {
  server.on('stream', (stream: ServerHttp2Stream) => {
    const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
    stream.on('timeout', cancel);
    if (stream.endAfterHeaders) return;
    const timer = setTimeout(cancel, requestTimeoutMs).unref();
    const clear = () => clearTimeout(timer);
    stream.once('end', clear).once('close', clear);
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

/** Has a property of a writable stream that Node declares but leaves undefined. */
class SecureResponse<R extends Http2ServerRequest = Http2ServerRequest> extends Http2ServerResponse<R> {}

Object.defineProperty(SecureResponse.prototype, 'destroyed', {
  get(this: SecureResponse) {
    return this.stream.destroyed;
  },
});
