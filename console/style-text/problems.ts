/** The errors and warnings of a style, with their positions in the text. */
import type { RestProblem } from '../rest/problems.ts';

export interface StyleProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** From 1; undefined for problems of the whole style. */
  readonly line?: number;
  readonly column?: number;
}

const position = /\bline (\d+)(?:, column (\d+))?/i;

function toProblem(severity: StyleProblem['severity'], text: string): StyleProblem {
  const [, line, column] = position.exec(text) ?? [];
  const shown = text.replace(/^line \d+(?:, column \d+)?: /i, '');
  const message = shown.charAt(0).toUpperCase() + shown.slice(1);
  return {
    severity,
    message,
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}

/** The server lists every error of an invalid style; a document that is not well-formed has one. */
export function listStyleErrors({ document }: RestProblem): readonly StyleProblem[] {
  const listed = (document.errors ?? []).flatMap(({ message, detail }) => message ?? detail ?? []);
  return (listed.length === 0 ? [document.detail] : listed).map((text) => toProblem('error', text));
}

/** Reads `Warning` headers: `199 - "text", 199 - "text"`. Characters beyond ASCII are percent-encoded. */
export function listStyleWarnings(header: string | null): readonly StyleProblem[] {
  return [...(header ?? '').matchAll(/\b\d{3} - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    toProblem('warning', decodeText(text)),
  );
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![\dA-Fa-f]{2})/g, '%25'));
  } catch {
    return text;
  }
}
