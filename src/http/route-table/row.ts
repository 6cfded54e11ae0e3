/** One row of a route table, and the options of all rows. */
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { QueryParameters } from '../request/query.ts';
import type { Method, Outcome, Route } from '../routes/route.ts';

export interface RowOptions<Q> {
  readonly query?: Q;
  readonly problems?: readonly ProblemCode[];
  /** The required role; administrator by default. */
  readonly role?: string;
  /** Responses contain a secret and must not be cached. */
  readonly confidential?: boolean;
  /** Unknown query parameters are rejected for every client. */
  readonly refusesUnknownQuery?: boolean;
  /** The path ends with a file name, so that its extension is no format. */
  readonly endsInFileName?: boolean;
  /** All operations are one change: see `call.batchContext`. */
  readonly isOneChange?: true;
}

export type Row<S> = Omit<Route<S>, 'family' | 'formats' | 'formatGroup' | 'errorStyle' | 'exactName' | 'items'>;

/** The result of a change without a response document: nothing, or warnings. */
export type CompletedWork = Promise<void> | Promise<{ readonly warnings?: readonly string[] }>;

export async function toOutcome(work: CompletedWork): Promise<Outcome> {
  const result = await work;
  return result === undefined ? { kind: 'done' } : { kind: 'done', ...result };
}

/** The default role is administrator. */
export function createRow<S>(
  method: Method,
  path: string,
  summary: string,
  options: RowOptions<QueryParameters>,
  rest: Pick<Row<S>, 'handle' | 'success' | 'versioned'> &
    Partial<
      Pick<
        Row<S>,
        | 'readsOneState'
        | 'takes'
        | 'answers'
        | 'answersChange'
        | 'answersText'
        | 'lists'
        | 'renditions'
        | 'otherSuccesses'
        | 'formatInQuery'
        | 'follows'
        | 'standsAlone'
      >
    >,
): Row<S> {
  return {
    method,
    path,
    summary,
    role: options.role ?? ROLE_ADMINISTRATOR,
    query: options.query ?? {},
    problems: options.problems ?? [],
    confidential: options.confidential ?? false,
    refusesUnknownQuery: options.refusesUnknownQuery ?? false,
    endsInFileName: options.endsInFileName ?? false,
    formatInQuery: false,
    renditions: [],
    ...(options.isOneChange === undefined ? {} : { isOneChange: options.isOneChange }),
    ...rest,
  };
}
