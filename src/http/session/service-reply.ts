/** What services of maps and features are asked and answer, past the formats of documents: they have standards of their own. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../../lib/problems/problem.ts';

/** A request as it came. */
export interface SentRequest {
  /** HEAD is answered as GET is. */
  readonly method: string;
  /** What stands behind the question mark. */
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  /** Scheme, host and prefix by which the client knows the server: what every address in a reply begins with. */
  readonly baseUrl: string;
  /** The body as text in the encoding it declares, or else UTF-8; empty where there is none. Within the limit of documents. */
  text(): Promise<string>;
}

export type ReplyBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** What a service answers. */
export interface ServiceReply {
  /** 200 where nothing is said. */
  readonly status?: number;
  readonly contentType: string;
  /** Further headers, by names in lower case; they take the place of our own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes that are made while they are sent must not need the catalog any more. */
  readonly body: ReplyBody;
  /** For how long a client may keep it without asking; absent where it has to ask. */
  readonly maxAgeSeconds?: number;
  /**
   * What differs whenever the body would; replies that are whole have their own. Bodies that are made while they are sent
   * have none unless a service says it.
   */
  readonly etag?: string;
  /** What the client should know although it worked; sent as Warning headers. */
  readonly warnings?: readonly string[];
  /** The same body as gzip packs it, where somebody has done so: sent as it is to whoever takes it. */
  readonly packed?: Uint8Array;
  /** Whether it is compressed as it is. */
  readonly isPacked?: true;
  /** Called once, when nothing more is read of the body, sent or not. */
  readonly release?: () => void;
}

/** What the words of an error may depend on. */
export type ProblemContext = Pick<SentRequest, 'rawQuery' | 'headers' | 'baseUrl'>;

/** How a service words what was thrown, by itself or before it was asked. */
export type ExplainProblem = (
  problem: Problem,
  context: ProblemContext,
) => { readonly status: number; readonly contentType: string; readonly body: string };
