/** Collects what is wrong with the documents of an upload, so that all of it is told at once. */

export interface Complaint {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** A sentence that says what was expected. */
  readonly message: string;
}

/** Nobody reads on after these, and a document of a million mistakes would be a long answer. */
const MAX_COMPLAINTS = 100;

export interface Complaints {
  add(file: string, line: number, message: string): void;
  readonly list: readonly Complaint[];
  /** Whether no more are kept, so that none need be worked out. */
  isFull(): boolean;
}

export function createComplaints(): Complaints {
  const list: Complaint[] = [];
  return {
    list,
    isFull: () => list.length >= MAX_COMPLAINTS,
    add: (file, line, message) => {
      if (list.length < MAX_COMPLAINTS) list.push({ file, line, message });
    },
  };
}

/** In the order of the files, by line. */
export function sortedComplaints(list: readonly Complaint[], files: readonly string[]): readonly Complaint[] {
  return list.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line);
}

/** A text of a document as it can be shown in a sentence. */
export function shown(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 60).toWellFormed();
}
