/** The map of a layer: its controls, its table of features, and a panel with layers, uses or edits. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { FoundFeature } from '../../../map/layer-map.ts';
import { Button } from '../../../parts/button/button.tsx';
import { Remark } from '../../../parts/notice/notice.tsx';
import { TimeSlider } from '../../../parts/time-slider/time-slider.tsx';
import { useRest } from '../../../rest/cache.ts';
import { address, setQuery } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { MapCanvas } from '../map/map-canvas.tsx';
import { joinDraws, type MapModel, useMapModel } from '../map/map-model.ts';
import { RequestState } from '../map/request-state.tsx';
import { EditPanel } from './edit/edit-panel.tsx';
import { useCanEdit } from './edit/read-edits.ts';
import { LayerFacts } from './layer-facts.tsx';
import { getCapabilitiesPath, type LayerCapabilities, readCapabilities } from './map/capabilities.ts';
import { CrsPicker, canShow } from './map/crs-picker.tsx';
import { FeatureTable } from './map/feature-table.tsx';
import { FilterBox, useCheckedFilter } from './map/filter-box.tsx';
import { LayerStack } from './map/layer-stack.tsx';
import { formatPosition, type MapState, type Panel, readMapState, WEB_MERCATOR } from './map/map-state.ts';
import { UsePanel } from './map/use-panel.tsx';
import { ViewAs } from './map/view-as.tsx';
import type { LayerView } from './page.tsx';
import { PlacePanel } from './place-panel.tsx';

/** What is known about the place that the user has chosen. */
export type PlaceState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly features: readonly FoundFeature[] }
  | { readonly kind: 'failed'; readonly error: unknown };

export function MapTab({ view }: { readonly view: LayerView }) {
  const model = useMapModel();
  const state = readMapState(address.value.query, view.qualifiedName);
  const place = useSignal<PlaceState | undefined>(undefined);
  const chosen = useSignal<string | undefined>(undefined);
  const stage = useRef<HTMLDivElement>(null);
  const { viewAs, showsLand } = state;
  // A link of another user can name a projection that this user cannot load.
  const crs = canShow(state.crs) ? state.crs : WEB_MERCATOR;
  const isVector = view.layer.type === 'VECTOR';
  const checked = useCheckedFilter({ collection: view.qualifiedName, filter: state.filter, viewAs });
  const mayEdit = useCanEdit(view);
  const canEdit = viewAs === undefined && mayEdit === true;
  const { times, time } = useTimes(view, state.time);
  // Filter and time belong to the layer of the page.
  const layers = state.layers.map((each) =>
    each.name === view.qualifiedName ? { ...each, filter: checked.valid, time } : each,
  );
  const draws = layers.filter(({ isVisible }) => isVisible).map(({ name }) => model.draws.value[name]);
  const drawn = joinDraws(draws);
  const panel = state.panel === 'edit' && !canEdit ? undefined : state.panel;
  const { map: words } = t();

  const readPlace = (read: Promise<readonly FoundFeature[]>) => {
    place.value = { kind: 'reading' };
    read.then(
      (features) => {
        place.value = { kind: 'read', features };
        chosen.value = features.find(({ layer }) => layer === view.qualifiedName)?.id;
      },
      (error: unknown) => {
        place.value = { kind: 'failed', error };
      },
    );
  };
  useEffect(() => {
    if (panel === 'edit') place.value = undefined;
  }, [panel]);
  return (
    <div class="map-tab" data-panel={panel ?? 'none'} data-table={state.showsTable && isVector}>
      <div class="map-strip">
        {isVector ? <FilterBox filter={state.filter} checked={checked} /> : <span class="map-strip-space" />}
        <ViewAs viewAs={viewAs} workspace={view.workspace} />
        <Toolbar state={state} panel={panel} isVector={isVector} canEdit={canEdit} />
      </div>
      <div class="map-column" ref={stage}>
        <MapCanvas
          model={model}
          label={words.label(view.name)}
          layers={layers}
          extent={view.resource?.latLonBoundingBox}
          projection={crs}
          position={state.position}
          showsLand={showsLand}
          viewAs={viewAs}
          onMove={(position) => setQuery({ at: formatPosition(position) })}
          {...(view.layer.type === 'WMTS' ? {} : { onRead: readPlace })}
          bar={
            <>
              <CrsPicker value={crs} workspace={view.workspace} layer={view.name} own={view.resource?.srs} />
              <label class="map-choice">
                <input
                  type="checkbox"
                  checked={showsLand}
                  onChange={(event) => setQuery({ land: event.currentTarget.checked ? undefined : 'off' })}
                />
                {words.baseMap}
              </label>
              <span class="map-state" role="status">
                <RequestState state={drawn} />
              </span>
            </>
          }
        >
          {times.length < 2 ? null : (
            <div class="map-time">
              <TimeSlider
                times={times}
                value={time}
                isReady={drawn?.kind !== 'drawing'}
                onChange={(next) => setQuery({ time: next ?? ALL_TIMES })}
              />
            </div>
          )}
          {place.value === undefined ? null : (
            <PlacePanel
              place={place.value}
              onClose={() => {
                place.value = undefined;
                stage.current?.querySelector<HTMLElement>('.map-canvas')?.focus();
              }}
            />
          )}
        </MapCanvas>
        {state.showsTable && isVector ? (
          <FeatureTable collection={view.qualifiedName} {...{ model, viewAs, chosen, filter: checked.valid, time }} />
        ) : null}
      </div>
      <Side
        view={view}
        panel={panel}
        model={model}
        state={{ ...state, crs, layers }}
        chosen={chosen.value}
        isRefused={state.panel === 'edit' && (viewAs !== undefined || mayEdit === false)}
      />
    </div>
  );
}

interface SideProps {
  readonly view: LayerView;
  readonly panel: Panel | undefined;
  readonly model: MapModel;
  readonly state: MapState;
  readonly chosen: string | undefined;
  /** Whether the user wants to edit and may not. */
  readonly isRefused: boolean;
}

function Side({ view, panel, model, state, chosen, isRefused }: SideProps) {
  const { layers, crs, filter } = state;
  if (panel === 'edit') {
    return (
      <aside class="map-side" aria-label={t().featureEdit.title}>
        <EditPanel view={view} model={model} filter={filter} chosen={chosen} />
      </aside>
    );
  }
  if (panel === 'use') {
    return (
      <aside class="map-side" aria-label={t().mapTools.use}>
        <UsePanel view={view} model={model} layers={layers} crs={crs} filter={filter} />
      </aside>
    );
  }
  return (
    <aside class="map-side" aria-label={t().mapTools.layers}>
      {isRefused ? <Remark kind="info">{t().featureEdit.refused}</Remark> : null}
      <LayerStack layers={state.layers} own={view.qualifiedName} model={model} />
      <LayerFacts view={view} />
    </aside>
  );
}

interface ToolbarProps {
  readonly state: MapState;
  readonly panel: Panel | undefined;
  readonly isVector: boolean;
  readonly canEdit: boolean;
}

function Toolbar({ state, panel, isVector, canEdit }: ToolbarProps) {
  const { mapTools: words, featureEdit } = t();
  const toggle = (target: Panel) => setQuery({ panel: panel === target ? undefined : target });
  return (
    <div class="map-actions" role="group" aria-label={words.actions}>
      <span class="map-action-layers">
        <Button icon="layers" isPressed={panel === 'layers'} onClick={() => toggle('layers')}>
          {words.layers}
        </Button>
      </span>
      {isVector ? (
        <Button
          icon="table"
          isPressed={state.showsTable}
          onClick={() => setQuery({ table: state.showsTable ? undefined : 'on' })}
        >
          {words.table}
        </Button>
      ) : null}
      {canEdit ? (
        <Button icon="pencil" shortcut="e" isPressed={panel === 'edit'} onClick={() => toggle('edit')}>
          {featureEdit.open}
        </Button>
      ) : null}
      <Button icon="share" isPressed={panel === 'use'} onClick={() => toggle('use')}>
        {words.use}
      </Button>
    </div>
  );
}

/** The value of the address for all times; without a value, the layer has its default. */
const ALL_TIMES = 'all';

interface Times {
  /** Distinct and in order; empty without a time dimension. */
  readonly times: readonly string[];
  /** For requests: a time, or an interval from the first to the last. */
  readonly time: string;
}

function useTimes({ workspace, name, resource }: LayerView, chosen: string): Times {
  const entries = [resource?.metadata?.entry ?? []].flat();
  const hasTime = entries.some((entry) => entry['@key'] === 'time' && entry.dimensionInfo?.enabled === true);
  const read = useRest<LayerCapabilities>({
    path: hasTime ? getCapabilitiesPath(workspace, name) : undefined,
    read: readCapabilities,
  });
  const { times = [], defaultTime = '' } = read.data?.body ?? {};
  if (times.length === 0) return { times, time: '' };
  if (chosen === ALL_TIMES) return { times, time: `${times[0]}/${times.at(-1)}` };
  const wanted = Date.parse(chosen === '' ? defaultTime : chosen);
  return { times, time: times.find((each) => Date.parse(each) === wanted) ?? chosen };
}
