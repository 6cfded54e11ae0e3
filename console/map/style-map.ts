/** A small map of one layer in a style that is not stored: each change of the style draws it again. */
import ImageLayer from 'ol/layer/Image.js';
import VectorLayer from 'ol/layer/Vector.js';
import OlMap from 'ol/Map.js';
import { transformExtent } from 'ol/proj.js';
import ImageSource from 'ol/source/Image.js';
import { createLoader } from 'ol/source/wms.js';
import View from 'ol/View.js';
import { callService, serverRoot } from '../rest/client.ts';
import { readPicture } from '../rest/picture.ts';
import { createLandSource, createLandStyle } from './land.ts';
import type { DrawState, Extent } from './layer-map.ts';

const PROJECTION = 'EPSG:3857';

/** Web Mercator ends here. */
const MAX_LATITUDE = 85.06;

const WORLD: Extent = [-180, -75, 180, 80];
const PADDING = [16, 16, 16, 16];

/** The largest zoom of a fit: a single point has no size. */
const MAX_FIT_ZOOM = 17;

export interface StyleMapOptions {
  readonly target: HTMLElement;
  /** With its workspace. */
  readonly layer: string;
  readonly extent: Extent | undefined;
  readonly isDark: boolean;
  readonly onDraw: (state: DrawState) => void;
}

export class StyleMap {
  readonly #options: StyleMapOptions;
  readonly #map: OlMap;
  readonly #land: VectorLayer;
  #shown: ImageLayer<ImageSource> | undefined;
  #sld: string | undefined;

  constructor(options: StyleMapOptions) {
    this.#options = options;
    this.#land = new VectorLayer({ source: createLandSource(PROJECTION), style: createLandStyle(options.isDark) });
    this.#map = new OlMap({
      target: options.target,
      controls: [],
      layers: [this.#land],
      view: new View({ projection: PROJECTION, multiWorld: false }),
    });
    this.fit();
  }

  /** The last picture stays until the next one is drawn. */
  setSld(sld: string): void {
    if (sld === this.#sld) return;
    this.#sld = sld;
    const last = this.#shown;
    const next = new ImageLayer<ImageSource>({ source: this.#createSource(sld) });
    next.getSource()?.once('imageloadend', () => last && this.#map.removeLayer(last));
    next.getSource()?.once('imageloaderror', () => last && this.#map.removeLayer(last));
    this.#map.addLayer(next);
    this.#shown = next;
  }

  setDark(isDark: boolean): void {
    this.#land.setStyle(createLandStyle(isDark));
  }

  fit(): void {
    const [west, south, east, north] = this.#options.extent ?? WORLD;
    const clamp = (latitude: number) => Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
    this.#map.updateSize();
    this.#map.getView().fit(transformExtent([west, clamp(south), east, clamp(north)], 'EPSG:4326', PROJECTION), {
      padding: PADDING,
      maxZoom: MAX_FIT_ZOOM,
    });
  }

  zoomBy(steps: number): void {
    const view = this.#map.getView();
    view.setZoom((view.getZoom() ?? 0) + steps);
  }

  destroy(): void {
    this.#map.setTarget(undefined);
    this.#map.dispose();
  }

  #createSource(sld: string): ImageSource {
    return new ImageSource({
      loader: createLoader({
        url: new URL('wms', serverRoot).href,
        params: { LAYERS: this.#options.layer, STYLES: '', FORMAT: 'image/png', TRANSPARENT: true },
        projection: PROJECTION,
        ratio: 1,
        hidpi: true,
        serverType: 'geoserver',
        crossOrigin: null,
        load: (_element, address) => this.#loadPicture(address, sld),
      }),
    });
  }

  /** The style is in the body of the request: addresses have a limit. */
  async #loadPicture(address: string, sld: string): Promise<ImageBitmap> {
    const { onDraw } = this.#options;
    const startedAt = performance.now();
    const report = (state: DrawState) => {
      if (sld === this.#sld) onDraw(state);
    };
    report({ kind: 'drawing' });
    try {
      const { origin, pathname, searchParams } = new URL(address);
      searchParams.set('SLD_BODY', sld);
      const reply = await callService(`${origin}${pathname}`, {
        method: 'POST',
        body: searchParams.toString(),
        contentType: 'application/x-www-form-urlencoded',
        accept: 'image/png',
      });
      const picture = await readPicture(reply);
      const bitmap = await createImageBitmap(picture);
      report({ kind: 'drawn', ms: performance.now() - startedAt, bytes: picture.size });
      return bitmap;
    } catch (error) {
      report({ kind: 'failed', error });
      throw error;
    }
  }
}
