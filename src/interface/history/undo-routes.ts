/** Routes that undo changes and restore earlier states. */
import { DataGone, type EditableChange, FeaturesEdited, restoreState, undoChange } from '../../catalog/history/undo.ts';
import { dataStoreKind } from '../../catalog/kinds/data-store.ts';
import { globalSettingsKind, loggingSettingsKind } from '../../catalog/kinds/settings-records.ts';
import type { UndoConflict } from '../../lib/problems/kinds/kind.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import { RestoreConflict } from '../../records/restore-records.ts';
import { serverPrincipal } from '../../security/core/administrator.ts';
import { createPastPaths } from '../changes/past-paths.ts';
import { act, type Services } from '../common/services.ts';
import { createUnknownChangeProblem, findChange, getOldestSequence } from './find-change.ts';
import { changeDocument } from './representation.ts';

/** Maximum number of conflicts listed individually. */
const MAX_CONFLICTS = 100;

const ENTRY_BATCH_SIZE = 1_000;

export function undoRoutes() {
  return [
    act(
      '/history/:sequence/undo',
      'Undo a change: one new change that reverts each of its resources',
      {
        returnsChange: changeDocument,
        rejectsUnknownQuery: true,
        problems: ['change-unknown', 'undo-conflict', 'undo-files-gone', 'undo-hides-edits', 'undo-impossible'],
      },
      async ({ services, principal, params: { sequence } }) => {
        const { catalog } = services;
        const change = await findChange(catalog, sequence);
        const [entry] = await catalog.listSealedChanges(change.sequence - 1, 1);
        if (entry === undefined) throw await createUnknownChangeProblem(catalog, sequence);
        const formers = await translateUndoErrors(catalog, change.sequence, () =>
          undoChange(services, principal, entry),
        );
        await applyRestoredState(services, formers);
      },
    ),

    act(
      '/history/:sequence/restore',
      'Restore the state right after a change as one new change; 0 is a new server',
      {
        returnsChange: changeDocument,
        rejectsUnknownQuery: true,
        problems: [
          'change-unknown',
          'history-incomplete',
          'restore-overtaken',
          'undo-conflict',
          'undo-files-gone',
          'undo-hides-edits',
          'undo-impossible',
        ],
      },
      async ({ services, principal, params: { sequence } }) => {
        const { catalog } = services;
        const wanted = await resolveTargetState(catalog, sequence);
        const { formers, skipped } = await translateUndoErrors(catalog, wanted, () =>
          restoreState(services, principal, wanted),
        );
        await applyRestoredState(services, formers);
        return { warnings: await Promise.all(skipped.map((change) => formatSkippedWarning(catalog, change))) };
      },
    ),
  ];
}

/** Zero is the state before the first user change: resources that the server creates itself stay. */
async function resolveTargetState(catalog: Catalog, written: string): Promise<number> {
  const wanted = /^0+$/.test(written) ? 0 : (await findChange(catalog, written)).sequence;
  const isFromTheFirst = (await getOldestSequence(catalog)) === 1;
  if (!isFromTheFirst && wanted === 0) throw await createUnknownChangeProblem(catalog, written);
  return isFromTheFirst ? Math.max(wanted, await findInitialState(catalog)) : wanted;
}

/** The last change before the first user change. */
async function findInitialState({ log, position }: Catalog): Promise<number> {
  for (let after = 0; ; ) {
    const entries = await log.listEntries({ after }, ENTRY_BATCH_SIZE);
    const first = entries.find(({ who }) => who !== serverPrincipal.name);
    if (first !== undefined) return first.sequence - 1;
    const last = entries.at(-1);
    if (last === undefined) return position();
    after = last.sequence;
  }
}

async function formatSkippedWarning(catalog: Catalog, { id, sequence }: EditableChange): Promise<string> {
  const { path } = await findConflict(catalog, id);
  return `${path ?? 'A store'} keeps its edited features: change ${sequence}, which made them editable, was not undone.`;
}

/** Adds the path and the last change of each conflict. */
async function translateUndoErrors<T>(catalog: Catalog, sequence: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DataGone)
      throw problem('undo-files-gone', { path: (await findConflict(catalog, error.id)).path });
    if (error instanceof FeaturesEdited) {
      const { path } = await findConflict(catalog, error.id);
      throw problem('undo-hides-edits', { sequence: error.sequence, path });
    }
    if (!(error instanceof RestoreConflict)) throw error;
    const conflicts = await Promise.all(error.ids.slice(0, MAX_CONFLICTS).map((id) => findConflict(catalog, id)));
    throw problem('undo-conflict', { sequence, conflicts });
  }
}

async function findConflict(catalog: Catalog, id: string): Promise<UndoConflict> {
  const change = (await catalog.log.findLastChange(id)) ?? null;
  const at = catalog.position();
  const [now, before] = [
    await catalog.log.findStateAt(id, at),
    change === null ? undefined : await catalog.log.findStateAt(id, change - 1),
  ];
  const state = now ?? before;
  if (state === undefined) return { path: null, change };
  const item = { id, kind: state.kind, before: before ?? null, after: now ?? null };
  return { path: await createPastPaths(catalog.log, now === undefined ? (change ?? at) : at).findPath(item), change };
}

/** Applies the restored state to the running server: store connections and settings. */
async function applyRestoredState(
  { vectorData, inForce, catalog }: Services,
  formers: readonly { readonly kind: string; readonly id: string }[],
): Promise<void> {
  if (catalog.isDryRun) return;
  const kinds = new Set(formers.map(({ kind }) => kind));
  for (const { kind, id } of formers) if (kind === dataStoreKind.kind) void vectorData.reset(id);
  if (kinds.has(globalSettingsKind.kind)) await inForce.applySettings();
  if (kinds.has(loggingSettingsKind.kind)) await inForce.applyLogging();
}
