/** Starts a job that fills or empties the cache of a layer. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../../../parts/button/button.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { showToast } from '../../../parts/toast/toast.tsx';
import { t } from '../../../words/words.ts';
import { writeTiles } from './call-tiles.ts';
import { startedJobs } from './job-list.tsx';
import type { TileLayer } from './types.ts';

const actions = ['seed', 'reseed', 'truncate'] as const;

/** Enough to see an effect, and few tiles. */
const FIRST_LEVEL = '0';
const LAST_LEVEL = '5';

export function JobForm({ settings }: { readonly settings: TileLayer }) {
  const { tilePages: words } = t();
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const sent = new FormData(event.currentTarget);
    const type = String(sent.get('type'));
    const seedRequest = {
      name: settings.name,
      type,
      gridSetId: String(sent.get('gridSet')),
      format: String(sent.get('format')),
      zoomStart: Number(sent.get('from')),
      zoomStop: Number(sent.get('to')),
    };
    isBusy.value = true;
    failure.value = undefined;
    try {
      const path = `gwc/rest/seed/${encodeURIComponent(settings.name)}.json`;
      await writeTiles(path, { method: 'POST', body: { seedRequest } });
      showToast(type === 'truncate' ? words.truncated : words.started);
      startedJobs.value += 1;
    } catch (error) {
      failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form class="operations-card" onSubmit={(event) => void submit(event)}>
      <h2>
        {words.job}: {settings.name}
      </h2>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      <div class="tiles-grid">
        <Choice label={words.action} name="type">
          {actions.map((each) => (
            <option key={each} value={each}>
              {words.actions[each]}
            </option>
          ))}
        </Choice>
        <Choice label={words.gridSet} name="gridSet">
          {settings.gridSubsets.map(({ gridSetName }) => (
            <option key={gridSetName} value={gridSetName}>
              {gridSetName}
            </option>
          ))}
        </Choice>
        <Choice label={words.format} name="format">
          {settings.mimeFormats.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Choice>
        <Field label={words.fromLevel} name="from" type="number" defaultValue={FIRST_LEVEL} />
        <Field label={words.toLevel} name="to" type="number" defaultValue={LAST_LEVEL} />
      </div>
      <div>
        <Button type="submit" kind="primary" disabled={isBusy.value} isBusy={isBusy.value}>
          {words.start}
        </Button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly children: ComponentChildren;
}

function Choice({ label, name, children }: ChoiceProps) {
  return (
    <label class="plan-filter">
      <span>{label}</span>
      <select class="input" name={name}>
        {children}
      </select>
    </label>
  );
}
