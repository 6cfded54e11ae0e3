/** A client that records the acknowledged writes, and the write that was in progress when the server ended. */
import { expect } from 'vitest';
import type { HttpClient } from './http-client.ts';

/** By name: whether the workspace is isolated. */
export type Workspaces = ReadonlyMap<string, boolean>;

type Operation =
  | { readonly kind: 'create'; readonly name: string; readonly isolated: boolean }
  | { readonly kind: 'rename'; readonly name: string; readonly newName: string }
  | { readonly kind: 'isolate'; readonly name: string; readonly isolated: boolean }
  | { readonly kind: 'delete'; readonly name: string };

export interface AcknowledgedWriter {
  /** Writes until the connection breaks; calls `acknowledged` after every success. */
  writeUntilBroken(client: HttpClient, acknowledged: () => void): Promise<void>;
  /** Fails unless the state equals the acknowledged one, with or without the write in progress; records which. */
  settle(found: Workspaces): void;
  readonly prefix: string;
}

/** A small number, so that deletes and renames are as frequent as creates. */
const MAX_WORKSPACES = 4;

/** `random` returns numbers from 0 up to 1; each writer needs its own prefix. */
export function createWriter(prefix: string, random: () => number): AcknowledgedWriter {
  let acknowledgedState: Workspaces = new Map();
  let underWay: Operation | undefined;
  let namesUsed = 0;

  // Names are never reused, so that a deleted workspace that reappears is detected.
  const freshName = () => `${prefix}${++namesUsed}`;

  function choose(): Operation {
    const names = [...acknowledgedState.keys()];
    const name = names[Math.floor(random() * names.length)];
    if (name === undefined || (names.length < MAX_WORKSPACES && random() < 0.4)) {
      return { kind: 'create', name: freshName(), isolated: random() < 0.5 };
    }
    const dice = random();
    if (dice < 0.4) return { kind: 'rename', name, newName: freshName() };
    if (dice < 0.7) return { kind: 'isolate', name, isolated: !acknowledgedState.get(name) };
    return { kind: 'delete', name };
  }

  return {
    prefix,
    async writeUntilBroken(client, acknowledged) {
      for (;;) {
        const operation = choose();
        underWay = operation;
        const status = await send(client, operation).catch(() => undefined);
        if (status === undefined) return;
        expect(status, JSON.stringify(operation)).toBe(operation.kind === 'create' ? 201 : 200);
        acknowledgedState = applied(acknowledgedState, operation);
        underWay = undefined;
        acknowledged();
      }
    },
    settle(found) {
      const possible = [acknowledgedState, ...(underWay === undefined ? [] : [applied(acknowledgedState, underWay)])];
      expect(possible.map(sorted), `one of the states after ${JSON.stringify(underWay)}`).toContainEqual(sorted(found));
      acknowledgedState = found;
      underWay = undefined;
    },
  };
}

async function send(client: HttpClient, operation: Operation): Promise<number> {
  const path = `/workspaces/${operation.name}`;
  const reply = await sendTo(client, path, operation);
  return reply.status;
}

function sendTo(client: HttpClient, path: string, operation: Operation): ReturnType<HttpClient['request']> {
  const document = (workspace: object) => ({ body: JSON.stringify({ workspace }) });
  switch (operation.kind) {
    case 'create':
      return client.request('POST', '/workspaces', document({ name: operation.name, isolated: operation.isolated }));
    case 'rename':
      return client.request('PUT', path, document({ name: operation.newName }));
    case 'isolate':
      return client.request('PUT', path, document({ isolated: operation.isolated }));
    case 'delete':
      return client.request('DELETE', `${path}?recurse=true`);
  }
}

function applied(workspaces: Workspaces, operation: Operation): Workspaces {
  const changed = new Map(workspaces);
  switch (operation.kind) {
    case 'create':
    case 'isolate':
      changed.set(operation.name, operation.isolated);
      break;
    case 'rename':
      changed.set(operation.newName, workspaces.get(operation.name) ?? false);
      changed.delete(operation.name);
      break;
    case 'delete':
      changed.delete(operation.name);
  }
  return changed;
}

function sorted(workspaces: Workspaces): readonly (readonly [string, boolean])[] {
  return [...workspaces].sort(([one], [other]) => (one < other ? -1 : 1));
}
