/** The tile cache: its size, the tile settings of a layer, and jobs that fill or empty it. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { address, setQuery } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { ExportList } from '../../data/tile-exports/export-list.tsx';
import { formatSize } from '../format-size.ts';
import { OperationsFrame } from '../frame.tsx';
import { readTiles, writeTiles } from './call-tiles.ts';
import { JobForm } from './job-form.tsx';
import { JobList } from './job-list.tsx';
import { TileSettingsForm } from './settings-form.tsx';
import type { QuotaDocument, TileLayerDocument } from './types.ts';

export function Page() {
  const { tilePages: words } = t();
  const layer = address.value.query.get('layer') ?? '';
  return (
    <OperationsFrame page="tiles" request={{ path: layer === '' ? '/tileexports' : rest`/tilelayers/${layer}` }}>
      <p class="operations-lead">{words.lead}</p>
      <Quota />
      <JobList />
      <section class="operations-card">
        <h2>{t().tileExports.list}</h2>
        <ExportList workspace={undefined} />
      </section>
      <LayerChoice layer={layer} />
      {layer === '' ? null : <LayerTiles key={layer} layer={layer} />}
    </OperationsFrame>
  );
}

const MEGABYTE = 1_048_576;

function Quota() {
  const { tilePages: words } = t();
  const read = useRest<QuotaDocument>({ path: 'gwc/rest/diskquota.json', read: readTiles });
  const failure = useSignal<unknown>(undefined);
  const quota = read.data?.body.gwcQuotaConfiguration;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const bytes = Math.round(Number(new FormData(event.currentTarget).get('limit')) * MEGABYTE);
    failure.value = undefined;
    try {
      const body = { gwcQuotaConfiguration: { enabled: true, globalQuota: { bytes } } };
      reportChange(words.limitSaved, await writeTiles('gwc/rest/diskquota.json', { method: 'PUT', body }));
      await read.refetch();
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <section class="operations-card">
      <h2>{words.quota}</h2>
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      {quota === undefined ? null : (
        <>
          <p>
            {words.used(formatSize(quota.globalUsage.bytes), formatSize(quota.globalQuota.bytes))} ·{' '}
            {words.tiles(quota.globalUsage.tiles)}
          </p>
          <progress
            class="tiles-progress"
            aria-label={words.quota}
            max={Math.max(1, quota.globalQuota.bytes)}
            value={quota.globalUsage.bytes}
          />
          <form class="tiles-line" onSubmit={(event) => void submit(event)}>
            <Field
              key={quota.globalQuota.bytes}
              label={words.limit}
              name="limit"
              type="number"
              defaultValue={String(Math.round(quota.globalQuota.bytes / MEGABYTE))}
            />
            <Button type="submit">{words.saveLimit}</Button>
          </form>
        </>
      )}
    </section>
  );
}

interface FoundLayers {
  readonly search: { readonly results: readonly { readonly name: string; readonly workspace?: string }[] };
}

function LayerChoice({ layer }: { readonly layer: string }) {
  const { tilePages: words } = t();
  const typed = useSignal(layer);
  const q = typed.value.trim();
  const found = useRest<FoundLayers>({
    path: q === '' ? undefined : withQuery('/search', { q, kinds: 'layer,layerGroup', limit: 20 }),
    keepsLast: true,
  });
  const names = (found.data?.body.search.results ?? []).map(({ name, workspace }) =>
    workspace === undefined ? name : `${workspace}:${name}`,
  );
  return (
    <form
      class="tiles-line"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ layer: typed.value.trim() }, { replace: false });
      }}
    >
      <div class="field">
        <label for="tiles-layer">{words.layer}</label>
        <input
          id="tiles-layer"
          class="input"
          type="text"
          list="tiles-layers"
          autocomplete="off"
          placeholder={words.layerHint}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
        />
        <datalist id="tiles-layers">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <Button type="submit">{words.choose}</Button>
    </form>
  );
}

function LayerTiles({ layer }: { readonly layer: string }) {
  const read = useRest<TileLayerDocument>(rest`/tilelayers/${layer}`);
  const settings = read.data?.body.GeoServerLayer;
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  if (settings === undefined || read.data === undefined) return null;
  return (
    <>
      <JobForm settings={settings} />
      <TileSettingsForm settings={settings} etag={read.data.etag} />
    </>
  );
}
