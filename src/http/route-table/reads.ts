/** Route table rows that only read. */

import type { Upload } from '../body/uploads.ts';
import type { DocumentWriter } from '../documents/document.ts';
import type { Rendition } from '../negotiate/rendition.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import type {
  Call,
  FileResult,
  LiveResult,
  OpenFileResult,
  Outcome,
  PathParameters,
  PrintedListResult,
  ReadResult,
} from '../routes/route.ts';
import { createRow, type Row, type RowOptions } from './row.ts';

export function createReadRows<S>() {
  return {
    /** A read; `versioned` for a single resource with an ETag, `renditions` if it is also available as a file. */
    get<P extends string, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & {
        readonly answers: DocumentWriter<R>;
        readonly versioned?: boolean;
        readonly renditions?: readonly Rendition[];
      },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<ReadResult<R> | FileResult>,
    ): Row<S> {
      return createRow<S>('GET', path, summary, options, {
        answers: options.answers as DocumentWriter<unknown>,
        success: 200,
        versioned: options.versioned ?? false,
        renditions: options.renditions ?? [],
        handle: async (call) => {
          const found = await handler(call as never);
          if ('file' in found) {
            const { file, ...rest } = found;
            return { kind: 'file', ...rest, ...file };
          }
          return { kind: 'found', ...found };
        },
      });
    },

    /**
     * A read of a file or, if there is none, of a document, which can be a list; `format` in the query sets the format
     * of the document.
     */
    getOpenFile<P extends string, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly answers: DocumentWriter<R> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<ReadResult<R> | OpenFileResult>,
    ): Row<S> {
      return createRow<S>('GET', path, summary, options, {
        answers: options.answers as DocumentWriter<unknown>,
        success: 200,
        otherSuccesses: [206],
        lists: true,
        versioned: true,
        formatInQuery: true,
        handle: async (call) => {
          const found = await handler(call as never);
          return 'openFile' in found ? toOpenFileOutcome(found) : { kind: 'found', ...found };
        },
      });
    },

    /** A read of a list that the family serializes in each of its formats while its items are read. */
    getPrinted<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & {
        readonly answers: DocumentWriter<never>;
        readonly versioned?: boolean;
        readonly renditions?: readonly Rendition[];
      },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<PrintedListResult | OpenFileResult>,
    ): Row<S> {
      return createRow<S>('GET', path, summary, options, {
        answers: options.answers as DocumentWriter<unknown>,
        success: 200,
        versioned: options.versioned ?? false,
        renditions: options.renditions ?? [],
        handle: async (call) => {
          const found = await handler(call as never);
          return 'openFile' in found ? toOpenFileOutcome(found) : { kind: 'printed', ...found };
        },
      });
    },

    /** A read of past and future items: as a list, or as a rendition that streams until the client disconnects. */
    getFollowed<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly answers: DocumentWriter<never>; readonly renditions: readonly Rendition[] },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<PrintedListResult | LiveResult>,
    ): Row<S> {
      return createRow<S>('GET', path, summary, options, {
        answers: options.answers as DocumentWriter<unknown>,
        renditions: options.renditions,
        success: 200,
        versioned: false,
        follows: true,
        handle: async (call) => {
          const found = await handler(call as never);
          return 'live' in found ? { kind: 'live', ...found.live } : { kind: 'printed', ...found };
        },
      });
    },

    /** A query in a body of any type that returns a list, which the family serializes itself. */
    askPrinted<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly what: string; readonly answers: DocumentWriter<never> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, Upload>) => Promise<PrintedListResult>,
    ): Row<S> {
      return createRow<S>('POST', path, summary, options, {
        takes: { kind: 'upload', what: options.what, otherwise: 'json' },
        answers: options.answers as DocumentWriter<unknown>,
        success: 200,
        versioned: false,
        readsOneState: true,
        handle: async (call) => ({ kind: 'printed', ...(await handler(call as never)) }),
      });
    },

    /** A read of text in one media type. */
    getText<P extends string>(
      path: P,
      summary: string,
      options: RowOptions<QueryParameters> & { readonly mediaType: string; readonly standsAlone?: true },
      handler: (call: Call<S, PathParameters<P>>) => Promise<string>,
    ): Row<S> {
      const { mediaType, standsAlone } = options;
      return createRow<S>('GET', path, summary, options, {
        answersText: mediaType,
        ...(standsAlone && { standsAlone }),
        success: 200,
        versioned: false,
        handle: async (call) => ({ kind: 'text', mediaType, text: await handler(call as never) }),
      });
    },

    /** A read of bytes in one media type. */
    getFile<P extends string>(
      path: P,
      summary: string,
      options: RowOptions<QueryParameters> & { readonly mediaType: string },
      handler: (call: Call<S, PathParameters<P>>) => Promise<Uint8Array>,
    ): Row<S> {
      const { mediaType } = options;
      return createRow<S>('GET', path, summary, options, {
        answersText: mediaType,
        success: 200,
        versioned: false,
        handle: async (call) => ({ kind: 'file', mediaType, bytes: await handler(call as never) }),
      });
    },

    /** A query in a line of text that returns a document. */
    ask<P extends string, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly what: string; readonly answers: DocumentWriter<R> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, string>) => Promise<ReadResult<R>>,
    ): Row<S> {
      return createRow<S>('POST', path, summary, options, {
        takes: { kind: 'text', what: options.what },
        answers: options.answers as DocumentWriter<unknown>,
        success: 200,
        versioned: false,
        handle: async (call) => ({ kind: 'found', ...(await handler(call as never)) }),
      });
    },
  };
}

function toOpenFileOutcome({ openFile, ...rest }: OpenFileResult): Outcome {
  return { kind: 'open file', ...rest, ...openFile };
}
