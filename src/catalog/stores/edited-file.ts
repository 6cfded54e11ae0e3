/**
 * The first edit of an uploaded GeoPackage creates a copy of the file in the data directory (`edit-features.ts`), which
 * later edits change in place. That file is live data: neither the history nor a file set contains it.
 */
import { geopackageDriver } from '../../vector/geopackage/driver.ts';
import type { Store } from '../kinds/store.ts';
import { decodeSegment, findFilePlace } from './uploaded-files.ts';

export type StoreDataFields = Pick<Store, 'parameters' | 'fileSet' | 'filePlace'>;

/**
 * Returns the path of the edited file of a store, below the folder where clients see uploads; undefined for other data.
 */
export function findEditedFile({
  type,
  fileSet,
  parameters,
}: Pick<Store, 'type' | 'fileSet' | 'parameters'>): string | undefined {
  const { database = '' } = parameters;
  if (type !== geopackageDriver.type || fileSet !== null || findFilePlace({ database }) === undefined) {
    return undefined;
  }
  const [, ...inside] = database.slice('file:data/'.length).split('/').slice(2);
  return inside.length === 0 ? undefined : inside.map(decodeSegment).join('/');
}

/** Returns whether a change made the features of a store editable. */
export function isMadeEditable(before: StoreDataFields, after: StoreDataFields): boolean {
  return before.fileSet !== null && after.fileSet === null && findFilePlace(after.parameters) !== undefined;
}

/** Returns an earlier state of a store with the edited file as its data. */
export function applyEditedFile<S extends StoreDataFields>(
  state: S,
  before: StoreDataFields,
  after: StoreDataFields,
): S {
  const moved = Object.entries(after.parameters).filter(([name, value]) => before.parameters[name] !== value);
  const parameters = { ...state.parameters, ...Object.fromEntries(moved) };
  return { ...state, parameters, fileSet: null, filePlace: null };
}
