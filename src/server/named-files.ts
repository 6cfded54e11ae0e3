/** Which files records and the history name, read from the log: everything a record says was once a change. */
import { type DataStore, dataStoreKind } from '../catalog/stores/data-store.ts';
import { type StyleFile, styleFileKind } from '../catalog/styles/style.ts';
import type { NamedFiles } from '../records/collect-files.ts';
import type { JsonObject, Storage } from '../storage/port.ts';

/** How many changes are read together. */
const PAGE = 100;

const filesIn: Readonly<Record<string, (body: JsonObject) => readonly string[]>> = {
  [dataStoreKind.kind]: (body) =>
    dataStoreKind.files?.((dataStoreKind.upgrade?.(body) ?? body) as unknown as DataStore) ?? [],
  [styleFileKind.kind]: (body) => styleFileKind.files?.(body as unknown as StyleFile) ?? [],
};

/** Stands in until the storage itself can tell. */
export function namedFilesOf(storage: Pick<Storage, 'changes'>): NamedFiles {
  const named = new Set<string>();
  let position = 0;
  return {
    async isFileNamed(file) {
      for (;;) {
        const entries = await storage.changes(position, PAGE);
        for (const { kind, before, after } of entries.flatMap(({ items }) => items)) {
          for (const state of [before, after]) {
            for (const name of (state && filesIn[kind]?.(state.body)) ?? []) {
              named.add(name);
            }
          }
        }
        const last = entries.at(-1);
        if (last === undefined) {
          return named.has(file);
        }
        position = last.sequence;
      }
    },
  };
}
