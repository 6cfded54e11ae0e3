/** Every configuration kind, in creation order. */
import type { Dialect } from '../../common/dialects.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import { groupRow, roleRow, userGroupServiceRow, userRow } from './account-kinds.ts';
import { defaultWorkspaceRow, layerGroupRow, urlCheckRow, workspaceRow } from './catalog-kinds.ts';
import { gridSetRow } from './grid-set-kind.ts';
import { layerRow, resourceRows } from './resource-kinds.ts';
import {
  authProviderOrderRow,
  authProviderRow,
  catalogModeRow,
  createAccessRulesRow,
  dataRuleRow,
} from './security-kinds.ts';
import { globalSettingsRow, loggingRow, serviceSettingsRow, workspaceSettingsRow } from './settings-kinds.ts';
import { createStoreRows } from './store-kinds.ts';
import { storedQueryRow } from './stored-query-kind.ts';
import { styleRow } from './style-kind.ts';
import { templateRow } from './template-kind.ts';
import { tileLayerRow } from './tile-layer-kind.ts';
import { webhookRow } from './webhook-kind.ts';

export function listConfigurationKinds(dialect: Dialect): readonly ConfigurationKind[] {
  return [
    workspaceRow,
    defaultWorkspaceRow,
    // The stores may be on other hosts.
    urlCheckRow,
    styleRow,
    ...createStoreRows(dialect),
    ...resourceRows,
    layerRow,
    templateRow,
    layerGroupRow,
    // Before the settings of services, which offer them.
    gridSetRow,
    tileLayerRow,
    storedQueryRow,
    globalSettingsRow,
    loggingRow,
    serviceSettingsRow,
    workspaceSettingsRow,
    userGroupServiceRow,
    userRow,
    groupRow,
    roleRow,
    authProviderRow,
    authProviderOrderRow,
    createAccessRulesRow(dialect),
    catalogModeRow,
    // After the layers, against which rules are validated.
    dataRuleRow,
    webhookRow,
  ];
}
