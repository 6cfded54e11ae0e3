/** How a family writes its route table, with types that follow from each row. */

import { ROLE_ADMINISTRATOR } from '../lib/principal.ts';
import type { ProblemCode } from '../lib/problem-kinds.ts';
import type { DocumentReader, DocumentWriter } from './documents/document.ts';
import type { Format } from './formats/format.ts';
import type { QueryParameters, QueryValues } from './query.ts';
import type {
  Call,
  Created,
  CreatedResource,
  ErrorStyle,
  ExactName,
  Found,
  Method,
  PathParameters,
  Route,
  RouteTable,
} from './route.ts';
import type { Upload } from './uploads.ts';
import type { FormatGroup } from './wire-dialect.ts';

interface RowOptions<Q> {
  readonly query?: Q;
  readonly problems?: readonly ProblemCode[];
  /** The role a caller needs; administrators only, unless a row says otherwise. */
  readonly role?: string;
  /** Replies hold a secret: nothing on the way may keep them. */
  readonly confidential?: boolean;
}

type Row<S> = Omit<Route<S>, 'family' | 'formats' | 'formatGroup' | 'errorStyle' | 'exactName'>;

/** The row constructors for handlers that are given the services `S`. */
export function routesFor<S>() {
  function row(
    method: Method,
    path: string,
    summary: string,
    options: RowOptions<QueryParameters>,
    rest: Pick<Row<S>, 'handle' | 'success' | 'versioned'> & Partial<Pick<Row<S>, 'takes' | 'answers' | 'answersText'>>,
  ): Row<S> {
    return {
      method,
      path,
      summary,
      role: options.role ?? ROLE_ADMINISTRATOR,
      query: options.query ?? {},
      problems: options.problems ?? [],
      confidential: options.confidential ?? false,
      ...rest,
    };
  }

  return {
    /** A read; `versioned` for a single resource with an ETag. */
    get<P extends string, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly answers: DocumentWriter<R>; readonly versioned?: boolean },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<Found<R>>,
    ): Row<S> {
      return row('GET', path, summary, options, {
        answers: options.answers as DocumentWriter<unknown>,
        success: 200,
        versioned: options.versioned ?? false,
        handle: async (call) => ({ kind: 'found', ...(await handler(call as never)) }),
      });
    },

    /** A read of ready text in one media type. */
    getText<P extends string>(
      path: P,
      summary: string,
      options: RowOptions<QueryParameters> & { readonly mediaType: string },
      handler: (call: Call<S, PathParameters<P>>) => Promise<string>,
    ): Row<S> {
      const { mediaType } = options;
      return row('GET', path, summary, options, {
        answersText: mediaType,
        success: 200,
        versioned: false,
        handle: async (call) => ({ kind: 'text', mediaType, text: await handler(call as never) }),
      });
    },

    /** A create: 201 with Location and the new name as body. */
    post<P extends string, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => Promise<Created>,
    ): Row<S> {
      return row('POST', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'create' },
        success: 201,
        versioned: false,
        handle: async (call) => ({ kind: 'created', ...(await handler(call as never)) }),
      });
    },

    /** A create that answers 201 with Location and the new resource as document. */
    postEchoed<P extends string, D, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly answers: DocumentWriter<R> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => Promise<CreatedResource<R>>,
    ): Row<S> {
      return row('POST', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'create' },
        answers: options.answers as DocumentWriter<unknown>,
        success: 201,
        versioned: false,
        handle: async (call) => ({ kind: 'created', text: '', ...(await handler(call as never)) }),
      });
    },

    /** A create of what the path names, without a body: 201 with Location and the new name. */
    postNamed<P extends string>(
      path: P,
      summary: string,
      options: RowOptions<QueryParameters>,
      handler: (call: Call<S, PathParameters<P>>) => Promise<Created>,
    ): Row<S> {
      return row('POST', path, summary, options, {
        success: 201,
        versioned: false,
        handle: async (call) => ({ kind: 'created', ...(await handler(call as never)) }),
      });
    },

    /** A change of what the body names, for clients that know no PUT. */
    postChange<P extends string, D>(
      path: P,
      summary: string,
      options: RowOptions<QueryParameters> & { readonly takes: DocumentReader<D> },
      handler: (call: Call<S, PathParameters<P>, unknown, D>) => Promise<void>,
    ): Row<S> {
      return row('POST', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'change' },
        success: 200,
        versioned: false,
        handle: async (call) => {
          await handler(call as never);
          return { kind: 'done' };
        },
      });
    },

    /** An addition to a collection, answered without a body. */
    add<P extends string, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly success: 200 | 201 },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => Promise<void>,
    ): Row<S> {
      return row('POST', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'create' },
        success: options.success,
        versioned: true,
        handle: async (call) => {
          await handler(call as never);
          return { kind: 'done' };
        },
      });
    },

    /** Something done without a body, by POST unless the row says otherwise. */
    act<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly method?: 'POST' | 'PUT' },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<void>,
    ): Row<S> {
      return row(options.method ?? 'POST', path, summary, options, {
        success: 200,
        versioned: false,
        handle: async (call) => {
          await handler(call as never);
          return { kind: 'done' };
        },
      });
    },

    /** A question asked with a line of text in the body, answered with a document. */
    ask<P extends string, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly what: string; readonly answers: DocumentWriter<R> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, string>) => Promise<Found<R>>,
    ): Row<S> {
      return row('POST', path, summary, options, {
        takes: { kind: 'text', what: options.what },
        answers: options.answers as DocumentWriter<unknown>,
        success: 200,
        versioned: false,
        handle: async (call) => ({ kind: 'found', ...(await handler(call as never)) }),
      });
    },

    /** A file that makes or replaces something: 201 with Location, and what was made for clients that ask for a format. */
    upload<P extends string, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly what: string; readonly answers: DocumentWriter<R> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, Upload>) => Promise<CreatedResource<R>>,
    ): Row<S> {
      return row('PUT', path, summary, options, {
        takes: { kind: 'upload', what: options.what },
        answers: options.answers as DocumentWriter<unknown>,
        success: 201,
        versioned: true,
        handle: async (call) => ({ kind: 'created', text: '', ...(await handler(call as never)) }),
      });
    },

    /** A change of what the body names; what it leaves out stays, unless the row `requires` all that a create would. */
    put<P extends string, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly requires?: 'all' },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => Promise<void>,
    ): Row<S> {
      return row('PUT', path, summary, options, {
        takes: {
          kind: 'document',
          document: options.takes,
          purpose: options.requires === 'all' ? 'create' : 'change',
        },
        success: 200,
        versioned: true,
        handle: async (call) => {
          await handler(call as never);
          return { kind: 'done' };
        },
      });
    },

    /** A change that answers with the changed resource. */
    putEchoed<P extends string, D, R, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly takes: DocumentReader<D>; readonly answers: DocumentWriter<R> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => Promise<{ readonly resource: R }>,
    ): Row<S> {
      return row('PUT', path, summary, options, {
        takes: { kind: 'document', document: options.takes, purpose: 'change' },
        answers: options.answers as DocumentWriter<unknown>,
        success: 200,
        versioned: true,
        handle: async (call) => ({ kind: 'found', ...(await handler(call as never)) }),
      });
    },

    del<P extends string, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q>,
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>) => Promise<void>,
    ): Row<S> {
      return row('DELETE', path, summary, options, {
        success: 200,
        versioned: true,
        handle: async (call) => {
          await handler(call as never);
          return { kind: 'done' };
        },
      });
    },

    /** A whole family. */
    family(
      name: string,
      options: {
        readonly description: string;
        readonly formats: readonly Format[];
        readonly formatGroup: FormatGroup;
        readonly errorStyle?: ErrorStyle;
        /** By name of a path's last variable: whether a resource of exactly that name exists. */
        readonly exactNames?: Readonly<Record<string, ExactName<S>>>;
      },
      rows: readonly Row<S>[],
    ): RouteTable<S> {
      return {
        family: name,
        description: options.description,
        routes: rows.map((each) => {
          const last = each.path.split('/').at(-1) ?? '';
          const exactName = /^[:*]/.test(last) ? options.exactNames?.[last.slice(1)] : undefined;
          return {
            ...each,
            family: name,
            formats: options.formats,
            formatGroup: options.formatGroup,
            errorStyle: options.errorStyle ?? 'asked',
            ...(exactName === undefined ? {} : { exactName }),
          };
        }),
      };
    },
  };
}
