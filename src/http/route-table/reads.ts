/** Route table rows that read. */
import type { JsonTree } from '../../lib/json/tree.ts';
import type { Upload } from '../body/uploads.ts';
import type { DocumentWriter } from '../documents/document.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import type { AnyReadResult, OpenFileResult, PrintedListResult, ReadResult } from '../routes/outcome.ts';
import type { Call, PathParameters, Rendition, RequestBodySpec } from '../routes/route.ts';
import { createCommonFields, type Row, type RowOptions } from './row.ts';

/** A body that is not converted. */
export type PlainBody = Extract<RequestBodySpec, { kind: 'text' | 'json' | 'upload' }>;

export type PlainBodyValue<A extends PlainBody> = A extends { kind: 'text' }
  ? string
  : A extends { kind: 'json' }
    ? JsonTree
    : Upload;

/** The body of a response to HEAD. */
async function* noPieces(): AsyncGenerator<Uint8Array> {}

export function createReadRows<S>() {
  return {
    /** A read; `versioned` for a single resource with an ETag, `renditions` if it is also available as a file. */
    get<P extends string, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & {
        readonly returns: DocumentWriter<R>;
        readonly versioned?: boolean;
        readonly renditions?: readonly Rendition[];
        /** `live` for changes as they happen. */
        readonly access?: 'live';
      },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<AnyReadResult<R>>,
    ): Row<S> {
      return {
        ...createCommonFields('GET', path, summary, options),
        kind: 'resource',
        access: options.access ?? 'snapshot',
        returns: options.returns as DocumentWriter<unknown>,
        renditions: options.renditions ?? [],
        versioned: options.versioned ?? false,
        handle: handler as never,
      };
    },

    /** Reads a file. A folder is returned as a document, which can be a list. */
    getOpenFile<P extends string, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly returns: DocumentWriter<R> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<ReadResult<R> | OpenFileResult>,
    ): Row<S> {
      return {
        ...createCommonFields('GET', path, summary, options),
        kind: 'file',
        access: 'snapshot',
        returns: options.returns as DocumentWriter<unknown>,
        handle: handler as never,
      };
    },

    /** A read of text or bytes in one media type. */
    getContent<P extends string>(
      path: P,
      summary: string,
      options: RowOptions<QueryParameters> & { readonly mediaType: string; readonly access?: 'none' },
      handler: (call: Call<S, PathParameters<P>>) => Promise<string | Uint8Array>,
    ): Row<S> {
      const { mediaType } = options;
      return {
        ...createCommonFields('GET', path, summary, options),
        kind: 'content',
        access: options.access ?? 'snapshot',
        mediaType,
        handle: async (call) => {
          const content = await handler(call as never);
          return typeof content === 'string'
            ? { kind: 'text', mediaType, text: content }
            : { kind: 'file', mediaType, bytes: content };
        },
      };
    },

    /** A read of bytes that are sent while they are produced. */
    getStream<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly mediaType: string },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<AsyncIterable<Uint8Array>>,
    ): Row<S> {
      const { mediaType } = options;
      return {
        ...createCommonFields('GET', path, summary, options),
        kind: 'content',
        access: 'live',
        mediaType,
        handle: async (call) => {
          // The pieces may be expensive, such as a backup.
          const pieces = call.sent.isHead ? noPieces() : await handler(call as never);
          // A server that stops waits for the end of the stream.
          return { kind: 'live', mediaType, pieces, until: new AbortController().signal };
        },
      };
    },

    /** A read with a query in the body of a POST. */
    postQuery<P extends string, R, A extends PlainBody, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly accepts: A; readonly returns: DocumentWriter<R> },
      handler: (
        call: Call<S, PathParameters<P>, QueryValues<Q>, PlainBodyValue<A>>,
      ) => Promise<ReadResult<R> | PrintedListResult>,
    ): Row<S> {
      return {
        ...createCommonFields('POST', path, summary, options),
        kind: 'query',
        access: 'snapshot',
        accepts: options.accepts,
        returns: options.returns as DocumentWriter<unknown>,
        handle: handler as never,
      };
    },
  };
}
