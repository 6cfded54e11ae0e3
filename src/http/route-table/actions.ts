/** Route table rows that execute actions, alone or several as one change. */
import type { DescribedDocument } from '../documents/schema.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import type { BatchContext, Call, PathParameters } from '../routes/route.ts';
import type { DeferredBody } from '../session/recorded-reply.ts';
import type { PlainBody, PlainBodyValue } from './reads.ts';
import {
  type BodyOptions,
  type CompletedWork,
  createCommonFields,
  type Row,
  type RowOptions,
  toBodySpec,
  toDoneOutcome,
} from './row.ts';

export function createActionRows<S>() {
  return {
    /** Executes an action, and returns no body or the change that it made. */
    act<P extends string, D = undefined, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> &
        Partial<Pick<BodyOptions<D, undefined>, 'accepts'>> & {
          /** POST by default. */
          readonly method?: 'POST' | 'PUT';
          readonly requires?: 'all';
          /** 200 by default. */
          readonly success?: 200 | 201;
          readonly versioned?: boolean;
          readonly returnsChange?: DescribedDocument;
        },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => CompletedWork,
    ): Row<S> {
      return {
        ...createCommonFields(options.method ?? 'POST', path, summary, options),
        kind: 'write',
        access: 'write',
        accepts: toBodySpec(options, options.requires === 'all' ? 'create' : 'change'),
        returns:
          options.returnsChange === undefined ? { kind: 'text' } : { kind: 'change', document: options.returnsChange },
        success: options.success ?? 200,
        otherSuccesses: [],
        versioned: options.versioned ?? false,
        handle: (call) => toDoneOutcome(handler(call as never)),
      };
    },

    /** Executes several operations as one change; the response can describe the change. */
    batch<P extends string, A extends PlainBody, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly accepts: A; readonly returns: DescribedDocument },
      handler: (
        call: Call<S, PathParameters<P>, QueryValues<Q>, PlainBodyValue<A>> & { readonly batchContext: BatchContext },
      ) => Promise<{ readonly body: DeferredBody }>,
    ): Row<S> {
      return {
        ...createCommonFields('POST', path, summary, options),
        kind: 'batch',
        access: 'write',
        accepts: options.accepts,
        returns: options.returns,
        handle: async (call) => ({ kind: 'settled', ...(await handler(call as never)) }),
      };
    },
  };
}
