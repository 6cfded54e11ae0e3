/** Deletes a style. A dry run says first whether layers use it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../parts/button/button.tsx';
import { reportChange } from '../../parts/changes/report-change.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { ProblemNotice } from '../../parts/notice/notice.tsx';
import { writeRest } from '../../rest/cache.ts';
import { callRest } from '../../rest/client.ts';
import { RestProblem } from '../../rest/problems.ts';
import { t } from '../../words/words.ts';
import { getRestPath, type StylePlace } from './style-documents.ts';

interface DeleteStyleDialogProps {
  readonly place: StylePlace;
  readonly onClose: () => void;
}

export function DeleteStyleDialog({ place, onClose }: DeleteStyleDialogProps) {
  const { styles: words } = t();
  const users = useSignal<readonly string[] | undefined>(undefined);
  const replaces = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    callRest(`${getRestPath(place)}?dryRun=true`, { method: 'DELETE' }).then(
      () => {
        users.value = [];
      },
      (error: unknown) => {
        if (error instanceof RestProblem && error.code === 'style-in-use') users.value = error.document.blockers ?? [];
        else failure.value = error;
      },
    );
  }, []);
  const remove = async () => {
    try {
      const query = replaces.peek() ? '?recurse=true' : '';
      const reply = await writeRest(`${getRestPath(place)}${query}`, { method: 'DELETE' });
      onClose();
      reportChange(words.deleted(place.name), reply);
    } catch (error) {
      failure.value = error;
    }
  };
  const blockers = users.value;
  const isBlocked = blockers === undefined || (blockers.length > 0 && !replaces.value);
  return (
    <Dialog title={words.deleteTitle(place.name)} onClose={onClose}>
      <div class="style-form">
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        {blockers === undefined ? null : blockers.length === 0 ? (
          <p>{words.deleteUnused}</p>
        ) : (
          <>
            <p>{words.deleteUsed}</p>
            <ul class="style-blockers">
              {blockers.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
            <label class="style-check">
              <input
                type="checkbox"
                checked={replaces.value}
                onChange={(event) => {
                  replaces.value = event.currentTarget.checked;
                }}
              />
              {words.deleteReplace}
            </label>
          </>
        )}
        <footer class="style-dialog-actions">
          <Button onClick={onClose}>{t().app.cancel}</Button>
          <Button kind="primary" disabled={isBlocked} onClick={() => void remove()}>
            {words.delete}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
