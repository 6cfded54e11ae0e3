/** Downloads of the configuration: all of it or a part, as a document or as an archive with files. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { showToast } from '../../../parts/toast/toast.tsx';
import { useRest } from '../../../rest/cache.ts';
import { formatCurl, rest, withQuery } from '../../../rest/client.ts';
import { DownloadTooLarge, saveDownload } from '../../../rest/download.ts';
import { t } from '../../../words/words.ts';
import { formatSize } from '../format-size.ts';
import { toPassphraseHeader } from './send-configuration.ts';

interface WorkspaceList {
  readonly workspaces: '' | { readonly workspace: readonly { readonly name: string }[] };
}

const LISTED_WORKSPACES = 500;

export function ExportCard() {
  const { configuration: words, app } = t();
  const part = useSignal('');
  const passphrase = useSignal('');
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const listed = useRest<WorkspaceList>(`/workspaces?limit=${LISTED_WORKSPACES}`);
  const list = listed.data?.body.workspaces;
  const workspaces = list === undefined || list === '' ? [] : list.workspace;
  const path = withQuery('/configuration', {
    path: part.value === '' ? undefined : rest`/workspaces/${part.value}`,
  });

  const save = async (kind: 'json' | 'zip') => {
    isBusy.value = true;
    failure.value = undefined;
    const fileName = `${part.value === '' ? 'configuration' : part.value.replaceAll(/[^\w.-]/g, '_')}.${kind}`;
    try {
      const bytes = await saveDownload(path, {
        fileName,
        accept: kind === 'zip' ? 'application/zip' : 'application/json',
        headers: kind === 'zip' ? toPassphraseHeader(passphrase.value) : {},
      });
      showToast(words.saved(fileName, formatSize(bytes)));
    } catch (error) {
      failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <section class="operations-card">
      <h2>{words.export}</h2>
      <p class="muted">{words.exportLead}</p>
      <label class="plan-filter">
        <span>{words.part}</span>
        <select
          class="input"
          value={part.value}
          onChange={(event) => {
            part.value = event.currentTarget.value;
          }}
        >
          <option value="">{words.whole}</option>
          {workspaces.map(({ name }) => (
            <option key={name} value={name}>
              {words.workspaceOnly(name)}
            </option>
          ))}
        </select>
      </label>
      <Field
        label={words.exportPassphrase}
        name="export-passphrase"
        type="password"
        autocomplete="new-password"
        hint={words.exportPassphraseHint}
        onInput={(value) => {
          passphrase.value = value;
        }}
      />
      {failure.value === undefined ? null : failure.value instanceof DownloadTooLarge ? (
        <Remark kind="warning">{words.tooLarge}</Remark>
      ) : (
        <ProblemNotice error={failure.value} />
      )}
      <div class="operations-row">
        <Button disabled={isBusy.value} onClick={() => void save('json')}>
          {words.json}
        </Button>
        <Button disabled={isBusy.value} onClick={() => void save('zip')}>
          {words.zip}
        </Button>
      </div>
      <details class="history-curl">
        <summary>{app.showAsCurl}</summary>
        <pre tabIndex={0}>
          <code>{formatCurl(path)}</code>
        </pre>
      </details>
    </section>
  );
}
