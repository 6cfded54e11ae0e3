/** The state of the map of a layer in its address: layers, filter, time, projection and position. */
import type { LayerSpec, Position } from '../../../../map/layer-map.ts';
import { setQuery } from '../../../../shell/router.ts';

export const WEB_MERCATOR = 'EPSG:3857';

export type Panel = 'layers' | 'use' | 'edit';

export interface MapState {
  /** The lowest first, without filter and time. */
  readonly layers: readonly LayerSpec[];
  readonly crs: string;
  readonly position: Position | undefined;
  readonly showsLand: boolean;
  readonly isAnonymous: boolean;
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
    isAnonymous: query.get('as') === 'anonymous',
    filter: query.get('filter') ?? '',
    time: query.get('time') ?? '',
    panel: (['layers', 'use', 'edit'] as const).find((each) => each === query.get('panel')),
    showsTable: query.get('table') === 'on',
  };
}

export function createSpec(name: string): LayerSpec {
  return { name, opacity: 1, isVisible: true, filter: '', time: '' };
}

/** A map of only the layer of the page needs no list. */
export function setLayers(layers: readonly LayerSpec[], layer: string): void {
  const text = formatLayers(layers);
  setQuery({ layers: text === formatLayers([createSpec(layer)]) ? undefined : text });
}

/** `city:roads~60,city:parks~100~off`: name, opacity in percent, and whether it is hidden. */
export function formatLayers(layers: readonly LayerSpec[]): string {
  return layers
    .map(({ name, opacity, isVisible }) =>
      [
        encodeName(name),
        ...(opacity < 1 || !isVisible ? [Math.round(opacity * 100)] : []),
        ...(isVisible ? [] : ['off']),
      ].join('~'),
    )
    .join(',');
}

export function parseLayers(text: string): readonly LayerSpec[] {
  const specs = text.split(',').flatMap((item): readonly LayerSpec[] => {
    const [name = '', percent = '100', hidden] = item.split('~');
    const opacity = Number(percent) / 100;
    if (name === '' || !(opacity >= 0 && opacity <= 1)) return [];
    return [{ ...createSpec(decodeName(name)), opacity, isVisible: hidden !== 'off' }];
  });
  return [...new Map(specs.map((spec) => [spec.name, spec])).values()];
}

/** Only the signs of the list itself are encoded, so that addresses stay readable. */
function encodeName(name: string): string {
  return name.replace(/[%~,]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function decodeName(name: string): string {
  return name.replace(/%(25|7e|2c)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** `zoom/latitude/longitude`, as other maps write it. */
export function formatPosition({ zoom, latitude, longitude }: Position): string {
  return [zoom.toFixed(2), latitude.toFixed(5), longitude.toFixed(5)].join('/');
}

export function parsePosition(text: string | null): Position | undefined {
  const [zoom = Number.NaN, latitude = Number.NaN, longitude = Number.NaN] = (text ?? '').split('/').map(Number);
  return [zoom, latitude, longitude].every(Number.isFinite) ? { zoom, latitude, longitude } : undefined;
}
