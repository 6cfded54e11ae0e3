/** The editor of the text; its code is loaded when it is shown. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { StyleEditor } from '../../../editor/style-editor.ts';
import { Remark } from '../../../parts/notice/notice.tsx';
import type { StyleProblem } from '../../../style-text/problems.ts';
import type { TextEdit } from '../../../style-text/text-edit.ts';
import { t } from '../../../words/words.ts';
import type { StyleSession } from './style-session.ts';

/** What other parts of the page do with the editor. */
export interface EditorHandle {
  showProblem(problem: StyleProblem): void;
  showPosition(position: number): void;
  apply(edit: TextEdit): void;
}

interface TextEditorProps {
  readonly session: StyleSession;
  readonly isReadOnly: boolean;
  readonly isHidden: boolean;
  readonly attributes: readonly string[];
  readonly onSave: () => void;
  readonly onCursor: (position: number) => void;
  readonly onReady: (handle: EditorHandle) => void;
}

export function TextEditor(props: TextEditorProps) {
  const { session, isReadOnly, isHidden, attributes, onReady } = props;
  const target = useRef<HTMLDivElement>(null);
  const editor = useRef<StyleEditor>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const state = useSignal<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    let isCurrent = true;
    import('../../../editor/style-editor.ts').then(
      ({ StyleEditor: Constructor }) => {
        if (!isCurrent || target.current === null) return;
        const created = new Constructor({
          target: target.current,
          label: t().styles.editor.label(session.place.name),
          text: session.text.peek(),
          language: session.language,
          isReadOnly: latest.current.isReadOnly,
          onChange: (text) => session.setText(text),
          onCursor: (position) => latest.current.onCursor(position),
          onSave: () => latest.current.onSave(),
          onApply: () => session.checkNow(),
        });
        editor.current = created;
        state.value = 'ready';
        onReady({
          showProblem: ({ line, column }) => created.showLine(line ?? 1, column),
          showPosition: (position) => created.showPosition(position),
          apply: (edit) => created.apply(edit),
        });
      },
      () => {
        if (isCurrent) state.value = 'failed';
      },
    );
    return () => {
      isCurrent = false;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, [session]);
  const isReady = state.value === 'ready';
  useEffect(() => editor.current?.setText(session.text.value), [session.text.value, isReady]);
  useEffect(() => editor.current?.setProblems(session.problems.value), [session.problems.value, isReady]);
  useEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly, isReady]);
  useEffect(() => editor.current?.setNames({ attributes }), [attributes.join(), isReady]);
  useEffect(() => editor.current?.refresh(), [isHidden]);
  return (
    <>
      {state.value === 'failed' ? <Remark kind="error">{t().errors.update}</Remark> : null}
      <div ref={target} class="style-text" data-state={state.value} hidden={isHidden} />
    </>
  );
}
