/** Translates the configuration of a server to the files of a GeoServer data directory. */
import { writeAccounts } from './accounts.ts';
import { writeLayerGroups } from './layer-groups.ts';
import type { Leaving } from './leaving.ts';
import { writeResources } from './resources.ts';
import { reportUnsupported, writeSecurity } from './security.ts';
import { writeSettings } from './settings.ts';
import { writeStoredQueries } from './stored-queries.ts';
import { storeKinds, writeStores } from './stores.ts';
import { writeStyles } from './styles.ts';
import { writeTemplates } from './templates.ts';
import { writeTiles } from './tiles.ts';
import { writeWorkspaces } from './workspaces.ts';

const supported: ReadonlySet<string> = new Set([
  ...storeKinds,
  ...['workspace', 'defaultWorkspace', 'urlCheck', 'style', 'featureType', 'coverage', 'wmsLayer', 'wmtsLayer'],
  ...['layer', 'layerGroup', 'template', 'storedQuery', 'gridSet', 'tileLayer'],
  ...['globalSettings', 'loggingSettings', 'serviceSettings', 'workspaceSettings'],
  ...['userGroupService', 'user', 'group', 'role', 'authProvider', 'authProviderOrder', 'accessRules', 'catalogMode'],
]);

/** Folders of workspaces and stores exist before the documents in them. */
export async function translateConfiguration(leaving: Leaving): Promise<void> {
  writeWorkspaces(leaving);
  writeStores(leaving);
  await writeResources(leaving);
  writeStyles(leaving);
  writeLayerGroups(leaving);
  writeTemplates(leaving);
  writeStoredQueries(leaving);
  writeSettings(leaving);
  writeTiles(leaving);
  writeAccounts(leaving);
  writeSecurity(leaving);
  reportUnsupported(leaving, supported);
}
