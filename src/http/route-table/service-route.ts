/** Rows for services of maps and features: they read requests, choose formats and word errors by their own standards. */
import { VISITOR } from '../auth/authorization.ts';
import type { Call, Method, Outcome, PathParameters, Route, RouteTable } from '../routes/route.ts';
import type { ExplainProblem, SentRequest, ServiceReply } from '../session/service-reply.ts';

/** What a service is given. */
export interface ServiceCall<S, P = unknown>
  extends Pick<Call<S, P>, 'services' | 'principal' | 'params' | 'signal'>,
    SentRequest {}

export interface ServiceTableOptions {
  readonly description: string;
  readonly explain: ExplainProblem;
}

type ServiceRow<S> = Omit<Route<S>, 'family' | 'explain'>;

/** The row constructors of services whose handlers are given `S`. */
export function createServiceRouteBuilders<S>() {
  return {
    /** An operation that anybody may ask for; what they see of it depends on who they are. */
    answer<P extends string>(
      method: Method,
      path: P,
      summary: string,
      /** Who has the answer at hand gives it at once: each wait costs as much as a step of a small read. */
      respond: (call: ServiceCall<S, PathParameters<P>>) => Promise<ServiceReply> | ServiceReply,
      /** Whether it works with one state although its method is that of a change, as services that are asked with POST do. */
      options: { readonly readsOneState?: true } = {},
    ): ServiceRow<S> {
      return {
        ...bareRow,
        ...options,
        method,
        path,
        summary,
        handle: ({ services, principal, params, signal, sent }) => {
          const { rawQuery, headers, baseUrl, text } = sent;
          // One by one: an object that others are spread into behind its own members takes a part of what a kept tile takes.
          const reply = respond({
            services,
            principal,
            params: params as never,
            signal,
            method: sent.method,
            rawQuery,
            headers,
            baseUrl,
            text,
          });
          return reply instanceof Promise ? reply.then(toServiceOutcome) : toServiceOutcome(reply);
        },
      };
    },

    /** All the operations of a service. */
    service(
      name: string,
      { description, explain }: ServiceTableOptions,
      rows: readonly ServiceRow<S>[],
    ): RouteTable<S> {
      return { family: name, description, routes: rows.map((row) => ({ ...row, family: name, explain })) };
    },
  };
}

function toServiceOutcome(reply: ServiceReply): Outcome {
  return { kind: 'service', reply };
}

/** What rows of documents say, and services do not. */
const bareRow = {
  role: VISITOR,
  formats: [],
  formatGroup: 'contents',
  errorStyle: 'service',
  query: {},
  endsInFileName: false,
  formatInQuery: false,
  renditions: [],
  success: 200,
  versioned: false,
  refusesUnknownQuery: false,
  confidential: false,
  problems: [],
} as const;
