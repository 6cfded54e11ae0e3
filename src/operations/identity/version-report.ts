/** The three components clients ask the versions of: the server, its geospatial layer and its tiles. */

import type { BuildIdentity } from './build-identity.ts';
import { type AboutResource, formatBuildTimestamp } from './resource-filter.ts';

/** A component under the name clients look for. */
export interface ReportedComponent {
  readonly name: string;
  /** The level of the interface that is spoken, where it is reported in place of our own version. */
  readonly apiLevel?: string;
}

/** The server comes first: clients take the first version for the server's. */
export interface ReportedComponents {
  readonly server: ReportedComponent;
  readonly geospatial: ReportedComponent;
  readonly tiles: ReportedComponent;
}

/** What we call ourselves. */
const PRODUCT = 'Graticule';

export function createVersionReport(components: ReportedComponents, identity: BuildIdentity): readonly AboutResource[] {
  const { server, geospatial, tiles } = components;
  return [
    buildComponent(server, identity, identity.builtAtMs),
    buildComponent(geospatial, identity, identity.builtAtMs),
    // The interface gives the tile component no timestamp of its own.
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
