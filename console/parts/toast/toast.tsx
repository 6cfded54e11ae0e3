/** Short messages after a change, with one action such as Undo. They are announced. */
import { signal } from '@preact/signals';
import { t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

const SHOWN_MS = 10_000;
/** The action must be reachable by keyboard, and after the page that the change opened is complete. */
const SHOWN_WITH_ACTION_MS = 30_000;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

export function showToast(text: string, action?: Toast['action']): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { id, text, action }];
  setTimeout(() => dismiss(id), action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toast-list" role="status">
      {toasts.value.map(({ id, text, action }) => (
        <div key={id} class="toast">
          <span>{text}</span>
          {action === undefined ? null : (
            <Button
              kind="quiet"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Button kind="quiet" icon="close" label={t().app.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
