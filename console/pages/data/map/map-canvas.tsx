/** The map itself with its tools, its scale line and the state of its requests. Pages place their controls over it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FoundFeature, LayerSpec, Position } from '../../../map/layer-map.ts';
import type { Extent } from '../../../map/projections.ts';
import { Button } from '../../../parts/button/button.tsx';
import { Remark } from '../../../parts/notice/notice.tsx';
import { toProblem } from '../../../rest/problems.ts';
import type { BoundingBox } from '../../../rest/types.ts';
import { isDark } from '../../../shell/preferences.ts';
import { t } from '../../../words/words.ts';
import { joinDraws, type MapModel } from './map-model.ts';
import { ScaleLine } from './scale-line.tsx';

interface MapCanvasProps {
  readonly model: MapModel;
  readonly label: string;
  /** The lowest first. */
  readonly layers: readonly LayerSpec[];
  readonly extent: BoundingBox | undefined;
  readonly projection?: string;
  readonly position?: Position | undefined;
  readonly showsLand?: boolean;
  readonly viewAs?: string | undefined;
  readonly onMove?: (position: Position) => void;
  readonly onRead?: (read: Promise<readonly FoundFeature[]>) => void;
  readonly onPick?: (id: string) => void;
  /** In the bar below the map. */
  readonly bar?: ComponentChildren;
  /** Above the map. */
  readonly children?: ComponentChildren;
}

export function MapCanvas(props: MapCanvasProps) {
  const { model, label, layers, projection = 'EPSG:3857', showsLand = true, viewAs } = props;
  const target = useRef<HTMLDivElement>(null);
  // The map outlives many drawings: it calls the newest functions.
  const latest = useRef(props);
  latest.current = props;
  const { map: words } = t();

  useEffect(() => startMap(target.current, latest, model), []);
  const map = model.map.value;
  useEffect(() => map?.setDark(isDark.value), [map, isDark.value]);
  useEffect(() => map?.setLandVisible(showsLand), [map, showsLand]);
  useEffect(() => map?.setLayers(layers, { viewAs }), [map, JSON.stringify(layers), viewAs]);
  useEffect(() => {
    map?.showMarks(model.marks.value).catch((error: unknown) => {
      model.failure.value = error;
    });
  }, [map, model.marks.value]);
  useEffect(() => {
    if (map === undefined || map.projection === projection) return;
    map.setProjection(projection).catch((error: unknown) => {
      model.failure.value = error;
    });
  }, [map, projection]);

  const visible = layers.filter(({ isVisible }) => isVisible);
  const joined = joinDraws(visible.map(({ name }) => model.draws.value[name]));
  const failure = model.failure.value ?? (joined?.kind === 'failed' ? joined.error : undefined);
  return (
    <div class="map-stage">
      <div
        ref={target}
        class="map-canvas"
        role="application"
        tabIndex={0}
        aria-label={label}
        aria-description={words.help}
        data-state={map === undefined ? 'loading' : joined?.kind}
      />
      <div class="map-tools">
        <Button icon="plus" label={words.zoomIn} onClick={() => map?.zoomBy(1)} />
        <Button icon="minus" label={words.zoomOut} onClick={() => map?.zoomBy(-1)} />
        <Button icon="fit" label={words.fit} onClick={() => map?.fit()} />
        {props.onRead === undefined ? null : (
          <Button icon="target" label={words.readCentre} onClick={() => map?.readCenter()} />
        )}
      </div>
      {props.children}
      <div class="map-bar">
        {props.bar}
        <ScaleLine metersPerPixel={model.view.value?.metersPerPixel} />
      </div>
      {failure === undefined ? null : (
        <div class="map-failure" role="alert">
          <Remark kind="error">
            <strong>{words.failed}</strong>
            <span>{toProblem(failure).message}</span>
          </Remark>
        </div>
      )}
    </div>
  );
}

function startMap(
  target: HTMLDivElement | null,
  latest: { readonly current: MapCanvasProps },
  model: MapModel,
): () => void {
  let isCurrent = true;
  const fail = (error: unknown) => {
    if (isCurrent) model.failure.value = error;
  };
  const start = async () => {
    const { LayerMap } = await import('../../../map/layer-map.ts');
    const { layers, extent, projection = 'EPSG:3857', position, viewAs, onPick } = latest.current;
    if (target === null) return;
    const map = await LayerMap.create({
      ...{ target, layers, projection, position, viewAs },
      extent: toExtent(extent),
      isDark: isDark.peek(),
      onDraw: (name, state) => {
        model.draws.value = { ...model.draws.peek(), [name]: state };
      },
      onMove: (view) => {
        model.view.value = view;
        latest.current.onMove?.(view.position);
      },
      onRead: (read) => latest.current.onRead?.(read),
      ...(onPick === undefined ? {} : { onPick: (id) => latest.current.onPick?.(id) }),
    });
    if (isCurrent) model.map.value = map;
    else map.destroy();
  };
  start().catch(fail);
  return () => {
    isCurrent = false;
    model.map.peek()?.destroy();
    model.map.value = undefined;
  };
}

export function toExtent(box: BoundingBox | undefined): Extent | undefined {
  if (box === undefined || box.minx > box.maxx || box.miny > box.maxy) return undefined;
  return [box.minx, box.miny, box.maxx, box.maxy];
}
