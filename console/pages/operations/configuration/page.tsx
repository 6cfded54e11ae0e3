/** The configuration as a document: a plan of what a file would change, and exports. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { DropZone } from '../../../parts/drop-zone/drop-zone.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { UploadProgress } from '../../../parts/upload-progress/upload-progress.tsx';
import { t } from '../../../words/words.ts';
import { OperationsFrame } from '../frame.tsx';
import { ExportCard } from './export-card.tsx';
import { PlanView } from './plan-view.tsx';
import { comparePlan } from './send-configuration.ts';
import type { Candidate, Plan } from './types.ts';

export function Page() {
  const { configuration: words } = t();
  const file = useSignal<File | undefined>(undefined);
  const mode = useSignal<Candidate['mode']>('merge');
  const acceptsUnverified = useSignal(false);
  const passphrase = useSignal('');
  const planned = useSignal<{ readonly candidate: Candidate; readonly plan: Plan } | undefined>(undefined);
  /** The share that is sent; undefined while nothing runs. */
  const share = useSignal<number | undefined>(undefined);
  const stop = useRef<AbortController>(undefined);
  const isBusy = share.value !== undefined;
  const failure = useSignal<unknown>(undefined);

  const compareWith = async (candidate: Candidate, signal: AbortSignal) => {
    const onProgress = (sent: number) => {
      share.value = sent;
    };
    return (await comparePlan(candidate, { signal, onProgress })).body;
  };
  const compare = async (chosen: File) => {
    file.value = chosen;
    stop.current = new AbortController();
    share.value = 0;
    failure.value = undefined;
    const candidate: Candidate = {
      name: chosen.name,
      body: chosen,
      isArchive: /\.zip$/i.test(chosen.name) || chosen.type.includes('zip'),
      mode: mode.value,
      acceptsUnverified: acceptsUnverified.value,
      passphrase: passphrase.value,
    };
    try {
      planned.value = { candidate, plan: await compareWith(candidate, stop.current.signal) };
    } catch (error) {
      if (!stop.current.signal.aborted) failure.value = error;
    } finally {
      share.value = undefined;
    }
  };
  const shown = planned.value;
  if (shown !== undefined) {
    return (
      <OperationsFrame page="configuration">
        <PlanView
          candidate={shown.candidate}
          plan={shown.plan}
          onPlan={(plan) => {
            planned.value = { candidate: shown.candidate, plan };
          }}
          onClose={() => {
            planned.value = undefined;
          }}
        />
      </OperationsFrame>
    );
  }
  return (
    <OperationsFrame page="configuration">
      <p class="operations-lead">{words.lead}</p>
      <DropZone
        single={{ title: words.drop, hint: words.dropHint }}
        accept={['.json', '.zip']}
        onFiles={([chosen]) => {
          if (chosen !== undefined) void compare(chosen);
        }}
      />
      <div aria-live="polite">
        {share.value === undefined ? null : (
          <UploadProgress label={words.planning} share={share.value} onCancel={() => stop.current?.abort()} />
        )}
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      </div>
      <form
        class="operations-card"
        onSubmit={(event) => {
          event.preventDefault();
          if (file.value !== undefined) void compare(file.value);
        }}
      >
        <fieldset class="configuration-mode">
          <legend>{words.mode}</legend>
          {(['merge', 'mirror'] as const).map((each) => (
            <label key={each} class="check">
              <input
                type="radio"
                name="mode"
                checked={mode.value === each}
                onChange={() => {
                  mode.value = each;
                }}
              />
              {words[each]}
            </label>
          ))}
        </fieldset>
        <label class="check">
          <input
            type="checkbox"
            checked={acceptsUnverified.value}
            onChange={(event) => {
              acceptsUnverified.value = event.currentTarget.checked;
            }}
          />
          {words.unverified}
        </label>
        <Field
          label={words.passphrase}
          name="passphrase"
          type="password"
          autocomplete="off"
          hint={words.passphraseHint}
          onInput={(value) => {
            passphrase.value = value;
          }}
        />
        {file.value === undefined ? null : (
          <div>
            <Button type="submit" disabled={isBusy} isBusy={isBusy}>
              {words.plan}: {file.value.name}
            </Button>
          </div>
        )}
      </form>
      <ExportCard />
    </OperationsFrame>
  );
}
