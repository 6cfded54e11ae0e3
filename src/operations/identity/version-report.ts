/** The three components of the version report: the server, its geospatial layer and its tile library. */

import type { BuildIdentity } from './build-identity.ts';
import { type AboutResource, formatBuildTimestamp } from './resource-filter.ts';

/** A component under the name that clients expect. */
export interface ReportedComponent {
  readonly name: string;
  /** The API level, reported in place of our own version. */
  readonly apiLevel?: string;
}

/** The server comes first: clients use the first version as that of the server. */
export interface ReportedComponents {
  readonly server: ReportedComponent;
  readonly geospatial: ReportedComponent;
  readonly tiles: ReportedComponent;
}

/** The default names. */
const PRODUCT = 'Graticule';

export function createVersionReport(components: ReportedComponents, identity: BuildIdentity): readonly AboutResource[] {
  const { server, geospatial, tiles } = components;
  return [
    buildComponent(server, identity, identity.builtAtMs),
    buildComponent(geospatial, identity, identity.builtAtMs),
    // The tile component has no timestamp in the API.
    buildComponent(tiles, identity, undefined),
  ];
}

function buildComponent(
  { name, apiLevel }: ReportedComponent,
  identity: BuildIdentity,
  builtAtMs: number | undefined,
): AboutResource {
  return {
    name,
    properties: {
      ...(builtAtMs === undefined ? {} : { 'Build-Timestamp': formatBuildTimestamp(builtAtMs) }),
      'Git-Revision': identity.revision,
      Version: apiLevel ?? identity.version,
      ...(apiLevel === undefined
        ? {}
        : { 'Implementation-Title': PRODUCT, 'Implementation-Version': identity.version }),
    },
  };
}
