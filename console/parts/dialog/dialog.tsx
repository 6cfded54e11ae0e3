/** A modal dialog. Esc and the close button call `onClose`; the focus returns to where it was. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';

interface DialogProps {
  readonly title: string;
  /** Without it, the dialog has no close button and Esc does nothing. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key is handled: what the user types at once goes into the dialog.
  useLayoutEffect(() => {
    const last = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      // What is below an open dialog cannot have the focus.
      dialog?.close();
      if (last instanceof HTMLElement) last.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        {onClose === undefined ? null : <Button kind="quiet" icon="close" label={t().app.close} onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}
