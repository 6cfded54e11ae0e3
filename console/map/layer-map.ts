/**
 * A map of one layer with OpenLayers. Pictures are fetched with the credentials of the session. Controls of OpenLayers are
 * not used: they write markup, which the policy of the page forbids.
 */
import ImageLayer from 'ol/layer/Image.js';
import VectorLayer from 'ol/layer/Vector.js';
import OlMap from 'ol/Map.js';
import { get as getProjection, transform, transformExtent } from 'ol/proj.js';
import ImageSource from 'ol/source/Image.js';
import { createLoader } from 'ol/source/wms.js';
import View from 'ol/View.js';
import { callService, serverRoot, withQuery } from '../rest/client.ts';
import { createLandSource, createLandStyle } from './land.ts';

// One chunk has all maps.
export { StyleMap } from './style-map.ts';

export const projections = ['EPSG:3857', 'EPSG:4326'] as const;
export type ProjectionCode = (typeof projections)[number];

/** West, south, east and north in degrees. */
export type Extent = readonly [number, number, number, number];

export type DrawState =
  | { readonly kind: 'drawing' }
  | { readonly kind: 'drawn'; readonly ms: number; readonly bytes: number }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface FoundFeature {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface Position {
  readonly zoom: number;
  readonly longitude: number;
  readonly latitude: number;
}

export interface LayerMapOptions {
  readonly target: HTMLElement;
  /** With its workspace. */
  readonly layer: string;
  readonly extent: Extent | undefined;
  readonly projection: ProjectionCode;
  readonly position: Position | undefined;
  readonly isDark: boolean;
  readonly onDraw: (state: DrawState) => void;
  readonly onMove: (position: Position) => void;
  readonly onRead: (read: Promise<readonly FoundFeature[]>) => void;
}

/** Web Mercator ends here. */
const MAX_LATITUDE = 85.06;

const WORLD: Extent = [-180, -75, 180, 80];

const PADDING = [32, 32, 32, 32];

/** The largest zoom of a fit: a single point has no size. */
const MAX_FIT_ZOOM = 17;

/** Half the side of the picture in which features are read. */
const READ_RADIUS = 50;

const MAX_FEATURES = 20;

const ANIMATION_MS = 150;

export class LayerMap {
  readonly #options: LayerMapOptions;
  readonly #map: OlMap;
  readonly #land = new VectorLayer();
  readonly #picture = new ImageLayer<ImageSource>();
  #projection: ProjectionCode;

  constructor(options: LayerMapOptions) {
    this.#options = options;
    this.#projection = options.projection;
    this.#map = new OlMap({ target: options.target, controls: [], layers: [this.#land, this.#picture] });
    this.setDark(options.isDark);
    this.#applyProjection();
    const { position } = options;
    if (position === undefined) this.fit();
    else this.#showPosition(position);
    this.#map.on('singleclick', ({ coordinate }) => options.onRead(this.#readFeatures(coordinate)));
    this.#map.on('moveend', () => this.#reportMove());
  }

  setDark(isDark: boolean): void {
    this.#land.setStyle(createLandStyle(isDark));
  }

  setLandVisible(isVisible: boolean): void {
    this.#land.setVisible(isVisible);
  }

  setProjection(projection: ProjectionCode): void {
    const position = this.#readPosition();
    this.#projection = projection;
    this.#applyProjection();
    if (position !== undefined) this.#showPosition(position);
  }

  fit(): void {
    const [west, south, east, north] = this.#options.extent ?? WORLD;
    const clamp = (latitude: number) => Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
    const extent = transformExtent([west, clamp(south), east, clamp(north)], 'EPSG:4326', this.#projection);
    this.#map.updateSize();
    this.#map.getView().fit(extent, { padding: PADDING, maxZoom: MAX_FIT_ZOOM });
  }

  zoomBy(steps: number): void {
    const view = this.#map.getView();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    view.animate({ zoom: (view.getZoom() ?? 0) + steps, duration: isStill ? 0 : ANIMATION_MS });
  }

  /** Reads features at the center, for users without a pointer. */
  readCenter(): void {
    const center = this.#map.getView().getCenter();
    if (center !== undefined) this.#options.onRead(this.#readFeatures(center));
  }

  destroy(): void {
    this.#map.setTarget(undefined);
    this.#map.dispose();
  }

  #applyProjection(): void {
    const projection = getProjection(this.#projection) ?? undefined;
    this.#map.setView(new View({ ...(projection === undefined ? {} : { projection }), multiWorld: false }));
    this.#land.setSource(createLandSource(this.#projection));
    this.#picture.setSource(this.#createSource());
  }

  #createSource(): ImageSource {
    const loader = createLoader({
      url: new URL('wms', serverRoot).href,
      params: { LAYERS: this.#options.layer, FORMAT: 'image/png', TRANSPARENT: true },
      projection: this.#projection,
      ratio: 1,
      hidpi: true,
      serverType: 'geoserver',
      crossOrigin: null,
      load: (_element, address) => this.#loadPicture(address),
    });
    return new ImageSource({ loader });
  }

  async #loadPicture(address: string): Promise<ImageBitmap> {
    const { onDraw } = this.#options;
    const startedAt = performance.now();
    onDraw({ kind: 'drawing' });
    try {
      const picture = await (await callService(address)).blob();
      const bitmap = await createImageBitmap(picture);
      onDraw({ kind: 'drawn', ms: performance.now() - startedAt, bytes: picture.size });
      return bitmap;
    } catch (error) {
      onDraw({ kind: 'failed', error });
      throw error;
    }
  }

  /** GetFeatureInfo in a small map around the place. */
  async #readFeatures(coordinate: readonly number[]): Promise<readonly FoundFeature[]> {
    const [x = 0, y = 0] = coordinate;
    const half = (this.#map.getView().getResolution() ?? 1) * (READ_RADIUS + 0.5);
    const size = READ_RADIUS * 2 + 1;
    const { layer } = this.#options;
    const query = {
      ...{
        service: 'WMS',
        version: '1.1.1',
        request: 'GetFeatureInfo',
        layers: layer,
        query_layers: layer,
        styles: '',
      },
      ...{ srs: this.#projection, bbox: [x - half, y - half, x + half, y + half].join(), width: size, height: size },
      ...{ x: READ_RADIUS, y: READ_RADIUS, info_format: 'application/json', feature_count: MAX_FEATURES },
    };
    const reply = await callService(withQuery('wms', query));
    const { features } = (await reply.json()) as {
      readonly features: readonly { readonly id?: string; readonly properties: FoundFeature['properties'] | null }[];
    };
    return features.map(({ id, properties }) => ({ id: id ?? '', properties: properties ?? {} }));
  }

  #reportMove(): void {
    const position = this.#readPosition();
    if (position !== undefined) this.#options.onMove(position);
  }

  #readPosition(): Position | undefined {
    const view = this.#map.getView();
    const center = view.getCenter();
    const zoom = view.getZoom();
    if (center === undefined || zoom === undefined) return undefined;
    const [longitude = 0, latitude = 0] = transform(center, this.#projection, 'EPSG:4326');
    return { zoom, longitude, latitude };
  }

  #showPosition({ zoom, longitude, latitude }: Position): void {
    const view = this.#map.getView();
    view.setCenter(transform([longitude, latitude], 'EPSG:4326', this.#projection));
    view.setZoom(zoom);
  }
}
