/** Geometries above the pictures: highlighted features, footprints of granules, selected ones. */
import Feature from 'ol/Feature.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import type Geometry from 'ol/geom/Geometry.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import Circle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';

export interface Mark {
  readonly id: string;
  /** A GeoJSON geometry. */
  readonly geometry: object;
  /** The CRS of the geometry, which must be loaded; degrees by default. */
  readonly crs?: string;
  readonly kind: 'highlight' | 'footprint' | 'selected';
}

/** A white casing keeps lines visible on any style. */
function createStyles(color: string, fill: string, width: number): readonly Style[] {
  const point = (stroke: Stroke) => new Circle({ radius: 9, fill: new Fill({ color: fill }), stroke });
  const casing = new Stroke({ color: 'rgba(255, 255, 255, 0.85)', width: width + 3 });
  const line = new Stroke({ color, width });
  return [
    new Style({ stroke: casing, image: point(casing) }),
    new Style({ stroke: line, fill: new Fill({ color: fill }), image: point(line) }),
  ];
}

const styles: Readonly<Record<Mark['kind'], readonly Style[]>> = {
  highlight: createStyles('#d6006c', 'rgba(214, 0, 108, 0.15)', 2.5),
  footprint: [
    new Style({
      stroke: new Stroke({ color: '#0b5fb0', width: 1.25 }),
      fill: new Fill({ color: 'rgba(11, 95, 176, 0.03)' }),
    }),
  ],
  selected: createStyles('#d6006c', 'rgba(214, 0, 108, 0.2)', 2.5),
};

export class Marks {
  readonly layer: VectorLayer<VectorSource>;
  readonly #source = new VectorSource();
  #marks: readonly Mark[] = [];
  #shown: { readonly marks: readonly Mark[]; readonly projection: string } | undefined;

  constructor() {
    this.layer = new VectorLayer({
      source: this.#source,
      style: (feature) => [...styles[feature.get('kind') as Mark['kind']]],
    });
  }

  show(marks: readonly Mark[], projection: string): void {
    this.#marks = marks;
    if (this.#shown?.marks === marks && this.#shown.projection === projection) return;
    this.#shown = { marks, projection };
    this.#source.clear();
    this.#source.addFeatures(marks.map((mark) => createFeature(mark, projection)));
  }

  project(projection: string): void {
    this.show(this.#marks, projection);
  }
}

export function readGeometry(geometry: object, projection: string, crs = 'EPSG:4326'): Geometry {
  return new GeoJSON().readGeometry(geometry, { dataProjection: crs, featureProjection: projection });
}

function createFeature({ id, geometry, kind, crs = 'EPSG:4326' }: Mark, projection: string): Feature {
  const feature = new Feature(readGeometry(geometry, projection, crs));
  feature.setId(id);
  feature.set('kind', kind);
  return feature;
}
