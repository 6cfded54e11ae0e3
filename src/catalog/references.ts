/** The kinds of record that the catalog is made of, and how they hang together. */
import { catalogSettingsKind } from '../records/catalog-settings.ts';
import { createReferences, toAnyLinkedKind } from '../records/references.ts';
import { updateNamesInRules } from '../security/access-rules/update-names-in-rules.ts';
import { persistedSchemasKind } from './document-schemas/persisted-schemas.ts';
import { layerGroupKind } from './layer-groups/layer-group.ts';
import { layerKind } from './layers/layer.ts';
import { templateKind } from './resource-files/template.ts';
import { resourceKinds } from './resources/resource-kinds.ts';
import {
  globalSettingsKind,
  loggingSettingsKind,
  serviceSettingsKind,
  workspaceSettingsKind,
} from './settings/settings-records.ts';
import { storeKinds } from './stores/store-kinds.ts';
import { styleFileKind, styleKind } from './styles/style.ts';

export const linkedKinds = [
  toAnyLinkedKind(catalogSettingsKind),
  ...storeKinds.map((kind) => toAnyLinkedKind(kind)),
  ...resourceKinds.map((kind) => toAnyLinkedKind(kind)),
  toAnyLinkedKind(layerKind),
  toAnyLinkedKind(layerGroupKind),
  toAnyLinkedKind(styleKind),
  toAnyLinkedKind(styleFileKind),
  toAnyLinkedKind(persistedSchemasKind),
  toAnyLinkedKind(templateKind),
  toAnyLinkedKind(globalSettingsKind),
  toAnyLinkedKind(loggingSettingsKind),
  toAnyLinkedKind(workspaceSettingsKind),
  toAnyLinkedKind(serviceSettingsKind),
];

/** Access rules keep the names of workspaces and layers. */
export const references = createReferences(linkedKinds, [updateNamesInRules]);
