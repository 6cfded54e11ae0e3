/** The map of a layer with its controls, its facts, its legend and the attributes of a place. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { DrawState, FoundFeature, LayerMap, Position, ProjectionCode } from '../../../map/layer-map.ts';
import { Button } from '../../../parts/button/button.tsx';
import { Remark } from '../../../parts/notice/notice.tsx';
import { toProblem } from '../../../rest/problems.ts';
import type { BoundingBox } from '../../../rest/types.ts';
import { isDark } from '../../../shell/preferences.ts';
import { address, setQuery } from '../../../shell/router.ts';
import { formatNumber, t } from '../../../words/words.ts';
import { LayerFacts } from './layer-facts.tsx';
import type { LayerView } from './page.tsx';
import { PlacePanel } from './place-panel.tsx';

/** What is known about the place that the user has chosen. */
export type PlaceState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly features: readonly FoundFeature[] }
  | { readonly kind: 'failed'; readonly error: unknown };

const codes: readonly ProjectionCode[] = ['EPSG:3857', 'EPSG:4326'];

export function MapTab({ view }: { readonly view: LayerView }) {
  const target = useRef<HTMLDivElement>(null);
  const map = useRef<LayerMap>(undefined);
  const state = useSignal<DrawState>({ kind: 'drawing' });
  const place = useSignal<PlaceState | undefined>(undefined);
  const projection = useSignal<ProjectionCode>(
    codes.find((code) => code === address.peek().query.get('crs')) ?? 'EPSG:3857',
  );
  const showsLand = useSignal(true);
  const { map: words } = t();
  const box = view.resource?.latLonBoundingBox;

  useEffect(() => {
    let isCurrent = true;
    void import('../../../map/layer-map.ts').then(
      ({ LayerMap: Constructor }) => {
        if (!isCurrent || target.current === null) return;
        map.current = new Constructor({
          target: target.current,
          layer: view.qualifiedName,
          extent: toExtent(box),
          projection: projection.peek(),
          position: parsePosition(address.peek().query.get('at')),
          isDark: isDark.peek(),
          onDraw: (next) => {
            state.value = next;
          },
          onMove: (position) => setQuery({ at: formatPosition(position) }),
          onRead: (read) => {
            place.value = { kind: 'reading' };
            read.then(
              (features) => {
                place.value = { kind: 'read', features };
              },
              (error: unknown) => {
                place.value = { kind: 'failed', error };
              },
            );
          },
        });
      },
      (error: unknown) => {
        state.value = { kind: 'failed', error };
      },
    );
    return () => {
      isCurrent = false;
      map.current?.destroy();
      map.current = undefined;
    };
  }, [view.qualifiedName]);
  useEffect(() => map.current?.setDark(isDark.value), [isDark.value]);

  return (
    <div class="map-tab">
      <div class="map-stage">
        <div
          ref={target}
          class="map-canvas"
          role="application"
          tabIndex={0}
          aria-label={words.label(view.name)}
          aria-description={words.help}
          data-state={state.value.kind}
        />
        <div class="map-tools">
          <Button icon="plus" label={words.zoomIn} onClick={() => map.current?.zoomBy(1)} />
          <Button icon="minus" label={words.zoomOut} onClick={() => map.current?.zoomBy(-1)} />
          <Button icon="fit" label={words.fit} onClick={() => map.current?.fit()} />
          {view.layer.type === 'WMTS' ? null : (
            <Button icon="target" label={words.readCentre} onClick={() => map.current?.readCenter()} />
          )}
        </div>
        <div class="map-bar">
          <label class="map-choice">
            <span class="unseen">{words.projection}</span>
            <select
              value={projection.value}
              onChange={(event) => {
                const next = codes.find((code) => code === event.currentTarget.value) ?? 'EPSG:3857';
                projection.value = next;
                map.current?.setProjection(next);
                setQuery({ crs: next === 'EPSG:3857' ? undefined : next });
              }}
            >
              {codes.map((code) => (
                <option key={code} value={code}>
                  {code}
                </option>
              ))}
            </select>
          </label>
          <label class="map-choice">
            <input
              type="checkbox"
              checked={showsLand.value}
              onChange={(event) => {
                showsLand.value = event.currentTarget.checked;
                map.current?.setLandVisible(showsLand.value);
              }}
            />
            {words.baseMap}
          </label>
          <span class="map-state" role="status">
            <Drawn state={state.value} />
          </span>
        </div>
        {state.value.kind === 'failed' ? (
          <div class="map-failure" role="alert">
            <Remark kind="error">
              <strong>{words.failed}</strong>
              <span>{toProblem(state.value.error).message}</span>
            </Remark>
          </div>
        ) : null}
        {place.value === undefined ? null : (
          <PlacePanel
            place={place.value}
            onClose={() => {
              place.value = undefined;
              target.current?.focus();
            }}
          />
        )}
      </div>
      <LayerFacts view={view} />
    </div>
  );
}

function Drawn({ state }: { readonly state: DrawState }) {
  if (state.kind === 'drawing') return <>{t().map.drawing}</>;
  if (state.kind === 'failed') return null;
  const kilobytes = formatNumber(state.bytes / 1_000, { maximumFractionDigits: state.bytes < 10_000 ? 1 : 0 });
  return <>{t().map.drawn(formatNumber(Math.round(state.ms)), kilobytes)}</>;
}

function toExtent(box: BoundingBox | undefined): readonly [number, number, number, number] | undefined {
  if (box === undefined || box.minx > box.maxx || box.miny > box.maxy) return undefined;
  return [box.minx, box.miny, box.maxx, box.maxy];
}

/** `zoom/latitude/longitude`, as other maps write it. */
function formatPosition({ zoom, latitude, longitude }: Position): string {
  return [zoom.toFixed(2), latitude.toFixed(5), longitude.toFixed(5)].join('/');
}

function parsePosition(text: string | null): Position | undefined {
  const [zoom = Number.NaN, latitude = Number.NaN, longitude = Number.NaN] = (text ?? '').split('/').map(Number);
  return [zoom, latitude, longitude].every(Number.isFinite) ? { zoom, latitude, longitude } : undefined;
}
