/** A dialog with a form: it sends, shows errors at their fields, and closes when the server has accepted. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { listFieldProblems, type RestProblem, toProblem } from '../../rest/problems.ts';
import { t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { ProblemNotice } from '../notice/notice.tsx';

/** Returns the error of a field by the last part of its path. */
export type FindError = (field: string) => string | undefined;

interface FormDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly isDanger?: boolean;
  readonly isUnavailable?: boolean;
  /** Rejects with a problem of the server. */
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: (errorOf: FindError) => ComponentChildren;
}

export function FormDialog(props: FormDialogProps) {
  const { title, submit, isDanger = false, isUnavailable = false, onSubmit, onClose, children } = props;
  const failure = useSignal<RestProblem | undefined>(undefined);
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const problem = failure.value;
  const errorOf: FindError = (field) => (problem === undefined ? undefined : findFieldError(problem, field));

  useEffect(() => {
    if (problem !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy.peek() || isUnavailable) return;
    isBusy.value = true;
    failure.value = undefined;
    try {
      await onSubmit();
      onClose();
    } catch (error) {
      failure.value = toProblem(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} class="control-form" onSubmit={(event) => void send(event)} noValidate>
        {problem === undefined ? null : <ProblemNotice error={problem} />}
        {children(errorOf)}
        <footer class="control-actions">
          <Button onClick={onClose}>{t().app.cancel}</Button>
          <Button
            kind={isDanger ? 'danger' : 'primary'}
            type="submit"
            isBusy={isBusy.value}
            isUnavailable={isUnavailable || isBusy.value}
          >
            {submit}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

export function findFieldError(problem: RestProblem, field: string): string | undefined {
  return listFieldProblems(problem).find((each) => each.field === field || each.field.endsWith(`.${field}`))?.message;
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks before something is deleted. */
export function ConfirmDialog({ title, submit, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <FormDialog title={title} submit={submit} isDanger onSubmit={onConfirm} onClose={onClose}>
      {() => children}
    </FormDialog>
  );
}
