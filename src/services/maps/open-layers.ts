/** Opens layers for drawing: their data, what of it is wanted, and their styles. */
import type { ResolvedFilter } from '../../data/filter/resolved-filter.ts';
import type { SortKey } from '../../data/vector/port.ts';
import { problem } from '../../lib/problem.ts';
import type { VectorLayer } from '../../rendering/map-request.ts';
import { type OpenedType, openType } from '../door/open-type.ts';
import type { MapLayer } from '../door/published-map.ts';
import type { MapServices } from './map-services.ts';
import type { ReadyStyle } from './style-models.ts';

/** A layer that is to be drawn. */
export interface LayerToDraw {
  readonly layer: MapLayer;
  readonly style: ReadyStyle;
  /** Which of its features; undefined for all. Asked once its attributes are known. */
  readonly narrow?: ((opened: OpenedType) => Promise<ResolvedFilter | undefined>) | undefined;
  readonly sort?: ((opened: OpenedType) => readonly SortKey[]) | undefined;
  /** So many features at most. */
  readonly limit?: number | undefined;
}

export interface OpenedLayer {
  readonly opened: OpenedType;
  /** As maps are drawn from it. */
  readonly drawn: VectorLayer;
}

export interface OpenedLayers {
  /** In the order they were named. */
  readonly layers: readonly OpenedLayer[];
  /** To be called once nothing more is drawn. */
  release(): void;
}

/** A Problem for data that no map is drawn from. */
export async function openLayers(
  services: MapServices,
  layers: readonly LayerToDraw[],
  signal: AbortSignal,
): Promise<OpenedLayers> {
  const layersOpen: OpenedLayer[] = [];
  const release = (): void => {
    for (const { opened } of layersOpen) opened.release();
  };
  try {
    for (const layer of layers) layersOpen.push(await openLayer(services, layer, signal));
    return { layers: layersOpen, release };
  } catch (error) {
    release();
    throw error;
  }
}

async function openLayer(services: MapServices, wanted: LayerToDraw, signal: AbortSignal): Promise<OpenedLayer> {
  const { layer, style, narrow, sort, limit } = wanted;
  if (layer.type === undefined) {
    const reason = 'maps are drawn from features only, and it shows none';
    throw problem('wms-layer-not-drawable', { name: layer.qualifiedName, reason, field: 'layers' });
  }
  const opened = await openType(services.vectorData, layer.type, signal);
  try {
    return {
      opened,
      drawn: {
        kind: 'vector',
        title: layer.qualifiedName,
        source: opened,
        style: style.model,
        loadGraphic: style.loadGraphic,
        filter: await narrow?.(opened),
        sort: sort?.(opened),
        limit,
      },
    };
  } catch (error) {
    opened.release();
    throw error;
  }
}
