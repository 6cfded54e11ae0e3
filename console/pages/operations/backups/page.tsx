/** The state of scheduled backups, and a download of one. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { showToast } from '../../../parts/toast/toast.tsx';
import { useRest } from '../../../rest/cache.ts';
import { callService, formatCurl, type RestReply, withQuery } from '../../../rest/client.ts';
import { DownloadTooLarge, saveDownload } from '../../../rest/download.ts';
import { formatNumber, formatTime, t } from '../../../words/words.ts';
import { toPassphraseHeader } from '../configuration/send-configuration.ts';
import { formatDuration, formatSize } from '../format-size.ts';
import { OperationsFrame } from '../frame.tsx';
import { parseMetrics } from '../status/read-samples.ts';

export function Page() {
  const { backupPages: words } = t();
  return (
    <OperationsFrame page="backups">
      <p class="operations-lead">{words.lead}</p>
      <Schedule />
      <Download />
    </OperationsFrame>
  );
}

function Schedule() {
  const { backupPages: words, status } = t();
  const read = useRest<ReadonlyMap<string, number>>({ path: '/metrics', read: readMetrics });
  const metrics = read.data?.body;
  const get = (name: string) => metrics?.get(`graticule_backup_${name}`) ?? 0;
  const time = get('last_success_time_seconds');
  const isFailed = get('failed') > 0;
  const isOverdue = get('overdue') > 0;
  return (
    <section class="operations-card">
      <h2>{words.scheduled}</h2>
      {read.error === null ? null : <p class="muted">{status.noMetrics}</p>}
      {isFailed ? <Remark kind="error">{words.failed}</Remark> : null}
      {isOverdue ? <Remark kind="error">{words.overdue}</Remark> : null}
      {metrics === undefined ? null : time === 0 ? (
        <p class="muted">{words.none}</p>
      ) : (
        <>
          {isFailed || isOverdue ? null : <p>{words.good}</p>}
          <dl class="facts">
            {(
              [
                [words.last, formatTime(time * 1_000)],
                [words.size, formatSize(get('last_bytes'))],
                [words.duration, formatDuration(get('last_duration_seconds'))],
                [words.damaged, formatNumber(get('last_damaged_files'))],
              ] as const
            ).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}

async function readMetrics(path: string, signal: AbortSignal): Promise<RestReply<ReadonlyMap<string, number>>> {
  const reply = await callService(path, { accept: 'text/plain', signal });
  return { body: parseMetrics(await reply.text()), etag: null, change: null, total: null };
}

function Download() {
  const { backupPages: words, configuration, app } = t();
  const passphrase = useSignal('');
  const includesTiles = useSignal(false);
  const received = useSignal<number | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const stop = useRef<AbortController>(undefined);
  const path = withQuery('/backup', { tiles: includesTiles.value || undefined });
  const fileName = 'graticule.backup';

  const start = async () => {
    stop.current = new AbortController();
    received.value = 0;
    failure.value = undefined;
    try {
      const bytes = await saveDownload(path, {
        fileName,
        headers: toPassphraseHeader(passphrase.value),
        signal: stop.current.signal,
        onProgress: (count) => {
          received.value = count;
        },
      });
      showToast(configuration.saved(fileName, formatSize(bytes)));
    } catch (error) {
      if (!stop.current.signal.aborted) failure.value = error;
    } finally {
      received.value = undefined;
    }
  };
  return (
    <form
      class="operations-card"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <h2>{words.download}</h2>
      <Field
        label={words.passphrase}
        name="backup-passphrase"
        type="password"
        autocomplete="new-password"
        hint={words.passphraseHint}
        onInput={(value) => {
          passphrase.value = value;
        }}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={includesTiles.value}
          onChange={(event) => {
            includesTiles.value = event.currentTarget.checked;
          }}
        />
        {words.tiles}
      </label>
      {failure.value === undefined ? null : failure.value instanceof DownloadTooLarge ? (
        <Remark kind="warning">{configuration.tooLarge}</Remark>
      ) : (
        <ProblemNotice error={failure.value} />
      )}
      <div class="operations-row">
        <Button type="submit" kind="primary" disabled={received.value !== undefined} icon="archive">
          {words.start}
        </Button>
        {received.value === undefined ? null : (
          <>
            <span role="status">{words.received(formatSize(received.value))}</span>
            <Button onClick={() => stop.current?.abort()}>{app.cancel}</Button>
          </>
        )}
      </div>
      <p class="muted">{words.commandLine}</p>
      <pre class="backups-command" tabIndex={0}>
        <code>{`${formatCurl(path)} -H 'Graticule-Passphrase: PASSPHRASE' -o ${fileName}`}</code>
      </pre>
      <p class="muted">{words.restore}</p>
      <pre class="backups-command" tabIndex={0}>
        <code>{`graticule restore ${fileName} --data-dir DIRECTORY`}</code>
      </pre>
    </form>
  );
}
