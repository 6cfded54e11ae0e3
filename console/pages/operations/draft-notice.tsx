/** Says above a form that another user has changed the resource since the form was opened; the input stays as it is. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Remark } from '../../parts/notice/notice.tsx';
import { type ChangeEvent, lastChange } from '../../rest/events.ts';
import { path as address, toUrl } from '../../shell/router.ts';
import { t } from '../../words/words.ts';

export function DraftNotice({ path }: { readonly path: string }) {
  const change = useSignal<ChangeEvent | undefined>(undefined);
  useEffect(() => {
    // A change from before the form was opened is already in it.
    const first = lastChange.peek();
    return lastChange.subscribe((next) => {
      if (next !== undefined && next !== first && next.paths.includes(path)) change.value = next;
    });
  }, [path]);
  if (change.value === undefined) return null;
  const { sequence, who } = change.value;
  return (
    <div role="status">
      <Remark kind="warning">
        <span>{t().operations.changedBy(who)}</span>
        <a href={toUrl(address`operations/history/${String(sequence)}`)}>{t().operations.showChange(sequence)}</a>
      </Remark>
    </div>
  );
}
