/** One row of a route table, and what every row may say. */
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { QueryParameters } from '../request/query.ts';
import type { Method, Outcome, Route } from '../routes/route.ts';

export interface RowOptions<Q> {
  readonly query?: Q;
  readonly problems?: readonly ProblemCode[];
  /** The role a caller needs; administrators only, unless a row says otherwise. */
  readonly role?: string;
  /** Replies hold a secret: nothing on the way may keep them. */
  readonly confidential?: boolean;
  /** A query parameter that is not known is refused for every client. */
  readonly refusesUnknownQuery?: boolean;
  /** Its path ends with the name of a file: no extension of it means a format. */
  readonly endsInFileName?: boolean;
  /** All that it does is one change: see `call.together`. */
  readonly isOneChange?: true;
}

export type Row<S> = Omit<Route<S>, 'family' | 'formats' | 'formatGroup' | 'errorStyle' | 'exactName' | 'items'>;

/** What a change ends in that has nothing to show: nothing at all, or what the client should know although it worked. */
export type CompletedWork = Promise<void> | Promise<{ readonly warnings?: readonly string[] }>;

export async function toOutcome(work: CompletedWork): Promise<Outcome> {
  const told = await work;
  return told === undefined ? { kind: 'done' } : { kind: 'done', ...told };
}

/** Who leaves out the role means administrators. */
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
