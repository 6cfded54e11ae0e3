/** Deletes a group after a rehearsal, which names the groups that contain it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { callRest, withQuery } from '../../../rest/client.ts';
import { RestProblem } from '../../../rest/problems.ts';
import { t } from '../../../words/words.ts';

interface DeleteGroupProps {
  readonly name: string;
  readonly target: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

type Rehearsal =
  | { readonly kind: 'running' | 'free' }
  | { readonly kind: 'blocked'; readonly blockers: readonly string[] }
  | { readonly kind: 'failed'; readonly error: unknown };

export function DeleteGroup({ name, target, onClose, onDeleted }: DeleteGroupProps) {
  const rehearsal = useSignal<Rehearsal>({ kind: 'running' });
  useEffect(() => {
    callRest(withQuery(target, { dryRun: true }), { method: 'DELETE' }).then(
      () => {
        rehearsal.value = { kind: 'free' };
      },
      (error: unknown) => {
        const blockers = error instanceof RestProblem ? error.document.blockers : undefined;
        rehearsal.value = blockers === undefined ? { kind: 'failed', error } : { kind: 'blocked', blockers };
      },
    );
  }, []);
  const { layerGroups: words, app } = t();
  const state = rehearsal.value;
  const remove = async () => {
    try {
      const path = withQuery(target, { recurse: state.kind === 'blocked' ? true : undefined });
      reportChange(words.deleted(name), await writeRest(path, { method: 'DELETE' }));
      onDeleted();
    } catch (error) {
      rehearsal.value = { kind: 'failed', error };
    }
  };
  return (
    <Dialog title={words.deleteTitle(name)} onClose={onClose}>
      <div class="granules-form">
        {state.kind === 'failed' ? <ProblemNotice error={state.error} /> : <p>{words.deleteHint}</p>}
        {state.kind === 'blocked' ? (
          <div role="alert">
            <p>{words.blocked}</p>
            <ul class="granules-listed">
              {state.blockers.map((blocker) => (
                <li key={blocker}>{blocker}</li>
              ))}
            </ul>
          </div>
        ) : null}
        <div class="granules-buttons">
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button
            kind="primary"
            icon="trash"
            disabled={state.kind === 'running' || state.kind === 'failed'}
            onClick={() => void remove()}
          >
            {state.kind === 'blocked' ? words.deleteAnyway : words.delete}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
