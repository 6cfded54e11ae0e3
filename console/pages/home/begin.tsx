/** The ways to the first layer, and to further ones. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../parts/button/button.tsx';
import { reportChange } from '../../parts/changes/report-change.ts';
import { DropZone } from '../../parts/drop-zone/drop-zone.tsx';
import { droppedFiles } from '../../parts/drop-zone/dropped-files.ts';
import { Icon } from '../../parts/icon/icon.tsx';
import { ProblemNotice } from '../../parts/notice/notice.tsx';
import { queries } from '../../rest/cache.ts';
import { session } from '../../rest/session.ts';
import { routes } from '../../routes.ts';
import { navigate, path, toUrl, withWorkspace } from '../../shell/router.ts';
import { t } from '../../words/words.ts';
import { isEditable } from '../data/layer/edit/read-edits.ts';
import { acceptedExtensions } from '../data/publish/datasets.ts';

export function Begin({ isEmpty }: { readonly isEmpty: boolean }) {
  const { publish: words } = t();
  const take = (files: readonly File[]) => {
    if (files.length === 0) return;
    droppedFiles.value = files;
    navigate(withWorkspace('publish'));
  };
  const isAdministrator = session.value?.isAdministrator === true;
  return (
    <section class="begin" aria-labelledby="begin">
      <h2 id="begin">{isEmpty ? words.begin : words.beginAgain}</h2>
      <div class={isEmpty ? 'begin-ways' : 'begin-ways begin-more'}>
        {isEmpty ? <DropZone onFiles={take} accept={acceptedExtensions} /> : null}
        <ul class="begin-list">
          {isEmpty ? null : (
            <li>
              <a class="begin-card" href={toUrl('publish')}>
                <Icon name="upload" size={22} />
                <strong>{words.beginFile}</strong>
                <span class="muted">{words.beginFileHint}</span>
              </a>
            </li>
          )}
          <li>
            <a class="begin-card" href={toUrl('new/postgis')}>
              <Icon name="database" size={22} />
              <strong>{words.beginDatabase}</strong>
              <span class="muted">{words.beginDatabaseHint}</span>
            </a>
          </li>
          {isAdministrator ? <MoveIn /> : null}
          {isAdministrator ? <Sample /> : null}
        </ul>
      </div>
    </section>
  );
}

/** The page of the console if it has one, otherwise the command. */
function MoveIn() {
  const { publish: words } = t();
  const page = routes.find((route) => route.path.endsWith('move-in'));
  const content = (
    <>
      <Icon name="folder" size={22} />
      <strong>{words.beginMove}</strong>
      <span class="muted">{words.beginMoveHint}</span>
    </>
  );
  return (
    <li>
      {page === undefined ? (
        <div class="begin-card">
          {content}
          <code>graticule move-in</code>
        </div>
      ) : (
        <a class="begin-card" href={toUrl(page.path)}>
          {content}
        </a>
      )}
    </li>
  );
}

function Sample() {
  const { publish: words } = t();
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const publish = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      const { publishSample, SAMPLE_LAYER, SAMPLE_WORKSPACE } = await import('./sample-data.ts');
      const change = await publishSample(stop.current.signal);
      await queries.invalidateQueries();
      // The sample is published: an unknown answer must not look like a failure.
      const canEdit = await isEditable(`${SAMPLE_WORKSPACE}:${SAMPLE_LAYER}`, stop.current.signal).catch(() => true);
      reportChange(canEdit ? words.sampleDone : words.sampleReadOnly, { change });
      navigate(path`w/${SAMPLE_WORKSPACE}/layers/${SAMPLE_LAYER}`);
    } catch (error) {
      if (!stop.current.signal.aborted) failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <li>
      <div class="begin-card">
        <Icon name="spark" size={22} />
        <strong>{words.beginSample}</strong>
        <span class="muted">{words.beginSampleHint}</span>
        <Button disabled={isBusy.value} isBusy={isBusy.value} onClick={() => void publish()}>
          {isBusy.value ? words.sampleBusy : words.publishSample}
        </Button>
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      </div>
    </li>
  );
}
