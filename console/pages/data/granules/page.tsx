/** The granules of a mosaic: a table with a filter, footprints on the map, times, removal and harvest. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { TimeSlider } from '../../../parts/time-slider/time-slider.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import type { ResourceDocument } from '../../../rest/types.ts';
import type { PageProps } from '../../../routes.ts';
import { address, path, setQuery, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { MapCanvas } from '../map/map-canvas.tsx';
import { joinDraws, useMapModel } from '../map/map-model.ts';
import { RequestState } from '../map/request-state.tsx';
import { GranuleFilter } from './granule-filter.tsx';
import { GranuleTable } from './granule-table.tsx';
import { HarvestDialog } from './harvest-dialog.tsx';
import { type Granule, type Place, useGranules, useGranuleTimes } from './read-granules.ts';
import { RemoveDialog } from './remove-dialog.tsx';

interface CoverageList {
  readonly coverages: '' | { readonly coverage: readonly { readonly name: string }[] };
}

export function Page({ params: { workspace = '', store = '' } }: PageProps) {
  const read = useRest<CoverageList>(rest`/workspaces/${workspace}/coveragestores/${store}/coverages`);
  const { granules: words } = t();
  const listed = read.data?.body.coverages;
  const names = listed === undefined || listed === '' ? [] : listed.coverage.map(({ name }) => name);
  const chosen = names.find((name) => name === address.value.query.get('coverage')) ?? names[0];
  return (
    <div class="granules">
      <header class="granules-head">
        <div class="granules-names">
          <nav class="layer-crumbs" aria-label={t().layer.workspace}>
            <a href={toUrl(path`w/${workspace}/layers`)}>{workspace}</a>
            <span aria-hidden="true">/</span>
            <span>{store}</span>
          </nav>
          <h1>{words.title(store)}</h1>
        </div>
        {names.length < 2 ? null : (
          <label class="granules-coverage">
            <span>{words.coverage}</span>
            <select
              class="input"
              value={chosen}
              onChange={(event) =>
                setQuery({ coverage: event.currentTarget.value, filter: undefined, time: undefined })
              }
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
      </header>
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {chosen === undefined && read.data !== undefined ? (
        <Empty icon="layers" title={words.noCoverage}>
          <p>{words.noCoverageHint}</p>
          <a
            class="button button-primary"
            href={toUrl(withQuery(path`w/${workspace}/stores/${store}`, { kind: 'coveragestores' }))}
          >
            {words.openStore}
          </a>
        </Empty>
      ) : null}
      {chosen === undefined ? null : <Granules key={chosen} place={{ workspace, store, coverage: chosen }} />}
    </div>
  );
}

function Granules({ place }: { readonly place: Place }) {
  const { query } = address.value;
  const filter = query.get('filter') ?? '';
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const dialog = useSignal<'remove' | 'harvest' | undefined>(undefined);
  const model = useMapModel();
  const resource = useRest<{ readonly coverage: ResourceDocument }>(
    rest`/workspaces/${place.workspace}/coveragestores/${place.store}/coverages/${place.coverage}`,
  );
  const coverage = resource.data?.body.coverage;
  const times = useGranuleTimes(place, coverage);
  const chosenTime = query.get('time') ?? '';
  const time = times.values.find((each) => Date.parse(each) === Date.parse(chosenTime)) ?? '';
  const list = useGranules(place, { filter, time, timeAttribute: times.attribute });
  const rows = list.granules;
  const crs = coverage?.srs ?? 'EPSG:4326';
  useEffect(() => {
    model.marks.value = createMarks(rows, selected.value, crs);
  }, [rows, selected.value, crs]);
  // Rows that a filter hides must not be removed.
  const visible = rows.filter(({ id }) => selected.value.has(id));
  const name = `${place.workspace}:${place.coverage}`;
  const layers = [{ name, opacity: 1, isVisible: true, filter: '', time }];
  const drawn = joinDraws([model.draws.value[name]]);
  const toggle = (id: string, isSelected: boolean) => {
    const next = new Set(selected.peek());
    if (isSelected) next.add(id);
    else next.delete(id);
    selected.value = next;
  };
  const { granules: words } = t();
  return (
    <div class="granules-body">
      <div class="granules-side">
        <GranuleFilter filter={filter} error={list.error} />
        <div class="granules-actions">
          <span class="muted" role="status">
            {visible.length > 0 ? words.selected(visible.length) : words.found(rows.length, list.hasMore)}
          </span>
          <Button
            icon="trash"
            disabled={visible.length === 0}
            onClick={() => {
              dialog.value = 'remove';
            }}
          >
            {words.remove}
          </Button>
          <Button
            kind="primary"
            icon="plus"
            onClick={() => {
              dialog.value = 'harvest';
            }}
          >
            {words.harvest}
          </Button>
        </div>
        {list.error !== null && filter === '' ? <ProblemNotice error={list.error} onRetry={list.retry} /> : null}
        {list.isLoaded && rows.length === 0 && list.error === null ? (
          <NoGranules
            isFiltered={filter !== '' || time !== ''}
            onHarvest={() => {
              dialog.value = 'harvest';
            }}
          />
        ) : list.error !== null ? null : (
          <GranuleTable
            granules={rows}
            label={words.title(place.store)}
            selected={selected.value}
            onSelect={toggle}
            onSelectAll={(isSelected) => {
              selected.value = new Set(isSelected ? rows.map(({ id }) => id) : []);
            }}
          />
        )}
        {list.hasMore ? <Button onClick={list.readMore}>{words.more}</Button> : null}
      </div>
      <div class="granules-map">
        <MapCanvas
          model={model}
          label={words.map(place.coverage)}
          layers={layers}
          extent={coverage?.latLonBoundingBox}
          key={coverage === undefined ? 'unknown' : 'known'}
          onPick={(id) => toggle(id, !selected.peek().has(id))}
          bar={
            <span class="map-state" role="status">
              <RequestState state={drawn} />
            </span>
          }
        >
          {times.values.length < 2 ? null : (
            <div class="map-time">
              <TimeSlider
                times={times.values}
                value={time}
                isReady={drawn?.kind !== 'drawing'}
                onChange={(next) => setQuery({ time: next })}
              />
            </div>
          )}
        </MapCanvas>
      </div>
      {dialog.value === 'remove' ? (
        <RemoveDialog
          place={place}
          granules={visible}
          onClose={() => {
            dialog.value = undefined;
          }}
          onRemoved={() => {
            selected.value = new Set();
            model.map.peek()?.refresh();
          }}
        />
      ) : null}
      {dialog.value === 'harvest' ? (
        <HarvestDialog
          place={place}
          onClose={() => {
            dialog.value = undefined;
          }}
          onHarvested={() => model.map.peek()?.refresh()}
        />
      ) : null}
    </div>
  );
}

interface NoGranulesProps {
  readonly isFiltered: boolean;
  readonly onHarvest: () => void;
}

function NoGranules({ isFiltered, onHarvest }: NoGranulesProps) {
  const { granules: words, layers } = t();
  return isFiltered ? (
    <Empty icon="search" title={words.noHits}>
      <Button onClick={() => setQuery({ filter: undefined, time: undefined })}>{layers.clearFilter}</Button>
    </Empty>
  ) : (
    <Empty icon="layers" title={words.empty}>
      <p>{words.emptyHint}</p>
      <Button kind="primary" icon="plus" onClick={onHarvest}>
        {words.harvest}
      </Button>
    </Empty>
  );
}

function createMarks(granules: readonly Granule[], selected: ReadonlySet<string>, crs: string) {
  return granules.flatMap(({ id, geometry }) =>
    geometry === null
      ? []
      : [{ id, geometry, crs, kind: selected.has(id) ? ('selected' as const) : ('footprint' as const) }],
  );
}
