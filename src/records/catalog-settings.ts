/** What the catalog as a whole remembers: one record, made with the first workspace. */
import type { RecordBase, RecordKind } from './record.ts';

export interface CatalogSettings extends RecordBase {
  readonly kind: 'catalogSettings';
  /** The id of the default workspace; null while there is none. */
  readonly defaultWorkspace: string | null;
}

export const catalogSettingsKind: RecordKind<CatalogSettings> = {
  kind: 'catalogSettings',
  keys: () => ({}),
  secrets: [],
};

export const CATALOG_SETTINGS = 'catalog';
