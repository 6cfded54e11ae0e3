/** Saves the text as a new style. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { dropAnswers } from '../../../rest/cache.ts';
import { navigate } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { createStyle, getCollectionPath, getPagePath } from '../style-documents.ts';
import { WorkspaceChoice } from '../workspace-choice.tsx';
import type { StyleSession } from './style-session.ts';

interface SaveAsDialogProps {
  readonly session: StyleSession;
  readonly onClose: () => void;
}

export function SaveAsDialog({ session, onClose }: SaveAsDialogProps) {
  const { styles: words } = t();
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const place = {
      name: String(data.get('name') ?? '').trim(),
      workspace: String(data.get('workspace') ?? '') || undefined,
    };
    isBusy.value = true;
    try {
      const reply = await createStyle(place, session.format, session.text.peek());
      await dropAnswers(getCollectionPath(place.workspace));
      // The new style has the text now.
      session.discard();
      onClose();
      reportChange(words.created(place.name), reply);
      navigate(getPagePath(place));
    } catch (error) {
      failure.value = error;
      isBusy.value = false;
    }
  };
  return (
    <Dialog title={words.editor.saveAsTitle} onClose={onClose}>
      <form
        class="style-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        <Field label={words.fields.name} name="name" defaultValue={words.copyOf(session.place.name)} required />
        <WorkspaceChoice selected={session.place.workspace} />
        <footer class="style-dialog-actions">
          <Button onClick={onClose}>{t().app.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy.value} disabled={isBusy.value}>
            {words.editor.save}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
