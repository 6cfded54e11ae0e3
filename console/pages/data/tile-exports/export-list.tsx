/** Tile exports with their progress: each can be cancelled, downloaded, started again and deleted. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { CopyLine } from '../../../parts/copy-line/copy-line.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { showToast } from '../../../parts/toast/toast.tsx';
import { type RestResult, useRest } from '../../../rest/cache.ts';
import { callRest, restRoot } from '../../../rest/client.ts';
import { DownloadTooLarge, MAX_DOWNLOAD_BYTES, saveDownload } from '../../../rest/download.ts';
import { formatTime, t } from '../../../words/words.ts';
import { formatSize } from '../../operations/format-size.ts';
import { getExportPath, getExportsPath, isUnfinished, type TileExport, type TileExportList } from './documents.ts';

interface ExportListProps {
  /** Undefined for all that the user may see. */
  readonly workspace: string | undefined;
  /** Undefined for those of all layers. */
  readonly layer?: string;
  /** Changes when an export has been started. */
  readonly started?: number;
}

const INTERVAL_MS = 1_500;

export function ExportList({ workspace, layer, started = 0 }: ExportListProps) {
  const { tileExports: words } = t();
  const read = useRest<TileExportList>(getExportsPath(workspace));
  const list = read.data?.body.tileExports;
  const all = list === undefined || list === '' ? [] : list.tileExport;
  const shown = all
    .filter((each) => layer === undefined || each.layer === layer)
    .toSorted((one, other) => (one.created < other.created ? 1 : -1));
  useProgress(read, shown.some(isUnfinished));
  useEffect(() => {
    if (started > 0) void read.refetch();
  }, [started]);
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  if (shown.length === 0) return layer === undefined ? <p class="muted">{words.none}</p> : null;
  return (
    <ul class="tile-exports" aria-label={words.list}>
      {shown.map((each) => (
        <ExportItem
          key={each.name}
          workspace={workspace}
          job={each}
          showsLayer={layer === undefined}
          onChange={() => void read.refetch()}
        />
      ))}
    </ul>
  );
}

/** Exports are no part of the configuration, so no event reports their progress. */
function useProgress({ refetch }: RestResult<TileExportList>, isRunning: boolean): void {
  const latest = useRef(refetch);
  latest.current = refetch;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void latest.current(), INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
}

interface ExportItemProps {
  readonly workspace: string | undefined;
  readonly job: TileExport;
  readonly showsLayer: boolean;
  readonly onChange: () => void;
}

function ExportItem({ workspace, job, showsLayer, onChange }: ExportItemProps) {
  const { tileExports: words } = t();
  const failure = useSignal<unknown>(undefined);
  const { archive, format, tilesDone, tilesTotal } = job;
  const fileName = `${job.layer.slice(job.layer.indexOf(':') + 1)}.${archive}`;
  const path = getExportPath(workspace, job.name);
  const send = async (method: 'POST' | 'DELETE', action: string, done?: string) => {
    failure.value = undefined;
    try {
      await callRest(`${path}${action}`, { method });
      if (done !== undefined) showToast(done);
    } catch (error) {
      failure.value = error;
    }
    onChange();
  };
  const name = `${showsLayer ? `${job.layer} · ` : ''}${words.archives[archive]} · ${words.formats[format] ?? format}`;
  const label = `${name}, ${formatTime(job.created)}`;
  return (
    <li class="tile-export">
      <strong>{name}</strong>
      <span class="muted">
        {words.states[job.state]} · {words.by(job.createdBy, formatTime(job.created))}
      </span>
      {isUnfinished(job) ? (
        <>
          <progress class="tiles-progress" aria-label={label} max={Math.max(1, tilesTotal)} value={tilesDone} />
          <span class="muted">{words.progress(tilesDone, tilesTotal)}</span>
        </>
      ) : null}
      {job.layerChanged ? <span class="tile-export-problem">{words.layerChanged}</span> : null}
      {job.tilesIncomplete === 0 ? null : (
        <span class="tile-export-problem">{words.incomplete(job.tilesIncomplete)}</span>
      )}
      {job.problem === undefined ? null : <span class="tile-export-problem">{job.problem}</span>}
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      <div class="tile-export-actions">
        {job.state === 'finished' ? <Download {...{ path, fileName, label }} bytes={job.bytes} /> : null}
        {isUnfinished(job) ? (
          <Button ariaLabel={words.cancelOf(label)} onClick={() => void send('POST', '/cancel', words.cancelled)}>
            {t().app.cancel}
          </Button>
        ) : (
          <Button ariaLabel={words.deleteOf(label)} onClick={() => void send('DELETE', '', words.deleted)}>
            {words.delete}
          </Button>
        )}
        {job.state === 'failed' || job.state === 'cancelled' ? (
          <Button ariaLabel={words.restartOf(label)} onClick={() => void send('POST', '/restart')}>
            {words.restart}
          </Button>
        ) : null}
      </div>
    </li>
  );
}

interface DownloadProps {
  readonly path: string;
  readonly fileName: string;
  readonly label: string;
  readonly bytes: number;
}

/** Larger files are for the command line, which can continue an interrupted download. */
function Download({ path, fileName, label, bytes }: DownloadProps) {
  const { tileExports: words, app } = t();
  const received = useSignal<number | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const file = `${path}/file`;
  if (bytes > MAX_DOWNLOAD_BYTES || failure.value instanceof DownloadTooLarge) {
    const target = `'${restRoot}${file}'`;
    return <CopyLine label="curl" text={`curl -C - -u USER -o '${fileName.replaceAll("'", '_')}' ${target}`} isBlock />;
  }
  const start = async () => {
    stop.current = new AbortController();
    failure.value = undefined;
    received.value = 0;
    try {
      await saveDownload(file, {
        fileName,
        signal: stop.current.signal,
        onProgress: (count) => {
          received.value = count;
        },
      });
    } catch (error) {
      if (!stop.current.signal.aborted) failure.value = error;
    }
    received.value = undefined;
  };
  return (
    <>
      {received.value === undefined ? (
        <Button
          icon="download"
          ariaLabel={`${words.download(formatSize(bytes))} ${label}`}
          onClick={() => void start()}
        >
          {words.download(formatSize(bytes))}
        </Button>
      ) : (
        <Button onClick={() => stop.current?.abort()}>
          {app.cancel} ({formatSize(received.value)})
        </Button>
      )}
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
    </>
  );
}
