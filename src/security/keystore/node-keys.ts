/** The keys that each node has loaded, which nodes report to each other in notes of the storage. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Nodes } from '../../storage/nodes/nodes.ts';
import type { Notes } from '../../storage/port/port.ts';

/** The ids of the keys of a node. */
export interface NodeKeys {
  readonly serverKey: string;
  /** The key that encrypts new secrets. */
  readonly dataKey: string;
  /** The keys that decrypt secrets, with the current one. */
  readonly dataKeys: readonly string[];
}

export interface NodeKeysEntry {
  readonly node: string;
  readonly isHere: boolean;
  /** Undefined for a node of an earlier version, and for a node that has not reported yet. */
  readonly keys: NodeKeys | undefined;
}

export interface KeyReports {
  /** Reports the keys of this node. */
  publish(keys: NodeKeys): Promise<void>;
  /** Lists the active nodes by name. */
  list(): Promise<readonly NodeKeysEntry[]>;
  /** Waits until all active nodes match; returns the names of those that still do not match at the deadline. */
  waitUntil(matches: (keys: NodeKeys) => boolean): Promise<readonly string[]>;
}

const NOTE_PREFIX = 'keystore-keys/';

/** Nodes load a new keystore within a second. A killed node never does, and counts as active for 20 s. */
const WAIT_MS = 30_000;
const WAIT_INTERVAL_MS = 50;

export function createKeyReports(notes: Pick<Notes, 'read' | 'write' | 'listNames'>, nodes: Nodes): KeyReports {
  let own: NodeKeys | undefined;

  async function list(): Promise<readonly NodeKeysEntry[]> {
    const active = (await nodes.list()).filter(({ isAlive }) => isAlive);
    return Promise.all(
      active.map(async ({ id, name, isHere }) => ({
        node: name,
        isHere,
        keys: isHere ? own : parseKeys(await notes.read(`${NOTE_PREFIX}${id}`)),
      })),
    );
  }

  return {
    async publish(keys) {
      own = keys;
      // Without other nodes, no node reads the report.
      if (!nodes.isShared) return;
      await notes.write(`${NOTE_PREFIX}${nodes.here}`, JSON.stringify(keys));
      await deleteStaleNotes(notes, nodes);
    },
    list,
    async waitUntil(matches) {
      const untilMs = performance.now() + WAIT_MS;
      for (;;) {
        const missing = (await list()).filter(({ keys }) => keys === undefined || !matches(keys));
        if (missing.length === 0 || performance.now() > untilMs) return missing.map(({ node }) => node);
        await wait(WAIT_INTERVAL_MS);
      }
    },
  };
}

/** Only this program writes these notes. */
function parseKeys(text: string | undefined): NodeKeys | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as NodeKeys);
}

/** Deletes the reports of nodes that are gone. */
async function deleteStaleNotes(notes: Pick<Notes, 'listNames' | 'write'>, nodes: Nodes): Promise<void> {
  const kept = new Set([nodes.here, ...(await nodes.list()).map(({ id }) => id)].map((id) => `${NOTE_PREFIX}${id}`));
  for (const name of await notes.listNames(NOTE_PREFIX)) if (!kept.has(name)) await notes.write(name, null);
}
