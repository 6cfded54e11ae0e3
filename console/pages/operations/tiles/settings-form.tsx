/** The tile settings of a layer or group: formats, grid sets, metatiles and lifetime. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { t } from '../../../words/words.ts';
import type { TileLayer } from './types.ts';

interface GridSetList {
  readonly gridSets: '' | { readonly gridSet: readonly { readonly name: string }[] };
}

interface SettingsFormProps {
  readonly settings: TileLayer;
  readonly etag: string | null;
}

const formats = [
  ...['image/png', 'image/png8', 'image/jpeg', 'image/webp', 'image/gif'],
  'application/vnd.mapbox-vector-tile',
];

/** A form whose values are not saved keeps them, and the version that it began with, while others change the settings. */
export function TileSettingsForm({ settings: current, etag }: SettingsFormProps) {
  const { tilePages: words } = t();
  const isTouched = useSignal(false);
  const opened = useRef({ settings: current, etag });
  if (!isTouched.value) opened.current = { settings: current, etag };
  const { settings } = opened.current;
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const listed = useRest<GridSetList>('/gridsets?limit=1000');
  const list = listed.data?.body.gridSets;
  const chosen = settings.gridSubsets.map(({ gridSetName }) => gridSetName);
  const others = (list === undefined || list === '' ? [] : list.gridSet.map(({ name }) => name)).filter(
    (name) => !chosen.includes(name),
  );

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const sent = new FormData(event.currentTarget);
    const readNumber = (name: string) => Number(sent.get(name));
    const gridSets = new Set([...sent.getAll('gridSet').map(String), String(sent.get('addedGridSet') ?? '')]);
    gridSets.delete('');
    const document = {
      enabled: sent.has('enabled'),
      mimeFormats: sent.getAll('format').map(String),
      // Levels and extents of kept grid sets stay.
      gridSubsets: [...gridSets].map(
        (name) => settings.gridSubsets.find(({ gridSetName }) => gridSetName === name) ?? { gridSetName: name },
      ),
      metaWidthHeight: [readNumber('columns'), readNumber('rows')],
      gutter: readNumber('gutter'),
      expireCache: readNumber('expireCache'),
    };
    isBusy.value = true;
    failure.value = undefined;
    try {
      const reply = await writeRest(rest`/tilelayers/${settings.name}`, {
        // Settings that the form does not show stay.
        method: 'POST',
        body: { GeoServerLayer: document },
        headers: opened.current.etag === null ? {} : { 'if-match': opened.current.etag },
      });
      reportChange(words.saved(settings.name), reply);
      isTouched.value = false;
    } catch (error) {
      failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      key={opened.current.etag}
      class="operations-card"
      onInput={() => {
        isTouched.value = true;
      }}
      onReset={() => {
        failure.value = undefined;
        isTouched.value = false;
      }}
      onSubmit={(event) => void submit(event)}
    >
      <h2>{words.settings(settings.name)}</h2>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      <label class="check">
        <input type="checkbox" name="enabled" defaultChecked={settings.enabled} />
        {words.enabled}
      </label>
      <fieldset class="configuration-mode">
        <legend>{words.formats}</legend>
        {formats.map((each) => (
          <label key={each} class="check">
            <input type="checkbox" name="format" value={each} defaultChecked={settings.mimeFormats.includes(each)} />
            {each}
          </label>
        ))}
      </fieldset>
      <fieldset class="configuration-mode">
        <legend>{words.gridSets}</legend>
        {chosen.map((name) => (
          <label key={name} class="check">
            <input type="checkbox" name="gridSet" value={name} defaultChecked />
            {name}
          </label>
        ))}
        <select class="input tiles-added" name="addedGridSet" aria-label={words.gridSet}>
          <option value="">+</option>
          {others.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </fieldset>
      <div class="tiles-grid">
        <Field
          label={words.metaColumns}
          name="columns"
          type="number"
          defaultValue={String(settings.metaWidthHeight[0] ?? 4)}
        />
        <Field
          label={words.metaRows}
          name="rows"
          type="number"
          defaultValue={String(settings.metaWidthHeight[1] ?? 4)}
        />
        <Field label={words.gutter} name="gutter" type="number" defaultValue={String(settings.gutter)} />
        <Field
          label={words.expireCache}
          name="expireCache"
          type="number"
          hint={words.expireHint}
          defaultValue={String(settings.expireCache)}
        />
      </div>
      <div class="operations-row">
        <Button shortcut="Control+S" type="submit" disabled={isBusy.value} isBusy={isBusy.value}>
          {words.save}
        </Button>
        {failure.value === undefined ? null : <Button type="reset">{t().publishing.discard}</Button>}
      </div>
    </form>
  );
}
