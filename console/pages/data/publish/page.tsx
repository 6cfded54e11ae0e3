/** Publishes files: what they contain is shown first, by a dry run of the upload. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { findUsualWorkspace } from '../../../parts/combobox/workspace-field.tsx';
import { DropZone } from '../../../parts/drop-zone/drop-zone.tsx';
import { droppedFiles } from '../../../parts/drop-zone/dropped-files.ts';
import { Empty, ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { session } from '../../../rest/session.ts';
import { currentWorkspace } from '../../../shell/router.ts';
import { formatList, t } from '../../../words/words.ts';
import { DatasetCard } from './dataset-card.tsx';
import { acceptedExtensions, sortFiles } from './datasets.ts';
import { Publication } from './publication.ts';

export function Page() {
  const publications = useSignal<readonly Publication[] | undefined>(undefined);
  const ignored = useSignal<readonly string[]>([]);
  const failure = useSignal<unknown>(undefined);
  const files = droppedFiles.value;
  const { publish: words } = t();
  useEffect(() => {
    let isCurrent = true;
    const begin = async () => {
      const [sorted, workspace] = await Promise.all([sortFiles(files), findUsualWorkspace(currentWorkspace.peek())]);
      if (!isCurrent) return;
      ignored.value = sorted.ignored;
      const found = sorted.datasets.map((dataset) => new Publication(dataset, workspace));
      publications.value = found;
      // One after the other: they share the line.
      for (const publication of found) if (isCurrent) await publication.check();
    };
    publications.value = undefined;
    failure.value = undefined;
    if (files.length > 0) {
      begin().catch((error: unknown) => {
        if (isCurrent) failure.value = error;
      });
    }
    return () => {
      isCurrent = false;
      for (const publication of publications.peek() ?? []) publication.cancel();
    };
  }, [files]);
  // The next visit begins without files.
  useEffect(
    () => () => {
      droppedFiles.value = [];
    },
    [],
  );
  if ((session.value?.workspaces.length ?? 0) === 0) {
    return (
      <Empty icon="upload" title={words.title}>
        <p>{words.noWorkspace}</p>
      </Empty>
    );
  }
  const take = (next: readonly File[]) => {
    droppedFiles.value = next;
  };
  const retry = () => take([...files]);
  const found = publications.value;
  return (
    <div class="publish">
      <header class="publish-head">
        <div>
          <h1>{words.title}</h1>
          <p class="muted">{words.lead}</p>
        </div>
        {files.length === 0 ? null : (
          <Button icon="close" onClick={() => take([])}>
            {words.otherFiles}
          </Button>
        )}
      </header>
      {files.length === 0 ? <DropZone onFiles={take} accept={acceptedExtensions} /> : null}
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} onRetry={retry} />}
      {files.length > 0 && found === undefined && failure.value === undefined ? (
        <p class="muted">{words.reading}</p>
      ) : null}
      {found?.length === 0 ? (
        <Remark kind="error">
          <strong>{words.nothingUsable}</strong>
          <span>{words.nothingUsableHint}</span>
        </Remark>
      ) : null}
      {ignored.value.length > 0 && files.length > 0 ? (
        <Remark kind="warning">{words.ignored(formatList(ignored.value))}</Remark>
      ) : null}
      {found?.map((publication) => (
        <DatasetCard key={publication.dataset.name} publication={publication} isOnly={found.length === 1} />
      ))}
    </div>
  );
}
