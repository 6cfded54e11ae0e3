/** The outlines of the continents below a layer, drawn from data of the console: no other server is contacted. */
import type { Geometry, MultiPolygon, Polygon, Position } from 'geojson';
import Feature from 'ol/Feature.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import VectorSource from 'ol/source/Vector.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import { feature } from 'topojson-client';
import land from 'world-atlas/land-110m.json';
import { clipRing } from './clip-ring.ts';
import { type Extent, getArea } from './projections.ts';

/** Web Mercator has no poles. */
const MAX_LATITUDE = 85.06;

/** Land around the area of a projection is drawn, as far as most projections are defined. */
const MARGIN_DEGREES = 10;

const colors = {
  light: { fill: '#e9edf1', line: '#b9c3cd' },
  dark: { fill: '#25303b', line: '#46535f' },
} as const;

export function createLandStyle(isDark: boolean): Style {
  const { fill, line } = colors[isDark ? 'dark' : 'light'];
  return new Style({ fill: new Fill({ color: fill }), stroke: new Stroke({ color: line, width: 1 }) });
}

export function createLandSource(projection: string): VectorSource {
  const format = new GeoJSON({ dataProjection: 'EPSG:4326', featureProjection: projection });
  const isWorld = projection === 'EPSG:3857' || projection === 'EPSG:4326';
  const polygons = isWorld
    ? listPolygons(prepareForMap)
    : listPolygons((each) => clipToArea(each, getArea(projection)));
  const features = polygons.map((polygon) => new Feature(format.readGeometry(polygon)));
  return new VectorSource({
    features: features.filter((each) => each.getGeometry()?.getExtent().every(Number.isFinite) === true),
  });
}

function listPolygons(prepare: (polygon: Polygon | MultiPolygon) => MultiPolygon): readonly Geometry[] {
  const found = feature(land, land.objects['land'] ?? { type: 'GeometryCollection', geometries: [] });
  const geometries =
    found.type === 'FeatureCollection' ? found.features.map((each) => each.geometry) : [found.geometry];
  return geometries.flatMap((geometry) =>
    geometry.type === 'Polygon' || geometry.type === 'MultiPolygon' ? [prepare(geometry)] : [],
  );
}

/** Local projections have no values far away from their area. */
function clipToArea(geometry: Polygon | MultiPolygon, area: Extent): MultiPolygon {
  const [west, south, east, north] = area;
  const box: Extent = [
    Math.max(-180, west - MARGIN_DEGREES),
    Math.max(-90, south - MARGIN_DEGREES),
    Math.min(180, east + MARGIN_DEGREES),
    Math.min(90, north + MARGIN_DEGREES),
  ];
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const clipped = polygons.map((rings) => rings.map((ring) => clipRing(ring, box)).filter((ring) => ring.length > 3));
  return { type: 'MultiPolygon', coordinates: clipped.filter((rings) => rings.length > 0) };
}

function prepareForMap(geometry: Polygon | MultiPolygon): MultiPolygon {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(unwrapRing)) };
}

/**
 * Continues across the antimeridian with longitudes beyond 180 degrees, which the map repeats. A ring that does not come
 * back to its first longitude encloses a pole.
 */
function unwrapRing(ring: readonly Position[]): Position[] {
  let last: number | undefined;
  const unwrapped = ring.map(([longitude = 0, latitude = 0]) => {
    const x = last === undefined ? longitude : longitude - Math.round((longitude - last) / 360) * 360;
    last = x;
    return [x, Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude))];
  });
  const [first, end] = [unwrapped[0], unwrapped.at(-1)];
  if (first === undefined || end === undefined || Math.abs((first[0] ?? 0) - (end[0] ?? 0)) < 180) return unwrapped;
  const pole = (first[1] ?? 0) < 0 ? -MAX_LATITUDE : MAX_LATITUDE;
  return [...unwrapped, [end[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}
