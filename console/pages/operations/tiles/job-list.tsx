/** The running tile jobs with their progress; each can be stopped. */
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { showToast } from '../../../parts/toast/toast.tsx';
import { t } from '../../../words/words.ts';
import { formatDuration } from '../format-size.ts';
import { readTiles, writeTiles } from './call-tiles.ts';
import type { JobsDocument } from './types.ts';

const INTERVAL_MS = 1_500;

/** Incremented after a start, so that a new job is shown at once. */
export const startedJobs = signal(0);

export function JobList() {
  const { tilePages: words } = t();
  const jobs = useSignal<JobsDocument['long-array-array'] | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const round = useSignal(0);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async () => {
      try {
        jobs.value = (await readTiles<JobsDocument>('gwc/rest/seed.json', stop.signal)).body['long-array-array'];
        failure.value = undefined;
      } catch (error) {
        if (!stop.signal.aborted) failure.value = error;
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void run(), INTERVAL_MS);
    };
    void run();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [startedJobs.value, round.value]);

  const cancel = async (id: number) => {
    try {
      await writeTiles('gwc/rest/seed.json', {
        method: 'POST',
        body: `kill_thread=1&thread_id=${id}`,
        contentType: 'application/x-www-form-urlencoded',
      });
      showToast(words.stopped);
    } catch (error) {
      failure.value = error;
    }
    round.value += 1;
  };
  return (
    <section class="operations-card">
      <h2>{words.jobs}</h2>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      {jobs.value?.length === 0 ? <p class="muted">{words.noJobs}</p> : null}
      <ul class="tiles-jobs">
        {jobs.value?.map(([done, total, seconds, id, state]) => (
          <li key={id}>
            <span class="tiles-job-name">{words.jobName(id)}</span>
            <progress class="tiles-progress" aria-label={words.jobName(id)} max={Math.max(1, total)} value={done} />
            <span class="muted">
              {state === 0 ? words.pending : words.progress(done, total)}
              {seconds > 0 ? ` · ${words.left(formatDuration(seconds))}` : ''}
            </span>
            <Button onClick={() => void cancel(id)}>
              <span aria-hidden="true">{words.stop}</span>
              <span class="unseen">{words.cancel(id)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
