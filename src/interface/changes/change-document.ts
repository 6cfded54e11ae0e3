/** A change as a document: the author and the items, one for each changed resource. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { resourceKinds } from '../../catalog/kinds/resource-kinds.ts';
import { storeKinds } from '../../catalog/kinds/store-kinds.ts';
import type { ChangeDocument } from '../../http/session/session.ts';
import type { SessionChange } from '../../records/catalog.ts';
import type { ChangedState, ChangeItem, RecordReader } from '../../storage/port/port.ts';
import { findRestPath } from './record-path.ts';

type RecordIdentity = Pick<ChangedState, 'parent' | 'name'>;

/** A record before and after the change; both are the same where it was created, deleted or left unchanged. */
interface ChangedRecord {
  readonly kind: string;
  readonly before: RecordIdentity;
  readonly after: RecordIdentity;
}

/** Returns whether the user administers the workspace of this name. */
export type Administers = (workspace: string) => boolean;

/** The record kinds that a workspace administrator can read; other items of a change are for full administrators. */
const workspaceKinds: ReadonlySet<string> = new Set([
  'workspace',
  ...storeKinds.map(({ kind }) => kind),
  ...resourceKinds.map(({ kind }) => kind),
  'layer',
  'layerGroup',
  'style',
  'workspaceSettings',
  'serviceSettings',
  'template',
]);

/**
 * `records` finds the parents of the records of the change. With `administers`, only records in such workspaces are
 * included, under the names before the change, and the document does not reveal whether there are more.
 */
export async function buildChangeDocument(
  change: SessionChange,
  records: Pick<RecordReader, 'get'>,
  administers?: Administers,
): Promise<ChangeDocument> {
  const { sequence, atMs, who, via = null, what, undoes = null } = change;
  const known = new Map<string, ChangedRecord>();
  const parents = new Set<string>();
  for await (const { id, kind, before, after } of iterateCooperatively(change.items)) {
    const [was, is] = [before ?? after, after ?? before];
    if (was !== null && is !== null) {
      known.set(id, { kind, before: was, after: is });
      for (const { parent } of [was, is]) {
        if (parent !== null) {
          parents.add(parent);
        }
      }
    }
  }

  async function findRecord(id: string): Promise<ChangedRecord | undefined> {
    const stored = known.has(id) ? undefined : await records.get(id);
    if (stored != null) {
      known.set(id, { kind: stored.kind, before: stored, after: stored });
    }
    return known.get(id);
  }

  /** A record after its ancestors; undefined where an ancestor is no longer known. */
  async function findLineage(id: string, when: 'before' | 'after'): Promise<readonly ChangedRecord[] | undefined> {
    const found = await findRecord(id);
    if (found === undefined || found[when].parent === null) {
      return found && [found];
    }
    const above = await findLineage(found[when].parent, when);
    return above && [...above, found];
  }

  // Computed now and not while the items are sent, because the state can change meanwhile.
  for await (const parent of iterateCooperatively(parents)) {
    await findLineage(parent, 'after');
  }

  async function isVisible(id: string): Promise<boolean> {
    if (administers === undefined) {
      return true;
    }
    const lines = [await findLineage(id, 'before'), await findLineage(id, 'after')];
    return lines.every(
      (line) =>
        line?.[0]?.kind === 'workspace' &&
        administers(line[0].before.name) &&
        line.every(({ kind }) => workspaceKinds.has(kind)),
    );
  }

  async function* streamVisibleItems(): AsyncGenerator<object> {
    for await (const item of iterateCooperatively(change.items)) {
      if (await isVisible(item.id)) {
        const line = await findLineage(item.id, 'after');
        yield {
          kind: item.kind,
          id: item.id,
          path: line === undefined ? null : findRestPath(line.map(({ kind, after }) => ({ kind, name: after.name }))),
          action: getAction(item),
          before: toStateFields(item.before),
          after: toStateFields(item.after),
        };
      }
    }
  }

  const at = atMs === null ? null : new Date(atMs).toISOString();
  return { head: { sequence, at, who, via, what, undoes }, items: streamVisibleItems() };
}

/** Number of items that are processed within a few milliseconds. */
const ITEMS_PER_TURN = 500;

/** Yields between items even where none is visible and therefore none is sent. */
async function* iterateCooperatively<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    count += 1;
    if (count % ITEMS_PER_TURN === 0) {
      await nextTurn();
    }
    yield item;
  }
}

export function getAction({ before, after }: ChangeItem): 'create' | 'update' | 'delete' {
  return before === null ? 'create' : after === null ? 'delete' : 'update';
}

export function toStateFields(state: ChangedState | null): object | null {
  return state && { name: state.name, ...state.body };
}
