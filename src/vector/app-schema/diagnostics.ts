/** Collects the errors of uploaded documents, so that they are reported together. */

export interface Diagnostic {
  readonly file: string;
  /** Starts at 1. */
  readonly line: number;
  /** A sentence that states the expectation. */
  readonly message: string;
}

/** Limits the length of the response for a document with very many errors. */
const MAX_DIAGNOSTICS = 100;

export interface DiagnosticList {
  add(file: string, line: number, message: string): void;
  readonly list: readonly Diagnostic[];
  /** Whether the list is full, so that further checks can be skipped. */
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

/** Sorts by file order, then by line. */
export function sortDiagnostics(list: readonly Diagnostic[], files: readonly string[]): readonly Diagnostic[] {
  return list.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line);
}

/** Formats a text of a document for a message. */
export function formatExcerpt(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 60).toWellFormed();
}
