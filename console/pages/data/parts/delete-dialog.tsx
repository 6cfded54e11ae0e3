/** Asks before a deletion, and lists everything that it deletes: the result of a dry run. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { CHANGE_TYPE, type ChangePlan } from '../../../rest/batch.ts';
import { writeRest } from '../../../rest/cache.ts';
import { callRest } from '../../../rest/client.ts';
import { t } from '../../../words/words.ts';

interface DeleteDialogProps {
  readonly title: string;
  readonly name: string;
  readonly hint?: string;
  /** The REST path of the resource. */
  readonly path: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** More would not be read. */
const SHOWN = 30;

export function DeleteDialog({ title, name, hint, path, onClose, onDeleted }: DeleteDialogProps) {
  const { publish: words, app } = t();
  const affected = useSignal<readonly string[] | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  useEffect(() => {
    callRest<ChangePlan>(`${path}?recurse=true&dryRun=true`, { method: 'DELETE', accept: CHANGE_TYPE }).then(
      ({ body }) => {
        affected.value = body.items.flatMap((item) =>
          item.action === 'delete' && item.path !== null && item.path !== path ? [formatPath(item.path)] : [],
        );
      },
      (error: unknown) => {
        failure.value = error;
      },
    );
  }, [path]);
  const remove = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      const reply = await writeRest(`${path}?recurse=true`, { method: 'DELETE' });
      reportChange(words.removed(name), reply);
      onDeleted();
    } catch (error) {
      failure.value = error;
      isBusy.value = false;
    }
  };
  const found = affected.value;
  const layers = found?.filter((each) => each.includes('/layers/')).length ?? 0;
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="delete-dialog">
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        {found === undefined && failure.value === undefined ? <p class="muted">{words.removeUnknown}</p> : null}
        {found === undefined || found.length === 0 ? null : (
          <>
            <p>{words.removeContents}</p>
            <ul class="delete-list" tabIndex={0} aria-label={words.removeContents}>
              {found.slice(0, SHOWN).map((each) => (
                <li key={each}>
                  <code>{each}</code>
                </li>
              ))}
              {found.length > SHOWN ? <li>+ {found.length - SHOWN}</li> : null}
            </ul>
          </>
        )}
        {hint === undefined ? null : <p class="muted">{hint}</p>}
        <div class="delete-foot">
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" disabled={found === undefined || isBusy.value} onClick={() => void remove()}>
            {layers > 0 ? words.removeWith(layers) : words.remove}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The encoded path of a resource is shorter without its first words. */
function formatPath(path: string): string {
  return path.replace(/^\/workspaces\//, '');
}
