/** What can be done with the selected layers. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../../parts/button/button.tsx';
import type { IconName } from '../../../../parts/icon/icon.tsx';
import { t } from '../../../../words/words.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { type BulkAction, bulkActions, MAX_SELECTED } from './operations.ts';
import type { LayerSelection } from './selection.ts';

const icons: Readonly<Record<BulkAction, IconName>> = {
  enable: 'check',
  disable: 'minus',
  style: 'styles',
  move: 'out',
  delete: 'trash',
};

interface BulkBarProps {
  readonly selection: LayerSelection;
  /** The layers that match the filter. */
  readonly total: number;
}

export function BulkBar({ selection, total }: BulkBarProps) {
  const { bulk: words } = t();
  const action = useSignal<BulkAction | undefined>(undefined);
  const { length } = selection.rows;
  return (
    <section class="bulk" aria-label={words.label} hidden={length === 0}>
      <p class="bulk-count" role="status">
        {length === 0 ? '' : words.selected(length)}
      </p>
      {length === 0 ? null : (
        <>
          {length < total && total <= MAX_SELECTED ? (
            <Button kind="quiet" onClick={() => void selection.selectAll()}>
              {words.selectAll(total)}
            </Button>
          ) : null}
          <div class="bulk-actions">
            {bulkActions.map((each) => (
              <Button
                key={each}
                icon={icons[each]}
                onClick={() => {
                  action.value = each;
                }}
              >
                {words.actions[each]}
              </Button>
            ))}
            <Button kind="quiet" icon="close" label={words.clear} onClick={selection.clear} />
          </div>
        </>
      )}
      {action.value === undefined ? null : (
        <BulkDialog
          action={action.value}
          rows={selection.rows}
          onClose={() => {
            action.value = undefined;
          }}
          onDone={selection.clear}
        />
      )}
    </section>
  );
}
