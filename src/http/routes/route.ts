/** A row of a route table: everything that the pipeline needs to know about an operation. */

import type { ReadableFile } from '../../lib/files/readable-file.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Json } from '../../lib/json/value.ts';
import type { Precondition } from '../../lib/problems/precondition.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { Upload } from '../body/uploads.ts';
import type { DocumentReader, DocumentWriter } from '../documents/document.ts';
import type { DescribedDocument } from '../documents/schema.ts';
import type { Rendition } from '../negotiate/rendition.ts';
import type { FormatGroup } from '../negotiate/wire-dialect.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import type { Format } from '../serialization/format.ts';
import type { PrintedList } from '../serialization/list-frame.ts';
import type { ResourcePath } from '../serialization/output-tree.ts';
import type { DeferredBody, RecordedReply } from '../session/recorded-reply.ts';
import type { ExplainProblem, SentRequest, ServiceReply } from '../session/service-reply.ts';

export type Success = 200 | 201 | 202 | 206;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The variables of a path: `'/workspaces/:workspace'` gives `{ workspace: string }`; `*name` matches the rest of the
 * path, and `:method.:format` both sides of a dot in the last segment.
 */
export type PathParameters<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? PathParameters<Head> & PathParameters<Tail>
  : P extends `:${infer One}.:${infer Two}`
    ? { readonly [K in One | Two]: string }
    : P extends `:${infer Name}` | `*${infer Name}`
      ? { readonly [K in Name]: string }
      : unknown;

/** The input of a handler. */
export interface Call<S, P = unknown, Q = unknown, B = undefined> {
  readonly services: S;
  readonly principal: Principal;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly precondition: Precondition;
  /** Whether questionable but unambiguous input is rejected as well. */
  readonly isStrict: boolean;
  /** The REST root with the base URL of the client. */
  readonly restUrl: string;
  /** The format of the response, for reads that return more in HTML; undefined without a document. */
  readonly format: Format | undefined;
  /** The name of the requested rendition. */
  readonly rendition: string | undefined;
  /** Whether an entry of this name exists, for lists of resources. */
  readonly hasItem?: ((name: string) => Promise<boolean>) | undefined;
  /** Set for several operations that are one change. */
  readonly batchContext?: BatchContext | undefined;
  /** Aborted when the client disconnects, for long work. */
  signal(): AbortSignal;
  /** The original request, for services that parse it themselves. */
  readonly sent: SentRequest;
}

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

/** Executes other operations as parts of one change. */
export interface BatchContext {
  /** Returns the route pattern of a path below the REST root, without that root; undefined for an unknown path. */
  findPattern(path: string): string | undefined;
  /** Sets the description of the change. */
  setChangeName(what: string): void;
  /**
   * Executes an operation after the previous ones, with the permissions that its user has then. Throws its problem and
   * rolls it back; other operations can continue.
   */
  perform(operation: InnerOperation): Promise<OperationResult>;
}

export interface InnerOperation {
  readonly method: string;
  /** Below the REST root, with its query, encoded as in a request line. */
  readonly path: string;
  readonly content?: string | Uint8Array;
  readonly contentType?: string;
  /** A JSON document instead of content; saves serializing and parsing it. */
  readonly document?: Json;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperationResult {
  readonly outcome: Outcome;
  /** Builds the response that a client would have received. */
  reply(): Promise<RecordedReply>;
}

/** Outcomes other than services and streams. */
export type ReadyOutcome = Exclude<Outcome, { readonly kind: 'service' | 'live' }>;

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

/** Returns whether a resource with exactly this name exists, so that `my.ws.xml` can be a name instead of a format. */
export type ExactName<S> = (services: S, params: Readonly<Record<string, string>>) => Promise<boolean>;

/** The body of an operation: a document, a line of plain text or a file. */
export type RequestBodySpec =
  | { readonly kind: 'document'; readonly document: DocumentReader<unknown>; readonly purpose: 'create' | 'change' }
  | { readonly kind: 'text'; readonly what: string }
  /** Unconverted JSON, for documents that contain other documents; `shape` is for OpenAPI. */
  | { readonly kind: 'json'; readonly shape: DescribedDocument }
  /** Bytes of any type, read by the handler; `otherwise` is the response format for clients that request none. */
  | { readonly kind: 'upload'; readonly what: string; readonly otherwise?: Format }
  /** A document or a file, depending on the required Content-Type. */
  | ({
      readonly kind: 'document or file';
      readonly document: DocumentReader<unknown>;
      readonly purpose: 'create' | 'change';
    } & FileBody);

/** The files that an operation accepts besides documents. */
export interface FileBody {
  /** The description for OpenAPI. */
  readonly what: string;
  readonly mediaTypes: readonly string[];
  /** Whether a media type is accepted as a file, listed or not. */
  readonly isFile: (mediaType: string) => boolean;
  /** File extensions, which some clients append to the path. */
  readonly extensions: readonly string[];
}

export type DocumentOrFile<D> =
  | { readonly kind: 'document'; readonly document: D }
  | { readonly kind: 'file'; readonly file: Upload };

/**
 * The format of errors: negotiated with plain text as the fallback, always structured with two fields, or as map
 * services define them.
 */
export type ErrorStyle = 'asked' | 'structured' | 'service';

export interface Route<S> {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly family: string;
  /** The required role, or 'anyone' without credentials. */
  readonly role: string;
  readonly formats: readonly Format[];
  /** Selects the default format in the dialect. */
  readonly formatGroup: FormatGroup;
  readonly errorStyle: ErrorStyle;
  readonly query: QueryParameters;
  readonly takes?: RequestBodySpec;
  readonly answers?: DocumentWriter<unknown>;
  /** Other representations of the resource. */
  readonly renditions: readonly Rendition[];
  /** The media type of an operation that returns text instead of a document. */
  readonly answersText?: string;
  /** Whether the response is always the change that it made. */
  readonly answersChange?: true;
  /** Whether it is a list, which supports paging. */
  readonly lists?: true;
  readonly success: Success;
  /** Other success statuses. */
  readonly otherSuccesses?: readonly Success[];
  /** Whether responses have an ETag and conditional headers apply. */
  readonly versioned: boolean;
  /** Whether unknown query parameters are rejected for every client: a misspelt one would have a much larger effect. */
  readonly refusesUnknownQuery: boolean;
  /** Whether responses contain a secret and must not be cached. */
  readonly confidential: boolean;
  /** The problems of this operation; those of the pipeline are added for all. */
  readonly problems: readonly ProblemCode[];
  readonly exactName?: ExactName<S>;
  /** For lists of resources: the path variable of their names, and whether a name exists. */
  readonly items?: { readonly variable: string; readonly exists: ExactName<S> };
  /** Formats errors of services; undefined for other routes. */
  readonly explain?: ExplainProblem;
  /** Whether everything it does is one change, committed at the end. */
  readonly isOneChange?: true;
  /** Whether it only reads a snapshot although its method is not GET. */
  readonly readsOneState?: true;
  /** Whether it waits for future changes and therefore holds no snapshot. */
  readonly follows?: true;
  /** Whether it works without the storage, and responds even if that is unavailable. */
  readonly standsAlone?: true;
  /** The path ends with a file name, so that its extension is no format. */
  readonly endsInFileName: boolean;
  /** Whether `format` in the query sets the format instead of an extension. */
  readonly formatInQuery: boolean;
  readonly handle: (
    call: Call<S, Readonly<Record<string, string>>, Readonly<Record<string, unknown>>, unknown>,
  ) => Promise<Outcome> | Outcome;
}

export interface RouteTable<S> {
  readonly family: string;
  readonly description: string;
  readonly routes: readonly Route<S>[];
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

export type { QueryParameters, QueryValues };
