/** Asks before granules are removed, and whether their files are deleted as well. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { withQuery } from '../../../rest/client.ts';
import { t } from '../../../words/words.ts';
import { type Granule, getGranulesPath, type Place } from './read-granules.ts';

interface RemoveDialogProps {
  readonly place: Place;
  readonly granules: readonly Granule[];
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

const SHOWN = 8;

export function RemoveDialog({ place, granules, onClose, onRemoved }: RemoveDialogProps) {
  const deletesFiles = useSignal(false);
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const { granules: words, app } = t();
  const remove = async () => {
    isBusy.value = true;
    error.value = undefined;
    const ids = granules.map(({ id }) => `'${id.replaceAll("'", "''")}'`);
    const path = withQuery(getGranulesPath(place), {
      filter: `IN (${ids.join(', ')})`,
      purge: deletesFiles.peek() ? 'all' : undefined,
    });
    try {
      const reply = await writeRest(path, { method: 'DELETE' });
      reportChange(words.removed(granules.length), reply);
      onRemoved();
      onClose();
    } catch (reason) {
      error.value = reason;
      isBusy.value = false;
    }
  };
  return (
    <Dialog title={words.removeTitle(granules.length)} onClose={onClose}>
      <div class="granules-form">
        <ul class="granules-listed">
          {granules.slice(0, SHOWN).map(({ id, properties }) => (
            <li key={id}>{String(properties['location'] ?? id)}</li>
          ))}
          {granules.length > SHOWN ? <li>{words.others(granules.length - SHOWN)}</li> : null}
        </ul>
        <label class="flag">
          <input
            type="checkbox"
            checked={deletesFiles.value}
            onChange={(event) => {
              deletesFiles.value = event.currentTarget.checked;
            }}
          />
          {words.deleteFiles}
        </label>
        {error.value === undefined ? null : <ProblemNotice error={error.value} />}
        <div class="granules-buttons">
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button
            kind="primary"
            icon="trash"
            isBusy={isBusy.value}
            disabled={isBusy.value}
            onClick={() => void remove()}
          >
            {words.remove}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
