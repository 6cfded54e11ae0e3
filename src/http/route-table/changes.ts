/** Route table rows that change or delete resources. */
import type { DocumentWriter } from '../documents/document.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import type { Outcome } from '../routes/outcome.ts';
import type { Call, FileBody, PathParameters } from '../routes/route.ts';
import {
  type BodyOptions,
  type CompletedWork,
  createCommonFields,
  type Row,
  type RowOptions,
  type SentBody,
  toBodySpec,
  toWriteResponse,
} from './row.ts';

export function createChangeRows<S>() {
  return {
    /**
     * Changes a resource and, with `returns`, returns it. Missing fields stay unchanged, unless the row `requires` all
     * fields of a create.
     */
    put<
      P extends string,
      D,
      F extends FileBody | undefined = undefined,
      R = never,
      Q extends QueryParameters = Record<never, never>,
    >(
      path: P,
      summary: string,
      options: RowOptions<Q> & BodyOptions<D, F> & { readonly requires?: 'all'; readonly returns?: DocumentWriter<R> },
      handler: (
        call: Call<S, PathParameters<P>, QueryValues<Q>, SentBody<D, F>>,
      ) => [R] extends [never] ? CompletedWork : Promise<{ readonly resource: R }>,
    ): Row<S> {
      return {
        ...createCommonFields('PUT', path, summary, options),
        kind: 'write',
        access: 'write',
        accepts: toBodySpec(options, options.requires === 'all' ? 'create' : 'change'),
        returns: toWriteResponse(options.returns),
        success: 200,
        otherSuccesses: [],
        versioned: true,
        handle: async (call) => toChangeOutcome(await handler(call as never)),
      };
    },

    /** Deletes a resource and, with `returns`, describes what was deleted. */
    del<P extends string, R = never, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly returns?: DocumentWriter<R> },
      handler: (
        call: Call<S, PathParameters<P>, QueryValues<Q>>,
      ) => [R] extends [never] ? CompletedWork : Promise<{ readonly resource: R }>,
    ): Row<S> {
      return {
        ...createCommonFields('DELETE', path, summary, options),
        kind: 'write',
        access: 'write',
        accepts: undefined,
        returns: toWriteResponse(options.returns),
        success: 200,
        otherSuccesses: [],
        versioned: true,
        handle: async (call) => toChangeOutcome(await handler(call as never)),
      };
    },
  };
}

function toChangeOutcome(result: Awaited<CompletedWork> | { readonly resource: unknown }): Outcome {
  if (result === undefined) {
    return { kind: 'done' };
  }
  return 'resource' in result ? { kind: 'found', ...result } : { kind: 'done', ...result };
}
