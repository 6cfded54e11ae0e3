/** The fields of a webhook. The server checks them; its errors appear below the inputs. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { listFieldProblems, toProblem } from '../../../rest/problems.ts';
import { t } from '../../../words/words.ts';
import { DraftNotice } from '../draft-notice.tsx';
import type { Webhook } from './types.ts';

interface WebhookFormProps {
  /** Undefined for a new one. */
  readonly webhook?: Webhook;
  /** A change of another user is not overwritten. */
  readonly etag?: string | undefined;
  readonly onClose: () => void;
}

export function WebhookForm({ webhook, etag, onClose }: WebhookFormProps) {
  const { webhookPages: words, app } = t();
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  // The version that the form shows, also while the page follows changes of others.
  const draft = useSignal({ webhook, etag });
  const shown = draft.value.webhook;
  const target = webhook === undefined ? '/webhooks' : rest`/webhooks/${webhook.name}`;
  const problem = failure.value === undefined ? undefined : toProblem(failure.value);
  const problems = problem === undefined ? [] : listFieldProblems(problem);
  const findError = (name: string) => problems.find(({ field }) => field.split('.').at(-1) === name)?.message;
  useEffect(() => {
    failure.value = undefined;
  }, [target]);

  const run = async (work: () => Promise<void>) => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      await work();
      onClose();
    } catch (error) {
      failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const sent = new FormData(event.currentTarget);
    const read = (name: string) => String(sent.get(name) ?? '').trim();
    const name = read('name');
    const document = {
      name,
      url: read('url'),
      ...(read('secret') === '' ? {} : { secret: read('secret') }),
      enabled: sent.has('enabled'),
      expand: sent.has('expand'),
      kinds: splitList(read('kinds')),
      paths: splitList(read('paths')),
    };
    const version = draft.value.etag;
    void run(async () => {
      const reply = await writeRest(target, {
        method: webhook === undefined ? 'POST' : 'PUT',
        body: { webhook: document },
        headers: version === undefined ? {} : { 'if-match': version },
      });
      reportChange(words.saved(name), reply);
    });
  };
  const remove = () =>
    run(async () => {
      const reply = await writeRest(target, { method: 'DELETE' });
      reportChange(words.removed(webhook?.name ?? ''), reply);
    });

  return (
    <form
      class="operations-form"
      onSubmit={submit}
      noValidate
      aria-label={webhook === undefined ? words.create : words.edit(webhook.name)}
    >
      {webhook === undefined ? <h2>{words.create}</h2> : <DraftNotice path={target} />}
      {problem === undefined ? null : <ProblemNotice error={problem} />}
      <Field label={words.name} name="name" required defaultValue={shown?.name} error={findError('name')} />
      <Field
        label={words.url}
        name="url"
        type="url"
        required
        hint={words.urlHint}
        defaultValue={shown?.url}
        error={findError('url')}
      />
      <Field
        label={words.secret}
        name="secret"
        type="password"
        autocomplete="new-password"
        hint={webhook === undefined ? undefined : words.secretKept}
        error={findError('secret')}
      />
      <Field
        label={words.kinds}
        name="kinds"
        hint={words.kindsHint}
        defaultValue={shown?.kinds.join(', ')}
        error={findError('kinds')}
      />
      <Field
        label={words.paths}
        name="paths"
        hint={words.pathsHint}
        defaultValue={shown?.paths.join(', ')}
        error={findError('paths')}
      />
      <div>
        <label class="check">
          <input type="checkbox" name="enabled" defaultChecked={shown?.enabled ?? true} />
          {words.enabled}
        </label>
        <label class="check">
          <input type="checkbox" name="expand" defaultChecked={shown?.expand ?? false} />
          {words.expand}
        </label>
      </div>
      <div class="operations-row">
        <Button shortcut="Control+S" type="submit" kind="primary" disabled={isBusy.value} isBusy={isBusy.value}>
          {words.save}
        </Button>
        <Button onClick={onClose}>{app.cancel}</Button>
        {webhook === undefined ? null : (
          <Button kind="quiet" disabled={isBusy.value} onClick={() => void remove()}>
            {words.remove}
          </Button>
        )}
      </div>
    </form>
  );
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
