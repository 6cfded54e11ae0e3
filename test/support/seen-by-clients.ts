/** Clients that use the same few workspaces and stores concurrently, and record what they observe and when. */
import { expect } from 'vitest';
import {
  isLinearizable,
  type NamesRequest,
  type NamesSeen,
  names,
  type Operation,
  type RegisterRequest,
  type RegisterSeen,
  register,
} from './linearizability.ts';
import { asAdministrator } from './real-nodes.ts';

/** The target of the clients of a run, and its duration. */
export interface Run {
  /** The origin, evaluated for each request. */
  readonly origin: () => string;
  /** Must be unique among runs on the same nodes. */
  readonly prefix: string;
  readonly clients: number;
  /** Whether a client continues after this many operations. */
  readonly goesOn: (operations: number) => boolean;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** The combined results. */
export interface Seen {
  readonly registers: readonly (readonly Operation<RegisterRequest, RegisterSeen>[])[];
  readonly listings: readonly (readonly Operation<NamesRequest, NamesSeen>[])[];
  readonly answered: number;
  readonly refused: number;
  readonly unknown: number;
}

const CLIENTS_PER_PLACE = 4;
const REQUEST_MS = 120_000;
/** The time limit of a rejection: five seconds, on busy machines. */
const MAX_REFUSAL_MS = 9_000;

/** Half of the clients work on namespaces, the others on the stores of a workspace; several share each object. */
export async function runClients(run: Run): Promise<Seen> {
  const places = Math.max(1, Math.floor(run.clients / 2 / CLIENTS_PER_PLACE));
  const registers: Operation<RegisterRequest, RegisterSeen>[][] = Array.from({ length: places }, () => []);
  const listings: Operation<NamesRequest, NamesSeen>[][] = Array.from({ length: places }, () => []);
  const counts = { answered: 0, refused: 0, unknown: 0 };
  let values = 0;

  /** Undefined for an unknown outcome; null for a rejected request, which was never applied. */
  async function ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; text: string } | null | undefined> {
    const startedMs = performance.now();
    try {
      const reply = await fetch(`${run.origin()}/geoserver/rest${path}`, {
        method,
        headers: {
          authorization: asAdministrator,
          'content-type': 'application/json',
          // Only these errors have a code.
          accept: 'application/json, application/problem+json',
        },
        signal: AbortSignal.timeout(REQUEST_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { status } = reply;
      const text = await reply.text();
      if (status === 502 || (status === 503 && text.includes('outcome-unknown'))) {
        counts.unknown += 1;
        return undefined;
      }
      if (status === 503) {
        expect(Number(reply.headers.get('retry-after')), text).toBeGreaterThan(0);
        if (method === 'GET') expect(performance.now() - startedMs).toBeLessThan(MAX_REFUSAL_MS);
        counts.refused += 1;
        return null;
      }
      expect(status, text).toBeLessThan(500);
      counts.answered += 1;
      return { status, text };
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') throw error;
      counts.unknown += 1;
      return undefined;
    }
  }

  async function note<Request, OneSeen>(
    history: Operation<Request, OneSeen>[],
    request: Request,
    isRead: boolean,
    send: () => ReturnType<typeof ask>,
    seenIn: (reply: { status: number; text: string }) => OneSeen,
  ): Promise<void> {
    const from = performance.now();
    const reply = await send();
    const to = performance.now();
    if (reply === null || (reply === undefined && isRead)) return;
    history.push({ request, seen: reply === undefined ? undefined : seenIn(reply), from, to });
  }

  const isDone = ({ status }: { status: number }) => ({ isDone: status < 300 });

  async function useNamespace(place: number): Promise<void> {
    const history = registers[place] ?? [];
    const prefix = `${run.prefix}ns${place}`;
    const path = `/namespaces/${prefix}`;
    values += 1;
    const value = `urn:${run.prefix}:${values}`;
    const dice = run.random();
    if (dice < 0.45) {
      const seenIn = ({ status, text }: { status: number; text: string }) => ({
        value: status === 404 ? null : (JSON.parse(text) as { namespace: { uri: string } }).namespace.uri,
      });
      await note(history, { kind: 'read' }, true, () => ask('GET', `${path}.json`), seenIn);
    } else if (dice < 0.65) {
      const body = { namespace: { prefix, uri: value } };
      await note(history, { kind: 'make', value }, false, () => ask('POST', '/namespaces', body), isDone);
    } else if (dice < 0.85) {
      const body = { namespace: { uri: value } };
      await note(history, { kind: 'change', value }, false, () => ask('PUT', path, body), isDone);
    } else {
      await note(history, { kind: 'remove' }, false, () => ask('DELETE', path), isDone);
    }
  }

  async function useStores(place: number): Promise<void> {
    const history = listings[place] ?? [];
    const stores = `/workspaces/${run.prefix}list${place}/datastores`;
    const name = `s${Math.floor(run.random() * 6)}`;
    const dice = run.random();
    if (dice < 0.45) {
      const seenIn = ({ text }: { text: string }) => {
        const { dataStores } = JSON.parse(text) as { dataStores: '' | { dataStore: { name: string }[] } };
        return { names: dataStores === '' ? [] : dataStores.dataStore.map((each) => each.name) };
      };
      await note(history, { kind: 'list' }, true, () => ask('GET', `${stores}.json`), seenIn);
    } else if (dice < 0.75) {
      const body = { dataStore: { name, connectionParameters: { entry: [{ '@key': 'url', $: 'file:data/x' }] } } };
      await note(history, { kind: 'add', name }, false, () => ask('POST', stores, body), isDone);
    } else {
      await note(history, { kind: 'remove', name }, false, () => ask('DELETE', `${stores}/${name}`), isDone);
    }
  }

  for (let place = 0; place < places; place += 1) {
    const make = () => ask('POST', '/workspaces', { workspace: { name: `${run.prefix}list${place}` } });
    // A client that does not know whether its create succeeded sends it again.
    for (let made = await make(); made?.status !== 201 && made?.status !== 409; made = await make());
  }
  const client = async (index: number): Promise<void> => {
    const place = Math.floor(index / 2) % places;
    for (let count = 0; run.goesOn(count); count += 1) {
      await (index % 2 === 0 ? useNamespace(place) : useStores(place));
    }
  };
  await Promise.all(Array.from({ length: run.clients }, (_, index) => client(index)));
  return { registers, listings, ...counts };
}

/** Values that were never read are equivalent. */
function withoutUnread(
  history: readonly Operation<RegisterRequest, RegisterSeen>[],
): readonly Operation<RegisterRequest, RegisterSeen>[] {
  const read = new Set(history.flatMap(({ seen }) => (seen !== undefined && 'value' in seen ? [seen.value] : [])));
  return history.map((operation) => {
    const { request } = operation;
    return 'value' in request && !read.has(request.value)
      ? { ...operation, request: { ...request, value: 'never read' } }
      : operation;
  });
}

/** Fails unless some order explains the observations. */
export function expectLinearizable({ registers, listings }: Seen): void {
  for (const each of registers) {
    const history = withoutUnread(each);
    expect(isLinearizable(register, history), `no order explains ${JSON.stringify(history)}`).toBe(true);
  }
  for (const history of listings) {
    expect(isLinearizable(names, history), `no order explains ${JSON.stringify(history)}`).toBe(true);
  }
}
