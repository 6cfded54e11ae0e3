/** What the capabilities of a service say about its layers, in the same form for all services. */
import type { ServiceName } from '../model/report.ts';

/** Longitudes and latitudes in degrees. */
export interface GeographicBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface PublishedLayer {
  readonly title: string;
  /** The first one is the default. */
  readonly styles: readonly string[];
  /** In the form of `normalizeCrs`; the names of grids in WMTS. */
  readonly crs: ReadonlySet<string>;
  /** The CRS of responses to requests without one, if the service has it. */
  readonly defaultCrs?: string;
  readonly box: GeographicBox | undefined;
  readonly formats: ReadonlySet<string>;
}

export interface ServiceCapabilities {
  readonly service: ServiceName;
  /** Formats of operations: `GetMap image/png`. */
  readonly formats: ReadonlySet<string>;
  /** CRSs of the whole service. */
  readonly crs: ReadonlySet<string>;
  readonly layers: ReadonlyMap<string, PublishedLayer>;
}
