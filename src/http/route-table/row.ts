/** One row of a route table, and the options of all rows. */
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { DocumentReader, DocumentWriter } from '../documents/document.ts';
import type { QueryParameters } from '../request/query.ts';
import type { Outcome } from '../routes/outcome.ts';
import type {
  DocumentOrFile,
  DocumentRoute,
  FileBody,
  Method,
  RequestBodySpec,
  WriteResponse,
} from '../routes/route.ts';

export interface RowOptions<Q> {
  readonly query?: Q;
  readonly problems?: readonly ProblemCode[];
  /** The required role; administrator by default. */
  readonly role?: string;
  /** Responses contain a secret and must not be cached. */
  readonly confidential?: boolean;
  /** Unknown query parameters are rejected for every client. */
  readonly rejectsUnknownQuery?: boolean;
  /** The path ends with a file name, so that its extension is no format. */
  readonly endsInFileName?: boolean;
}

/** The document that a write accepts, or a file in one of several media types instead. */
export interface BodyOptions<D, F> {
  readonly accepts: DocumentReader<D>;
  readonly orFile?: F;
}

export type SentBody<D, F> = F extends FileBody ? DocumentOrFile<D> : D;

/** A route without the fields that its family sets. */
export type Row<S> = OmitFamilyFields<DocumentRoute<S>>;

type OmitFamilyFields<R> = R extends unknown
  ? Omit<R, 'family' | 'formats' | 'formatGroup' | 'errorStyle' | 'exactName' | 'items'>
  : never;

/** The result of a change without a response document: nothing, or warnings. */
export type CompletedWork = Promise<void> | Promise<{ readonly warnings?: readonly string[] }>;

export async function toDoneOutcome(work: CompletedWork): Promise<Outcome> {
  const result = await work;
  return result === undefined ? { kind: 'done' } : { kind: 'done', ...result };
}

export function createCommonFields(
  method: Method,
  path: string,
  summary: string,
  options: RowOptions<QueryParameters>,
) {
  return {
    method,
    path,
    summary,
    role: options.role ?? ROLE_ADMINISTRATOR,
    query: options.query ?? {},
    problems: options.problems ?? [],
    confidential: options.confidential ?? false,
    rejectsUnknownQuery: options.rejectsUnknownQuery ?? false,
    endsInFileName: options.endsInFileName ?? false,
  };
}

export function toBodySpec(
  { accepts, orFile }: Partial<BodyOptions<unknown, FileBody | undefined>>,
  purpose: 'create' | 'change',
): RequestBodySpec | undefined {
  if (accepts === undefined) {
    return undefined;
  }
  return orFile === undefined
    ? { kind: 'document', document: accepts, purpose }
    : { kind: 'document or file', document: accepts, purpose, ...orFile };
}

export function toWriteResponse<R>(document: DocumentWriter<R> | undefined): WriteResponse {
  return document === undefined
    ? { kind: 'text' }
    : { kind: 'document', document: document as DocumentWriter<unknown> };
}
