/** Changes the connection of a store. Values that are not in the form stay. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { listFieldProblems, toProblem } from '../../../rest/problems.ts';
import type { StoreView } from '../../../rest/store-documents.ts';
import { createStoreDocument, type StoreKind } from '../../../rest/store-kinds.ts';
import { t } from '../../../words/words.ts';
import { StoreFields } from '../parts/store-fields.tsx';
import type { StorePlace } from './page.tsx';

interface EditStoreProps {
  readonly place: StorePlace;
  readonly store: StoreView;
  readonly kind: StoreKind;
  /** A change of another user in the meantime is an error. */
  readonly etag: string | null;
  readonly onClose: () => void;
}

export function EditStore({ place, store, kind, etag, onClose }: EditStoreProps) {
  const { publish: words, app } = t();
  const values = useSignal(store.parameters);
  // That of the values above: the page itself follows changes of other users.
  const opened = useRef(etag);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const save = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      const reply = await writeRest(place.path, {
        method: 'PUT',
        body: createStoreDocument(kind, store.name, values.peek()),
        headers: opened.current === null ? {} : { 'if-match': opened.current },
      });
      reportChange(words.saved, reply);
      onClose();
    } catch (error) {
      failure.value = error;
      isBusy.value = false;
    }
  };
  const problems = failure.value === undefined ? [] : listFieldProblems(toProblem(failure.value));
  return (
    <Dialog title={words.editStore(store.name)} onClose={onClose}>
      <form
        class="connect-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <StoreFields
          fields={kind.fields}
          values={values.value}
          problems={problems}
          isChange
          onChange={(name, value) => {
            values.value = { ...values.peek(), [name]: value };
          }}
        />
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        <div class="delete-foot">
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button shortcut="Control+S" kind="primary" type="submit" disabled={isBusy.value}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
