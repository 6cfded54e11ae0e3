/** Route table rows that create resources. */
import type { Upload } from '../body/uploads.ts';
import type { DocumentWriter } from '../documents/document.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import type { CreatedResource, CreateResult, Outcome, Success } from '../routes/outcome.ts';
import type { Call, FileBody, PathParameters } from '../routes/route.ts';
import type { Format } from '../serialization/format.ts';
import {
  type BodyOptions,
  createCommonFields,
  type Row,
  type RowOptions,
  type SentBody,
  toBodySpec,
  toWriteResponse,
} from './row.ts';

export function createCreateRows<S>() {
  return {
    /**
     * Creates a resource: 201 with Location, and the new name or, with `returns`, the new resource. Without `accepts`,
     * the path names the resource. Work that continues after the response has `success` 202.
     */
    post<
      P extends string,
      D = undefined,
      F extends FileBody | undefined = undefined,
      R = never,
      Q extends QueryParameters = Record<never, never>,
    >(
      path: P,
      summary: string,
      options: RowOptions<Q> &
        Partial<BodyOptions<D, F>> & { readonly returns?: DocumentWriter<R>; readonly success?: 201 | 202 },
      handler: (
        call: Call<S, PathParameters<P>, QueryValues<Q>, SentBody<D, F>>,
      ) => Promise<[R] extends [never] ? CreateResult : CreatedResource<R> | UploadedResource<R>>,
    ): Row<S> {
      return {
        ...createCommonFields('POST', path, summary, options),
        kind: 'write',
        access: 'write',
        accepts: toBodySpec(options, 'create'),
        returns: toWriteResponse(options.returns),
        success: options.success ?? 201,
        otherSuccesses: [],
        versioned: false,
        handle: async (call) => toCreatedOutcome(await handler(call as never)),
      };
    },

    /** Creates a resource, or changes an existing one: 201 or 200 with Location. Missing fields stay unchanged. */
    putOrCreate<P extends string, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & BodyOptions<D, undefined>,
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, D>) => Promise<CreateResult>,
    ): Row<S> {
      return {
        ...createCommonFields('PUT', path, summary, options),
        kind: 'write',
        access: 'write',
        accepts: toBodySpec(options, 'change'),
        returns: { kind: 'text' },
        success: 201,
        otherSuccesses: [200],
        versioned: true,
        handle: async (call) => toCreatedOutcome(await handler(call as never)),
      };
    },

    /**
     * Creates or replaces a resource from a file: 201 with Location and, with `returns`, a document for clients that
     * request a format.
     */
    upload<P extends string, R = never, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & {
        readonly what: string;
        readonly returns?: DocumentWriter<R>;
        /** The format for clients that request none; by default they get the text. */
        readonly otherwise?: Format;
        /** PUT by default. */
        readonly method?: 'PUT' | 'POST';
        /** 201 by default. */
        readonly success?: Success;
        readonly otherSuccesses?: readonly Success[];
      },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>, Upload>) => Promise<UploadResult<R>>,
    ): Row<S> {
      const { what, otherwise } = options;
      return {
        ...createCommonFields(options.method ?? 'PUT', path, summary, options),
        kind: 'write',
        access: 'write',
        accepts: { kind: 'upload', what, ...(otherwise === undefined ? {} : { otherwise }) },
        returns: toWriteResponse(options.returns),
        success: options.success ?? 201,
        otherSuccesses: options.otherSuccesses ?? [],
        versioned: true,
        handle: async (call) => toCreatedOutcome(await handler(call as never)),
      };
    },
  };
}

type UploadResult<R> = [R] extends [never] ? CreateResult : UploadedResource<R>;

type UploadedResource<R> = Omit<CreatedResource<R>, 'resource'> & Partial<Pick<CreatedResource<R>, 'resource'>>;

function toCreatedOutcome(result: CreateResult | UploadedResource<unknown>): Outcome {
  return { kind: 'created', text: '', ...result };
}
