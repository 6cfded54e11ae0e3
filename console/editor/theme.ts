/** The look of the editor: colours of the page, which reach into the shadow root as variables. */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const editorTheme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--page)', color: 'var(--text)', fontSize: 'var(--size-13)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--code)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 12%, transparent)',
    color: 'var(--text)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--border)',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--warning) 22%, transparent)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--hover)', color: 'var(--muted)', border: '1px solid var(--line)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--code)', maxHeight: '16rem' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.1875rem 0.5rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'inherit', opacity: '0.8', fontStyle: 'normal' },
  '.cm-completionInfo': { maxWidth: '20rem', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic': { padding: '0.25rem 0.5rem', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--error)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--error)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warning)' },
  '.cm-lint-marker-error, .cm-lint-marker-warning': {
    content: 'none',
    width: '0.5rem',
    height: '0.5rem',
    margin: '0.35rem 0.125rem',
    borderRadius: '50%',
  },
  '.cm-lint-marker-error': { backgroundColor: 'var(--error)' },
  '.cm-lint-marker-warning': { backgroundColor: 'var(--warning)', borderRadius: '1px', transform: 'rotate(45deg)' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panels input': { backgroundColor: 'var(--page)', color: 'var(--text)', border: '1px solid var(--border)' },
  '.cm-panels button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--border)',
    minHeight: '1.5rem',
  },
  '.cm-color': {
    display: 'inline-block',
    width: '0.75em',
    height: '0.75em',
    marginRight: '0.25em',
    borderRadius: '2px',
    boxShadow: '0 0 0 1px var(--border)',
    verticalAlign: '-0.05em',
  },
});

export const editorColors = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.tagName, tags.keyword, tags.className, tags.labelName], color: 'var(--accent)' },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--code-name)' },
  { tag: [tags.string, tags.attributeValue, tags.atom, tags.color], color: 'var(--good)' },
  { tag: [tags.number, tags.unit, tags.bool], color: 'var(--warning)' },
  { tag: [tags.punctuation, tags.bracket, tags.angleBracket, tags.operator], color: 'var(--muted)' },
]);
