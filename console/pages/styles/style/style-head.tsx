/** The head of the page: where the style is, how it is shown, and what can be done with it. */

import { Button } from '../../../parts/button/button.tsx';
import { Icon, type IconName } from '../../../parts/icon/icon.tsx';
import { PageTools } from '../../../parts/page-tools/page-tools.tsx';
import { path, setQuery, toUrl } from '../../../shell/router.ts';
import { hasVisualEditor } from '../../../style-text/edit-style.ts';
import { t } from '../../../words/words.ts';
import { getRestPath } from '../style-documents.ts';
import type { StyleSession } from './style-session.ts';

export type View = 'text' | 'visual' | 'sld';

interface StyleHeadProps {
  readonly session: StyleSession;
  readonly view: View;
  readonly isReadOnly: boolean;
  readonly isBusy: boolean;
  readonly onSave: () => void;
  readonly onSaveAs: () => void;
  readonly onClassify: () => void;
}

export function StyleHead({ session, view, isReadOnly, isBusy, onSave, onSaveAs, onClassify }: StyleHeadProps) {
  const { styles: words } = t();
  const { workspace, name } = session.place;
  const { language } = session;
  const hasForms = hasVisualEditor(language);
  const shown: readonly (readonly [View, IconName, string])[] = [
    ['text', 'code', words.languages[language]],
    ...(hasForms ? [['visual', 'sliders', words.editor.visual] as const] : []),
    ...(language === 'sld' ? [] : [['sld', 'eye', words.editor.asSld] as const]),
  ];
  return (
    <header class="style-head">
      <div class="style-names">
        <nav class="layer-crumbs" aria-label={words.title}>
          <a href={toUrl(workspace === undefined ? 'styles' : path`w/${workspace}/styles`)}>
            {workspace === undefined ? words.global : workspace}
          </a>
          <span aria-hidden="true">/</span>
        </nav>
        <h1>{name}</h1>
        <span class="style-format">{words.languages[language]}</span>
        <span class="style-dirty" role="status">
          {session.isDirty.value ? words.editor.unsaved : ''}
        </span>
      </div>
      <div class="style-tools">
        <div class="style-views" role="group" aria-label={words.editor.views}>
          {shown.map(([id, icon, label]) => (
            <button
              key={id}
              type="button"
              class="style-view"
              aria-pressed={id === view}
              onClick={() => setQuery({ view: id === 'text' ? undefined : id })}
            >
              <Icon name={icon} size={16} />
              {label}
            </button>
          ))}
        </div>
        <span class="style-space" />
        <PageTools path={getRestPath(session.place)} />
        {hasForms && !isReadOnly ? (
          <Button icon="classes" onClick={onClassify}>
            {words.wizard.open}
          </Button>
        ) : null}
        {session.isDirty.value ? <Button onClick={() => session.discard()}>{words.editor.discard}</Button> : null}
        <Button onClick={onSaveAs}>{words.editor.saveAs}</Button>
        {isReadOnly ? null : (
          <Button
            shortcut="Control+S"
            kind="primary"
            isBusy={isBusy}
            disabled={!session.isDirty.value || isBusy}
            onClick={onSave}
          >
            {words.editor.save}
          </Button>
        )}
      </div>
    </header>
  );
}
