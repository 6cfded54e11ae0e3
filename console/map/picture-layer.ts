/** One published layer or group on a map: a picture of WMS, fetched with the credentials of the session. */
import ImageLayer from 'ol/layer/Image.js';
import ImageSource from 'ol/source/Image.js';
import { createLoader } from 'ol/source/wms.js';
import { callService, serverRoot } from '../rest/client.ts';
import { RestProblem, readServiceException } from '../rest/problems.ts';
import { t } from '../words/words.ts';

export interface LayerSpec {
  /** With its workspace. */
  readonly name: string;
  /** From 0 to 1. */
  readonly opacity: number;
  readonly isVisible: boolean;
  /** In ECQL. */
  readonly filter: string;
  readonly time: string;
  /** Undefined or empty for the default. */
  readonly style?: string;
}

export type DrawState =
  | { readonly kind: 'drawing' }
  | { readonly kind: 'drawn'; readonly ms: number; readonly bytes: number }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface PictureOptions {
  readonly projection: string;
  readonly viewAs: string | undefined;
  readonly onDraw: (name: string, state: DrawState) => void;
}

/** Longer than the server draws one map: a request without an answer must not look like a slow one forever. */
const MAX_WAIT_MS = 120_000;

export class PictureLayer {
  readonly layer = new ImageLayer<ImageSource>();
  #spec: LayerSpec | undefined;
  #options: PictureOptions;
  /** The request of the newest picture. */
  #running = new AbortController();

  constructor(options: PictureOptions) {
    this.#options = options;
  }

  /** Requests a new picture only if its content changes. */
  update(spec: LayerSpec, options: PictureOptions): void {
    const last = this.#spec;
    const isOther =
      last === undefined ||
      last.filter !== spec.filter ||
      last.time !== spec.time ||
      last.style !== spec.style ||
      this.#options.projection !== options.projection ||
      this.#options.viewAs !== options.viewAs;
    this.#spec = spec;
    this.#options = options;
    this.layer.setOpacity(spec.opacity);
    this.layer.setVisible(spec.isVisible);
    if (isOther) this.layer.setSource(this.#createSource(spec));
  }

  refresh(): void {
    if (this.#spec !== undefined) this.layer.setSource(this.#createSource(this.#spec));
  }

  /** The browser sends few requests at once: a request for a picture that is not shown would delay the others. */
  stop(): void {
    this.#running.abort();
  }

  #createSource(spec: LayerSpec): ImageSource {
    const { projection } = this.#options;
    const loader = createLoader({
      url: new URL('wms', serverRoot).href,
      params: {
        // The older version has x before y in every projection.
        VERSION: '1.1.1',
        LAYERS: spec.name,
        STYLES: spec.style ?? '',
        FORMAT: 'image/png',
        TRANSPARENT: true,
        ...(spec.filter === '' ? {} : { CQL_FILTER: spec.filter }),
        ...(spec.time === '' ? {} : { TIME: spec.time }),
      },
      projection,
      ratio: 1,
      hidpi: true,
      serverType: 'geoserver',
      crossOrigin: null,
      load: (_element, address) => this.#loadPicture(spec, address),
    });
    return new ImageSource({ loader });
  }

  /** Each picture replaces the one before it, also if that is still being loaded: only the newest has a state. */
  async #loadPicture(spec: LayerSpec, url: string): Promise<ImageBitmap> {
    const { viewAs } = this.#options;
    this.stop();
    const running = new AbortController();
    this.#running = running;
    const report = (state: DrawState) => {
      if (this.#running === running && !running.signal.aborted) this.#options.onDraw(spec.name, state);
    };
    const startedAt = performance.now();
    report({ kind: 'drawing' });
    try {
      const signal = AbortSignal.any([running.signal, AbortSignal.timeout(MAX_WAIT_MS)]);
      const reply = await callService(url, { viewAs, signal });
      await requirePicture(reply);
      const picture = await reply.blob();
      const bitmap = await createImageBitmap(picture);
      report({ kind: 'drawn', ms: performance.now() - startedAt, bytes: picture.size });
      return bitmap;
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === 'TimeoutError';
      report({ kind: 'failed', error: isLate ? new Error(t().map.late) : error });
      throw error;
    }
  }
}

/** WMS reports errors with the status 200. */
async function requirePicture(reply: Response): Promise<void> {
  if ((reply.headers.get('content-type') ?? '').startsWith('image/')) return;
  const text = await reply.text();
  const { detail, field } = readServiceException(text);
  throw new RestProblem({
    ...{ status: 400, code: 'service-exception', title: 'Service exception', detail: detail || reply.statusText },
    ...(field === undefined ? {} : { field }),
  });
}
