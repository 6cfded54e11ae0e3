/**
 * Draws and changes the geometry of one feature at a time. Geometries come and go as GeoJSON in the CRS of the layer, so
 * that a feature whose geometry is not touched keeps every digit.
 */

import { containsExtent } from 'ol/extent.js';
import Feature from 'ol/Feature.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import WKT from 'ol/format/WKT.js';
import type Geometry from 'ol/geom/Geometry.js';
import MultiPoint from 'ol/geom/MultiPoint.js';
import Point from 'ol/geom/Point.js';
import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import Draw from 'ol/interaction/Draw.js';
import Modify from 'ol/interaction/Modify.js';
import Snap from 'ol/interaction/Snap.js';
import VectorLayer from 'ol/layer/Vector.js';
import type OlMap from 'ol/Map.js';
import VectorSource from 'ol/source/Vector.js';
import Circle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';

export const geometryTypes = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
] as const;
export type GeometryType = (typeof geometryTypes)[number];

/** A GeoJSON geometry. */
export interface GeometryObject {
  readonly type: string;
  readonly coordinates?: unknown;
}

export interface FeatureEditorOptions {
  /** The CRS of the layer. */
  readonly crs: string;
  /** The user has drawn a new geometry or moved a vertex. */
  readonly onChange: (geometry: GeometryObject) => void;
  /** The user has clicked a place while nothing is drawn; the box is around it, in degrees. */
  readonly onChoose: (box: readonly number[]) => void;
}

/** Half the side of the area around a click in which a feature is chosen. */
const CHOOSE_PIXELS = 8;

const ABOVE_ALL = 1_000;

const color = '#d6006c';
const vertex = new Circle({
  radius: 5,
  fill: new Fill({ color: '#ffffff' }),
  stroke: new Stroke({ color, width: 2 }),
});

/** Line and fill, and a handle on every vertex. */
const styles = [
  new Style({ stroke: new Stroke({ color: 'rgba(255, 255, 255, 0.85)', width: 5.5 }) }),
  new Style({
    stroke: new Stroke({ color, width: 2.5 }),
    fill: new Fill({ color: 'rgba(214, 0, 108, 0.15)' }),
    image: new Circle({ radius: 8, fill: new Fill({ color }), stroke: new Stroke({ color: '#ffffff', width: 2.5 }) }),
  }),
  new Style({
    image: vertex,
    geometry: (feature) => {
      const geometry = feature.getGeometry();
      if (geometry === undefined || geometry instanceof Point || geometry instanceof MultiPoint) return undefined;
      const shape = geometry as SimpleGeometry;
      const flat = shape.getFlatCoordinates();
      const stride = shape.getStride();
      const places = Array.from({ length: flat.length / stride }, (_, index) =>
        flat.slice(index * stride, index * stride + 2),
      );
      return new MultiPoint(places);
    },
  }),
];

export class FeatureEditor {
  readonly #map: OlMap;
  readonly #options: FeatureEditorOptions;
  readonly #source = new VectorSource<Feature<Geometry>>();
  readonly #layer = new VectorLayer({ source: this.#source, style: styles });
  readonly #modify = new Modify({ source: this.#source, style: new Style({ image: vertex }) });
  readonly #snap = new Snap({ source: this.#source });
  readonly #onClick: (event: { readonly coordinate: number[] }) => void;
  readonly #onClose: () => void;
  #draw: Draw | undefined;

  constructor(map: OlMap, options: FeatureEditorOptions, onClose: () => void) {
    this.#map = map;
    this.#options = options;
    this.#onClose = onClose;
    this.#layer.setZIndex(ABOVE_ALL);
    map.addLayer(this.#layer);
    map.addInteraction(this.#modify);
    map.addInteraction(this.#snap);
    this.#modify.on('modifyend', () => this.#report());
    this.#onClick = ({ coordinate }) => this.#choose(coordinate);
    map.on('singleclick', this.#onClick);
  }

  /** Shows the geometry of the feature that is edited; undefined for none. */
  show(geometry: GeometryObject | undefined): void {
    this.stopDrawing();
    this.#source.clear();
    if (geometry === undefined) return;
    const shown = new GeoJSON().readGeometry(geometry, {
      dataProjection: this.#options.crs,
      featureProjection: this.#getProjection(),
    });
    this.#source.addFeature(new Feature(shown));
  }

  /** Draws a new geometry in place of the shown one. */
  startDrawing(type: GeometryType): void {
    this.stopDrawing();
    // The click that ends the drawing must not choose another feature.
    const draw = new Draw({ source: this.#source, type, stopClick: true });
    draw.on('drawstart', () => this.#source.clear());
    draw.on('drawend', ({ feature }) => {
      // The source contains the feature after the event.
      queueMicrotask(() => {
        this.stopDrawing();
        if (!this.#source.hasFeature(feature)) this.#source.addFeature(feature);
        this.#report();
      });
    });
    this.#draw = draw;
    this.#map.addInteraction(draw);
  }

  stopDrawing(): void {
    if (this.#draw === undefined) return;
    this.#map.removeInteraction(this.#draw);
    this.#draw = undefined;
  }

  /** The center of the map as a point in the CRS of the layer, for users without a pointer. */
  readCenter(): GeometryObject {
    const point = new Point(this.#map.getView().getCenter() ?? [0, 0]);
    return this.#write(point);
  }

  /** Takes part in forms: well-known text in the CRS of the layer. */
  formatText(geometry: GeometryObject): string {
    return new WKT().writeGeometry(new GeoJSON().readGeometry(geometry));
  }

  /** Throws an error if the text is invalid. */
  parseText(text: string): GeometryObject {
    return toObject(new GeoJSON().writeGeometryObject(new WKT().readGeometry(text)));
  }

  /** Moves the map if the geometry is not in view. */
  fit(): void {
    const extent = this.#source.getExtent();
    const view = this.#map.getView();
    if (extent?.every(Number.isFinite) && !containsExtent(view.calculateExtent(this.#map.getSize()), extent)) {
      view.fit(extent, { padding: [48, 48, 48, 48], maxZoom: 14 });
    }
  }

  close(): void {
    this.stopDrawing();
    this.#map.un('singleclick', this.#onClick);
    this.#map.removeInteraction(this.#modify);
    this.#map.removeInteraction(this.#snap);
    this.#map.removeLayer(this.#layer);
    this.#onClose();
  }

  #choose(coordinate: readonly number[]): void {
    if (this.#draw !== undefined) return;
    const [x = 0, y = 0] = coordinate;
    const half = (this.#map.getView().getResolution() ?? 1) * CHOOSE_PIXELS;
    const corners = [
      [x - half, y - half],
      [x + half, y + half],
    ].map((corner) => new Point(corner).transform(this.#getProjection(), 'EPSG:4326') as Point);
    this.#options.onChoose(corners.flatMap((corner) => corner.getCoordinates()));
  }

  #report(): void {
    const geometry = this.#source.getFeatures()[0]?.getGeometry();
    if (geometry !== undefined) this.#options.onChange(this.#write(geometry));
  }

  #write(geometry: Geometry): GeometryObject {
    return toObject(
      new GeoJSON().writeGeometryObject(geometry, {
        dataProjection: this.#options.crs,
        featureProjection: this.#getProjection(),
      }),
    );
  }

  #getProjection() {
    return this.#map.getView().getProjection();
  }
}

function toObject(geometry: object): GeometryObject {
  return geometry as GeometryObject;
}
