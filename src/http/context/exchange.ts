/** Request and response as the pipeline uses them: of a client, or of an inner operation. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Writable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { DeferredBody, HeaderList, RecordedReply } from '../session/recorded-reply.ts';
import type { AppContext, RequestContext } from './app-options.ts';

export interface HttpRequest {
  readonly method: string;
  readonly originalUrl: string;
  readonly id: string;
  readonly log: FastifyBaseLogger;
  readonly raw: HttpRequestBody;
  readonly context: RequestContext<unknown>;
}

export type HttpRequestBody = Readable & {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Pick<Socket, 'remoteAddress' | 'localAddress' | 'localPort'> & { readonly encrypted?: boolean };
  /** Names and values in turn. Undefined for an inner operation. */
  readonly rawHeaders?: readonly string[];
  /** Undefined for an inner operation. */
  readonly httpVersionMajor?: number;
};

export interface HttpResponse {
  readonly raw: HttpResponseBody;
  readonly request: Pick<HttpRequest, 'method'>;
  readonly statusCode: number;
  hijack(): unknown;
}

export type HttpResponseBody = Writable & {
  readonly headersSent: boolean;
  readonly socket: Socket | null;
  /** Of HTTP/2: cancels the response unless the client reads before the timeout; 0 stops waiting. */
  readonly watchStall?: (timeoutMs: number) => void;
  /** Of HTTP/2: the bytes of this response, since its connection serves others too. */
  readonly sentBytes?: number;
  writeHead(status: number, headers: HeaderList): unknown;
};

/** A request, its response, and the application that serves it. */
export interface Exchange<S> {
  readonly app: AppContext<S>;
  readonly request: HttpRequest;
  readonly reply: HttpResponse;
}

/** A response that is recorded in memory instead of sent. */
export class RecordedResponse implements HttpResponse {
  readonly raw: ResponseBuffer;
  readonly request: Pick<HttpRequest, 'method'>;
  #settled: DeferredBody | undefined;

  constructor(request: Pick<HttpRequest, 'method'>, maxBytes: number) {
    this.request = request;
    this.raw = new ResponseBuffer(maxBytes);
  }

  get statusCode(): number {
    return this.raw.statusCode;
  }

  hijack(): void {
    // No other handler would respond.
  }

  /** Defers the body until the change is committed. */
  deferBody(status: number, headers: HeaderList, body: DeferredBody): void {
    this.raw.writeHead(status, headers);
    this.#settled = body;
  }

  get reply(): RecordedReply {
    const { statusCode: status, headers } = this.raw;
    return { status, headers, body: this.#settled ?? this.raw.toBuffer() };
  }
}

/** The response exceeds the limit for recorded responses. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

class ResponseBuffer extends Writable {
  readonly socket = null;
  statusCode = 200;
  headersSent = false;
  headers: HeaderList = [];
  readonly #maxBytes: number;
  readonly #pieces: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    super({ highWaterMark: maxBytes, emitClose: false });
    this.#maxBytes = maxBytes;
  }

  writeHead(status: number, headers: HeaderList): void {
    this.statusCode = status;
    this.headers = headers;
    this.headersSent = true;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#size += piece.length;
    if (this.#size > this.#maxBytes) {
      done(new ResponseTooLarge(`The response exceeds ${this.#maxBytes} bytes`));
      return;
    }
    this.#pieces.push(piece);
    done();
  }
}
