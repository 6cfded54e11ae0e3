/** Routes: what the pipeline needs to know about each kind of operation. */

import type { Principal } from '../../lib/identity/principal.ts';
import type { Precondition } from '../../lib/problems/precondition.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { UnverifiedPolicy } from '../../lib/problems/unverified.ts';
import type { Upload } from '../body/uploads.ts';
import type { DocumentReader, DocumentWriter } from '../documents/document.ts';
import type { DescribedDocument } from '../documents/schema.ts';
import type { QueryParameters } from '../request/query.ts';
import type { Format } from '../serialization/format.ts';
import type { RecordedReply } from '../session/recorded-reply.ts';
import type { ExplainProblem, SentRequest } from '../session/service-reply.ts';
import type { Command } from './command.ts';
import type { AnyReadResult, Outcome, Success } from './outcome.ts';

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
  /** Set to store resources whose data cannot be verified. */
  readonly unverified?: UnverifiedPolicy | undefined;
  /** Aborted when the client disconnects, for long work. */
  signal(): AbortSignal;
  /** The original request, for services that parse it themselves. */
  readonly sent: SentRequest;
}

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
  /** The same for a command, without its response. */
  run(command: Command, unverified?: UnverifiedPolicy): Promise<void>;
  /** The client with the permissions that it has after the previous operations; throws if it has become unknown. */
  readPrincipal(): Promise<Principal>;
}

export interface InnerOperation {
  readonly method: string;
  /** Below the REST root, with its query, encoded as in a request line. */
  readonly path: string;
  readonly content?: string | Uint8Array;
  readonly contentType?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperationResult {
  readonly outcome: Outcome;
  /** Builds the response that a client would have received. */
  reply(): Promise<RecordedReply>;
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

/** The format of errors: negotiated with plain text as the fallback, or always structured with two fields. */
export type ErrorStyle = 'negotiated' | 'structured';

/**
 * How an operation uses the storage:
 * - `snapshot` reads one state;
 * - `live` reads changes as they happen and therefore holds no snapshot;
 * - `write` changes records;
 * - `none` responds even if the storage is unavailable.
 */
export type StorageAccess = 'snapshot' | 'live' | 'write' | 'none';

/** Families that share a default format, used if the client requests none. */
export type FormatGroup =
  | 'catalog'
  | 'featureTypes'
  | 'granules'
  | 'accounts'
  | 'contents'
  | 'about'
  | 'systemStatus'
  | 'securitySettings'
  | 'dataDirectory'
  /** Families that the reference server does not have. */
  | 'additions';

/** Renditions are representations of a resource as a file, selected by an extension or a media type. */
export interface Rendition {
  /** Unique in its route; part of the ETag. */
  readonly name: string;
  /** The path extension; undefined if only Accept selects it. */
  readonly extension?: string;
  /** The media types in Accept; empty if only an extension selects it. */
  readonly mediaTypes: readonly string[];
  /** The version of the media types, which Accept can name with `version=`. */
  readonly version?: string;
  /** Whether an unlisted media type selects it as well. */
  readonly isNamedBy?: (mediaType: string) => boolean;
}

interface CommonRoute<S> {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly family: string;
  /** The required role, or 'anyone' without credentials. */
  readonly role: string;
  readonly access: StorageAccess;
  readonly handle: (
    call: Call<S, Readonly<Record<string, string>>, Readonly<Record<string, unknown>>, unknown>,
  ) => Promise<Outcome | AnyReadResult<unknown>> | Outcome;
}

/** The fields of all operations below the REST root. */
interface RestRoute<S> extends CommonRoute<S> {
  readonly formats: readonly Format[];
  /** Selects the default format in the dialect. */
  readonly formatGroup: FormatGroup;
  readonly errorStyle: ErrorStyle;
  readonly query: QueryParameters;
  /** Whether unknown query parameters are rejected for every client: a misspelt one would have a much larger effect. */
  readonly rejectsUnknownQuery: boolean;
  /** Whether responses contain a secret and must not be cached. */
  readonly confidential: boolean;
  /** The problems of this operation; those of the pipeline are added for all. */
  readonly problems: readonly ProblemCode[];
  readonly exactName: ExactName<S> | undefined;
  /** The path ends with a file name, so that its extension is no format. */
  readonly endsInFileName: boolean;
}

/** Reads a document, or one of its renditions. */
export interface ResourceRoute<S> extends RestRoute<S> {
  readonly kind: 'resource';
  readonly returns: DocumentWriter<unknown>;
  /** Other representations of the resource. */
  readonly renditions: readonly Rendition[];
  /** Whether responses have an ETag and conditional headers apply. */
  readonly versioned: boolean;
}

/** Reads a list, completely or in pages. */
export interface CollectionRoute<S> extends RestRoute<S> {
  readonly kind: 'collection';
  readonly returns: DocumentWriter<unknown>;
  /** The path variable of the names of its entries, and whether a name exists; undefined if entries have no path. */
  readonly items: { readonly variable: string; readonly exists: ExactName<S> } | undefined;
}

/** Reads a stored file, or the document of a folder, whose format is set by `format` in the query. */
export interface FileRoute<S> extends RestRoute<S> {
  readonly kind: 'file';
  readonly returns: DocumentWriter<unknown>;
}

/** Reads text or bytes in one media type. */
export interface ContentRoute<S> extends RestRoute<S> {
  readonly kind: 'content';
  readonly mediaType: string;
}

/** Reads with a query in the body of a POST. */
export interface QueryRoute<S> extends RestRoute<S> {
  readonly kind: 'query';
  readonly accepts: RequestBodySpec;
  readonly returns: DocumentWriter<unknown>;
}

/** Creates, changes or deletes resources. */
export interface WriteRoute<S> extends RestRoute<S> {
  readonly kind: 'write';
  readonly accepts: RequestBodySpec | undefined;
  readonly returns: WriteResponse;
  readonly success: Success;
  readonly otherSuccesses: readonly Success[];
  /** Whether conditional headers apply. */
  readonly versioned: boolean;
}

/** Executes several operations as one change, which is committed at the end. */
export interface BatchRoute<S> extends RestRoute<S> {
  readonly kind: 'batch';
  readonly accepts: RequestBodySpec;
  readonly returns: DescribedDocument;
}

/** What services receive of a call. */
export type ServiceInput<S> = Pick<
  Call<S, Readonly<Record<string, string>>>,
  'services' | 'principal' | 'params' | 'signal' | 'sent'
>;

/** Calls a map or feature service, which parses requests and formats responses and errors by its own standard. */
export interface ServiceRoute<S> extends CommonRoute<S> {
  readonly kind: 'service';
  readonly explain: ExplainProblem;
  /**
   * Returns the methods of the path that the service offers to the caller, for the Allow header. Absent if it offers all
   * methods to every caller.
   */
  readonly listOffered?: (call: ServiceInput<S>) => Promise<readonly Method[]>;
  /** The query parameters, which the service parses itself; loaded for OpenAPI. */
  readonly loadParameters?: () => Promise<QueryParameters>;
}

/** The body of a successful write: the name of a new resource or nothing, a document, or the change that it made. */
export type WriteResponse =
  | { readonly kind: 'text' }
  | { readonly kind: 'document'; readonly document: DocumentWriter<unknown> }
  | { readonly kind: 'change'; readonly document: DescribedDocument };

/** The operations below the REST root. */
export type DocumentRoute<S> =
  | ResourceRoute<S>
  | CollectionRoute<S>
  | FileRoute<S>
  | ContentRoute<S>
  | QueryRoute<S>
  | WriteRoute<S>
  | BatchRoute<S>;

export type Route<S> = DocumentRoute<S> | ServiceRoute<S>;

/** The routes of a family. */
export interface RouteTable<S> {
  readonly family: string;
  readonly description: string;
  readonly routes: readonly DocumentRoute<S>[];
}

/** The routes of a service. */
export interface ServiceTable<S> extends Omit<RouteTable<S>, 'routes'> {
  readonly routes: readonly ServiceRoute<S>[];
}

/** Returns the body that a route reads. */
export function findAccepted<S>(route: Route<S>): RequestBodySpec | undefined {
  switch (route.kind) {
    case 'query':
    case 'write':
    case 'batch':
      return route.accepts;
    case 'resource':
    case 'collection':
    case 'file':
    case 'content':
    case 'service':
      return undefined;
  }
}

/** Returns the response document of a route. */
export function findReturned<S>(route: Route<S>): DescribedDocument | undefined {
  switch (route.kind) {
    case 'resource':
    case 'collection':
    case 'file':
    case 'query':
    case 'batch':
      return route.returns;
    case 'write':
      return route.returns.kind === 'text' ? undefined : route.returns.document;
    case 'content':
    case 'service':
      return undefined;
  }
}

/** Returns the success statuses, the usual one first. */
export function listSuccesses<S>(route: Route<S>): readonly [Success, ...Success[]] {
  switch (route.kind) {
    case 'write':
      return [route.success, ...route.otherSuccesses];
    case 'file':
      return [200, 206];
    case 'resource':
    case 'collection':
    case 'content':
    case 'query':
    case 'batch':
    case 'service':
      return [200];
  }
}

/** Whether conditional headers apply. */
export function isVersioned<S>(route: Route<S>): boolean {
  switch (route.kind) {
    case 'resource':
    case 'write':
      return route.versioned;
    case 'file':
      return true;
    case 'collection':
    case 'content':
    case 'query':
    case 'batch':
    case 'service':
      return false;
  }
}
