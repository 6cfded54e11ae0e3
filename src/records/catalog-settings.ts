/** Settings of the whole catalog, in one record that is created with the first workspace. */
import type { RecordBase } from './record.ts';
import { createLinkedKind, type LinkedKind } from './references.ts';
import { workspaceKind } from './workspace.ts';

export interface CatalogSettings extends RecordBase {
  readonly kind: 'catalogSettings';
  /** The id of the default workspace; null if there is none. */
  readonly defaultWorkspace: string | null;
}

export const catalogSettingsKind: LinkedKind<CatalogSettings> = createLinkedKind(
  { kind: 'catalogSettings', keys: {}, secrets: {} },
  {
    livesIn: [],
    references: [
      {
        to: workspaceKind.kind,
        ids: ({ defaultWorkspace }) => (defaultWorkspace === null ? [] : [defaultWorkspace]),
        // The first remaining workspace becomes the default.
        async onDelete(reader, settings) {
          const [next] = await reader.list(workspaceKind, null, { limit: 1 });
          return { ...settings, defaultWorkspace: next?.id ?? null };
        },
      },
    ],
  },
);

export const CATALOG_SETTINGS = 'catalog';
