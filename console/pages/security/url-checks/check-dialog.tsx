/** A check: while its pattern is edited, the kept URLs are tested with it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Check } from '../../../parts/controls/controls.tsx';
import { FormDialog, findFieldError } from '../../../parts/controls/form-dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import type { BatchOperation } from '../../../rest/batch.ts';
import { writeRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { toProblem } from '../../../rest/problems.ts';
import { t } from '../../../words/words.ts';
import type { UrlCheck } from './page.tsx';
import { SampleList, useVerdicts } from './samples.tsx';
import { samples } from './test-urls.ts';

interface CheckDialogProps {
  readonly check: UrlCheck | undefined;
  readonly onClose: () => void;
}

const PAUSE_MS = 300;
/** For the tests of a check that has no name yet. */
const UNNAMED = 'new check';

export function CheckDialog({ check, onClose }: CheckDialogProps) {
  const { security: words } = t();
  const draft = useSignal<UrlCheck>(check ?? { name: '', regex: '', description: '', enabled: true });
  const tried = useSignal<BatchOperation | undefined>(undefined);
  const set = (changes: Partial<UrlCheck>) => {
    draft.value = { ...draft.peek(), ...changes };
  };
  useEffect(() => {
    const timer = setTimeout(() => {
      const { regex } = draft.peek();
      tried.value = regex.trim() === '' ? undefined : createOperation(check, draft.peek(), UNNAMED);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft.value]);
  const { verdicts, error } = useVerdicts(tried.value);
  const regexError = error === undefined ? undefined : findFieldError(toProblem(error), 'regex');
  const save = async () => {
    const { path, method, body } = createOperation(check, draft.peek(), '');
    reportChange(words.saved(draft.peek().name), await writeRest(path, { method, body }));
  };
  return (
    <FormDialog
      title={check === undefined ? words.newCheck : words.changeNamed(check.name)}
      submit={words.save}
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Field
            label={words.name}
            name="check-name"
            autocomplete="off"
            defaultValue={check?.name}
            error={errorOf('name')}
            onInput={(name) => set({ name: name.trim() })}
          />
          <Field
            label={words.pattern}
            name="regex"
            autocomplete="off"
            hint={words.patternHint}
            defaultValue={check?.regex}
            error={regexError ?? errorOf('regex')}
            onInput={(regex) => set({ regex })}
          />
          <Field
            label={words.description}
            name="description"
            defaultValue={check?.description ?? ''}
            error={errorOf('description')}
            onInput={(description) => set({ description })}
          />
          <Check
            label={words.enabled}
            name="enabled"
            hint={words.checkEnabledHint}
            checked={draft.value.enabled}
            onChange={(enabled) => set({ enabled })}
          />
          {samples.value.length === 0 ? (
            <p class="muted">{words.noSamples}</p>
          ) : (
            <div class="check-samples" role="status">
              <h3>{words.samplesAfter}</h3>
              <SampleList list={samples.value} verdicts={verdicts} />
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}

function createOperation(check: UrlCheck | undefined, draft: UrlCheck, unnamed: string): BatchOperation {
  const { name, regex, description, enabled } = draft;
  const regexUrlCheck = { name: name === '' ? unnamed : name, regex, description, enabled };
  return check === undefined
    ? { method: 'POST', path: '/urlchecks', body: { regexUrlCheck } }
    : { method: 'PUT', path: rest`/urlchecks/${check.name}`, body: { regexUrlCheck } };
}
