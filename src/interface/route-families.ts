/** Every route family, in the order of the contents page. */

import type { RouteTable } from '../http/routes/route.ts';
import { aboutRoutes, systemStatusRoutes } from './about/routes.ts';
import { accessRuleRoutes } from './access-rules/routes.ts';
import { authProviderRoutes } from './auth-providers/routes.ts';
import { providerTestRoutes } from './auth-providers/test-route.ts';
import { backupRoutes } from './backup/routes.ts';
import { batchRoutes } from './batch/routes.ts';
import { cascadedLayerRoutes, cascadedStoreRoutes } from './cascaded/routes.ts';
import type { Dialect } from './common/dialects.ts';
import type { Services } from './common/services.ts';
import { configurationRoutes } from './configuration/routes.ts';
import { contentsRoutes } from './contents/routes.ts';
import { coverageStoreRoutes } from './coverage-stores/routes.ts';
import { coverageUploadRoutes } from './coverage-stores/upload-routes.ts';
import { coverageRoutes } from './coverages/routes.ts';
import { crsRoutes } from './crs/routes.ts';
import { dataRuleRoutes } from './data-rules/routes.ts';
import { dataStoreRoutes } from './data-stores/routes.ts';
import { uploadRoutes } from './data-stores/upload-routes.ts';
import { doctorRoutes } from './doctor/routes.ts';
import { documentSchemaRoutes } from './document-schemas/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { featureLockRoutes } from './feature-locks/routes.ts';
import { featureTypeRoutes } from './feature-types/routes.ts';
import { granuleRoutes } from './granules/routes.ts';
import { gridSetRoutes } from './grid-sets/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { keystoreRoutes } from './keystore/routes.ts';
import { layerGroupRoutes } from './layer-groups/routes.ts';
import { layerRoutes } from './layers/routes.ts';
import { loginStepRoutes } from './login-steps/routes.ts';
import { namespaceRoutes } from './namespaces/routes.ts';
import { ownPasswordRoutes } from './own-password/routes.ts';
import { resourceFileRoutes } from './resource-files/routes.ts';
import { templateRoutes } from './resource-files/template-routes.ts';
import { roleRoutes } from './roles/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { serverControlRoutes } from './server-control/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { storedQueryRoutes } from './stored-queries/routes.ts';
import { styleRoutes } from './styles/routes.ts';
import { tileExportRoutes } from './tile-exports/routes.ts';
import { tileLayerRoutes } from './tile-layers/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { selfRoutes } from './tokens/self-routes.ts';
import { urlCheckRoutes } from './url-checks/routes.ts';
import { userGroupRoutes } from './user-groups/routes.ts';
import { userGroupServiceRoutes } from './user-groups/service-routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

export function createRouteFamilies(dialect: Dialect, version: string): readonly RouteTable<Services>[] {
  const tables = [
    workspaceRoutes(dialect),
    namespaceRoutes(dialect),
    dataStoreRoutes(dialect),
    uploadRoutes(dialect),
    coverageStoreRoutes(dialect),
    coverageUploadRoutes(dialect),
    cascadedStoreRoutes('WMS'),
    cascadedStoreRoutes('WMTS'),
    documentSchemaRoutes(),
    featureTypeRoutes(dialect),
    coverageRoutes(dialect),
    cascadedLayerRoutes('WMS'),
    cascadedLayerRoutes('WMTS'),
    granuleRoutes(dialect),
    styleRoutes(dialect),
    layerRoutes(),
    searchRoutes(dialect),
    resourceFileRoutes(dialect),
    templateRoutes(dialect),
    gridSetRoutes(),
    storedQueryRoutes(),
    tileLayerRoutes(),
    tileExportRoutes(),
    settingsRoutes(dialect),
    serverControlRoutes(dialect),
    crsRoutes(),
    layerGroupRoutes(dialect),
    urlCheckRoutes(dialect),
    aboutRoutes(dialect),
    systemStatusRoutes(),
    authProviderRoutes(dialect),
    providerTestRoutes(),
    signInRoutes(),
    loginStepRoutes(dialect),
    userGroupRoutes(),
    userGroupServiceRoutes(dialect),
    roleRoutes(dialect),
    ownPasswordRoutes(),
    selfRoutes(),
    tokenRoutes(),
    featureLockRoutes(),
    keystoreRoutes(),
    accessRuleRoutes(dialect),
    dataRuleRoutes(),
    historyRoutes(),
    batchRoutes(dialect),
    configurationRoutes(dialect),
    eventRoutes(),
    doctorRoutes(),
    backupRoutes(),
    webhookRoutes(),
  ];
  return [contentsRoutes(tables, dialect, version), ...tables];
}
