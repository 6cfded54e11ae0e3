/** A row of a family's route table: everything the door must know about one operation. */

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
 * The variables of a path: `'/workspaces/:workspace'` gives `{ workspace: string }`; `*name` takes all the rest, and
 * `:method.:format` both sides of a dot in the last segment.
 */
export type PathParameters<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? PathParameters<Head> & PathParameters<Tail>
  : P extends `:${infer One}.:${infer Two}`
    ? { readonly [K in One | Two]: string }
    : P extends `:${infer Name}` | `*${infer Name}`
      ? { readonly [K in Name]: string }
      : unknown;

/** What a handler is given. */
export interface Call<S, P = unknown, Q = unknown, B = undefined> {
  readonly services: S;
  readonly principal: Principal;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly precondition: Precondition;
  /** Whether what cannot be misunderstood shall be refused as well where it is not as it should be. */
  readonly isStrict: boolean;
  /** The REST root as this client knows it. */
  readonly restUrl: string;
  /** What the reply will be written in, for reads that show people more than programs; undefined without a document. */
  readonly format: Format | undefined;
  /** The name of the rendition that was asked for instead of a document. */
  readonly rendition: string | undefined;
  /** Of a listing whose entries are resources: whether there is one of this name. */
  readonly hasItem?: ((name: string) => Promise<boolean>) | undefined;
  /** For what is one change of several operations. */
  readonly together?: BatchContext | undefined;
  /** Aborted once the client is gone, for work that takes long and that nobody else waits for. */
  signal(): AbortSignal;
  /** The request as it came, for services that read it by rules of their own. */
  readonly sent: SentRequest;
}

/** What a handler gives back. */
export type Outcome =
  | {
      readonly kind: 'found';
      readonly resource: unknown;
      readonly version?: number;
      readonly variant?: string;
      readonly warnings?: readonly string[];
      readonly headers?: FurtherHeaders;
      /** The query of the rest, where this is not all. */
      readonly next?: Readonly<Record<string, string>>;
    }
  /** The same, where the family prints it itself in the format that was asked for. */
  | { readonly kind: 'printed'; readonly list: PrintedList; readonly tag?: string }
  /** What goes on for as long as the client listens. */
  | ({ readonly kind: 'live' } & LiveReply)
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  | ({ readonly kind: 'file'; readonly version?: number } & FileReply)
  | ({
      readonly kind: 'open file';
      readonly version?: number;
      readonly warnings?: readonly string[];
      readonly headers?: FurtherHeaders;
    } & OpenFileReply)
  /** Answered with the new resource where the route answers with a document, else with the text. */
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
  /** What can only be said once the one change of all operations is certain; null if there was none. */
  | { readonly kind: 'settled'; readonly body: DeferredBody }
  /** What a service has made of it, up to the media type. */
  | { readonly kind: 'service'; readonly reply: ServiceReply };

/** Carries out other operations of the interface, so that all of them are one change. */
export interface BatchContext {
  /** The pattern of the row that a path below the REST root leads to, without that root; undefined if it leads nowhere. */
  findPattern(path: string): string | undefined;
  /** Says what that is called. */
  setChangeName(what: string): void;
  /**
   * Does an operation as if it came alone after those before it, with the rights that its user has then. Throws its
   * problem; nothing of it is left then, and others can go on.
   */
  perform(operation: InnerOperation): Promise<OperationResult>;
}

export interface InnerOperation {
  readonly method: string;
  /** Below the REST root, with its query, encoded as in a request line. */
  readonly path: string;
  readonly content?: string | Uint8Array;
  readonly contentType?: string;
  /** Instead of content: a JSON document, which need not be written down to be read. */
  readonly document?: Json;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperationResult {
  readonly outcome: Outcome;
  /** The reply that a client would have got; made when it is asked for. */
  reply(): Promise<RecordedReply>;
}

/** What comes of an operation of the interface that has an end. */
export type ReadyOutcome = Exclude<Outcome, { readonly kind: 'service' | 'live' }>;

/** A rendition ready to be sent. */
export interface FileReply {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Under which name a browser saves it; one that is shown in place has none. */
  readonly saveAs?: string;
}

/** Text that is sent as soon as it is there, and has no end of its own. */
export interface LiveReply {
  readonly mediaType: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Ends it at once, whether or not the client has taken all of it. */
  readonly until: AbortSignal;
}

/** Names in lower case, and values, that only some routes have beside those of all replies. */
export type FurtherHeaders = Readonly<Record<string, string>>;

/** A file that a client has put there, sent as it is read. Whoever sends it closes it, also where nothing is sent. */
export interface OpenFileReply {
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly file: ReadableFile;
}

/** Tells whether a resource of exactly this name exists, so that `my.ws.xml` can be a name and not a format. */
export type ExactName<S> = (services: S, params: Readonly<Record<string, string>>) => Promise<boolean>;

/** What an operation reads from the body: a document of the interface, a line of plain text, or a file. */
export type RequestBodySpec =
  | { readonly kind: 'document'; readonly document: DocumentReader<unknown>; readonly purpose: 'create' | 'change' }
  | { readonly kind: 'text'; readonly what: string }
  /** JSON as it was written, for documents that hold whatever others take; `shape` is for the reference. */
  | { readonly kind: 'json'; readonly shape: DescribedDocument }
  /** Bytes of any type, read by the handler; `otherwise` is the format of the answer for clients that ask for none. */
  | { readonly kind: 'upload'; readonly what: string; readonly otherwise?: Format }
  /** The one or the other, as the Content-Type says, which must be there. */
  | ({
      readonly kind: 'document or file';
      readonly document: DocumentReader<unknown>;
      readonly purpose: 'create' | 'change';
    } & FileBody);

/** Which files an operation takes beside documents. */
export interface FileBody {
  /** What such a file is, for the reference. */
  readonly what: string;
  readonly mediaTypes: readonly string[];
  /** Whether a media type means such a file, listed or not. */
  readonly isFile: (mediaType: string) => boolean;
  /** How such files end: some clients end the path they send them to in the same way. */
  readonly extensions: readonly string[];
}

export type DocumentOrFile<D> =
  | { readonly kind: 'document'; readonly document: D }
  | { readonly kind: 'file'; readonly file: Upload };

/**
 * How a family words its errors: as the client asks with plain text as last resort, always with the two fields, or as
 * clients of map services read them.
 */
export type ErrorStyle = 'asked' | 'structured' | 'service';

export interface Route<S> {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly family: string;
  /** The role a caller needs, or 'anyone' without credentials. */
  readonly role: string;
  readonly formats: readonly Format[];
  /** Looks up this family's default format in the dialect. */
  readonly formatGroup: FormatGroup;
  readonly errorStyle: ErrorStyle;
  readonly query: QueryParameters;
  readonly takes?: RequestBodySpec;
  readonly answers?: DocumentWriter<unknown>;
  /** How the resource can be had beside the documents. */
  readonly renditions: readonly Rendition[];
  /** The one media type of an operation that answers with ready text instead of a document. */
  readonly answersText?: string;
  /** Whether it answers with the change that it made, whoever asks. */
  readonly answersChange?: true;
  /** Whether it is a listing, which comes in pages where they are asked for. */
  readonly lists?: true;
  readonly success: Success;
  /** What it ends in as well where all goes well. */
  readonly otherSuccesses?: readonly Success[];
  /** Whether replies carry an ETag, and conditional headers are honoured. */
  readonly versioned: boolean;
  /** Whether a query parameter that is not known is refused for every client: without it, far more would be done. */
  readonly refusesUnknownQuery: boolean;
  /** Whether replies hold a secret that nothing on the way may keep. */
  readonly confidential: boolean;
  /** The problems of its own that this operation can end in; those of the door are added for all. */
  readonly problems: readonly ProblemCode[];
  readonly exactName?: ExactName<S>;
  /** Of a listing whose entries are resources: the variable that stands for their name, and whether there is such a one. */
  readonly items?: { readonly variable: string; readonly exists: ExactName<S> };
  /** The words of a service for what goes wrong; only services have them. */
  readonly explain?: ExplainProblem;
  /** Whether all that it does is one change, and kept when it has ended: it may do several things that are one each. */
  readonly isOneChange?: true;
  /** Whether it works with one state, although its method is that of a change. */
  readonly readsOneState?: true;
  /** Whether it waits for what is yet to come: it works with each state as it is, and keeps none. */
  readonly follows?: true;
  /** Whether it asks nothing of the storage, and so answers also where that cannot be asked. */
  readonly standsAlone?: true;
  /** Its path ends with the name of a file: no extension of it means a format. */
  readonly endsInFileName: boolean;
  /** Whether `format` in the query chooses the format, as an extension does elsewhere. */
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
  /** The version behind the ETag; absent for collections. */
  readonly version?: number;
  /** Tells apart, in letters and digits, what is shown beside the version and goes on changing while that stays. */
  readonly variant?: string;
  readonly warnings?: readonly string[];
  readonly headers?: FurtherHeaders;
  /** The query of the rest, where this is not all. */
  readonly next?: Readonly<Record<string, string>>;
}

export interface CreateResult {
  readonly location: ResourcePath;
  /** The plain text of the reply: the new name. */
  readonly text: string;
  /** What the client should know although it worked; sent as Warning headers. */
  readonly warnings?: readonly string[];
  /** One of the other successes of the route. */
  readonly status?: Success;
}

/** What a read gives that was asked for a rendition. */
export interface FileResult {
  readonly file: FileReply;
  readonly version?: number;
}

/** What a read gives where a file is, whatever format was asked for. */
export interface OpenFileResult {
  readonly openFile: OpenFileReply;
  readonly version?: number;
  readonly warnings?: readonly string[];
  readonly headers?: FurtherHeaders;
}

/** What a read gives that prints itself; it must be read anew for each reply. */
export interface PrintedListResult {
  readonly list: PrintedList;
  /** Its ETag, where it has one. */
  readonly tag?: string;
}

/** What a read gives that was asked for more than there is now. */
export interface LiveResult {
  readonly live: LiveReply;
}

export interface CreatedResource<R> {
  readonly location: ResourcePath;
  readonly resource: R;
  /** For clients that name no format, where a document is sent to who does. */
  readonly text?: string;
  /** What the client should know although it worked; sent as Warning headers. */
  readonly warnings?: readonly string[];
}

export type { QueryParameters, QueryValues };
