/** Every kind of record there is, for what looks at all of them. */
import { catalogSettingsKind } from './catalog/catalog-settings.ts';
import { workspaceKind } from './catalog/workspace.ts';
import { administratorKind } from './security/administrator.ts';

/** The secret fields by kind, for whoever keeps a log. */
export const secretFields: ReadonlyMap<string, readonly string[]> = new Map(
  [workspaceKind, catalogSettingsKind, administratorKind].map((each) => [each.kind, each.secrets]),
);
