/** The state of the map of a layer in its address: layers, filter, time, projection and position. */
import type { LayerSpec, Position } from '../../../../map/layer-map.ts';
import { VISITOR } from '../../../../rest/client.ts';
import { setQuery } from '../../../../shell/router.ts';
import { createSpec, formatLayers, parseLayers } from './map-layers.ts';

export const WEB_MERCATOR = 'EPSG:3857';

export type Panel = 'layers' | 'use' | 'edit';

export interface MapState {
  /** The lowest first, without filter and time. */
  readonly layers: readonly LayerSpec[];
  readonly crs: string;
  readonly position: Position | undefined;
  readonly showsLand: boolean;
  /** Whose view the map shows: `anonymous`, or a value of the header `Graticule-View-As`. */
  readonly viewAs: string | undefined;
  /** In ECQL; it applies to the layer of the page. */
  readonly filter: string;
  readonly time: string;
  /** Undefined until the user chooses: narrow screens then show the map only. */
  readonly panel: Panel | undefined;
  readonly showsTable: boolean;
}

export function readMapState(query: URLSearchParams, layer: string): MapState {
  const listed = parseLayers(query.get('layers') ?? '');
  return {
    layers: listed.length === 0 ? [createSpec(layer)] : listed,
    crs: query.get('crs') ?? WEB_MERCATOR,
    position: parsePosition(query.get('at')),
    showsLand: query.get('land') !== 'off',
    viewAs: readViewAs(query.get('as')),
    filter: query.get('filter') ?? '',
    time: query.get('time') ?? '',
    panel: (['layers', 'use', 'edit'] as const).find((each) => each === query.get('panel')),
    showsTable: query.get('table') === 'on',
  };
}

/** Headers have ASCII only, and an address can have any text. */
function readViewAs(as: string | null): string | undefined {
  if (as === null || as === '') return undefined;
  return as === VISITOR ? VISITOR : new URLSearchParams(as).toString();
}

/** A map of only the layer of the page needs no list. */
export function setLayers(layers: readonly LayerSpec[], layer: string): void {
  const text = formatLayers(layers);
  setQuery({ layers: text === formatLayers([createSpec(layer)]) ? undefined : text });
}

/** `zoom/latitude/longitude`, as other maps write it. */
export function formatPosition({ zoom, latitude, longitude }: Position): string {
  return [zoom.toFixed(2), latitude.toFixed(5), longitude.toFixed(5)].join('/');
}

export function parsePosition(text: string | null): Position | undefined {
  const [zoom = Number.NaN, latitude = Number.NaN, longitude = Number.NaN] = (text ?? '').split('/').map(Number);
  return [zoom, latitude, longitude].every(Number.isFinite) ? { zoom, latitude, longitude } : undefined;
}
