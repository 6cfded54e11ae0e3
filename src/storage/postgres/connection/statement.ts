/** The types of statements and their results. */

/** A statement that is planned once per session. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement with its parameters; for a read, its mark (`read-marks.ts`), if there is one. */
export type BoundStatement = readonly [statement: Statement, values: readonly unknown[], sees?: string];

export type Row = readonly unknown[];

/** Runs a statement and returns its rows. */
export type RunQuery = (...sent: BoundStatement) => Promise<readonly Row[]>;

/** Different statements must have different names. */
export function prepareStatement(name: string, text: string): Statement {
  return { name, text };
}
