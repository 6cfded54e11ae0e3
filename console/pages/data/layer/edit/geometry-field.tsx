/** The geometry as text, for users without a pointer and for exact coordinates. */
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { FeatureEditor } from '../../../../map/feature-editor.ts';
import { Button } from '../../../../parts/button/button.tsx';
import { t } from '../../../../words/words.ts';
import type { Draft, EditSession } from './edit-session.ts';

interface GeometryFieldProps {
  readonly draft: Draft;
  readonly crs: string;
  readonly editor: FeatureEditor | undefined;
  readonly edits: EditSession;
}

export function GeometryField({ draft, crs, editor, edits }: GeometryFieldProps) {
  const { featureEdit: words } = t();
  const id = useId();
  const text = useSignal('');
  const isWrong = useSignal(false);
  useEffect(() => {
    text.value = draft.geometry === null || editor === undefined ? '' : editor.formatText(draft.geometry);
    isWrong.value = false;
  }, [draft.geometry, editor]);
  const apply = () => {
    const typed = text.peek().trim();
    try {
      const geometry = typed === '' ? null : (editor?.parseText(typed) ?? null);
      isWrong.value = false;
      edits.replaceGeometry(geometry);
    } catch {
      isWrong.value = true;
    }
  };
  return (
    <details class="field edit-geometry" open={draft.geometry === null}>
      <summary>{words.geometry(crs)}</summary>
      <textarea
        id={id}
        class="input"
        rows={3}
        spellcheck={false}
        aria-label={words.geometry(crs)}
        placeholder="POINT (8.55 47.37)"
        aria-invalid={isWrong.value}
        aria-describedby={isWrong.value ? `${id}-error` : undefined}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      {isWrong.value ? (
        <p id={`${id}-error`} class="field-error" role="alert">
          {words.geometryInvalid}
        </p>
      ) : null}
      <Button shortcut="Control+Enter" onClick={apply}>
        {words.applyGeometry}
      </Button>
    </details>
  );
}
