/** Route table rows that change or delete resources. */
import type { JsonTree } from '../../lib/json/tree.ts';
import type { Upload } from '../body/uploads.ts';
import type { DocumentReader, DocumentWriter } from '../documents/document.ts';
import type { DescribedDocument } from '../documents/schema.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import type { BatchContext, Call, DocumentOrFile, FileBody, PathParameters, RequestBodySpec } from '../routes/route.ts';
import type { DeferredBody } from '../session/recorded-reply.ts';
import { type CompletedWork, createRow, type Row, type RowOptions, toOutcome } from './row.ts';

export function createChangeRows<S>() {
  return {
    /** Changes a resource. Missing fields stay unchanged, unless the row `requires` all fields of a create. */
    put<P extends string, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly requires?: 'all' },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => CompletedWork,
    ): Row<S> {
      return createRow<S>('PUT', path, summary, options, {
        takes: {
          kind: 'document',
          document: options.takes,
          purpose: options.requires === 'all' ? 'create' : 'change',
        },
        success: 200,
        versioned: true,
        handle: (call) => toOutcome(handler(call as never)),
      });
    },

    /** Changes a resource by a document, in which missing fields stay unchanged, or its content by a file. */
    putEither<P extends string, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly orFile: FileBody },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, DocumentOrFile<D>>) => CompletedWork,
    ): Row<S> {
      return createRow<S>('PUT', path, summary, options, {
        takes: { kind: 'document or file', document: options.takes, purpose: 'change', ...options.orFile },
        success: 200,
        versioned: true,
        handle: (call) => toOutcome(handler(call as never)),
      });
    },

    /** Changes a resource and returns it. */
    putEchoed<P extends string, D, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly answers: DocumentWriter<R> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => Promise<{ readonly resource: R }>,
    ): Row<S> {
      return createRow<S>('PUT', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'change' },
        answers: options.answers as DocumentWriter<unknown>,
        success: 200,
        versioned: true,
        handle: async (call) => ({ kind: 'found', ...(await handler(call as never)) }),
      });
    },

    /** Changes a resource by POST, for clients without PUT. */
    postChange<P extends string, D>(
      path: P,
      summary: string,
      options: RowOptions<QueryParameters> & { readonly takes: DocumentReader<D> },
      handler: (call: Call<S, PathParameters<P>, unknown, D>) => Promise<void>,
    ): Row<S> {
      return createRow<S>('POST', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'change' },
        success: 200,
        versioned: false,
        handle: async (call) => {
          await handler(call as never);
          return { kind: 'done' };
        },
      });
    },

    /** Executes several operations as one change, from a JSON document; the response can describe the change. */
    postTogether<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DescribedDocument; readonly answers: DescribedDocument },
      handler: (
        call: Call<S, PathParameters<P>, QueryValues<Q>, JsonTree> & { readonly batchContext: BatchContext },
      ) => Promise<{ readonly body: DeferredBody }>,
    ): Row<S> {
      return createTransactionRow<S>(path, summary, options, { kind: 'json', shape: options.takes }, (call) =>
        handler(call as never),
      );
    },

    /** The same with a body of any type, which the handler reads. */
    uploadTogether<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly what: string; readonly answers: DescribedDocument },
      handler: (
        call: Call<S, PathParameters<P>, QueryValues<Q>, Upload> & { readonly batchContext: BatchContext },
      ) => Promise<{ readonly body: DeferredBody }>,
    ): Row<S> {
      return createTransactionRow<S>(
        path,
        summary,
        options,
        { kind: 'upload', what: options.what, otherwise: 'json' },
        (call) => handler(call as never),
      );
    },

    /** Executes an action without a body, by POST unless the row sets another method. */
    act<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly method?: 'POST' | 'PUT' },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => CompletedWork,
    ): Row<S> {
      return createRow<S>(options.method ?? 'POST', path, summary, options, {
        success: 200,
        versioned: false,
        handle: (call) => toOutcome(handler(call as never)),
      });
    },

    /** Executes an action without a body and returns the change that it made. */
    actTold<P extends string>(
      path: P,
      summary: string,
      options: RowOptions<Record<never, never>> & { readonly answers: DocumentWriter<never> },
      handler: (call: Call<S, PathParameters<P>>) => CompletedWork,
    ): Row<S> {
      return createRow<S>('POST', path, summary, options, {
        answers: options.answers as DocumentWriter<unknown>,
        answersChange: true,
        success: 200,
        versioned: false,
        handle: (call) => toOutcome(handler(call as never)),
      });
    },

    del<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q>,
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => CompletedWork,
    ): Row<S> {
      return createRow<S>('DELETE', path, summary, options, {
        success: 200,
        versioned: true,
        handle: (call) => toOutcome(handler(call as never)),
      });
    },
  };
}

function createTransactionRow<S>(
  path: string,
  summary: string,
  options: RowOptions<QueryParameters> & { readonly answers: DescribedDocument },
  takes: RequestBodySpec,
  handler: (call: unknown) => Promise<{ readonly body: DeferredBody }>,
): Row<S> {
  const answers = { ...options.answers, write: throwNeverWritten };
  const handle = async (call: unknown) => ({ kind: 'settled', ...(await handler(call)) }) as const;
  const own = { takes, answers, success: 200, versioned: false, handle } as const;
  return createRow<S>('POST', path, summary, { ...options, isOneChange: true }, own);
}

function throwNeverWritten(): never {
  throw new Error('Responses of batch rows are serialized by their handlers.');
}
