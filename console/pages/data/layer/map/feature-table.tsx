/** The features in view below the map. A row highlights its feature, and a feature that is clicked marks its row. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../../parts/button/button.tsx';
import { ProblemNotice } from '../../../../parts/notice/notice.tsx';
import { useRest } from '../../../../rest/cache.ts';
import { setQuery } from '../../../../shell/router.ts';
import { t } from '../../../../words/words.ts';
import type { MapModel } from '../../map/map-model.ts';
import { hasNumber } from '../has-number.ts';
import { formatValue } from '../place-panel.tsx';
import { createItemsPath, type ItemCollection, readItem, readItems } from './items.ts';

interface FeatureTableProps {
  readonly collection: string;
  readonly model: MapModel;
  readonly filter: string;
  readonly time: string;
  readonly viewAs: string | undefined;
  /** The id of the highlighted feature. */
  readonly chosen: Signal<string | undefined>;
}

const SHOWN = 100;

/** The map is moved in steps: the table follows after the last one. */
const SETTLE_MS = 200;

export function FeatureTable(props: FeatureTableProps) {
  const { collection, model, filter, time, viewAs, chosen } = props;
  const { mapTools: words, data } = t();
  const extent = useSettled(model.view.value?.extent);
  const query = {
    limit: SHOWN,
    skipGeometry: true,
    bbox: extent?.map((value) => value.toFixed(5)).join(),
    ...(filter === '' ? {} : { filter, 'filter-lang': 'ecql-text' }),
    ...(time === '' ? {} : { datetime: time }),
  };
  const read = useRest<ItemCollection>({
    path: extent === undefined ? undefined : createItemsPath(collection, query, viewAs),
    read: readItems,
    keepsLast: true,
  });
  useHighlight(props);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (chosen.value === undefined) return;
    body.current?.querySelector(`[data-id="${CSS.escape(chosen.value)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen.value, read.data]);
  const features = read.data?.body.features ?? [];
  // The server omits the number if counting takes too long.
  const total = read.data?.body.numberMatched ?? (features.length < SHOWN ? features.length : undefined);
  const names = [...new Set(features.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  return (
    <div class="view-table">
      <header class="view-table-head">
        <h2>{words.inView}</h2>
        <span class="muted" role="status">
          {read.data === undefined ? '' : words.shownInView(features.length, total)}
        </span>
        <Button kind="quiet" icon="close" label={words.closeTable} onClick={() => setQuery({ table: undefined })} />
      </header>
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {features.length === 0 ? (
        <p class="view-table-empty muted">{read.data === undefined ? '' : words.nothingInView}</p>
      ) : (
        <div class="view-table-scroll" role="region" tabIndex={0} aria-label={words.inView}>
          <table class="data-table">
            <thead>
              <tr>
                <th scope="col">{data.id}</th>
                {names.map((name) => (
                  <th key={name} scope="col" class={hasNumber(features, name) ? 'data-number' : ''}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {features.map(({ id, properties }) => (
                <tr
                  key={id}
                  data-id={id}
                  data-chosen={String(id) === chosen.value}
                  onMouseEnter={() => {
                    chosen.value = String(id);
                  }}
                >
                  <th scope="row">
                    <button
                      type="button"
                      class="view-table-row"
                      aria-label={words.zoomTo(String(id))}
                      onFocus={() => {
                        chosen.value = String(id);
                      }}
                      onClick={() => void zoomTo(props, String(id))}
                    >
                      {id}
                    </button>
                  </th>
                  {names.map((name) => (
                    <td key={name} class={typeof properties?.[name] === 'number' ? 'data-number' : ''}>
                      {formatValue(properties?.[name])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

/** The last value that did not change for a moment. */
function useSettled<T>(value: T): T {
  const settled = useSignal(value);
  useEffect(() => {
    if (settled.peek() === undefined) {
      settled.value = value;
      return;
    }
    const timer = setTimeout(() => {
      settled.value = value;
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
  return settled.value;
}

/** A feature that was deleted meanwhile leaves the map where it is. */
async function zoomTo({ collection, viewAs, model }: FeatureTableProps, id: string): Promise<void> {
  const { geometry } = await readItem(collection, id, viewAs).catch(() => ({ geometry: null }));
  if (geometry !== null) model.map.peek()?.fitGeometry(geometry);
}

/** Reads the geometry of the chosen feature and shows it on the map. */
function useHighlight({ collection, viewAs, chosen, model }: FeatureTableProps): void {
  useEffect(() => {
    const id = chosen.value;
    if (id === undefined) {
      model.marks.value = [];
      return;
    }
    let isCurrent = true;
    readItem(collection, id, viewAs).then(
      ({ geometry }) => {
        if (isCurrent) model.marks.value = geometry === null ? [] : [{ id, geometry, kind: 'highlight' }];
      },
      // The row stays without a highlight, for example if the feature was deleted meanwhile.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [chosen.value, collection, viewAs]);
  useEffect(
    () => () => {
      model.marks.value = [];
    },
    [],
  );
}
