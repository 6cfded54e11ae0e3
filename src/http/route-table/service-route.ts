/** Rows for map and feature services, which parse requests, choose formats and format errors by their own standards. */
import { VISITOR } from '../auth/auth.ts';
import type { Outcome } from '../routes/outcome.ts';
import type { Call, Method, PathParameters, ServiceInput, ServiceRoute, ServiceTable } from '../routes/route.ts';
import type { ExplainProblem, SentRequest, ServiceReply } from '../session/service-reply.ts';

/** The call of a service. */
export interface ServiceCall<S, P = unknown>
  extends Pick<Call<S, P>, 'services' | 'principal' | 'params' | 'signal'>,
    SentRequest {}

export interface ServiceTableOptions {
  readonly description: string;
  readonly explain: ExplainProblem;
}

type ServiceRow<S> = Omit<ServiceRoute<S>, 'family' | 'explain'>;

/** Synchronous results are returned directly: each await costs as much as a step of a small read. */
type Respond<S, P extends string> = (call: ServiceCall<S, PathParameters<P>>) => Promise<ServiceReply> | ServiceReply;

/** Returns the row builders of services for handlers with `S`. */
export function createServiceRouteBuilders<S>() {
  return {
    /** An operation open to anyone; the response depends on the permissions of the caller. */
    answer<P extends string>(method: Method, path: P, summary: string, respond: Respond<S, P>): ServiceRow<S> {
      return createServiceRow(method, path, summary, respond);
    },

    /** A POST that only reads a snapshot. */
    answerQuery<P extends string>(path: P, summary: string, respond: Respond<S, P>): ServiceRow<S> {
      return { ...createServiceRow('POST', path, summary, respond), access: 'snapshot' };
    },

    /** Limits the Allow header of the path of an operation to the methods that the service offers to the caller. */
    offerTo(row: ServiceRow<S>, listOffered: (call: ServiceCall<S>) => Promise<readonly Method[]>): ServiceRow<S> {
      return { ...row, listOffered: (input) => listOffered(toServiceCall(input)) };
    },

    /** All operations of a service. */
    service(
      name: string,
      { description, explain }: ServiceTableOptions,
      rows: readonly ServiceRow<S>[],
    ): ServiceTable<S> {
      return { family: name, description, routes: rows.map((row) => ({ ...row, family: name, explain })) };
    },
  };
}

function createServiceRow<S, P extends string>(
  method: Method,
  path: P,
  summary: string,
  respond: Respond<S, P>,
): ServiceRow<S> {
  return {
    kind: 'service',
    role: VISITOR,
    access: method === 'GET' ? 'snapshot' : 'write',
    method,
    path,
    summary,
    handle: (input) => {
      const reply = respond(toServiceCall(input));
      return reply instanceof Promise ? reply.then(toServiceOutcome) : toServiceOutcome(reply);
    },
  };
}

function toServiceCall<S, P>({ services, principal, params, signal, sent }: ServiceInput<S>): ServiceCall<S, P> {
  const { rawQuery, headers, baseUrl, text, describe } = sent;
  // Assign members one by one: spreading costs a noticeable part of the time for a cached tile.
  return {
    services,
    principal,
    params: params as never,
    signal,
    method: sent.method,
    isHead: sent.isHead,
    path: sent.path,
    rawQuery,
    headers,
    baseUrl,
    text,
    describe,
  };
}

function toServiceOutcome(reply: ServiceReply): Outcome {
  return { kind: 'service', reply };
}
