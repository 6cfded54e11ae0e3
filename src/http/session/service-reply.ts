/**
 * Requests and responses of map and feature services, which follow their own standards instead of the document formats.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../../lib/problems/problem.ts';

/** The original request. */
export interface SentRequest {
  /** HEAD is handled like GET. */
  readonly method: string;
  /** Whether only the headers of the response are sent. */
  readonly isHead: boolean;
  /** The path as sent, undecoded. */
  readonly path: string;
  /** The query string without the question mark. */
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  /** Scheme, host and prefix that the client uses; the beginning of all URLs in responses. */
  readonly baseUrl: string;
  /** The body as text in its declared encoding, or UTF-8; empty without a body. The document limit applies. */
  text(): Promise<string>;
  /** Adds the operation to the log line of the request. */
  describe(operation: ServiceOperation): void;
}

/** What a client requests from a service. */
export interface ServiceOperation {
  /** As the client wrote them, for the log. */
  readonly operation: string;
  readonly layers: string;
  /** The operation in the spelling of its standard, for metrics; undefined if it is unknown. */
  readonly knownOperation?: string | undefined;
  /** The service, if one address has several. */
  readonly service?: string | undefined;
}

export type ReplyBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** The response of a service. */
export interface ServiceReply {
  /** 200 by default. */
  readonly status?: number;
  readonly contentType: string;
  /** The operation for metrics, if the response determines it. */
  readonly operation?: string;
  /** Additional headers with lower-case names; they replace the default headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Streamed bodies must not access the catalog. */
  readonly body: ReplyBody;
  /** How long clients can cache it; undefined requires revalidation. */
  readonly maxAgeSeconds?: number;
  /**
   * Changes whenever the body changes. Whole bodies get one automatically; streamed bodies have none unless a service
   * sets it.
   */
  readonly etag?: string;
  /** When the body was made; clients can revalidate it by the time too. */
  readonly lastModifiedMs?: number;
  /** Sent as Warning headers. */
  readonly warnings?: readonly string[];
  /** The body compressed with gzip, if available; sent to clients that accept it. */
  readonly packed?: Uint8Array;
  /** The body is already compressed. */
  readonly isPacked?: true;
  /** The problem that the body reports, for the log and for the challenge of a denied request. */
  readonly problem?: Problem;
  /** Called once when the body is no longer read, sent or not. */
  readonly release?: () => void;
}

/** The context for formatting an error. */
export type ProblemContext = Pick<SentRequest, 'rawQuery' | 'headers' | 'baseUrl'>;

/** Formats a problem that the service or the pipeline has thrown. */
export type ExplainProblem = (
  problem: Problem,
  context: ProblemContext,
) => { readonly status: number; readonly contentType: string; readonly body: string };
