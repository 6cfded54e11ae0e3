/** The error catalogue: every known failure once, with its stable code, its status and its sentence. */

import { accessProblems } from './problem-kinds/access.ts';
import { accountProblems } from './problem-kinds/accounts.ts';
import { authProviderProblems } from './problem-kinds/auth-providers.ts';
import { batchProblems } from './problem-kinds/batch.ts';
import { cascadedProblems } from './problem-kinds/cascaded.ts';
import { configurationProblems } from './problem-kinds/configuration.ts';
import { coverageProblems } from './problem-kinds/coverages.ts';
import { documentProblems } from './problem-kinds/documents.ts';
import { featureServiceProblems } from './problem-kinds/feature-services.ts';
import { gateProblems } from './problem-kinds/gates.ts';
import { historyProblems } from './problem-kinds/history.ts';
import type { CommonDetails } from './problem-kinds/kind.ts';
import { layerGroupProblems } from './problem-kinds/layer-groups.ts';
import { mapProblems } from './problem-kinds/maps.ts';
import { owsProblems } from './problem-kinds/ows.ts';
import { rasterProblems } from './problem-kinds/raster.ts';
import { requestProblems } from './problem-kinds/request.ts';
import { resourceFileProblems } from './problem-kinds/resource-files.ts';
import { serverProblems } from './problem-kinds/server.ts';
import { settingsProblems } from './problem-kinds/settings.ts';
import { storeProblems } from './problem-kinds/stores.ts';
import { styleProblems } from './problem-kinds/styles.ts';
import { tileProblems } from './problem-kinds/tiles.ts';
import { uploadProblems } from './problem-kinds/uploads.ts';
import { vectorProblems } from './problem-kinds/vector.ts';
import { wcsProblems } from './problem-kinds/wcs.ts';
import { webhookProblems } from './problem-kinds/webhooks.ts';
import { wfsProblems } from './problem-kinds/wfs.ts';
import { wmsProblems } from './problem-kinds/wms.ts';
import { workerProblems } from './problem-kinds/workers.ts';
import { workspaceProblems } from './problem-kinds/workspaces.ts';

export const problemKinds = {
  ...requestProblems,
  ...accessProblems,
  ...authProviderProblems,
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
  ...resourceFileProblems,
} as const;

export type ProblemCode = keyof typeof problemKinds;

export type ProblemDetails<C extends ProblemCode> = Parameters<(typeof problemKinds)[C]['message']>[0] extends infer D
  ? unknown extends D
    ? CommonDetails
    : D
  : never;
