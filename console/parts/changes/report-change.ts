/** The message after a write, with a button that takes the change back. */
import { queries } from '../../rest/cache.ts';
import { callRest, rest } from '../../rest/client.ts';
import { toProblem } from '../../rest/problems.ts';
import { t } from '../../words/words.ts';
import { showToast } from '../toast/toast.tsx';

interface WriteReply {
  /** Without a number, the write changed nothing that can be undone. */
  readonly change: number | null;
  readonly warnings?: readonly string[];
}

/** Also shows what the server warns about. */
export function reportChange(text: string, { change, warnings = [] }: WriteReply): void {
  const action = change === null ? undefined : { label: t().changes.undo, run: () => void undoChange(change) };
  showToast([text, ...warnings].join(' '), action);
}

/** Undoes a change and reports the result; conflicts with later changes are named by the server. */
export async function undoChange(sequence: number): Promise<void> {
  const { changes: words } = t();
  try {
    await callRest(rest`/history/${sequence}/undo`, { method: 'POST' });
    showToast(words.undone(sequence));
  } catch (error) {
    showToast(`${words.undoFailed(sequence)}: ${toProblem(error).document.detail}`);
  }
  await queries.invalidateQueries();
}
