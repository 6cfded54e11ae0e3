/** The record kinds of the catalog and the references between them. */
import { catalogSettingsKind } from '../../records/catalog-settings.ts';
import { createReferences, toAnyLinkedKind } from '../../records/references.ts';
import { updateNamesInRules } from '../../security/access-rules/update-names-in-rules.ts';
import { updateNamesInDataRules } from '../../security/data-rules/update-names-in-data-rules.ts';
import { updateNamesInTokens } from '../../security/token-records/follow-changes.ts';
import { gridSetKind } from './grid-set.ts';
import { layerKind } from './layer.ts';
import { layerGroupKind } from './layer-group.ts';
import { persistedSchemasKind } from './persisted-schemas.ts';
import { resourceKinds } from './resource-kinds.ts';
import {
  globalSettingsKind,
  loggingSettingsKind,
  serviceSettingsKind,
  workspaceSettingsKind,
} from './settings-records.ts';
import { storeKinds } from './store-kinds.ts';
import { storedQueryKind } from './stored-query.ts';
import { styleFileKind, styleKind } from './style.ts';
import { templateKind } from './template.ts';
import { tileLayerKind } from './tile-layer.ts';

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
  toAnyLinkedKind(gridSetKind),
  toAnyLinkedKind(storedQueryKind),
  toAnyLinkedKind(tileLayerKind),
  toAnyLinkedKind(globalSettingsKind),
  toAnyLinkedKind(loggingSettingsKind),
  toAnyLinkedKind(workspaceSettingsKind),
  toAnyLinkedKind(serviceSettingsKind),
];

/** Access rules and data rules contain the names of workspaces and layers, and tokens those of workspaces. */
export const references = createReferences(linkedKinds, [
  updateNamesInRules,
  updateNamesInDataRules,
  updateNamesInTokens,
]);
