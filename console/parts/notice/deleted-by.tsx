/** Who deleted a resource that does not exist any more, with a button that undoes the change. */
import { useSignal } from '@preact/signals';
import { useRest } from '../../rest/cache.ts';
import { withQuery } from '../../rest/client.ts';
import { session } from '../../rest/session.ts';
import { path as address, toUrl } from '../../shell/router.ts';
import { formatTime, t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';
import { undoChange } from '../changes/report-change.ts';

interface LastChange {
  readonly changes: readonly {
    readonly sequence: number;
    readonly who: string;
    readonly at: string;
    readonly items: readonly { readonly path: string | null; readonly action: string }[];
  }[];
}

/** Only administrators may read the history. */
export function DeletedBy({ path }: { readonly path: string }) {
  const isAllowed = session.value?.isAdministrator === true && !path.startsWith('/history');
  const read = useRest<LastChange>(isAllowed ? withQuery('/history', { path, limit: 1 }) : undefined);
  const isBusy = useSignal(false);
  const [change] = read.data?.body.changes ?? [];
  const isDeletion = change?.items.some((item) => item.action === 'delete' && isSame(item.path, path)) === true;
  if (change === undefined || !isDeletion) return null;
  const { errors: words, changes } = t();
  const { sequence, who, at } = change;
  const undo = async () => {
    isBusy.value = true;
    await undoChange(sequence);
    isBusy.value = false;
  };
  return (
    <p>
      {words.deletedBy(who, formatTime(at))}{' '}
      <a href={toUrl(address`operations/history/${String(sequence)}`)}>{words.changeNumber(sequence)}</a>{' '}
      <Button isBusy={isBusy.value} isUnavailable={isBusy.value} onClick={() => void undo()}>
        {changes.undo}
      </Button>
    </p>
  );
}

/** The page and the server may encode different characters of a name. */
function isSame(one: string | null, other: string): boolean {
  return one !== null && decode(one) === decode(other);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
