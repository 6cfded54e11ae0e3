/** The requests for maps of a layer and for the features at their centre. */
import type { GeographicBox } from '../capabilities/published-layer.ts';
import type { ServiceQuery } from '../http/compared-server.ts';
import type { MapArea } from '../model/report.ts';

/** Width and height of the maps. */
export const MAP_PIXELS = 512;

/** The number of features that GetFeatureInfo returns at most. */
const MAX_INFO_FEATURES = 50;

/** The smallest side of a map, for layers of one point or one straight line. */
const MIN_SIDE_DEGREES = 0.01;

/** Returns the box of an area, within the world and never empty. */
export function createMapBox(box: GeographicBox, area: MapArea): GeographicBox {
  const [west, east] = createRange([box.west, box.east], area, 180);
  const [south, north] = createRange([box.south, box.north], area, 90);
  return { west, south, east, north };
}

/** The inner area has half the width and half the height of the whole one. */
function createRange([low, high]: readonly [number, number], area: MapArea, limit: number): readonly [number, number] {
  const start = Math.max(-limit, Math.min(low, limit));
  const end = Math.max(start, Math.min(high, limit));
  const middle = (start + end) / 2;
  const half = Math.max(end - start, MIN_SIDE_DEGREES) / (area === 'whole' ? 2 : 4);
  return [middle - half, middle + half];
}

export function createMapQuery(layer: string, box: GeographicBox): ServiceQuery {
  return {
    ...{ service: 'WMS', version: '1.3.0', request: 'GetMap', layers: layer, styles: '' },
    // CRS:84 has the order longitude, latitude on every server.
    ...{ crs: 'CRS:84', bbox: [box.west, box.south, box.east, box.north].join() },
    ...{ width: MAP_PIXELS, height: MAP_PIXELS, format: 'image/png', transparent: 'true' },
  };
}

export function createInfoQuery(layer: string, box: GeographicBox): ServiceQuery {
  const centre = MAP_PIXELS / 2;
  return {
    ...createMapQuery(layer, box),
    ...{ request: 'GetFeatureInfo', query_layers: layer, info_format: 'application/json' },
    ...{ i: centre, j: centre, feature_count: MAX_INFO_FEATURES },
  };
}
