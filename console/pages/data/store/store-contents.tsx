/** The published and the other types of a store. Only this part reads the data, so that the page never waits for it. */
import { useSignal } from '@preact/signals';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Icon } from '../../../parts/icon/icon.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { listNames, type StoreView, storeContents } from '../../../rest/store-documents.ts';
import { path, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { TableChoice } from '../new-postgis/table-choice.tsx';
import { countLayers } from '../parts/publish-operations.ts';
import { toStoreName } from '../publish/datasets.ts';
import type { StorePlace } from './page.tsx';

interface StoreContentsProps {
  readonly place: StorePlace;
  readonly store: StoreView;
}

const SHOWN = 100;

export function StoreContents({ place, store }: StoreContentsProps) {
  const { publish: words } = t();
  const { path: items, list, item } = storeContents[place.collection];
  const published = useRest<unknown>(`${place.path}/${items}?limit=${SHOWN}`);
  const names = listNames(published.data?.body ?? {}, list, item);
  return (
    <section class="data-page-card">
      <h2>{words.publishedHere}</h2>
      {published.error === null ? null : <ProblemNotice error={published.error} />}
      {published.data !== undefined && names.length === 0 ? <p class="muted">{words.publishedNone}</p> : null}
      <ul class="store-layers">
        {names.map((name) => (
          <li key={name}>
            <Icon name="layers" size={18} />
            <a href={toUrl(path`w/${place.workspace}/layers/${name}`)}>{name}</a>
          </li>
        ))}
      </ul>
      {store.isEnabled ? <Available place={place} /> : null}
    </section>
  );
}

function Available({ place }: { readonly place: StorePlace }) {
  const { publish: words } = t();
  const { path: items, item } = storeContents[place.collection];
  const available = useRest<unknown>(`${place.path}/${items}?list=available`);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const names = listNames(available.data?.body ?? {}, 'list', 'string');
  const publish = async (chosen: readonly string[]) => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      const operations = chosen.map((nativeName) => ({
        method: 'POST',
        path: `${place.path}/${items}`,
        body: { [item]: { name: toStoreName(nativeName), nativeName } },
      }));
      const { body } = await writeRest<{ readonly change: number | null }>('/batch', {
        method: 'POST',
        body: { message: `publish ${countLayers(chosen.length)} of ${place.name}`, operations },
      });
      selected.value = new Set();
      reportChange(words.publishedMany(chosen.length), { change: body.change });
    } catch (error) {
      failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      <h2>{words.state}</h2>
      <div role="status">
        {available.data === undefined && available.error === null ? (
          <p class="muted">{words.stateChecking}</p>
        ) : available.error === null ? (
          <p class="store-good">
            <Icon name="check" size={18} />
            {words.stateGood}
          </p>
        ) : null}
      </div>
      {available.error === null ? null : (
        <ProblemNotice error={available.error} onRetry={() => void available.refetch()} />
      )}
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      {available.data === undefined ? null : names.length === 0 ? (
        <p class="muted">{words.availableNone}</p>
      ) : (
        <TableChoice
          tables={names.map((name) => ({ name }))}
          selected={selected}
          isBusy={isBusy.value}
          onPublish={(chosen) => void publish(chosen)}
          isStore
        />
      )}
    </>
  );
}
