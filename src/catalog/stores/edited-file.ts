/**
 * The first edit of an uploaded GeoPackage gives its store a copy of the file in the data directory (`edit-features.ts`),
 * which later edits change in place. That file is live data: no history and no file set holds it.
 */
import type { Store } from './store.ts';
import { placeTold } from './uploaded-files.ts';

export type StoreData = Pick<Store, 'parameters' | 'fileSet' | 'filePlace'>;

/** Whether the data of a store is a file that is edited in place, where uploads are shown to clients. */
export function isEdited({ type, fileSet, parameters }: Pick<Store, 'type' | 'fileSet' | 'parameters'>): boolean {
  return type === 'GeoPackage' && fileSet === null && placeTold(parameters) !== undefined;
}

/** Whether a change from one state of a store to another made its features editable. */
export function isMadeEditable(before: StoreData, after: StoreData): boolean {
  return before.fileSet !== null && after.fileSet === null && placeTold(after.parameters) !== undefined;
}

/** A state from before a store was made editable, with the edited file for its data. */
export function withEditedFile<S extends StoreData>(state: S, before: StoreData, after: StoreData): S {
  const moved = Object.entries(after.parameters).filter(([name, value]) => before.parameters[name] !== value);
  const parameters = { ...state.parameters, ...Object.fromEntries(moved) };
  return { ...state, parameters, fileSet: null, filePlace: null };
}
