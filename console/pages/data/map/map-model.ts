/** The state that a map shares with the page around it. */
import { type Signal, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { DrawState, LayerMap, MapView, Mark } from '../../../map/layer-map.ts';

export interface MapModel {
  /** Undefined until the map is loaded. */
  readonly map: Signal<LayerMap | undefined>;
  /** By the name of the layer. */
  readonly draws: Signal<Readonly<Record<string, DrawState>>>;
  readonly view: Signal<MapView | undefined>;
  readonly marks: Signal<readonly Mark[]>;
  /** Why there is no map. */
  readonly failure: Signal<unknown>;
}

export function useMapModel(): MapModel {
  return useMemo(
    () => ({
      map: signal(undefined),
      draws: signal({}),
      view: signal(undefined),
      marks: signal([]),
      failure: signal(undefined),
    }),
    [],
  );
}

/** Joins the states of the visible layers. */
export function joinDraws(draws: readonly (DrawState | undefined)[]): DrawState | undefined {
  const failed = draws.find((each) => each?.kind === 'failed');
  if (failed !== undefined) return failed;
  if (draws.some((each) => each === undefined || each.kind === 'drawing')) return { kind: 'drawing' };
  const drawn = draws.flatMap((each) => (each?.kind === 'drawn' ? [each] : []));
  return {
    kind: 'drawn',
    ms: Math.max(0, ...drawn.map(({ ms }) => ms)),
    bytes: drawn.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
