/** Opens layers for drawing: their data, filters and styles. */

import { isCascaded } from '../../catalog/kinds/cascaded-layer.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { DimensionOptions } from '../../raster/pictures/dimension-options.ts';
import type { Interpolation } from '../../raster/warp/interpolate.ts';
import type { MapLayer as DrawnLayer } from '../../rendering/request/map-request.ts';
import type { SortKey } from '../../vector/port/port.ts';
import { WFS_STORE_TYPE } from '../../vector/wfs/driver.ts';
import type { CascadeOptions } from '../access/cascaded-source.ts';
import { openCascade } from '../access/open-cascade.ts';
import { type OpenedCoverage, openCoverage } from '../access/open-coverage.ts';
import { type OpenedType, openType } from '../access/open-type.ts';
import type { MapLayer } from '../access/published-map.ts';
import type { PublishedType } from '../access/published-type.ts';
import type { MapServices } from './map-services.ts';
import { replaceStyleLookups, type Variables } from './style-lookups.ts';
import type { ReadyStyle } from './style-models.ts';

/** A layer to draw. */
export interface LayerToDraw {
  readonly layer: MapLayer;
  readonly style: ReadyStyle;
  /** Returns the filter; undefined for all features. Called once the attributes are known. */
  readonly narrow?: ((opened: OpenedType) => Promise<ResolvedFilter | undefined>) | undefined;
  readonly sort?: ((opened: OpenedType) => readonly SortKey[]) | undefined;
  /** The maximum number of features. */
  readonly limit?: number | undefined;
  /** The attributes of vector tiles; undefined for all. */
  readonly properties?: readonly string[] | undefined;
  /** The number of features to skip. */
  readonly offset?: number | undefined;
  /** The interpolation of a coverage; nearest neighbour by default. */
  readonly interpolation?: Interpolation | undefined;
  /** For a virtual table: parameter values by lower-case name. */
  readonly viewParameters?: ReadonlyMap<string, string> | undefined;
  /** The parameters for a cascaded layer. */
  readonly cascade?: CascadeOptions | undefined;
  /** Selects granules of a coverage, unless the data decides. Called once the axes are known. */
  readonly dimensions?: ((opened: OpenedCoverage) => Promise<readonly DimensionOptions[] | 'nothing'>) | undefined;
}

export interface OpenedLayer {
  /** The input of the map renderer. */
  readonly drawn: DrawnLayer;
  /** The opened feature type, if the layer has one. */
  readonly opened?: OpenedType;
}

export interface OpenedLayers {
  /** In the order of the request. */
  readonly layers: readonly OpenedLayer[];
  /** Must be called when drawing is complete. */
  release(): void;
}

/** Throws a Problem for data that cannot be drawn. */
export async function openLayers(
  services: MapServices,
  layers: readonly LayerToDraw[],
  signal: AbortSignal,
  variables: Variables = {},
): Promise<OpenedLayers> {
  const open: OpenedLayer[] = [];
  const release = (): void => {
    for (const { opened } of open) opened?.release();
  };
  try {
    for (const layer of layers) {
      const model = await replaceStyleLookups(services, layer, variables, signal);
      open.push(await openLayer(services, { ...layer, style: { ...layer.style, model } }, signal));
    }
    return { layers: open, release };
  } catch (error) {
    release();
    throw error;
  }
}

async function openLayer(services: MapServices, wanted: LayerToDraw, signal: AbortSignal): Promise<OpenedLayer> {
  const { layer, style, dimensions, interpolation, cascade } = wanted;
  if (layer.type !== undefined) return openFeatures(services, wanted, layer.type, signal);
  const { qualifiedName: title, resource } = layer;
  if (isCascaded(resource)) {
    const source = await openCascade(services, resource, layer.restriction, cascade);
    const remoteStore = resource.parent ?? undefined;
    return { drawn: { kind: 'coverage', title, source, style: style.model, interpolation, remoteStore } };
  }
  const coverage = await openCoverage(services, layer);
  if (coverage === undefined) {
    const reason = 'its data cannot be drawn on a map';
    throw problem('wms-layer-not-drawable', { name: layer.qualifiedName, reason, field: 'layers' });
  }
  const wishes = (await dimensions?.(coverage)) ?? [];
  const source =
    wishes === 'nothing'
      ? { ...coverage, read: async () => undefined, identify: undefined }
      : coverage.selectDimensions(wishes);
  return {
    drawn: {
      kind: 'coverage',
      title: layer.qualifiedName,
      source,
      style: style.model,
      interpolation,
      loadGraphic: style.loadGraphic,
    },
  };
}

async function openFeatures(
  services: MapServices,
  { layer, style, narrow, sort, limit, offset, viewParameters }: LayerToDraw,
  type: PublishedType,
  signal: AbortSignal,
): Promise<OpenedLayer> {
  const opened = await openType(services.vectorData, type, signal, viewParameters);
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
        offset,
        remoteStore: type.records.store.type === WFS_STORE_TYPE ? type.records.store.id : undefined,
      },
    };
  } catch (error) {
    opened.release();
    throw error;
  }
}
