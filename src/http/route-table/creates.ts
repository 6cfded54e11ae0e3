/** Route table rows that create resources. */

import type { Upload } from '../body/uploads.ts';
import type { DocumentReader, DocumentWriter } from '../documents/document.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import type {
  Call,
  CreatedResource,
  CreateResult,
  DocumentOrFile,
  FileBody,
  PathParameters,
  Success,
} from '../routes/route.ts';
import type { Format } from '../serialization/format.ts';
import { type CompletedWork, createRow, type Row, type RowOptions, toOutcome } from './row.ts';

export function createCreateRows<S>() {
  return {
    /** Creates a resource: 201 with Location and the new name as body. */
    post<P extends string, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => Promise<CreateResult>,
    ): Row<S> {
      return createRow<S>('POST', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'create' },
        success: 201,
        versioned: false,
        handle: async (call) => ({ kind: 'created', ...(await handler(call as never)) }),
      });
    },

    /** Creates a resource from a document, or from a file in one of several media types. */
    postEither<P extends string, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly orFile: FileBody },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, DocumentOrFile<D>>) => Promise<CreateResult>,
    ): Row<S> {
      return createRow<S>('POST', path, summary, options, {
        takes: { kind: 'document or file', document: options.takes, purpose: 'create', ...options.orFile },
        success: 201,
        versioned: false,
        handle: async (call) => ({ kind: 'created', ...(await handler(call as never)) }),
      });
    },

    /** Creates a resource: 201 with Location and the new resource as document. */
    postEchoed<P extends string, D, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly answers: DocumentWriter<R> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => Promise<CreatedResource<R>>,
    ): Row<S> {
      return createRow<S>('POST', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'create' },
        answers: options.answers as DocumentWriter<unknown>,
        success: 201,
        versioned: false,
        handle: async (call) => ({ kind: 'created', text: '', ...(await handler(call as never)) }),
      });
    },

    /** Creates the resource that the path names, without a body: 201 with Location and the new name. */
    postNamed<P extends string>(
      path: P,
      summary: string,
      options: RowOptions<QueryParameters>,
      handler: (call: Call<S, PathParameters<P>>) => Promise<CreateResult>,
    ): Row<S> {
      return createRow<S>('POST', path, summary, options, {
        success: 201,
        versioned: false,
        handle: async (call) => ({ kind: 'created', ...(await handler(call as never)) }),
      });
    },

    /** Adds to a collection and returns no body. */
    add<P extends string, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly success: 200 | 201 },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => CompletedWork,
    ): Row<S> {
      return createRow<S>('POST', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'create' },
        success: options.success,
        versioned: true,
        handle: (call) => toOutcome(handler(call as never)),
      });
    },

    /** Stores a file unchanged: 201 with Location if it is new, otherwise 200. */
    putFile<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly what: string },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, Upload>) => Promise<CreateResult>,
    ): Row<S> {
      return createRow<S>('PUT', path, summary, options, {
        takes: { kind: 'upload', what: options.what },
        success: 201,
        otherSuccesses: [200],
        versioned: true,
        handle: async (call) => ({ kind: 'created', ...(await handler(call as never)) }),
      });
    },

    /**
     * Creates or replaces a resource from a file: 201 with Location, and a document for clients that request a format.
     */
    upload<P extends string, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & {
        readonly what: string;
        readonly answers: DocumentWriter<R>;
        /** The format for clients that request none; by default they get the text. */
        readonly otherwise?: Format;
        /** PUT by default. */
        readonly method?: 'PUT' | 'POST';
        /** 201 by default. */
        readonly success?: Success;
        readonly otherSuccesses?: readonly Success[];
      },
      handler: (
        call: Call<S, PathParameters<P>, QueryValues<Q>, Upload>,
      ) => Promise<Omit<CreatedResource<R>, 'resource'> & Partial<Pick<CreatedResource<R>, 'resource'>>>,
    ): Row<S> {
      return createRow<S>(options.method ?? 'PUT', path, summary, options, {
        takes: {
          kind: 'upload',
          what: options.what,
          ...(options.otherwise === undefined ? {} : { otherwise: options.otherwise }),
        },
        answers: options.answers as DocumentWriter<unknown>,
        success: options.success ?? 201,
        ...(options.otherSuccesses === undefined ? {} : { otherSuccesses: options.otherSuccesses }),
        versioned: true,
        handle: async (call) => ({ kind: 'created', text: '', ...(await handler(call as never)) }),
      });
    },
  };
}
