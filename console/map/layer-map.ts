/**
 * A map of layers with OpenLayers. Pictures are fetched with the credentials of the session. Controls of OpenLayers are
 * not used: they write markup, which the policy of the page forbids.
 */
import VectorLayer from 'ol/layer/Vector.js';
import OlMap from 'ol/Map.js';
import { getPointResolution, transform } from 'ol/proj.js';
import View from 'ol/View.js';
import { createLandSource, createLandStyle } from './land.ts';
import { type Mark, Marks, readGeometry } from './marks.ts';
import { type DrawState, type LayerSpec, PictureLayer, type PictureOptions } from './picture-layer.ts';
import { type Extent, loadProjection, projectExtent, requireProjection, unprojectExtent } from './projections.ts';
import { type FoundFeature, readFeaturesAt } from './read-features.ts';

export type { Mark } from './marks.ts';
export type { DrawState, LayerSpec } from './picture-layer.ts';
export type { Extent } from './projections.ts';
export type { FoundFeature } from './read-features.ts';
// One chunk has all maps.
export { StyleMap } from './style-map.ts';

export interface Position {
  readonly zoom: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** What the map shows, for pages that describe or repeat it. */
export interface MapView {
  readonly position: Position;
  /** In degrees. */
  readonly extent: Extent;
  /** In the projection of the map. */
  readonly box: readonly number[];
  /** On the ground at the center. */
  readonly metersPerPixel: number;
}

export interface LayerMapOptions {
  readonly target: HTMLElement;
  /** The lowest first. */
  readonly layers: readonly LayerSpec[];
  readonly extent: Extent | undefined;
  readonly projection: string;
  readonly position: Position | undefined;
  readonly isDark: boolean;
  readonly viewAs?: string | undefined;
  readonly onDraw: (layer: string, state: DrawState) => void;
  readonly onMove: (view: MapView) => void;
  readonly onRead?: (read: Promise<readonly FoundFeature[]>) => void;
  /** Called with the mark under a click, before features are read. */
  readonly onPick?: (id: string) => void;
}

const WORLD: Extent = [-180, -75, 180, 80];

/** Controls cover the right and the lower edge. */
const PADDING = [32, 64, 64, 32];

/** The largest zoom of a fit: a single point has no size. */
const MAX_FIT_ZOOM = 17;

interface Fit {
  readonly padding: number[];
  readonly maxZoom: number;
}

const usualFit: Fit = { padding: PADDING, maxZoom: MAX_FIT_ZOOM };

/** A point is in the middle. */
const NO_PADDING = [0, 0, 0, 0];

/** The surroundings of a single point say where it is. */
const POINT_ZOOM = 6;

const ANIMATION_MS = 150;

const DEGREES = 'EPSG:4326';

export class LayerMap {
  readonly #options: LayerMapOptions;
  readonly #map: OlMap;
  readonly #land = new VectorLayer();
  readonly #marks = new Marks();
  #pictures = new Map<string, PictureLayer>();
  #specs: readonly LayerSpec[];
  #projection: string;
  #viewAs: string | undefined;
  #canRead = true;
  #wantedMarks: readonly Mark[] = [];
  /** What the map was fitted to last, and the view that followed. */
  #fitted:
    | {
        readonly box: number[];
        readonly fit: Fit;
        readonly center: string | undefined;
        readonly resolution: number | undefined;
      }
    | undefined;

  /** The projection must be loaded. */
  constructor(options: LayerMapOptions) {
    this.#options = options;
    this.#projection = options.projection;
    this.#viewAs = options.viewAs;
    this.#specs = options.layers;
    this.#map = new OlMap({ target: options.target, controls: [], layers: [this.#land, this.#marks.layer] });
    this.setDark(options.isDark);
    this.#applyProjection();
    const { position } = options;
    if (position === undefined) this.fit();
    else this.#showPosition(position);
    this.#map.on('singleclick', ({ coordinate, pixel }) => this.#click(coordinate, pixel));
    this.#map.on('moveend', () => this.#reportMove());
    this.#map.on('change:size', () => this.#fitAgain());
  }

  static async create(options: LayerMapOptions): Promise<LayerMap> {
    await loadProjection(options.projection);
    return new LayerMap(options);
  }

  get projection(): string {
    return this.#projection;
  }

  setDark(isDark: boolean): void {
    this.#land.setStyle(createLandStyle(isDark));
  }

  setLandVisible(isVisible: boolean): void {
    this.#land.setVisible(isVisible);
  }

  setLayers(specs: readonly LayerSpec[], { viewAs }: { readonly viewAs: string | undefined }): void {
    this.#specs = specs;
    this.#viewAs = viewAs;
    this.#applyLayers();
  }

  async setProjection(code: string): Promise<void> {
    await loadProjection(code);
    const position = this.#readPosition();
    this.#projection = code;
    this.#applyProjection();
    if (position !== undefined && this.#isUseful(position)) this.#showPosition(position);
    else this.fit();
  }

  /** Requests all pictures again, because the data has changed. */
  refresh(): void {
    for (const picture of this.#pictures.values()) picture.refresh();
  }

  fit(): void {
    this.#fitBox(projectExtent(this.#options.extent ?? WORLD, this.#projection));
  }

  async showMarks(marks: readonly Mark[]): Promise<void> {
    this.#wantedMarks = marks;
    await Promise.all([...new Set(marks.map(({ crs }) => crs ?? DEGREES))].map(loadProjection));
    if (this.#wantedMarks === marks) this.#marks.show(marks, this.#projection);
  }

  /** Shows the whole of a GeoJSON geometry in degrees. */
  fitGeometry(geometry: object): void {
    const shown = readGeometry(geometry, this.#projection).getExtent();
    const isPoint = shown[0] === shown[2] && shown[1] === shown[3];
    // A closer view is kept: the user has chosen it.
    const zoom = Math.max(POINT_ZOOM, this.#map.getView().getZoom() ?? 0);
    this.#fitBox(shown, isPoint ? { padding: NO_PADDING, maxZoom: zoom } : usualFit);
  }

  zoomBy(steps: number): void {
    const view = this.#map.getView();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    view.animate({ zoom: (view.getZoom() ?? 0) + steps, duration: isStill ? 0 : ANIMATION_MS });
  }

  /** Reads features at the center, for users without a pointer. */
  readCenter(): void {
    const center = this.#map.getView().getCenter();
    if (center !== undefined) this.#read(center);
  }

  /** Opens the editor; clicks select features for it instead of reading attributes. */
  async edit(options: import('./feature-editor.ts').FeatureEditorOptions) {
    const { FeatureEditor } = await import('./feature-editor.ts');
    await loadProjection(options.crs);
    this.#canRead = false;
    return new FeatureEditor(this.#map, options, () => {
      this.#canRead = true;
    });
  }

  /** The size of the window, for pictures of what it shows. */
  getSize(): readonly [width: number, height: number] {
    const [width = 1, height = 1] = this.#map.getSize() ?? [];
    return [width, height];
  }

  destroy(): void {
    for (const picture of this.#pictures.values()) picture.stop();
    this.#map.setTarget(undefined);
    this.#map.dispose();
  }

  #applyProjection(): void {
    const projection = requireProjection(this.#projection);
    this.#map.setView(new View({ projection, multiWorld: false }));
    this.#land.setSource(createLandSource(this.#projection));
    this.#marks.project(this.#projection);
    this.#applyLayers();
  }

  /** Reuses the pictures of layers that stay. */
  #applyLayers(): void {
    const options: PictureOptions = {
      projection: this.#projection,
      viewAs: this.#viewAs,
      onDraw: this.#options.onDraw,
    };
    const last = this.#pictures;
    this.#pictures = new Map(
      this.#specs.map((spec) => [spec.name, last.get(spec.name) ?? new PictureLayer(options)] as const),
    );
    for (const [name, picture] of last) {
      if (this.#pictures.has(name)) continue;
      picture.stop();
      this.#map.removeLayer(picture.layer);
    }
    for (const [index, spec] of this.#specs.entries()) {
      const picture = this.#pictures.get(spec.name);
      if (picture === undefined) continue;
      picture.layer.setZIndex(index + 1);
      picture.update(spec, options);
      if (!last.has(spec.name)) this.#map.addLayer(picture.layer);
    }
    this.#marks.layer.setZIndex(this.#specs.length + 1);
  }

  #click(coordinate: readonly number[], pixel: number[]): void {
    const { onPick } = this.#options;
    if (onPick !== undefined) {
      const [feature] = this.#map.getFeaturesAtPixel(pixel, { layerFilter: (each) => each === this.#marks.layer });
      const id = feature?.getId();
      if (id !== undefined) onPick(String(id));
      return;
    }
    this.#read(coordinate);
  }

  #read(coordinate: readonly number[]): void {
    if (!this.#canRead) return;
    const resolution = this.#map.getView().getResolution() ?? 1;
    const place = { coordinate, resolution, projection: this.#projection, viewAs: this.#viewAs };
    this.#options.onRead?.(readFeaturesAt(place, this.#specs));
  }

  #fitBox(box: number[], fit: Fit = usualFit): void {
    this.#map.updateSize();
    const view = this.#map.getView();
    view.fit(box, fit);
    this.#fitted = { box, fit, center: view.getCenter()?.join(), resolution: view.getResolution() };
  }

  /** A panel that opens beside the map must not hide what it was fitted to, unless the user has moved it since. */
  #fitAgain(): void {
    const view = this.#map.getView();
    const { box, fit, center, resolution } = this.#fitted ?? {};
    if (box !== undefined && center === view.getCenter()?.join() && resolution === view.getResolution()) {
      this.#fitBox(box, fit);
    }
  }

  #reportMove(): void {
    const position = this.#readPosition();
    const view = this.#map.getView();
    const [center, resolution] = [view.getCenter(), view.getResolution()];
    if (position === undefined || center === undefined || resolution === undefined) return;
    const box = view.calculateExtent(this.#map.getSize());
    this.#options.onMove({
      position,
      box,
      extent: unprojectExtent(box, this.#projection),
      metersPerPixel: getPointResolution(requireProjection(this.#projection), resolution, center, 'm'),
    });
  }

  #readPosition(): Position | undefined {
    const view = this.#map.getView();
    const center = view.getCenter();
    const zoom = view.getZoom();
    if (center === undefined || zoom === undefined) return undefined;
    const [longitude = 0, latitude = 0] = transform(center, requireProjection(this.#projection), DEGREES);
    return { zoom, longitude, latitude };
  }

  #isUseful({ longitude, latitude }: Position): boolean {
    const [x = Number.NaN, y = Number.NaN] = transform(
      [longitude, latitude],
      DEGREES,
      requireProjection(this.#projection),
    );
    return Number.isFinite(x) && Number.isFinite(y);
  }

  #showPosition({ zoom, longitude, latitude }: Position): void {
    const view = this.#map.getView();
    view.setCenter(transform([longitude, latitude], DEGREES, requireProjection(this.#projection)));
    view.setZoom(zoom);
  }
}
