/** Undo of one change: first without an effect, to show what it would change or which later changes conflict. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { queries } from '../../../rest/cache.ts';
import { callRest, rest } from '../../../rest/client.ts';
import { RestProblem } from '../../../rest/problems.ts';
import { navigate, path, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { ActionMark, ResourceLink } from './resource-link.tsx';
import type { UndoConflict, UndoReply } from './types.ts';

interface UndoDialogProps {
  readonly sequence: number;
  readonly onClose: () => void;
}

export function UndoDialog({ sequence, onClose }: UndoDialogProps) {
  const { historyPages: words, app } = t();
  const plan = useSignal<UndoReply | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const target = rest`/history/${sequence}/undo`;

  useEffect(() => {
    const stop = new AbortController();
    callRest<UndoReply>(`${target}?dryRun=true`, { method: 'POST', signal: stop.signal }).then(
      ({ body }) => {
        plan.value = body;
      },
      (error: unknown) => {
        if (!stop.signal.aborted) failure.value = error;
      },
    );
    return () => stop.abort();
  }, [target]);

  const run = async () => {
    isBusy.value = true;
    try {
      const reply = await callRest<UndoReply>(target, { method: 'POST' });
      await queries.invalidateQueries();
      onClose();
      reportChange(words.undone(sequence), reply);
      if (reply.body.sequence !== null) navigate(path`operations/history/${String(reply.body.sequence)}`);
    } catch (error) {
      plan.value = undefined;
      failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };

  const items = plan.value?.items ?? [];
  return (
    <Dialog title={words.undoTitle(sequence)} onClose={onClose}>
      <div class="undo">
        <div aria-live="polite">
          {failure.value !== undefined ? (
            <Refusal error={failure.value} onFollow={onClose} />
          ) : plan.value === undefined ? (
            <p class="muted">{words.checking}</p>
          ) : items.length === 0 ? (
            <p>{words.undoNothing}</p>
          ) : (
            <>
              <p>{words.undoPlan(items.length)}</p>
              <ul class="undo-items" tabIndex={0}>
                {items.map((item) => (
                  <li key={item.id}>
                    <ActionMark action={item.action} /> <ResourceLink path={item.path} kind={item.kind} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        <div class="operations-row undo-buttons">
          <Button onClick={onClose}>{app.cancel}</Button>
          {items.length === 0 ? null : (
            <Button
              kind="primary"
              shortcut="Control+Enter"
              isBusy={isBusy.value}
              disabled={isBusy.value}
              onClick={() => void run()}
            >
              {words.undoRun(sequence)}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** Conflicts name the later changes, newest first, so that the user can undo them in this order. */
function Refusal({ error, onFollow }: { readonly error: unknown; readonly onFollow: () => void }) {
  const { historyPages: words } = t();
  const conflicts = error instanceof RestProblem ? listConflicts(error) : [];
  return (
    <>
      <ProblemNotice error={error} />
      {conflicts.length === 0 ? null : (
        <>
          <p class="undo-lead">{words.conflicts}</p>
          <ul class="undo-items">
            {conflicts.map(({ path: place, change }) => (
              <li key={`${change} ${place}`}>
                <ResourceLink path={place} />
                {change === null ? null : (
                  <>
                    {': '}
                    <a href={toUrl(path`operations/history/${String(change)}`)} onClick={onFollow}>
                      {words.conflictChange(change)}
                    </a>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function listConflicts({ document }: RestProblem): readonly UndoConflict[] {
  const { conflicts = [] } = document as { readonly conflicts?: readonly UndoConflict[] };
  return conflicts.toSorted((one, other) => (other.change ?? 0) - (one.change ?? 0));
}
