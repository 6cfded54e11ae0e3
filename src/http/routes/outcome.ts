/** The results of handlers, and the outcomes that the pipeline sends. */

import type { ReadableFile } from '../../lib/files/readable-file.ts';
import type { PrintedList } from '../serialization/list-frame.ts';
import type { ResourcePath } from '../serialization/output-tree.ts';
import type { DeferredBody } from '../session/recorded-reply.ts';
import type { ServiceReply } from '../session/service-reply.ts';

export type Success = 200 | 201 | 202 | 206;

/** The result of a handler. */
export type Outcome =
  | {
      readonly kind: 'found';
      readonly resource: unknown;
      readonly version?: number;
      readonly variant?: string;
      readonly warnings?: readonly string[];
      readonly headers?: FurtherHeaders;
      /** The query of the next page, if there is one. */
      readonly next?: Readonly<Record<string, string>>;
    }
  /** Serialized by the family in the requested format. */
  | { readonly kind: 'printed'; readonly list: PrintedList; readonly tag?: string }
  /** Streams until the client disconnects. */
  | ({ readonly kind: 'live' } & LiveReply)
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  | ({ readonly kind: 'file'; readonly version?: number } & FileReply)
  | ({
      readonly kind: 'open file';
      readonly version?: number;
      readonly warnings?: readonly string[];
      readonly headers?: FurtherHeaders;
    } & OpenFileReply)
  /** Returns the new resource if the route declares a response document, and the text otherwise. */
  | {
      readonly kind: 'created';
      readonly location: ResourcePath;
      readonly text: string;
      readonly resource?: unknown;
      readonly warnings?: readonly string[];
      /** One of the other successes of the route. */
      readonly status?: Success;
    }
  | { readonly kind: 'done'; readonly warnings?: readonly string[] }
  /** The body is built after the commit; the change is null if nothing was changed. */
  | { readonly kind: 'settled'; readonly body: DeferredBody }
  /** The complete response of a service. */
  | { readonly kind: 'service'; readonly reply: ServiceReply };

/** The bytes of a rendition. */
export interface FileReply {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** The file name of the download; undefined for content that is displayed. */
  readonly saveAs?: string;
}

/** A stream of text without an end. */
export interface LiveReply {
  readonly mediaType: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Ends the stream immediately, even if the client has not read everything. */
  readonly until: AbortSignal;
}

/** Additional headers of some routes, with lower-case names. */
export type FurtherHeaders = Readonly<Record<string, string>>;

/** An uploaded file, sent while it is read. The sender always closes it, even if nothing is sent. */
export interface OpenFileReply {
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly file: ReadableFile;
}

export interface ReadResult<R> {
  readonly resource: R;
  /** The version in the ETag; undefined for collections. */
  readonly version?: number;
  /** Distinguishes, in letters and digits, content that changes independently of the version. */
  readonly variant?: string;
  readonly warnings?: readonly string[];
  readonly headers?: FurtherHeaders;
  /** The query of the next page, if there is one. */
  readonly next?: Readonly<Record<string, string>>;
}

export interface CreateResult {
  readonly location: ResourcePath;
  /** The plain text of the response: the new name. */
  readonly text: string;
  /** Sent as Warning headers. */
  readonly warnings?: readonly string[];
  /** One of the other successes of the route. */
  readonly status?: Success;
}

/** The result of a read of a rendition. */
export interface FileResult {
  readonly file: FileReply;
  readonly version?: number;
}

/** The result of a read of a file, independent of the requested format. */
export interface OpenFileResult {
  readonly openFile: OpenFileReply;
  readonly version?: number;
  readonly warnings?: readonly string[];
  readonly headers?: FurtherHeaders;
}

/** A list that the family serializes; it must be read again for each response. */
export interface PrintedListResult {
  readonly list: PrintedList;
  /** The ETag, if it has one. */
  readonly tag?: string;
}

/** The result of a read that streams future items. */
export interface LiveResult {
  readonly live: LiveReply;
}

export interface CreatedResource<R> {
  readonly location: ResourcePath;
  readonly resource: R;
  /** For clients that request no format. */
  readonly text?: string;
  /** Sent as Warning headers. */
  readonly warnings?: readonly string[];
}

/** A resource, a rendition, a file, a list that the family serializes while it is read, or a stream. */
export type AnyReadResult<R> = ReadResult<R> | FileResult | OpenFileResult | PrintedListResult | LiveResult;
