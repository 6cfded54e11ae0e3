/** Statements as they are written down, sent and answered. */

/** A statement that is planned once in a session. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement with its values; for a read, what it looks at (`read-marks.ts`), if that can be told. */
export type BoundStatement = readonly [statement: Statement, values: readonly unknown[], sees?: string];

export type Row = readonly unknown[];

/** Gives the rows that a statement gives. */
export type RunQuery = (...sent: BoundStatement) => Promise<readonly Row[]>;

/** Different statements must have different names. */
export function prepareStatement(name: string, text: string): Statement {
  return { name, text };
}
