/** The client that the current work belongs to. Queues share threads fairly between clients. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestScope {
  /** Work with the same key shares one turn. */
  readonly client: string;
  /** A request can need several threads at once; background work can wait and has less weight. */
  readonly kind: 'request' | 'background' | 'server';
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** Work outside of any request, for example at start-up. */
const server: RequestScope = { client: 'server', kind: 'server' };

/** Runs the work of one request. */
export function runForClient<T>(client: string, work: () => T): T {
  return scopes.run({ client: `client ${client}`, kind: 'request' }, work);
}

/** Runs work that no client waits for. It does not belong to the request that started it. */
export function runInBackground<T>(name: string, work: () => T): T {
  return scopes.run({ client: `background ${name}`, kind: 'background' }, work);
}

/** Runs work that serves the requests of all clients, such as a shared thread. */
export function runForServer<T>(work: () => T): T {
  return scopes.run(server, work);
}

export function getCurrentScope(): RequestScope {
  return scopes.getStore() ?? server;
}
