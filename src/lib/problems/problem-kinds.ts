/** The error catalogue: every known failure, with its stable code, its status and its message. */

import { accessProblems } from './kinds/accounts/access.ts';
import { accountProblems } from './kinds/accounts/accounts.ts';
import { authProviderProblems } from './kinds/accounts/auth-providers.ts';
import { tokenProblems } from './kinds/accounts/tokens.ts';
import type { CommonDetails } from './kinds/kind.ts';
import { cascadedProblems } from './kinds/objects/cascaded.ts';
import { coverageProblems } from './kinds/objects/coverages.ts';
import { gridSetProblems } from './kinds/objects/grid-sets.ts';
import { layerGroupProblems } from './kinds/objects/layer-groups.ts';
import { resourceFileProblems } from './kinds/objects/resource-files.ts';
import { settingsProblems } from './kinds/objects/settings.ts';
import { storedQueryProblems } from './kinds/objects/stored-queries.ts';
import { storeProblems } from './kinds/objects/stores.ts';
import { styleProblems } from './kinds/objects/styles.ts';
import { uploadProblems } from './kinds/objects/uploads.ts';
import { webhookProblems } from './kinds/objects/webhooks.ts';
import { workspaceProblems } from './kinds/objects/workspaces.ts';
import { classificationProblems } from './kinds/protocols/classification.ts';
import { featureServiceProblems } from './kinds/protocols/feature-services.ts';
import { mapProblems } from './kinds/protocols/maps.ts';
import { owsProblems } from './kinds/protocols/ows.ts';
import { tileProblems } from './kinds/protocols/tiles.ts';
import { wcsProblems } from './kinds/protocols/wcs.ts';
import { wfsProblems } from './kinds/protocols/wfs.ts';
import { wmsProblems } from './kinds/protocols/wms.ts';
import { batchProblems } from './kinds/requests/batch.ts';
import { configurationProblems } from './kinds/requests/configuration.ts';
import { documentProblems } from './kinds/requests/documents.ts';
import { historyProblems } from './kinds/requests/history.ts';
import { requestProblems } from './kinds/requests/request.ts';
import { serverProblems } from './kinds/requests/server.ts';
import { gateProblems } from './kinds/sources/gates.ts';
import { rasterProblems } from './kinds/sources/raster.ts';
import { vectorProblems } from './kinds/sources/vector.ts';
import { workerProblems } from './kinds/sources/workers.ts';

export const problemKinds = {
  ...requestProblems,
  ...accessProblems,
  ...authProviderProblems,
  ...tokenProblems,
  ...accountProblems,
  ...serverProblems,
  ...workerProblems,
  ...gateProblems,
  ...storeProblems,
  ...uploadProblems,
  ...workspaceProblems,
  ...settingsProblems,
  ...vectorProblems,
  ...documentProblems,
  ...coverageProblems,
  ...cascadedProblems,
  ...rasterProblems,
  ...styleProblems,
  ...layerGroupProblems,
  ...gridSetProblems,
  ...storedQueryProblems,
  ...historyProblems,
  ...configurationProblems,
  ...batchProblems,
  ...webhookProblems,
  ...featureServiceProblems,
  ...mapProblems,
  ...owsProblems,
  ...wfsProblems,
  ...wcsProblems,
  ...wmsProblems,
  ...tileProblems,
  ...classificationProblems,
  ...resourceFileProblems,
} as const;

export type ProblemCode = keyof typeof problemKinds;

export type ProblemDetails<C extends ProblemCode> = Parameters<(typeof problemKinds)[C]['message']>[0] extends infer D
  ? unknown extends D
    ? CommonDetails
    : D
  : never;
