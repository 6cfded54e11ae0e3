/** A server with access to its storage, for tests of history and undo. */
import { expect, onTestFinished } from 'vitest';
import type { Storage } from '../../src/storage/port/port.ts';
import { type Reply, startTestServer, type TestServer } from './test-server.ts';

export interface Trial {
  readonly server: TestServer;
  readonly storage: () => Storage;
}

export async function startTrial(): Promise<Trial> {
  let opened: Storage | undefined;
  const server = await startTestServer({
    betweenStorage(storage) {
      opened = storage;
      return storage;
    },
  });
  onTestFinished(() => server.close());
  return {
    server,
    storage() {
      if (opened === undefined) throw new Error('There is no storage.');
      return opened;
    },
  };
}

/** The change number in a response. */
export function readChangeNumber(reply: Reply): number {
  expect(reply.status, reply.text).toBeLessThan(300);
  return Number(reply.headers['graticule-change']);
}

/** Every record without its counters. */
export async function recordsIn(storage: Storage): Promise<readonly object[]> {
  const counting = new Set(['securityState', 'urlCheckSet', 'ruleSet']);
  const states = new Map<string, object>();
  for (let after = 0; ; ) {
    const entries = await storage.listSealedChanges(after, 100);
    for (const { items } of entries)
      for (const { id, kind, after: state } of items) {
        if (state === null || counting.has(kind)) states.delete(id);
        else states.set(id, { id, kind, ...state });
      }
    const last = entries.at(-1);
    if (last === undefined)
      return [...states.values()].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    after = last.sequence;
  }
}
