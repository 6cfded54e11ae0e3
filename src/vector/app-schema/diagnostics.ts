/** Collects what is wrong with the documents of an upload, so that all of it is told at once. */

export interface Diagnostic {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** A sentence that says what was expected. */
  readonly message: string;
}

/** Nobody reads on after these, and a document of a million mistakes would be a long answer. */
const MAX_DIAGNOSTICS = 100;

export interface DiagnosticList {
  add(file: string, line: number, message: string): void;
  readonly list: readonly Diagnostic[];
  /** Whether no more are kept, so that none need be worked out. */
  isFull(): boolean;
}

export function createDiagnosticList(): DiagnosticList {
  const list: Diagnostic[] = [];
  return {
    list,
    isFull: () => list.length >= MAX_DIAGNOSTICS,
    add: (file, line, message) => {
      if (list.length < MAX_DIAGNOSTICS) list.push({ file, line, message });
    },
  };
}

/** In the order of the files, by line. */
export function sortDiagnostics(list: readonly Diagnostic[], files: readonly string[]): readonly Diagnostic[] {
  return list.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line);
}

/** A text of a document as it can be shown in a sentence. */
export function formatExcerpt(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 60).toWellFormed();
}
