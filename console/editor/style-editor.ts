/**
 * The text editor of styles, CodeMirror in a shadow root: there it adopts its style sheets, which the policy of the page
 * permits, instead of adding style elements. This folder is loaded when an editor is shown.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { cssLanguage } from '@codemirror/lang-css';
import { jsonLanguage } from '@codemirror/lang-json';
import { xmlLanguage } from '@codemirror/lang-xml';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  type Language,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { StyleLanguage } from '../style-text/languages.ts';
import type { StyleProblem } from '../style-text/problems.ts';
import type { TextEdit } from '../style-text/text-edit.ts';
import { colorSwatches } from './color-swatches.ts';
import { type CompletionNames, completeStyle } from './complete-style.ts';
import { editorColors, editorTheme } from './theme.ts';

export interface StyleEditorOptions {
  readonly target: HTMLElement;
  readonly label: string;
  readonly text: string;
  readonly language: StyleLanguage;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onCursor: (position: number) => void;
  readonly onSave: () => void;
  /** Checks the text without waiting. */
  readonly onApply: () => void;
}

const languages: Readonly<Record<StyleLanguage, Language | undefined>> = {
  css: cssLanguage,
  sld: xmlLanguage,
  mbstyle: jsonLanguage,
  ysld: undefined,
};

export class StyleEditor {
  readonly #view: EditorView;
  readonly #writable = new Compartment();
  #names: CompletionNames = { attributes: [] };

  constructor(options: StyleEditorOptions) {
    const { target, text, language, label } = options;
    const root = target.shadowRoot ?? target.attachShadow({ mode: 'open' });
    root.replaceChildren();
    const highlighting = languages[language];
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          highlightActiveLineGutter(),
          codeFolding(),
          foldGutter(),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          search({ top: true }),
          EditorState.tabSize.of(2),
          ...(highlighting === undefined ? [] : [highlighting]),
          syntaxHighlighting(editorColors),
          editorTheme,
          colorSwatches,
          autocompletion({
            override: [(context) => completeStyle(context, language, this.#names)],
            // Enter accepts what is shown, however fast it is pressed.
            interactionDelay: 0,
          }),
          keymap.of([
            { key: 'Mod-s', run: () => save(options), preventDefault: true },
            { key: 'Mod-Enter', run: () => apply(options), preventDefault: true },
            { key: 'F8', run: nextDiagnostic },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...defaultKeymap,
          ]),
          this.#writable.of(createAccess(options.isReadOnly)),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.domEventHandlers({ beforeinput: replaceSelection }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) options.onChange(update.state.doc.toString());
            if (update.docChanged || update.selectionSet) options.onCursor(update.state.selection.main.head);
          }),
        ],
      }),
    });
    // Keys of the page, such as ?, are text here.
    target.onkeydown = (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
    };
  }

  setText(text: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() !== text) this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
  }

  /** One step of the editor's own undo. */
  apply(edit: TextEdit): void {
    this.#view.dispatch({ changes: edit });
  }

  setReadOnly(isReadOnly: boolean): void {
    this.#view.dispatch({ effects: this.#writable.reconfigure(createAccess(isReadOnly)) });
  }

  setNames(names: CompletionNames): void {
    this.#names = names;
  }

  setProblems(problems: readonly StyleProblem[]): void {
    const { doc } = this.#view.state;
    const diagnostics = problems.flatMap(({ line, column, message, severity }): Diagnostic[] => {
      if (line === undefined) return [];
      const { from: start, to: end, text } = doc.line(Math.max(1, Math.min(line, doc.lines)));
      const from = Math.min(start + Math.max(0, (column ?? 1) - 1), end);
      const word = /^[\w#-]+/.exec(text.slice(from - start))?.[0].length ?? 1;
      return [{ from, to: Math.min(from + word, end), severity, message }];
    });
    this.#view.dispatch(
      setDiagnostics(
        this.#view.state,
        diagnostics.toSorted((one, other) => one.from - other.from),
      ),
    );
  }

  showLine(line: number, column = 1): void {
    const { doc } = this.#view.state;
    const found = doc.line(Math.max(1, Math.min(line, doc.lines)));
    this.showPosition(Math.min(found.from + column - 1, found.to));
  }

  showPosition(position: number): void {
    const anchor = Math.min(position, this.#view.state.doc.length);
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.#view.focus();
  }

  /** The editor measures itself again after it was hidden. */
  refresh(): void {
    this.#view.requestMeasure();
  }

  destroy(): void {
    this.#view.destroy();
  }
}

/** Read-only text can have the focus, so that it can be read and copied by keyboard. */
function createAccess(isReadOnly: boolean) {
  return [
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({ 'aria-readonly': String(isReadOnly), tabindex: '0' }),
    EditorView.editable.of(!isReadOnly),
  ];
}

/** A handled key. */
function save({ onSave }: StyleEditorOptions): boolean {
  onSave();
  return true;
}

function apply({ onApply }: StyleEditorOptions): boolean {
  onApply();
  return true;
}

/**
 * Text that replaces a selection is inserted here: the browser would keep the colours of the selected text with style
 * attributes, which the policy of the page forbids.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { main } = view.state.selection;
  const { data } = event;
  if (event.inputType !== 'insertText' || data === null || main.empty || view.composing || view.state.readOnly)
    return false;
  event.preventDefault();
  const { from, to } = main;
  const createInsertion = () =>
    view.state.update({
      changes: { from, to, insert: data },
      selection: { anchor: from + data.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
  // Such as brackets around the selection.
  const isHandled = view.state
    .facet(EditorView.inputHandler)
    .some((handle) => handle(view, from, to, data, createInsertion));
  if (!isHandled) view.dispatch(createInsertion());
  return true;
}
