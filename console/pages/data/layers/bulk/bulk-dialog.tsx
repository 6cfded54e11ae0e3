/** Changes the selected layers at once: first without an effect, to show what would change. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../../parts/button/button.tsx';
import { reportChange } from '../../../../parts/changes/report-change.ts';
import { Combobox, type ComboboxOption } from '../../../../parts/combobox/combobox.tsx';
import { WorkspaceField } from '../../../../parts/combobox/workspace-field.tsx';
import { Dialog } from '../../../../parts/dialog/dialog.tsx';
import { ProblemNotice } from '../../../../parts/notice/notice.tsx';
import { type BatchOperation, type PlannedItem, planBatch, runBatch } from '../../../../rest/batch.ts';
import { dropAnswers } from '../../../../rest/cache.ts';
import { callRest, withQuery } from '../../../../rest/client.ts';
import { t } from '../../../../words/words.ts';
import { formatStyleName, getCollectionPath, type StyleList } from '../../../styles/style-documents.ts';
import type { LayerRow } from '../layer-row.ts';
import { type BulkAction, createOperations } from './operations.ts';

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly rows: readonly LayerRow[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** More would not be read. */
const SHOWN = 50;

export function BulkDialog({ action, rows, onClose, onDone }: BulkDialogProps) {
  const { bulk: words, app } = t();
  const value = useSignal('');
  const isBusy = useSignal(false);
  const needsValue = action === 'style' || action === 'move';
  const isReady = !needsValue || value.value.trim() !== '';
  const operations = isReady ? createOperations(action, rows, value.value.trim()) : [];
  const { items, failure } = usePlan(operations, isReady);
  const title = words.titles[action](rows.length);
  const run = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      const reply = await runBatch(title, operations);
      await dropAnswers('/batch');
      onClose();
      onDone();
      reportChange(words.done[action](rows.length), reply);
    } catch (error) {
      failure.value = error;
      isBusy.value = false;
    }
  };
  const changes = items.value;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="bulk-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (changes !== undefined && changes.length > 0 && !isBusy.peek()) void run();
        }}
      >
        {action === 'style' ? <StyleField value={value} rows={rows} /> : null}
        {action === 'move' ? (
          <WorkspaceField
            value={value.value}
            hint={words.moveHint}
            onChange={(name) => {
              value.value = name;
            }}
          />
        ) : null}
        {action === 'delete' ? <p class="muted">{words.deleteHint}</p> : null}
        <div class="bulk-plan" aria-live="polite">
          {failure.value !== undefined ? (
            <ProblemNotice error={failure.value} />
          ) : !isReady ? null : changes === undefined ? (
            <p class="muted">{words.checking}</p>
          ) : changes.length === 0 ? (
            <p>{action === 'enable' ? words.nothingEnabled : words.nothing}</p>
          ) : (
            <PlannedItems items={changes} />
          )}
        </div>
        <footer class="control-actions">
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button
            kind={action === 'delete' ? 'danger' : 'primary'}
            type="submit"
            isBusy={isBusy.value}
            isUnavailable={changes === undefined || changes.length === 0 || isBusy.value}
          >
            {title}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Asks the server what the operations would change, whenever they differ. */
function usePlan(operations: readonly BatchOperation[], isReady: boolean) {
  const items = useSignal<readonly PlannedItem[] | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    items.value = isReady && operations.length === 0 ? [] : undefined;
    failure.value = undefined;
    if (operations.length === 0) return;
    const stop = new AbortController();
    planBatch(operations, stop.signal).then(
      (plan) => {
        items.value = plan.items;
      },
      (error: unknown) => {
        if (!stop.signal.aborted) failure.value = error;
      },
    );
    return () => stop.abort();
  }, [JSON.stringify(operations)]);
  return { items, failure };
}

function PlannedItems({ items }: { readonly items: readonly PlannedItem[] }) {
  const { bulk: words, historyPages } = t();
  return (
    <>
      <p>{words.plan(items.length)}</p>
      <ul class="delete-list" tabIndex={0} aria-label={words.plan(items.length)}>
        {items.slice(0, SHOWN).map(({ path, kind, action }) => (
          <li key={`${kind} ${path}`}>
            <strong>{historyPages.actions[action] ?? action}</strong> <code>{decodePath(path ?? kind)}</code>
          </li>
        ))}
        {items.length > SHOWN ? <li>{words.more(items.length - SHOWN)}</li> : null}
      </ul>
    </>
  );
}

function decodePath(path: string): string {
  return path
    .replace(/^\/workspaces\//, '')
    .split('/')
    .map(decodeURIComponent)
    .join('/');
}

/** Styles that match a text. */
const FOUND = 20;

interface StyleFieldProps {
  readonly value: Signal<string>;
  readonly rows: readonly LayerRow[];
}

function StyleField({ value, rows }: StyleFieldProps) {
  const { bulk: words } = t();
  const workspaces = new Set(rows.map(({ workspace }) => workspace));
  const only = workspaces.size === 1 ? [...workspaces][0] : undefined;
  return (
    <Combobox
      label={words.style}
      hint={words.styleHint}
      name="style"
      value={value.value}
      onChange={(name) => {
        value.value = name;
      }}
      search={(text, signal) => searchStyles(text, only, signal)}
    />
  );
}

async function searchStyles(
  text: string,
  workspace: string | undefined,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const query = { limit: FOUND, q: text === '' ? undefined : text };
  const found = await Promise.all(
    (workspace === undefined ? [undefined] : [workspace, undefined]).map(async (place) => {
      const { styles } = (await callRest<StyleList>(withQuery(getCollectionPath(place), query), { signal })).body;
      return styles === ''
        ? []
        : styles.style.map(({ name }) => ({ value: formatStyleName({ workspace: place, name }) }));
    }),
  );
  return found.flat();
}
