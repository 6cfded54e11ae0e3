/** Copies a style under another name or into another workspace. */
import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button/button.tsx';
import { reportChange } from '../../parts/changes/report-change.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Field } from '../../parts/field/field.tsx';
import { ProblemNotice } from '../../parts/notice/notice.tsx';
import { dropAnswers } from '../../rest/cache.ts';
import { navigate } from '../../shell/router.ts';
import { detectSldVersion, type StyleLanguage } from '../../style-text/languages.ts';
import { t } from '../../words/words.ts';
import { createStyle, getCollectionPath, getPagePath, readStyleText, type StylePlace } from './style-documents.ts';
import { WorkspaceChoice } from './workspace-choice.tsx';

interface CopyStyleDialogProps {
  readonly place: StylePlace;
  readonly language: StyleLanguage;
  readonly onClose: () => void;
}

export function CopyStyleDialog({ place, language, onClose }: CopyStyleDialogProps) {
  const { styles: words } = t();
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const copy = {
      name: String(data.get('name') ?? '').trim(),
      workspace: String(data.get('workspace') ?? '') || undefined,
    };
    isBusy.value = true;
    try {
      const { text } = await readStyleText(place, language);
      const reply = await createStyle(copy, { language, version: detectSldVersion(text, '1.0.0') }, text);
      await dropAnswers(getCollectionPath(copy.workspace));
      onClose();
      reportChange(words.created(copy.name), reply);
      navigate(getPagePath(copy));
    } catch (error) {
      failure.value = error;
      isBusy.value = false;
    }
  };
  return (
    <Dialog title={words.copyTitle(place.name)} onClose={onClose}>
      <form
        class="style-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        <Field label={words.fields.name} name="name" defaultValue={words.copyOf(place.name)} required />
        <WorkspaceChoice selected={place.workspace} />
        <footer class="style-dialog-actions">
          <Button onClick={onClose}>{t().app.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy.value} disabled={isBusy.value}>
            {words.copy}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
