/** The parts of the page around one style: text or forms on one side, map and legend on the other. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { address, setQuery } from '../../../shell/router.ts';
import { hasVisualEditor } from '../../../style-text/edit-style.ts';
import { findValue } from '../../../style-text/find-value.ts';
import { t } from '../../../words/words.ts';
import { useLayerAttributes } from '../layer-attributes.ts';
import type { StyleText } from '../style-documents.ts';
import { Wizard } from '../wizard/wizard.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { Preview } from './preview.tsx';
import { usePreviewLayer } from './preview-layer.ts';
import { ProblemList } from './problem-list.tsx';
import { SaveAsDialog } from './save-as-dialog.tsx';
import { SldView } from './sld-view.tsx';
import { StyleHead, type View } from './style-head.tsx';
import type { StyleSession } from './style-session.ts';
import { type EditorHandle, TextEditor } from './text-editor.tsx';
import { ValueBar } from './value-bar.tsx';
import { VisualEditor } from './visual-editor.tsx';

interface WorkbenchProps {
  readonly session: StyleSession;
  /** What the server has now. */
  readonly stored: StyleText;
  readonly canWrite: boolean;
}

const views: readonly View[] = ['text', 'visual', 'sld'];
const NARROW = '(max-width: 640px)';

export function Workbench({ session, stored, canWrite }: WorkbenchProps) {
  const { styles: words } = t();
  const editor = useRef<EditorHandle>(undefined);
  const cursor = useSignal(0);
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const dialog = useSignal<'save as' | 'wizard' | undefined>(undefined);
  const editsAnyway = useSignal(false);
  const layer = usePreviewLayer(session.place);
  const attributes = (useLayerAttributes(layer).attributes ?? []).map(({ name }) => name);
  const found = useComputed(() => findValue(session.text.value, cursor.value));
  const view = views.find((each) => each === address.value.query.get('view')) ?? 'text';
  const isGuarded = matchMedia(NARROW).matches && !editsAnyway.value;
  const isReadOnly = !canWrite || isGuarded;

  const save = async () => {
    if (isReadOnly || isBusy.peek() || !session.isDirty.peek()) return;
    isBusy.value = true;
    failure.value = undefined;
    try {
      const reply = await session.save();
      if (reply !== undefined) reportChange(words.editor.saved(session.place.name), reply);
    } catch (error) {
      failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  useEffect(() => {
    failure.value = undefined;
  }, [session.text.value]);
  const showText = (position: number) => {
    setQuery({ view: undefined });
    // The text is visible after the next drawing.
    requestAnimationFrame(() => editor.current?.showPosition(position));
  };
  const closeDialog = () => {
    dialog.value = undefined;
  };
  return (
    <div class="style">
      <StyleHead
        session={session}
        view={view}
        isReadOnly={isReadOnly}
        isBusy={isBusy.value}
        onSave={() => void save()}
        onSaveAs={() => {
          dialog.value = 'save as';
        }}
        onClassify={() => {
          dialog.value = 'wizard';
        }}
      />
      <Remarks {...{ session, stored, canWrite, isGuarded }} onEdit={() => (editsAnyway.value = true)} />
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      <div class="style-panes">
        <div class="style-edit" data-view={view}>
          <TextEditor
            session={session}
            isReadOnly={isReadOnly}
            isHidden={view !== 'text'}
            attributes={attributes}
            onSave={() => void save()}
            onCursor={(position) => {
              cursor.value = position;
            }}
            onReady={(handle) => {
              editor.current = handle;
            }}
          />
          {view === 'text' && !isReadOnly ? (
            <ValueBar
              value={found.value}
              onChange={(insert) => {
                const value = found.peek();
                if (value !== undefined) editor.current?.apply({ from: value.from, to: value.to, insert });
              }}
            />
          ) : null}
          {view === 'visual' && hasVisualEditor(session.language) ? (
            <VisualEditor
              session={session}
              language={session.language}
              isReadOnly={isReadOnly}
              attributes={attributes}
              onEdit={(edit) => editor.current?.apply(edit)}
              onShow={showText}
            />
          ) : null}
          {view === 'sld' ? <SldView sld={session.sld.value} /> : null}
          <ProblemList
            problems={session.problems.value}
            state={session.checkState.value}
            onChoose={(problem) => {
              setQuery({ view: undefined });
              requestAnimationFrame(() => editor.current?.showProblem(problem));
            }}
          />
        </div>
        <Preview
          layer={layer}
          sld={session.sld.value}
          isStale={session.problems.value.some(({ severity }) => severity === 'error')}
          onChoose={(chosen) => setQuery({ layer: chosen })}
        />
      </div>
      {session.conflict.value === undefined ? null : <ConflictDialog session={session} onSave={() => void save()} />}
      {dialog.value === 'save as' ? <SaveAsDialog session={session} onClose={closeDialog} /> : null}
      {dialog.value === 'wizard' && layer !== undefined && hasVisualEditor(session.language) ? (
        <Wizard
          layer={layer}
          language={session.language}
          onClose={closeDialog}
          onWrite={(text) => {
            session.setText(text);
            closeDialog();
          }}
        />
      ) : null}
    </div>
  );
}

interface RemarksProps extends WorkbenchProps {
  readonly isGuarded: boolean;
  readonly onEdit: () => void;
}

function Remarks({ session, stored, canWrite, isGuarded, onEdit }: RemarksProps) {
  const { editor: words } = t().styles;
  const isBehind = session.isDirty.value && stored.etag !== session.base.value.etag;
  return (
    <>
      {canWrite ? null : <Remark kind="info">{words.global}</Remark>}
      {canWrite && isGuarded ? (
        <Remark kind="info">
          <span>{words.phone}</span>
          <span>
            <Button onClick={onEdit}>{words.editAnyway}</Button>
          </span>
        </Remark>
      ) : null}
      {isBehind ? <Remark kind="warning">{words.behind}</Remark> : null}
      {session.checkState.value === 'failed' && canWrite ? <ProblemNotice error={session.checkError.value} /> : null}
    </>
  );
}
